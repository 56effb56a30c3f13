// Package registry stores what administrators manage: accounts, integrations, credentials, rights, sessions, the
// event log, retention.
//
// Each subject has a type of its own. They are listed here from the bottom up: a type calls those above it in this file,
// and none below (TestRooms).
package registry

import "utsending/internal/store"

// People and what they did.
type (
	// Audit is the event log and its chain.
	Audit struct{ *store.Store }

	// Roles are the mappings from values of the login's claim to roles, who holds them, and their review.
	Roles struct{ *store.Store }

	// Sessions are login sessions, sealed, under the hash of their token, with what they keep. It implements the interface of scs.
	Sessions struct{ *store.Store }

	// Lookups begins look-ups in the contact register, which are counted and logged.
	Lookups struct{ *store.Store }

	// ActRequests are acts that wait for a second person.
	ActRequests struct{ *store.Store }
)

// Accounts and integrations.
type (
	// Credentials are the sets of credentials of integrations.
	Credentials struct{ *store.Store }

	// Integrations are the integrations, and what trials of them showed.
	Integrations struct{ *store.Store }

	// Accounts are the accounts, and which integrations they use.
	Accounts struct{ *store.Store }

	// AccountNotices are the notices that an account itself gets.
	AccountNotices struct{ *store.Store }

	// Themes are the municipality's colours and logo.
	Themes struct{ *store.Store }
)

// Operation.
type (
	// Health tells how the database, the processes and the queue are.
	Health struct{ *store.Store }

	// Notices are messages to people, by e-mail and chat, that wait to be sent.
	Notices struct{ *store.Store }

	// MailChoices are what notices each user wants by e-mail, and the daily summary of them.
	MailChoices struct{ *store.Store }

	// Alarms are conditions that leads and operators must know.
	Alarms struct{ *store.Store }

	// Holds are legal holds.
	Holds struct{ *store.Store }

	// Retention is how long content is kept, and the purge of what is older.
	Retention struct{ *store.Store }

	// SIEM is how far the event log is handed over to a log server.
	SIEM struct{ *store.Store }
)

// Store has all of them.
type Store struct {
	Audit          Audit
	Roles          Roles
	Sessions       Sessions
	Lookups        Lookups
	ActRequests    ActRequests
	Credentials    Credentials
	Integrations   Integrations
	Accounts       Accounts
	AccountNotices AccountNotices
	Themes         Themes
	Health         Health
	Notices        Notices
	MailChoices    MailChoices
	Alarms         Alarms
	Holds          Holds
	Retention      Retention
	SIEM           SIEM
}

// In returns this area of a store.
func In(s *store.Store) Store {
	return Store{
		Audit: Audit{s}, Roles: Roles{s}, Sessions: Sessions{s}, Lookups: Lookups{s}, ActRequests: ActRequests{s},
		Credentials: Credentials{s}, Integrations: Integrations{s}, Accounts: Accounts{s}, AccountNotices: AccountNotices{s},
		Themes: Themes{s}, Health: Health{s}, Notices: Notices{s}, MailChoices: MailChoices{s}, Alarms: Alarms{s}, Holds: Holds{s}, Retention: Retention{s},
		SIEM: SIEM{s},
	}
}
