package handlers

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"utsending/internal/i18n"
	"utsending/internal/views"
)

func escape(path string) string { return url.QueryEscape(path) }

// login sends the browser to the login provider.
func (s *server) login(c echo.Context) error {
	address, err := s.o.Session.Start(ctx(c), c.QueryParam("retur"), s.o.Now())
	if err != nil {
		return err
	}
	return seeOther(c, address)
}

// loginReturn is where the provider sends the browser back to.
func (s *server) loginReturn(c echo.Context) error {
	path, err := s.o.Session.Finish(ctx(c), c.QueryParams(), origin(c), s.o.Now())
	if err != nil {
		s.o.Log.Info("login refused", "reason", err.Error(), "request_id", requestID(c))
		return err
	}
	return seeOther(c, path)
}

// logout ends the session here and at the provider.
func (s *server) logout(c echo.Context, _ visit) error {
	address, err := s.o.Session.Logout(ctx(c), origin(c))
	if err != nil {
		return err
	}
	return seeOther(c, address)
}

// loggedOut says that the session has ended.
func (s *server) loggedOut(c echo.Context) error {
	p := views.ErrorPage{Page: s.errorFrame(c), Why: i18n.T(ctx(c), "out.why"), Action: "/logg-inn", Label: i18n.T(ctx(c), "app.sign_in")}
	p.Title = i18n.T(ctx(c), "out.title")
	return show(c, http.StatusOK, views.Failure(p))
}
