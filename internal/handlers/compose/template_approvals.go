package compose

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// proposedTemplate is a new or changed template that waits, beside the version in use.
func (s *Pages) proposedTemplate(c echo.Context, v frame.Visit, a dispatch.Approval) (proposal, error) {
	t, err := items.In(s.Store).Template(frame.Context(c), v.Account.ID, a.Template)
	if err != nil {
		return proposal{}, err
	}
	versions, err := items.In(s.Store).TemplateVersions(frame.Context(c), v.Account.ID, a.Template)
	if err != nil {
		return proposal{}, err
	}
	p := compose.TemplateProposalPage{Template: t}
	if p.Proposed, err = versionOf(versions, t.Newest); err != nil {
		return proposal{}, err
	}
	return proposal{Approval: a, seen: a.Seen,
		approve: func(by store.Actor) error {
			return items.In(s.Store).ApproveTemplate(frame.Context(c), v.Account.ID, a.ID, by)
		},
		show: func(ap compose.Approving, ps dispatch.Problems) error {
			p.Page, p.Approving = s.Page(c, v, "approval.title"), ap
			p.Problems = ps
			asProposal(c, &p.Page, a)
			return frame.Show(c, frame.FormStatus(ps), compose.TemplateProposal(p))
		}}, nil
}

// WithdrawTemplate withdraws the visitor's request to approve a version of a template.
func (s *Pages) WithdrawTemplate(c echo.Context, v frame.Visit) error {
	id := templateID(c)
	last, err := items.In(s.Store).LastTemplateApproval(frame.Context(c), v.Account.ID, id)
	if err != nil {
		return err
	}
	return s.withdraw(c, v, last, compose.TemplatePath(v.Account, id), "flash.template_withdrawn")
}

// templateSaved redirects to a saved template, and tells whether it awaits approval.
func (s *Pages) templateSaved(c echo.Context, v frame.Visit, id dispatch.TemplateID, flash string) error {
	t, err := items.In(s.Store).Template(frame.Context(c), v.Account.ID, id)
	if err != nil {
		return err
	}
	if t.Waits() {
		flash = "flash.template_asked"
	}
	return s.FlashTo(c, compose.TemplatePath(v.Account, id), flash, 0)
}

// returnedTo is the visitor's returned version of a template, from which the next edit goes on.
func (s *Pages) returnedTo(c echo.Context, v frame.Visit, t dispatch.Template) (dispatch.TemplateVersion, error) {
	if t.Proposed != dispatch.ApprovalReturned && t.Proposed != dispatch.ApprovalWithdrawn {
		return t.TemplateVersion, nil
	}
	last, err := items.In(s.Store).LastTemplateApproval(frame.Context(c), v.Account.ID, t.ID)
	if err != nil || last.AskedBy != v.User.ID {
		return t.TemplateVersion, err
	}
	versions, err := items.In(s.Store).TemplateVersions(frame.Context(c), v.Account.ID, t.ID)
	if err != nil {
		return t.TemplateVersion, err
	}
	return versionOf(versions, t.Newest)
}
