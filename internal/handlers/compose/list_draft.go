package compose

import (
	"errors"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
)

// listDraft is the visitor's own draft of a shipment with the job that holds its list.
type listDraft struct {
	dispatch.Draft
	form dispatch.DraftFields
	job  dispatch.Job // zero: there is no list yet
}

func (s *Pages) listDraft(c echo.Context, v frame.Visit) (l listDraft, err error) {
	return s.listDraftOf(c, v, dispatch.ItemID(c.Param("id")), v.User.ID)
}

// listDraftOf is listDraft for any user's draft.
func (s *Pages) listDraftOf(c echo.Context, v frame.Visit, id dispatch.ItemID, user dispatch.UserID) (l listDraft, err error) {
	if l.Draft, err = items.In(s.Store).ShipmentDraft(frame.Context(c), v.Account.ID, id, user); err != nil {
		return l, err
	}
	l.form = l.Fields
	l.job, err = items.In(s.Store).ShipmentJob(frame.Context(c), v.Account.ID, l.Item.ID, user)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return l, err
}

// becameJob redirects from a sent draft to the job that it became, for its sender only: for others it is not found.
func (s *Pages) becameJob(c echo.Context, v frame.Visit, gone error) error {
	j, err := items.In(s.Store).ShipmentJob(frame.Context(c), v.Account.ID, dispatch.ItemID(c.Param("id")), v.User.ID)
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return err
	case err != nil || j.State == dispatch.JobDraft:
		return gone
	}
	return s.FlashTo(c, frame.JobPath(v, j.ID), "flash.job_already_sent", 0)
}

// toMany is the number of rows of a draft's list; 0: it goes to one.
func (s *Pages) toMany(c echo.Context, v frame.Visit, id dispatch.ItemID) (int, error) {
	j, err := s.listOf(c, v, id)
	return j.List.Read, err
}

// listOf is the job that holds the list of the visitor's own draft; zero: there is none.
func (s *Pages) listOf(c echo.Context, v frame.Visit, id dispatch.ItemID) (dispatch.Job, error) {
	j, err := items.In(s.Store).ShipmentJob(frame.Context(c), v.Account.ID, id, v.User.ID)
	if errors.Is(err, store.ErrNotFound) {
		return dispatch.Job{}, nil
	}
	return j, err
}

// revision changes whenever the draft or its list changes.
func (l listDraft) revision() string { return strconv.Itoa(l.Version) + "." + l.job.Revision }

// ownFiles tells whether each row has a file of its own.
func (l listDraft) ownFiles() bool { return l.job.Division.By == dispatch.DivideByFiles }

func filesPath(v frame.Visit, l listDraft) string {
	return frame.DraftPath(v, l.Item.ID, "flere", "filer")
}

func (l listDraft) dividedName(otherwise string) string {
	for _, d := range l.Documents {
		if d.ID == l.job.Division.Document {
			return d.FileName
		}
	}
	return otherwise
}
