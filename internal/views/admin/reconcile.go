package admin

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// ReconciliationsPath is the address of the comparisons of accounts with their services.
const ReconciliationsPath = "/admin/avstemming"

// ReconciliationsPage shows what the latest comparison of each account found.
type ReconciliationsPage struct {
	views.Page
	Off  bool // this process does not deliver, so another one makes comparisons
	Rows []ReconciledAccount
}

// ReconciledAccount is an account with its latest comparison.
type ReconciledAccount struct {
	dispatch.Account
	Latest dispatch.Reconciliation // without an id: none yet
}

// ReconciliationPage shows one comparison.
type ReconciliationPage struct {
	views.Page
	dispatch.Reconciliation
	Opens bool // the user may open the account's items
}

// reconciliationLook tells what a comparison came to.
func reconciliationLook(ctx context.Context, r dispatch.Reconciliation) views.Look {
	found := r.Counts[dispatch.VerdictThere] + r.Counts[dispatch.VerdictStranger] + r.Counts[dispatch.VerdictMissing]
	switch {
	case r.ID == "":
		return views.Look{Word: i18n.T(ctx, "reconcile.never"), Color: "neutral", Icon: "Inbox"}
	case found > 0:
		return views.Look{Word: i18n.T(ctx, "reconcile.found", "N", found), Color: "danger", Icon: "ExclamationmarkTriangle"}
	case r.DoneAt.IsZero():
		return views.Look{Word: i18n.T(ctx, "reconcile.goes"), Color: "info", Icon: "Clock"}
	case r.Counts[dispatch.VerdictUnanswered] > 0:
		return views.Look{Word: i18n.T(ctx, "reconcile.silent", "N", r.Counts[dispatch.VerdictUnanswered]), Color: "warning", Icon: "QuestionmarkCircle"}
	case r.Asked() == 0:
		return views.Look{Word: i18n.T(ctx, "reconcile.nothing"), Color: "neutral", Icon: "Inbox"}
	}
	return views.Look{Word: i18n.T(ctx, "reconcile.clean"), Color: "success", Icon: "CheckmarkCircle"}
}

// address is that of the comparison's page.
func (p ReconciliationPage) address() string { return ReconciliationsPath + "/" + p.ID }

// liveAfter is the interval in seconds at which the page refreshes; empty: never.
func (p ReconciliationPage) liveAfter() string {
	if !p.DoneAt.IsZero() {
		return ""
	}
	return strconv.Itoa(1 + min(9, int(p.Now.Sub(p.OrderedAt)/(10*time.Second))))
}

// asked is how many questions are answered, or were left unanswered.
func (p ReconciliationPage) asked() int { return p.Reconciliation.Asked() - p.Left }

// rows are the findings of a kind that are shown.
func (p ReconciliationPage) rows(v dispatch.Verdict) (list []dispatch.ReconciledItem) {
	for _, r := range p.Rows {
		if r.Verdict == v {
			list = append(list, r)
		}
	}
	return list
}

// hidden is how many findings of a kind are not shown.
func (p ReconciliationPage) hidden(v dispatch.Verdict) int { return p.Counts[v] - len(p.rows(v)) }

// reconciled is the item of a finding, for its address and look.
func reconciled(r dispatch.ReconciledItem) dispatch.Item {
	return dispatch.Item{ID: r.ID, Kind: r.Kind, State: r.State, Status: r.Status}
}

// strangers are the ids at the service of a finding.
func strangers(r dispatch.ReconciledItem) []string {
	if len(r.Strangers) > 0 || r.UpstreamID == "" {
		return r.Strangers
	}
	return []string{r.UpstreamID}
}

// because is the reason why a service did not answer, in words.
func because(ctx context.Context, s dispatch.SilentService) string {
	return strings.TrimSpace(i18n.T(ctx, s.Key))
}
