package follow

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// ShowHold shows the form of a legal hold.
func (s *Items) ShowHold(at frame.ItemPages, find func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error { return s.showHoldWith(c, v, at, find, "", nil) }
}

func (s *Items) showHoldWith(c echo.Context, v frame.Visit, at frame.ItemPages, find func(echo.Context, frame.Visit) (dispatch.Item, error), typed string, ps dispatch.Problems) error {
	it, err := find(c, v)
	if err == nil && it.State == dispatch.StateDraft {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	held, err := registry.In(s.Store).Holds.Held(frame.Context(c), v.Account.ID, it.ID)
	if err != nil {
		return err
	}
	p := follow.HoldPage{Page: s.Page(c, v, follow.HoldTitle(held != nil)), Item: it, Reason: typed}
	p.Section, p.Narrow, p.Problems = views.SectionRetention, true, ps
	ends, err := registry.In(s.Store).Retention.ContentEnds(frame.Context(c), v.Account.ID, []dispatch.ItemID{it.ID})
	if err != nil {
		return err
	}
	if p.Gone = ends[it.ID].Gone; p.Gone {
		kept, err := registry.In(s.Store).Retention.Current(frame.Context(c))
		if err != nil {
			return err
		}
		p.Identity = kept[dispatch.KeepIdentity]
	}
	if held != nil {
		p.Held, p.HeldReason, p.HeldBy, p.HeldAt = true, held.Reason, held.By, held.At
	}
	if len(ps) > 0 {
		return frame.Show(c, http.StatusUnprocessableEntity, follow.Hold(p))
	}
	return frame.Show(c, http.StatusOK, follow.Hold(p))
}

// ChangeHold puts on or removes a legal hold, with a reason that is recorded in the event log.
func (s *Items) ChangeHold(at frame.ItemPages, find func(echo.Context, frame.Visit) (dispatch.Item, error)) func(echo.Context, frame.Visit) error {
	return func(c echo.Context, v frame.Visit) error {
		it, err := find(c, v)
		if err != nil {
			return err
		}
		reason, problem := dispatch.ParseHoldReason(frame.TypedReason(c, dispatch.FieldPurpose))
		if problem != nil {
			return s.showHoldWith(c, v, at, find, c.FormValue(dispatch.FieldPurpose), dispatch.Problems{*problem})
		}
		change, done := registry.In(s.Store).Holds.Retain, "flash.hold"
		if c.FormValue(follow.FieldRelease) != "" {
			change, done = registry.In(s.Store).Holds.Release, "flash.hold.released"
		}
		err = change(frame.Context(c), v.Account.ID, it.ID, reason, frame.Actor(c, v.User))
		there := views.AccountPath(v.Account, at.Path, string(it.ID), "behold")
		switch {
		case errors.Is(err, store.ErrChanged): // another user was faster: the page shows the present state
			return frame.SeeOther(c, there)
		case err != nil:
			return err
		}
		return s.FlashTo(c, there, done, 0)
	}
}
