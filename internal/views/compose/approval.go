package compose

import (
	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// FieldAsk says that a form asks others to approve what it would send.
const FieldAsk = "godkjenning"

// Approving is what the review of a draft says of a second pair of eyes.
type Approving struct {
	Reasons  []dispatch.ApprovalReason // why somebody else has to approve it before it is sent; none: nobody has to
	Last     dispatch.Approval         // the last time that others were asked; zero: they never were
	Deciding bool                      // it is shown to somebody who approves or returns it
	Stops    dispatch.Problems         // why it cannot be approved as it is now
	Seen     string                    // names what they are shown
	Note     string                    // as typed
}

// fixed tells whether the draft cannot be changed here.
func (a Approving) fixed() bool { return a.Deciding || a.Last.Waiting() }

// asks tells whether the button asks others instead of sending.
func (a Approving) asks() bool { return len(a.Reasons) > 0 }

// lead is the sentence under the title: otherwise stands where nothing waits.
func (a Approving) lead(otherwise string) string {
	switch {
	case a.Deciding:
		return "approval.decide.lead"
	case a.Last.Waiting():
		return "approval.waiting.lead"
	}
	return otherwise
}

// word is the key of a sentence about a draft, or about a template.
func (a Approving) word(ofDraft, ofTemplate string) string {
	if a.Last.Template != "" {
		return ofTemplate
	}
	return ofDraft
}

func (a Approving) path(p views.Page, parts ...string) string {
	return p.PathTo(append([]string{"godkjenning", string(a.Last.ID)}, parts...)...)
}

// ApprovalsPage lists what waits for somebody to approve it.
type ApprovalsPage struct {
	views.Page
	Approvals []dispatch.Approval
}

// own tells whether it is one's own, which others decide.
func (p ApprovalsPage) own(a dispatch.Approval) bool { return a.AskedBy == p.User.ID }

// What names what waits, by its kind and whether it goes to many.
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
