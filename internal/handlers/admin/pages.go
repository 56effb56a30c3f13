// Package admin holds the pages of administrators, operators and auditors: accounts, integrations, rights, the event
// log, retention, health and delivery.
//
// Each kind of page has a type of its own, with what it uses. They are listed here from the bottom up: a type knows those
// above it in this file, and none below (TestRooms).
package admin

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/pdf"
	"utsending/internal/store/registry"
	"utsending/internal/upstream"
)

// What the pages share.
type (
	// systemPages has what several kinds of pages share: accounts by their address, those that an auditor sees, acts that wait for a
	// second person, and the redirect after an act.
	systemPages struct{ *frame.Frame }

	// integrationPages reads, tries and shows integrations.
	integrationPages struct {
		*frame.Frame
		Upstream *upstream.Clients
		system   *systemPages
	}

	// accountPages reads accounts with their integrations.
	accountPages struct {
		*frame.Frame
		integrations *integrationPages
	}

	// Confirmations asks for a reason, and where it takes two for a second person, before an act.
	Confirmations struct{ *frame.Frame }
)

// Operation.
type (
	// Delivery has the page of delivery: resuming, refused credentials, what a restored backup may have sent.
	Delivery struct {
		*frame.Frame
		Upstream     *upstream.Clients
		Delivers     bool // this process delivers
		system       *systemPages
		integrations *integrationPages
	}

	// Reconciliations compares what we have sent with what the service has.
	Reconciliations struct {
		*frame.Frame
		Delivers bool
		system   *systemPages
	}

	// Health has the health of all parts, and the short page of it for everybody.
	Health struct {
		*frame.Frame
		Upstream     *upstream.Clients
		PDF          *pdf.Inspector
		integrations *integrationPages
	}

	// Alarms shows alarms and the state of notices, and tries their channels.
	Alarms struct {
		*frame.Frame
		Notices registry.Channels // how notices can be sent
	}

	// Retention has how long content is kept.
	Retention struct {
		*frame.Frame
		system        *systemPages
		confirmations *Confirmations
	}

	// ActRequests has the acts that wait for a second person.
	ActRequests struct {
		*frame.Frame
		Upstream     *upstream.Clients
		integrations *integrationPages
		retention    *Retention
	}
)

// Accounts and integrations.
type (
	// Acts are the acts that Confirmations asks about.
	Acts struct {
		*frame.Frame
		Upstream     *upstream.Clients
		system       *systemPages
		integrations *integrationPages
		accounts     *accountPages
	}

	// Integrations has the pages of integrations, their credentials and certificates.
	Integrations struct {
		*frame.Frame
		Upstream     *upstream.Clients
		system       *systemPages
		integrations *integrationPages
	}

	// Generations moves accounts from one generation of the shipment service to another.
	Generations struct {
		*frame.Frame
		integrations *integrationPages
		accounts     *accountPages
	}

	// Accounts has the pages of accounts.
	Accounts struct {
		*frame.Frame
		system       *systemPages
		integrations *integrationPages
		accounts     *accountPages
		generations  *Generations
	}

	// AccountAlarms has an account's own notices.
	AccountAlarms struct {
		*frame.Frame
		Notices      registry.Channels
		PrivateChats bool                                                                 // accounts' own chats may be on an inner network
		AskChat      func(context.Context, dispatch.Account) (dispatch.ChatAnswer, error) // sends a trial message to an account's own chat
		accounts     *accountPages
	}

	// PrintRules has an account's rules for PDFs that are printed.
	PrintRules struct {
		*frame.Frame
		accounts *accountPages
	}

	// Usage has what the accounts have sent.
	Usage struct {
		*frame.Frame
		accounts *accountPages
	}

	// Appearance has the municipality's colours and logo.
	Appearance struct{ *frame.Frame }
)

// Rights and audit.
type (
	// Rights has the mappings from values of the login's claim to roles.
	Rights struct {
		*frame.Frame
		RightsClaim string // name of the login's rights claim
		system      *systemPages
	}

	// AccessReview has the review of all rights that auditors sign.
	AccessReview struct{ *frame.Frame }

	// Audit has the event log.
	Audit struct {
		*frame.Frame
		system *systemPages
	}

	// Citizen reports what we hold about one person.
	Citizen struct {
		*frame.Frame
		system *systemPages
	}
)

// Options are what the pages use.
type Options struct {
	Frame        *frame.Frame
	Upstream     *upstream.Clients
	Delivers     bool   // this process delivers
	RightsClaim  string // name of the login's rights claim
	PDF          *pdf.Inspector
	Notices      registry.Channels                                                    // how notices can be sent
	PrivateChats bool                                                                 // accounts' own chats may be on an inner network
	AskChat      func(context.Context, dispatch.Account) (dispatch.ChatAnswer, error) // sends a trial message to an account's own chat
}

// Pages are all pages of this area.
type Pages struct {
	Confirmations   *Confirmations
	Delivery        *Delivery
	Reconciliations *Reconciliations
	Health          *Health
	Alarms          *Alarms
	Retention       *Retention
	ActRequests     *ActRequests
	Acts            *Acts
	Integrations    *Integrations
	Generations     *Generations
	Accounts        *Accounts
	AccountAlarms   *AccountAlarms
	PrintRules      *PrintRules
	Usage           *Usage
	Appearance      *Appearance
	Rights          *Rights
	AccessReview    *AccessReview
	Audit           *Audit
	Citizen         *Citizen
}

// New puts the pages together.
func New(o Options) *Pages {
	f := o.Frame
	system, confirmations := &systemPages{f}, &Confirmations{f}
	integrations := &integrationPages{f, o.Upstream, system}
	accounts := &accountPages{f, integrations}
	retention, generations := &Retention{f, system, confirmations}, &Generations{f, integrations, accounts}
	return &Pages{
		Confirmations:   confirmations,
		Delivery:        &Delivery{f, o.Upstream, o.Delivers, system, integrations},
		Reconciliations: &Reconciliations{f, o.Delivers, system},
		Health:          &Health{f, o.Upstream, o.PDF, integrations},
		Alarms:          &Alarms{f, o.Notices},
		Retention:       retention,
		ActRequests:     &ActRequests{f, o.Upstream, integrations, retention},
		Acts:            &Acts{f, o.Upstream, system, integrations, accounts},
		Integrations:    &Integrations{f, o.Upstream, system, integrations},
		Generations:     generations,
		Accounts:        &Accounts{f, system, integrations, accounts, generations},
		AccountAlarms:   &AccountAlarms{f, o.Notices, o.PrivateChats, o.AskChat, accounts},
		PrintRules:      &PrintRules{f, accounts},
		Usage:           &Usage{f, accounts},
		Appearance:      &Appearance{f},
		Rights:          &Rights{f, o.RightsClaim, system},
		AccessReview:    &AccessReview{f},
		Audit:           &Audit{f, system},
		Citizen:         &Citizen{f, system},
	}
}
