package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/views"
)

const signInsPath = "/min-side/innlogginger"

// showSignIns shows a person their own logins. Asked by the page itself, it says how long the session lasts, and does not
// prolong it.
func (s *server) showSignIns(c echo.Context, v visit) error {
	p := s.page(c, v, "sign_in.title")
	if fragment(c) == "okt" {
		return show(c, http.StatusOK, views.IdleWarning(p))
	}
	list, err := s.o.Session.SignIns(ctx(c), v.User.ID, s.o.Now())
	if err != nil {
		return err
	}
	return show(c, http.StatusOK, views.SignIns(views.SignInsPage{Page: p, SignIns: list}))
}

// endOthers ends all other sessions of who asks.
func (s *server) endOthers(c echo.Context, v visit) error {
	n, err := s.o.Session.EndOthers(ctx(c), by(c, v.User))
	if err != nil {
		return err
	}
	return s.flashTo(c, signInsPath, "flash.ended_others", n)
}

// stay prolongs the session, as any use does, and leads back; script stays on its page.
func (s *server) stay(c echo.Context, v visit) error {
	if fragment(c) == "okt" {
		return show(c, http.StatusOK, views.IdleWarning(s.page(c, v, "sign_in.title")))
	}
	return seeOther(c, s.formPath(c))
}
