package compose

import (
	"cmp"
	"context"
	"slices"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// FieldAsk marks a form that asks a colleague for approval instead of sending.
const FieldAsk = "godkjenning"

// Approving is what the review of a draft shows about approval by a colleague.
type Approving struct {
	Reasons  []dispatch.ApprovalReason // why approval is needed before it is sent; none: it is not needed
	Last     dispatch.Approval         // the last request for approval; zero: there was none
	Deciding bool                      // the viewer decides about the approval
	Stops    dispatch.Problems         // why it cannot be approved as it is now
	Seen     string                    // names what they are shown
	Note     string                    // as typed

	OnlyApproves bool // the viewer may not stop it once it is approved
}

// fixed tells whether the draft cannot be changed here.
func (a Approving) fixed() bool { return a.Deciding || a.Last.Waiting() }

// form is the id of the form that sends the draft; empty: it cannot be sent from here.
func (a Approving) form(id string) string {
	if a.fixed() {
		return ""
	}
	return id
}

// own tells whether the reader sends it.
func (a Approving) own() bool { return !a.fixed() && !a.asks() }

// waits tells whether an item that the reader sends now would wait, because its channel is held.
func (a Approving) waits(held dispatch.Block, planned bool) bool {
	return held != dispatch.BlockNone && a.own() && !planned
}

// asks tells whether the button asks for approval instead of sending.
func (a Approving) asks() bool { return len(a.Reasons) > 0 }

// lead is the catalogue key of the sentence under the title; otherwise is used while no approval is pending.
func (a Approving) lead(otherwise string, ps dispatch.Problems) string {
	switch {
	case a.Deciding && a.stopped(ps):
		return "approval.stopped.lead"
	case a.Deciding:
		return "approval.decide.lead"
	case a.Last.Waiting():
		return "approval.waiting.lead"
	}
	return otherwise
}

// bySender are the sentences about what is approved for who may not stop it afterwards.
var bySender = map[string]string{
	"review.approved.undo":    "review.approved.undo.sender",
	"review.approved.planned": "review.approved.planned.sender",
}

// says picks the catalogue key of a sentence: what the reader sends goes at once, what needs approval when a colleague has given it.
func (a Approving) says(own, approved string) string {
	switch {
	case a.own():
		return own
	case a.OnlyApproves:
		return cmp.Or(bySender[approved], approved)
	}
	return approved
}

// warnings is the catalogue key of the sentence over warnings about the text; empty: none are shown, since it cannot be approved.
func (a Approving) warnings(ps dispatch.Problems) string {
	if a.Deciding && a.stopped(ps) {
		return ""
	}
	if a.fixed() {
		return "sms.warnings.fixed"
	}
	if a.asks() {
		return "sms.warnings.asks"
	}
	return "sms.warnings"
}

// anyway is the catalogue key of what the reader can do in spite of a warning; empty: nothing, or the page is no longer the newest.
func (a Approving) anyway(newest bool) string {
	switch {
	case a.fixed() || !newest:
		return ""
	case a.asks():
		return "today.anyway.asks"
	}
	return "today.anyway"
}

// stopped tells whether an approver can only return it, as it is now.
func (a Approving) stopped(ps dispatch.Problems) bool {
	return len(a.Stops) > 0 || slices.ContainsFunc(ps, func(p dispatch.Problem) bool { return p.Key == "problem.approval.changed" })
}

// word picks the catalogue key for a draft or for a template.
func (a Approving) word(ofDraft, ofTemplate string) string {
	if a.Last.Template != "" {
		return ofTemplate
	}
	return ofDraft
}

func (a Approving) path(p views.Page, parts ...string) string {
	return p.PathTo(append([]string{"godkjenning", string(a.Last.ID)}, parts...)...)
}

// ApprovalsPage lists pending approvals.
type ApprovalsPage struct {
	views.Page
	Approvals []dispatch.Approval
}

// own tells whether the viewer asked for the approval: then a colleague decides.
func (p ApprovalsPage) own(a dispatch.Approval) bool { return a.AskedBy == p.User.ID }

// approvalReason names a reason, with the limit that the account has now: what it was when approval was asked is not stored.
func approvalReason(ctx context.Context, r dispatch.ApprovalReason, rule dispatch.ApprovalRule) string {
	switch {
	case r == dispatch.ApprovalRecipients && rule.Recipients > 0:
		return i18n.T(ctx, "approval.limit.recipients", "Count", views.Number(rule.Recipients))
	case r == dispatch.ApprovalCost && rule.Cost > 0:
		return i18n.T(ctx, "approval.limit.cost", "Cost", views.Kroner(ctx, rule.Cost))
	}
	return i18n.T(ctx, "approval.why."+string(r))
}

// What returns the catalogue key for the kind of content that awaits approval, and whether it goes to one or to many.
func What(a dispatch.Approval) string {
	switch {
	case a.New:
		return "approval.what.template.new"
	case a.Template != "":
		return "approval.what.template"
	}
	key := "approval.what." + string(a.Kind)
	if a.Job != "" {
		key += ".many"
	}
	return key
}
