package admin

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// ActRequestsPage lists requests of administrators that another administrator must approve.
type ActRequestsPage struct {
	views.Page
	Rows  []RequestLine // pending ones first
	Alone bool          // nobody but the user is known as an administrator
}

// RequestLine is a request, and what approving a pending one does now.
type RequestLine struct {
	dispatch.ActRequest
	Effects []Effect
	Barred  string // why it cannot be approved; empty: it can
}

// RequestField is the place of problems with a request.
func RequestField(r dispatch.ActRequest) string { return "sak-" + string(r.ID) }

// waiting are the pending requests, or the decided ones.
func (p ActRequestsPage) waiting(yes bool) (list []RequestLine) {
	for _, r := range p.Rows {
		if r.Waiting(p.Now) == yes {
			list = append(list, r)
		}
	}
	return list
}

// look is the tag of a request's state.
func (p ActRequestsPage) look(ctx context.Context, r dispatch.ActRequest) views.Look {
	state := r.State
	if state == dispatch.ActWaiting && !r.Waiting(p.Now) {
		state = dispatch.ActExpired
	}
	l := map[dispatch.ActRequestState]views.Look{
		dispatch.ActWaiting:   {Color: "info", Icon: "ClockDashed"},
		dispatch.ActApproved:  {Color: "success", Icon: "CheckmarkCircle"},
		dispatch.ActRefused:   {Color: "danger", Icon: "XMarkOctagon"},
		dispatch.ActWithdrawn: {Color: "neutral", Icon: "XMark"},
		dispatch.ActExpired:   {Color: "neutral", Icon: "ClockDashed"},
	}[state]
	l.Word = i18n.T(ctx, "act_requests.state."+string(state))
	return l
}

// changes tells what a request would change, line by line.
func changes(ctx context.Context, r dispatch.ActRequest) (lines []string) {
	for _, k := range dispatch.Keepings() {
		if r.After[k] != r.Before[k] {
			lines = append(lines, i18n.T(ctx, "act_requests.retention", "What", i18n.T(ctx, "retention."+string(k)), "Before", views.Number(r.Before[k]), "After", views.Number(r.After[k])))
		}
	}
	return lines
}

func requestPath(r dispatch.ActRequest, act string) string {
	return "/admin/godkjenning/" + string(r.ID) + "/" + act
}
