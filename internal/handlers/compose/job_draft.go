package compose

import (
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// jobDraft returns the visitor's own draft, or ErrChanged if it has been sent meanwhile.
func (s *Pages) jobDraft(c echo.Context, v frame.Visit) (dispatch.Job, error) {
	j, err := items.In(s.Store).Job(frame.Context(c), v.Account.ID, dispatch.JobID(c.Param("id")))
	switch {
	case err != nil:
		return j, err
	case j.CreatedBy != v.User.ID, j.Shipments() && j.State == dispatch.JobDraft:
		return j, store.ErrNotFound
	case j.State != dispatch.JobDraft:
		return j, store.ErrChanged
	}
	return j, nil
}

// jobGone redirects to the page of a job that is no longer a draft.
func (s *Pages) jobGone(c echo.Context, v frame.Visit, err error) error {
	if errors.Is(err, store.ErrChanged) {
		return s.FlashTo(c, frame.JobPath(v, dispatch.JobID(c.Param("id"))), notChanged(err, "flash.job_already_sent"), 0)
	}
	return err
}
