package follow

import (
	"errors"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// Show shows the protected people of the account, and views of their items.
func (s *Protected) Show(c echo.Context, v frame.Visit) error {
	return s.showProtected(c, v, dispatch.ProtectedForm{}, nil)
}

func (s *Protected) showProtected(c echo.Context, v frame.Visit, f dispatch.ProtectedForm, ps dispatch.Problems) (err error) {
	p := follow.ProtectedPage{Page: s.Page(c, v, "protected.title"), Form: f}
	p.Section, p.Problems = views.SectionProtected, ps
	if p.People, err = items.In(s.Store).Protected.People(frame.Context(c), v.Account.ID, v.User.ID); err != nil {
		return err
	}
	if p.Looks, err = items.In(s.Store).Protected.Looks(frame.Context(c), v.Account.ID, v.User.ID); err != nil {
		return err
	}
	if p.Workers, err = s.withSelf(c, v, nil); err != nil {
		return err
	}
	return frame.Show(c, frame.FormStatus(ps), follow.ProtectedPeople(p))
}

// withSelf are the users who can be named: those who work on the account, the user, and those named already.
func (s *Protected) withSelf(c echo.Context, v frame.Visit, viewers []dispatch.ProtectedViewer) ([]follow.Person, error) {
	list, err := s.colleagues.workers(c, v)
	known := map[dispatch.UserID]bool{}
	for _, w := range list {
		known[w.ID] = true
	}
	for _, w := range append([]dispatch.ProtectedViewer{{ID: v.User.ID, Name: v.User.Name}}, viewers...) {
		if !known[w.ID] {
			known[w.ID] = true
			list = append(list, follow.Person{ID: w.ID, Name: w.Name})
		}
	}
	return list, err
}

func protectedForm(c echo.Context, reason string) dispatch.ProtectedForm {
	f := dispatch.ProtectedForm{Number: c.FormValue(dispatch.FieldProtectedNumber), Phone: c.FormValue(dispatch.FieldProtectedPhone), Reason: frame.TypedReason(c, reason)}
	f.Viewers = c.Request().PostForm[dispatch.FieldProtectedViewers]
	return f
}

// Protect marks a person as protected.
func (s *Protected) Protect(c echo.Context, v frame.Visit) error {
	f := protectedForm(c, dispatch.FieldReason)
	p, ps := f.Parse()
	if len(ps) > 0 {
		return s.showProtected(c, v, f, ps)
	}
	err := items.In(s.Store).Protected.Protect(frame.Context(c), v.Account.ID, p, frame.Actor(c, v.User))
	switch {
	case errors.Is(err, store.ErrTaken):
		return s.showProtected(c, v, f, dispatch.Problems{{Field: dispatch.FieldProtectedNumber, Key: "problem.protected.taken"}})
	case errors.Is(err, store.ErrNotFound):
		return s.showProtected(c, v, f, dispatch.Problems{{Field: dispatch.FieldProtectedViewers, Key: "problem.protected.viewers"}})
	case err != nil:
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "skjermede"), "flash.protected", 0)
}

// Edit shows the users named for a protected person.
func (s *Protected) Edit(c echo.Context, v frame.Visit) error {
	return s.editProtected(c, v, nil, nil, false)
}

// editProtected shows the form as typed; nil: as stored. Only users who may change it see it.
func (s *Protected) editProtected(c echo.Context, v frame.Visit, f *dispatch.ProtectedForm, ps dispatch.Problems, ending bool) error {
	one, err := s.protectedOne(c, v)
	if err != nil {
		return err
	}
	p := follow.ProtectedOnePage{Page: s.Page(c, v, "protected.one.title"), Person: one, Ending: ending}
	p.Section, p.Narrow, p.Problems = views.SectionProtected, true, ps
	if f != nil {
		p.Form = *f
	}
	if f == nil || ending {
		for _, w := range one.Viewers {
			p.Form.Viewers = append(p.Form.Viewers, string(w.ID))
		}
	}
	if p.Workers, err = s.withSelf(c, v, one.Viewers); err != nil {
		return err
	}
	return frame.Show(c, frame.FormStatus(ps), follow.ProtectedOne(p))
}

// protectedOne is the protected person named by the address, if the user may change it.
func (s *Protected) protectedOne(c echo.Context, v frame.Visit) (dispatch.Protected, error) {
	people, err := items.In(s.Store).Protected.People(frame.Context(c), v.Account.ID, v.User.ID)
	for _, one := range people {
		if string(one.ID) == c.Param("id") && one.MayChange(v.User) {
			return one, nil
		}
	}
	return dispatch.Protected{}, errors.Join(err, store.ErrNotFound)
}

// NameViewers changes the named users.
func (s *Protected) NameViewers(c echo.Context, v frame.Visit) error {
	f := protectedForm(c, dispatch.FieldReason)
	p, ps := f.ParseViewers()
	if len(ps) > 0 {
		return s.editProtected(c, v, &f, ps, false)
	}
	err := items.In(s.Store).Protected.NameViewers(frame.Context(c), v.Account.ID, dispatch.ProtectedID(c.Param("id")), p, frame.Actor(c, v.User))
	if err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "skjermede"), "flash.protected_named", 0)
}

// End ends a protection.
func (s *Protected) End(c echo.Context, v frame.Visit) error {
	f := dispatch.ProtectedForm{Reason: frame.TypedReason(c, follow.FieldEndReason)}
	reason, problem := dispatch.ParseUnprotectReason(f.Reason)
	if problem != nil {
		problem.Field = follow.FieldEndReason
		return s.editProtected(c, v, &f, dispatch.Problems{*problem}, true)
	}
	err := items.In(s.Store).Protected.End(frame.Context(c), v.Account.ID, dispatch.ProtectedID(c.Param("id")), reason, frame.Actor(c, v.User))
	if err != nil {
		return err
	}
	return s.FlashTo(c, views.AccountPath(v.Account, "skjermede"), "flash.protected_ended", 0)
}
