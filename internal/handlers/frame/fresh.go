package frame

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/session"
)

// errNotFresh leads to the page that asks the user to log in again before saving.
var errNotFresh = errors.New("the login is not fresh")

// Fresh wraps a handler that shows or saves secrets: the login must be recent. A GET redirects to the login when
// little time is left to fill in the form. A POST cannot redirect: its page says that nothing was saved.
func (s *Frame) Fresh(h func(echo.Context, Visit) error) func(echo.Context, Visit) error {
	return func(c echo.Context, v Visit) error {
		page := c.Request().Method != http.MethodPost
		switch {
		case page && s.Session.FreshEnough(Context(c), s.Now()), !page && s.Session.Fresh(Context(c), s.Now()):
			return h(c, v)
		case page:
			return s.toLogin(c, c.Request().URL.RequestURI())
		}
		return errNotFresh
	}
}

// LoginAgain starts a fresh login that returns to the page.
func (s *Frame) LoginAgain(c echo.Context, _ Visit) error {
	return s.toLogin(c, c.QueryParam("retur"))
}

func (s *Frame) toLogin(c echo.Context, path string) error {
	address, err := s.Session.StartAgain(Context(c), path, s.Now())
	if err != nil {
		return err
	}
	s.Session.KeepReturn(c.Response(), address, path)
	return SeeOther(c, address)
}

// FormPath is the page of ours from which a form was sent, or the front page.
func (s *Frame) FormPath(c echo.Context) string {
	if path, ok := strings.CutPrefix(c.Request().Referer(), s.PublicURL); ok && strings.HasPrefix(path, "/") {
		return session.LocalPath(path)
	}
	return "/"
}
