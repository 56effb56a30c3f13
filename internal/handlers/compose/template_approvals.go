package compose

import (
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// templateSaved redirects to a saved template, and tells whether it awaits approval.
func (s *Templates) templateSaved(c echo.Context, v frame.Visit, id dispatch.TemplateID, flash string) error {
	t, err := items.In(s.Store).Templates.ByID(frame.Context(c), v.Account.ID, id)
	if err != nil {
		return err
	}
	if t.Waits() {
		flash = "flash.template_asked"
	}
	return s.FlashTo(c, compose.TemplatePath(v.Account, id), flash, 0)
}

// returnedTo is the visitor's returned version of a template, from which the next edit goes on.
func (s *Templates) returnedTo(c echo.Context, v frame.Visit, t dispatch.Template) (dispatch.TemplateVersion, error) {
	if t.Proposed != dispatch.ApprovalReturned && t.Proposed != dispatch.ApprovalWithdrawn {
		return t.TemplateVersion, nil
	}
	last, err := items.In(s.Store).Approvals.LastOfTemplate(frame.Context(c), v.Account.ID, t.ID)
	if err != nil || last.AskedBy != v.User.ID {
		return t.TemplateVersion, err
	}
	versions, err := items.In(s.Store).Templates.Versions(frame.Context(c), v.Account.ID, t.ID)
	if err != nil {
		return t.TemplateVersion, err
	}
	return versionOf(versions, t.Newest)
}

func versionOf(versions []dispatch.TemplateVersion, n int) (dispatch.TemplateVersion, error) {
	for _, v := range versions {
		if v.Number == n {
			return v, nil
		}
	}
	return dispatch.TemplateVersion{}, store.ErrNotFound
}
