package views

import "utsending/internal/dispatch"

// DeliveryPage is where an administrator sees what delivery has stopped, and starts it again.
type DeliveryPage struct {
	Page
	Off          bool // this process does not deliver
	Paused       bool
	PausedBy     string // empty: by the program, after a restore
	Integrations []IntegrationRow
	Restored     []RestoredAccount
}

// IntegrationRow is one integration with what waits for it.
type IntegrationRow struct {
	dispatch.Integration
	Environment            string
	Due, Asking, Uncertain int
	Refusals               []Refusal
}

// Refusal is one account that the integration may not send for.
type Refusal struct {
	Account dispatch.Account
	Reason  dispatch.Reason
}

// RestoredAccount is an account with items that came out of a backup.
type RestoredAccount struct {
	Account dispatch.Account
	N       int
}

// state is the integration's credential state, most serious first.
func (r IntegrationRow) state() (key, color, icon string) {
	switch {
	case !r.StoppedAt.IsZero():
		return "delivery.state.stopped", "neutral", "LinkBroken"
	case !r.RefusedAt.IsZero() || len(r.Refusals) > 0:
		return "delivery.state.refused", "danger", "XMarkOctagon"
	case r.LastSuccessAt.IsZero():
		return "delivery.state.untried", "neutral", "Inbox"
	}
	return "delivery.state.working", "success", "CheckmarkCircle"
}

// ErrorPage says what happened, what to do now, and a reference.
type ErrorPage struct {
	Page
	Why     string
	ErrorID string
	Action  string // address of the button; empty: none
	Label   string
	NewTab  bool // it leads to a new tab: this one holds what is not saved
}

// AccountsPage lists the accounts that the user has.
type AccountsPage struct{ Page }

// DisplayPage is where a user chooses colours.
type DisplayPage struct{ Page }
