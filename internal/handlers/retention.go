package handlers

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/views"
)

const retentionPath = "/admin/oppbevaring"

// showRetention shows how long things are kept, and what goes tonight.
func (s *server) showRetention(c echo.Context, v visit) error {
	kept, err := s.o.Store.Retention(ctx(c))
	if err != nil {
		return err
	}
	form := map[dispatch.Keeping]string{}
	for k, days := range kept {
		form[k] = strconv.Itoa(days)
	}
	return s.showRetentionWith(c, v, form, nil)
}

func (s *server) showRetentionWith(c echo.Context, v visit, form map[dispatch.Keeping]string, ps dispatch.Problems) error {
	kept, err := s.o.Store.Retention(ctx(c))
	if err != nil {
		return err
	}
	p := views.RetentionPage{Page: s.page(c, v, "retention.title"), Kept: kept, Form: form, Next: dispatch.NextPurge(s.o.Now()), Edits: v.User.MaySystem(dispatch.RightAdminister)}
	p.Section, p.Problems = views.SectionRetention, ps
	if p.Preview, err = s.o.Store.PreviewPurge(ctx(c), kept, p.Next); err != nil {
		return err
	}
	nights, err := s.o.Store.Purges(ctx(c), 7)
	if err != nil {
		return err
	}
	for _, n := range nights {
		p.Nights = append(p.Nights, views.RetentionNight{Night: n.Night, Ended: !n.EndedAt.IsZero(), Counts: n.Counts})
	}
	if len(ps) > 0 {
		return show(c, http.StatusUnprocessableEntity, views.Retention(p))
	}
	return show(c, http.StatusOK, views.Retention(p))
}

// saveRetention keeps things for other times.
func (s *server) saveRetention(c echo.Context, v visit) error {
	form, kept := map[dispatch.Keeping]string{}, dispatch.Retention{}
	for _, k := range dispatch.Keepings() {
		form[k] = short(strings.TrimSpace(c.FormValue(string(k))))
		kept[k], _ = views.TypedNumber(form[k]) // what is no number is outside the limits
	}
	if ps := kept.Validate(); len(ps) > 0 {
		return s.showRetentionWith(c, v, form, ps)
	}
	err := s.o.Store.SaveRetention(ctx(c), dispatch.ParseRetention(c.FormValue("versjon")), kept, by(c, v.User))
	if errors.Is(err, store.ErrStale) {
		return s.showRetentionWith(c, v, form, dispatch.Problems{{Field: string(dispatch.Keepings()[0]), Key: "problem.stale"}})
	}
	if err != nil {
		return err
	}
	return s.flashTo(c, retentionPath, "flash.done", 0)
}

// showHold shows the form that keeps an item although its time is up, or lets it go.
func (s *server) showHold(at pages, find func(echo.Context, visit) (dispatch.Item, error)) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error { return s.showHoldWith(c, v, at, find, "", nil) }
}

func (s *server) showHoldWith(c echo.Context, v visit, at pages, find func(echo.Context, visit) (dispatch.Item, error), typed string, ps dispatch.Problems) error {
	it, err := find(c, v)
	if err == nil && it.State == dispatch.StateDraft {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	p := views.HoldPage{Page: s.page(c, v, "hold.title"), Item: it, Reason: typed}
	p.Section, p.Narrow, p.Problems = views.SectionRetention, true, ps
	held, err := s.o.Store.Held(ctx(c), v.Account.ID, it.ID)
	if err != nil {
		return err
	}
	if held != nil {
		p.Held, p.HeldReason, p.HeldBy, p.HeldAt = true, held.Reason, held.By, held.At
	}
	if len(ps) > 0 {
		return show(c, http.StatusUnprocessableEntity, views.Hold(p))
	}
	return show(c, http.StatusOK, views.Hold(p))
}

// changeHold keeps an item, or lets it go, with a reason that is logged.
func (s *server) changeHold(at pages, find func(echo.Context, visit) (dispatch.Item, error)) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		it, err := find(c, v)
		if err != nil {
			return err
		}
		reason, problem := dispatch.ParsePurpose(typedWhy(c, dispatch.FieldPurpose))
		if problem != nil {
			return s.showHoldWith(c, v, at, find, c.FormValue(dispatch.FieldPurpose), dispatch.Problems{*problem})
		}
		change := s.o.Store.Retain
		if c.FormValue(views.FieldRelease) != "" {
			change = s.o.Store.Release
		}
		err = change(ctx(c), v.Account.ID, it.ID, reason, by(c, v.User))
		if err != nil && !errors.Is(err, store.ErrChanged) { // somebody was faster: the page shows how it is
			return err
		}
		return seeOther(c, views.AccountPath(v.Account, at.path, string(it.ID), "behold"))
	}
}
