package handlers

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/session"
	"utsending/internal/views"
)

func escape(path string) string { return url.QueryEscape(path) }

// login sends the browser to the login provider.
func (s *server) login(c echo.Context) error {
	address, err := s.o.Session.Start(ctx(c), c.QueryParam("retur"), s.o.Now())
	if err != nil {
		return err
	}
	s.o.Session.KeepReturn(c.Response(), address, c.QueryParam("retur"))
	return seeOther(c, address)
}

// loginReturn is where the provider sends the browser back to. An answer that belongs to nothing (any more), from a tab that
// was restored or by the button Back, leads on.
func (s *server) loginReturn(c echo.Context) error {
	path, err := s.o.Session.Finish(ctx(c), c.QueryParams(), session.From{Origin: origin(c), Browser: dispatch.BrowserOf(c.Request().UserAgent())}, s.o.Now())
	if errors.Is(err, session.ErrState) {
		if path, ok := s.o.Session.Astray(c.Response(), c.Request(), s.o.Now()); ok {
			return seeOther(c, path)
		}
	}
	if err != nil {
		s.o.Log.Warn("login refused", "reason", err.Error(), "request_id", requestID(c))
		return err
	}
	s.o.Session.DropReturn(c.Response(), c.Request())
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

// endByProvider ends the sessions of one at the provider, which frames this address in a page of its own. Our cookie does
// not come along. What it ended, if anything, it does not tell.
func (s *server) endByProvider(c echo.Context) error {
	c.Response().Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors "+strings.Join(s.o.Session.Origins(), " "))
	if err := s.o.Session.EndByProvider(ctx(c), c.QueryParam("iss"), c.QueryParam("sid"), origin(c)); err != nil {
		return err
	}
	return c.NoContent(http.StatusOK)
}

// limited bounds how often one address may ask for what anybody can ask for.
func (s *server) limited(h echo.HandlerFunc) echo.HandlerFunc {
	return middleware.RateLimiterWithConfig(middleware.RateLimiterConfig{
		Store:       middleware.NewRateLimiterMemoryStoreWithConfig(middleware.RateLimiterMemoryStoreConfig{Rate: 10, Burst: 50}),
		DenyHandler: func(echo.Context, string, error) error { return echo.NewHTTPError(http.StatusTooManyRequests) },
	})(h)
}

// loggedOut says that the session has ended.
func (s *server) loggedOut(c echo.Context) error {
	p := views.ErrorPage{Page: s.errorFrame(c), Why: i18n.T(ctx(c), "out.why"), Action: "/logg-inn", Label: i18n.T(ctx(c), "app.sign_in")}
	p.Title = i18n.T(ctx(c), "out.title")
	return show(c, http.StatusOK, views.Failure(p))
}
