package admin

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// asked is an act to confirm, with the facts for its page.
type asked struct {
	act         dispatch.AdminAct
	section     views.Section
	name        string // name of the object
	environment dispatch.Environment
	effects     []admin.Effect
	problems    dispatch.Problems // why it cannot be performed
	instead     admin.Link        // what to do first when it cannot; zero: nothing
	version     int               // of the object, if it has one
	hidden      []admin.Hidden    // other fields that the form posts
	back        string            // the page before, to which the act returns

	do   func(by store.Actor) error
	done string // message

	// If another administrator must approve it:
	request dispatch.ActRequest
	ask     func(by store.Actor) error // instead of storing the request alone
	asked   string                     // message, if not the usual one
	waits   bool                       // somebody has asked for it already
}

// Confirm wraps an act: a page shows the effect and asks for a reason, and its form performs the act, or requests approval by
// another administrator. of returns the act for both.
func (s *Confirmations) Confirm(of func(echo.Context, frame.Visit) (asked, error)) func(echo.Context, frame.Visit) error {
	return s.Frame.Fresh(func(c echo.Context, v frame.Visit) error {
		a, err := of(c, v)
		switch {
		case errors.Is(err, store.ErrChanged):
			return s.FlashTo(c, a.back, "flash.too_late", 0)
		case err != nil:
			return err
		case c.Request().Method != http.MethodPost || len(a.problems) > 0:
			return s.showConfirm(c, v, a, "", a.problems)
		}
		return s.confirmed(c, v, a)
	})
}

// confirmed performs the act, or requests approval.
func (s *Confirmations) confirmed(c echo.Context, v frame.Visit, a asked) error {
	reason, problem := dispatch.ParseActReason(frame.TypedReason(c, dispatch.FieldReason))
	if problem != nil {
		return s.showConfirm(c, v, a, c.FormValue(dispatch.FieldReason), dispatch.Problems{*problem})
	}
	by := frame.Actor(c, v.User)
	by.Reason = reason
	if a.act.NeedsSecond(a.environment) {
		return s.askSecond(c, v, a, by)
	}
	err := a.do(by)
	switch {
	case errors.Is(err, store.ErrChanged), errors.Is(err, store.ErrStale):
		return s.FlashTo(c, a.back, "flash.too_late", 0)
	case errors.Is(err, registry.ErrInUse) && a.act == dispatch.ActRemoveRight:
		a = lastRight(a)
		return s.showConfirm(c, v, a, reason, a.problems)
	case err != nil:
		return err
	}
	s.Wake()
	return s.FlashTo(c, a.back, a.done, 0)
}

// askSecond requests approval by another administrator.
func (s *Confirmations) askSecond(c echo.Context, v frame.Visit, a asked, by store.Actor) error {
	a.request.Act, a.request.Name = a.act, a.name
	ask := func(by store.Actor) error {
		return registry.In(s.Store).ActRequests.Ask(frame.Context(c), a.request, s.Now(), by)
	}
	if a.ask != nil {
		ask = a.ask
	}
	switch err := ask(by); {
	case errors.Is(err, store.ErrTaken):
		return s.showConfirm(c, v, a, by.Reason, dispatch.Problems{{Field: dispatch.FieldEffect, Key: "problem.act.waits"}})
	case errors.Is(err, store.ErrStale):
		return s.FlashTo(c, a.back, "flash.too_late", 0)
	case err != nil:
		return err
	}
	return s.FlashTo(c, requestsPath, cmp.Or(a.asked, "flash.act_asked"), 0)
}

func (s *Confirmations) showConfirm(c echo.Context, v frame.Visit, a asked, reason string, ps dispatch.Problems) error {
	p := admin.ConfirmPage{Page: s.Page(c, v, "act.title."+string(a.act)), Act: a.act, Name: a.name, Environment: a.environment, Effects: a.effects, Reason: reason,
		Second: a.act.NeedsSecond(a.environment), Barred: len(a.problems) > 0, Back: a.back, Action: c.Request().URL.Path, Hidden: a.hidden}
	p.Waits, p.Instead = a.waits, a.instead
	if p.Second && !p.Barred {
		other, err := registry.In(s.Store).ActRequests.OtherAdministrator(frame.Context(c), v.User.ID)
		if err != nil {
			return err
		}
		p.Alone = !other
	}
	if a.version > 0 {
		p.Hidden = append(p.Hidden, admin.Number("versjon", a.version))
	}
	p.Section, p.Narrow, p.Problems = a.section, true, ps
	status := frame.FormStatus(ps)
	if ps.For(dispatch.FieldEffect) != nil {
		status = http.StatusConflict
	}
	return frame.Show(c, status, admin.Confirm(p))
}
