package admin

import (
	"context"
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// DeliveryPage shows administrators what blocks delivery, with buttons that unblock it.
type DeliveryPage struct {
	views.Page
	Off          bool // this process does not deliver
	Paused       bool
	PausedBy     string // empty: by the program, after a restore
	Integrations []IntegrationRow
	Asked        []dispatch.IntegrationID // which somebody has asked to open
	Restored     []RestoredAccount
	Accounts     []dispatch.Account
	Reviewed     dispatch.AccessReview // the latest; zero: none yet
}

// mustReview tells whether an access review is overdue that the user may make.
func (p DeliveryPage) mustReview() bool {
	return p.User.MaySystem(dispatch.RightAdminister) && p.Reviewed.Overdue(p.Now)
}

// partly tells whether an integration takes nothing, or nothing of some account.
func (p DeliveryPage) partly() bool {
	return slices.ContainsFunc(p.Integrations, func(r IntegrationRow) bool {
		return !r.StoppedAt.IsZero() || !r.RefusedAt.IsZero() || len(r.Refusals) > 0
	})
}

// IntegrationRow is one integration with its waiting items.
type IntegrationRow struct {
	dispatch.Integration
	Environment             string
	Sets                    []dispatch.CredentialSet
	Due, Overdue, Uncertain int
	Refusals                []Refusal
	Oldest                  time.Time // when the oldest due item was due; zero: none
}

// Refusal is an account that the integration's service refuses.
type Refusal struct {
	Account dispatch.Account
	Reason  dispatch.Reason
}

// FieldPlanned tells for which of an account's restored items the decision is.
const FieldPlanned = "planlagt"

// RestoredAccount is an account with restored items.
type RestoredAccount struct {
	Account dispatch.Account
	Planned bool // scheduled for after the restore
	N       int
}

// Field is the name of the decision's field.
func (r RestoredAccount) Field() string { return "valg-" + r.mark() }

func (r RestoredAccount) mark() string {
	if r.Planned {
		return r.Account.Slug + "-" + FieldPlanned
	}
	return r.Account.Slug
}

// count tells how many items there are.
func (r RestoredAccount) count(ctx context.Context) string {
	if r.Planned {
		return i18n.T(ctx, "delivery.restored.planned", "N", r.N)
	}
	return i18n.T(ctx, "delivery.restored.n", "N", r.N)
}

// choices are the possible decisions.
func (r RestoredAccount) choices() []views.Choice {
	again := views.Choice{Value: string(dispatch.DecisionSendAgain), Label: "delivery.restored.again", Hint: "delivery.restored.again.hint"}
	if r.Planned {
		again.Label, again.Hint = "delivery.restored.on_time", "delivery.restored.on_time.hint"
	}
	list := []views.Choice{
		{Value: string(dispatch.DecisionSent), Label: "delivery.restored.sent", Hint: "delivery.restored.sent.hint"},
		again,
		{Value: string(dispatch.DecisionDrop), Label: "delivery.restored.drop", Hint: "delivery.restored.drop.hint"},
	}
	for i := range list {
		list[i].Name = "valg"
		list[i] = list[i].In(r.mark())
	}
	return list
}

// waits lists the counts of waiting and uncertain items that are not zero. late counts items that are more than a day old apart.
func (r IntegrationRow) waits(ctx context.Context, late bool) string {
	due, overdue := r.Due, r.Overdue
	if !late {
		due, overdue = r.Due+r.Overdue, 0
	}
	var parts []string
	for _, n := range []struct {
		n   int
		key string
	}{{due, "delivery.waiting.due"}, {overdue, "delivery.waiting.overdue"}, {r.Uncertain, "delivery.waiting.uncertain"}} {
		if n.n > 0 {
			parts = append(parts, i18n.T(ctx, n.key, "N", n.n))
		}
	}
	return strings.Join(parts, ", ")
}

// idle tells whether nothing waits for the integration.
func (r IntegrationRow) idle() bool { return r.Due+r.Overdue+r.Uncertain == 0 }

// slow is the age of the oldest due item from which delivery is slow.
const slow = 10 * time.Minute

// slowWord is the catalogue key of the state of an integration that works, but slowly.
const slowWord = "status.slow.word"

// untriedWord is the catalogue key of the state of an integration that nobody has tried, and that has sent nothing.
const untriedWord = "delivery.state.untried"

// failedWord is the catalogue key of the state of an integration whose login did not work when an administrator last tried it.
const failedWord = "integration.state.failed"

// deniedWord is the catalogue key of the state of an integration whose login was refused when it was last used.
const deniedWord = "integration.state.denied"

// retriedWord is the catalogue key of the state of an integration that is tried again at a person's word.
const retriedWord = "integration.retried"

// bareWord is the catalogue key of the state of an integration without credentials.
const bareWord = "integration.state.bare"

// state is the integration's state, most serious first.
func (r IntegrationRow) state(now time.Time) (key, color, icon string) {
	switch state := r.State(r.Sets, now); {
	case state == dispatch.IntegrationStopped:
		return "delivery.state.stopped", "neutral", "LinkBroken"
	case state == dispatch.IntegrationRefused:
		return "delivery.state.refused", "danger", "XMarkOctagon"
	case len(r.Refusals) > 0:
		return "delivery.state.refused.accounts", "danger", "XMarkOctagon"
	case state == dispatch.IntegrationBare:
		return bareWord, "warning", "ExclamationmarkTriangle"
	case r.Retried(r.Sets, r.Due+r.Overdue, now):
		return retriedWord, "info", "ClockDashed"
	case state == dispatch.IntegrationFailed:
		return failedWord, "danger", "XMarkOctagon"
	case state == dispatch.IntegrationDenied:
		return deniedWord, "danger", "XMarkOctagon"
	case state == dispatch.IntegrationUntried:
		return untriedWord, "neutral", "Inbox"
	case !r.Oldest.IsZero() && now.Sub(r.Oldest) > slow:
		return slowWord, "warning", "Clock"
	}
	return "delivery.state.working", "success", "CheckmarkCircle"
}
