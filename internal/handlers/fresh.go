package handlers

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/session"
)

// errNotFresh leads to the page that asks people to log in again before they save.
var errNotFresh = errors.New("the login is not fresh")

// fresh wraps a handler that shows or saves secrets: whoever uses it must just have logged in. A page leads to the login
// by itself, and only when there is time left to fill it in. A form cannot: its page says that nothing is saved.
func (s *server) fresh(h func(echo.Context, visit) error) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		page := c.Request().Method != http.MethodPost
		switch {
		case page && s.o.Session.FreshEnough(ctx(c), s.o.Now()), !page && s.o.Session.Fresh(ctx(c), s.o.Now()):
			return h(c, v)
		case page:
			return s.toLogin(c, c.Request().URL.RequestURI())
		}
		return errNotFresh
	}
}

// loginAgain lets somebody log in afresh, and leads back.
func (s *server) loginAgain(c echo.Context, _ visit) error {
	return s.toLogin(c, c.QueryParam("retur"))
}

func (s *server) toLogin(c echo.Context, path string) error {
	address, err := s.o.Session.StartAgain(ctx(c), path, s.o.Now())
	if err != nil {
		return err
	}
	s.o.Session.KeepReturn(c.Response(), address, path)
	return seeOther(c, address)
}

// formPath is the page of ours that a form was sent from, or the front page.
func (s *server) formPath(c echo.Context) string {
	if path, ok := strings.CutPrefix(c.Request().Referer(), s.o.PublicURL); ok && strings.HasPrefix(path, "/") {
		return session.LocalPath(path)
	}
	return "/"
}
