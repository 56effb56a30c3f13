package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
)

// NewWithSecrets returns the application with one more page, which asks for a secret and tells when it is saved.
func NewWithSecrets(o Options) http.Handler {
	s := newServer(o)
	e := s.echo()
	s.register(e)
	page := func(c echo.Context, _ frame.Visit) error {
		return c.String(http.StatusOK, c.Request().Method+" "+c.FormValue("hemmelighet"))
	}
	e.Match([]string{http.MethodGet, http.MethodPost}, "/k/:konto/hemmelig", s.frame.OnAccount(dispatch.RightSendSMS, s.frame.Fresh(page)), s.withSession(e))
	return e
}
