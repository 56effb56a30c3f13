package follow

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// AskArchived shows the form that records the case of an item.
func (s *Archive) AskArchived(find func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error { return s.askArchived(c, v, find, http.StatusOK, nil) }
}

func (s *Archive) askArchived(c echo.Context, v frame.Visit, find func(echo.Context, frame.Visit) (dispatch.Item, error), status int, ps dispatch.Problems) error {
	it, err := find(c, v)
	if err == nil && it.State == dispatch.StateDraft {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	p := follow.ArchivedPage{Page: s.Page(c, v, "archive.note"), Item: it, Case: c.FormValue(dispatch.FieldArchiveCase)}
	p.Section, p.Narrow, p.Problems = views.SectionItems, true, ps
	if p.Archived, err = items.In(s.Store).Archives.Archived(frame.Context(c), v.Account.ID, it.ID); err != nil {
		return err
	}
	return frame.Show(c, status, follow.NoteArchived(p))
}

// NoteArchived records the case in which an item is archived, or removes the record.
func (s *Archive) NoteArchived(at frame.ItemPages, find func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, err := find(c, v)
		if err != nil {
			return err
		}
		done := "flash.archived"
		if c.FormValue(follow.FieldUndo) != "" {
			done, err = "flash.unarchived", items.In(s.Store).Archives.Unarchive(frame.Context(c), v.Account.ID, it.ID, frame.Actor(c, v.User))
		} else {
			name, problem := dispatch.ParseArchiveCase(c.FormValue(dispatch.FieldArchiveCase))
			if problem != nil {
				return s.askArchived(c, v, find, http.StatusUnprocessableEntity, dispatch.Problems{*problem})
			}
			err = items.In(s.Store).Archives.Archive(frame.Context(c), v.Account.ID, it.ID, name, frame.Actor(c, v.User))
		}
		switch {
		case errors.Is(err, store.ErrChanged):
			return s.ToPage(c, v, at, "flash.too_late")
		case err != nil:
			return err
		}
		return s.ToPage(c, v, at, done)
	}
}
