package compose

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// TemplateProposalPage is where a colleague approves or returns a new version of a template: the version in use beside the new one.
type TemplateProposalPage struct {
	views.Page
	Template  dispatch.Template // in its version in use; a new template has none
	Proposed  dispatch.TemplateVersion
	Approving Approving
}

// used is the content in use; zero for a new template.
func (p TemplateProposalPage) used() dispatch.TemplateContent {
	if p.Template.Unused {
		return dispatch.TemplateContent{}
	}
	return p.Template.TemplateContent
}

// compared are the sections of two versions that are not empty in both.
func compared(ctx context.Context, before, after dispatch.TemplateContent) (parts []part) {
	old := map[string]string{}
	for _, p := range choiceParts(ctx, before.Choices) {
		old[p.Key] = p.After
	}
	all := []part{{"template.name", before.Name, after.Name, ""}, {"written_form.nb", before.Text, after.Text, "nb"}, {"written_form.nn", before.Nynorsk, after.Nynorsk, "nn"}}
	for _, p := range choiceParts(ctx, after.Choices) {
		p.Before = old[p.Key]
		all = append(all, p)
	}
	for _, p := range all {
		if p.Before != "" || p.After != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// side are the words shown in one of two texts side by side: removed words in the old one, added words in the new one.
func (p part) side(shown dispatch.ChangeKind) (changes []dispatch.Change) {
	for _, c := range dispatch.Difference(p.Before, p.After) {
		if c.Kind == shown || c.Kind == dispatch.Kept {
			changes = append(changes, c)
		}
	}
	return changes
}

// askedLook is the tag of a version that awaited approval; false for versions that are or were in use.
func askedLook(ctx context.Context, state dispatch.ApprovalState) (views.Look, bool) {
	color, icon := "neutral", "ArrowLeft"
	switch state {
	case dispatch.ApprovalWaiting:
		color, icon = "info", "Eye"
	case dispatch.ApprovalReturned:
		color, icon = "warning", "ExclamationmarkTriangle"
	case dispatch.ApprovalWithdrawn:
	default:
		return views.Look{}, false
	}
	return views.Look{Word: i18n.T(ctx, "template.asked."+string(state)), Color: color, Icon: icon}, true
}

// withdraws tells whether the viewer may withdraw the request for approval.
func (p TemplatePage) withdraws() bool {
	return p.Template.Waits() && p.Last.AskedBy == p.User.ID && p.edits()
}

// decides tells whether the viewer may approve or return the version.
func (p TemplatePage) decides() bool { return p.Template.Waits() && p.Last.MayDecide(p.User) }

// changes tells whether the viewer may change the template now.
func (p TemplatePage) changes() bool {
	return p.edits() && p.isNewest() && !p.Template.Archived() && !p.Template.Waits()
}

// notUsed tells whether the version shown was never in use.
func (p TemplatePage) notUsed() bool {
	return p.Shown.Asked != "" && p.Shown.Asked != dispatch.ApprovalApproved
}
