package site

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/handlers/frame"
	"utsending/internal/views"
)

// ShowSignIns shows users their own logins. As a fragment it tells how long the session lasts, without prolonging it.
func (s *Pages) ShowSignIns(c echo.Context, v frame.Visit) error {
	p := s.Page(c, v, "sign_in.title")
	if frame.Fragment(c) == "okt" {
		return frame.Show(c, http.StatusOK, views.IdleWarning(p))
	}
	list, err := s.Session.SignIns(frame.Context(c), v.User.ID, s.Now())
	if err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, views.SignIns(views.SignInsPage{Page: p, SignIns: list}))
}

// EndOthers ends all other sessions of the user.
func (s *Pages) EndOthers(c echo.Context, v frame.Visit) error {
	n, err := s.Session.EndOthers(frame.Context(c), frame.Actor(c, v.User))
	if err != nil {
		return err
	}
	return s.FlashTo(c, frame.SignInsPath, "flash.ended_others", n)
}

// Stay prolongs the session, as any use does, and redirects back; a script stays on its page.
func (s *Pages) Stay(c echo.Context, v frame.Visit) error {
	if frame.Fragment(c) == "okt" {
		return frame.Show(c, http.StatusOK, views.IdleWarning(s.Page(c, v, "sign_in.title")))
	}
	return frame.SeeOther(c, s.FormPath(c))
}
