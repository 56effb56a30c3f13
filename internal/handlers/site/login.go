package site

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/session"
	"utsending/internal/views"
)

// Login sends the browser to the login provider.
func (s *Pages) Login(c echo.Context) error {
	address, err := s.Session.Start(frame.Context(c), c.QueryParam("retur"), s.Now())
	if err != nil {
		return err
	}
	s.Session.KeepReturn(c.Response(), address, c.QueryParam("retur"))
	return frame.SeeOther(c, address)
}

// LoginReturn is the provider's redirect address. An answer without a pending login, from a restored tab or the Back
// button, is redirected onward.
func (s *Pages) LoginReturn(c echo.Context) error {
	path, err := s.Session.Finish(frame.Context(c), c.QueryParams(), session.From{Origin: frame.Origin(c), Browser: dispatch.BrowserOf(c.Request().UserAgent())}, s.Now())
	if errors.Is(err, session.ErrState) {
		if path, ok := s.Session.Astray(c.Response(), c.Request(), s.Now()); ok {
			return frame.SeeOther(c, path)
		}
	}
	if err != nil {
		s.Log.Warn("login refused", "reason", err.Error(), "request_id", frame.RequestID(c))
		return err
	}
	s.Session.DropReturn(c.Response(), c.Request())
	if err := s.showChoices(c); err != nil {
		return err
	}
	return frame.SeeOther(c, path)
}

// showChoices brings the language and the look of lists that a user has chosen to the device on which they log in.
func (s *Pages) showChoices(c echo.Context) error {
	id, ok := s.Session.Identity(frame.Context(c), s.Now(), true)
	if !ok {
		return nil
	}
	language, err := s.Store.Language(frame.Context(c), id.User)
	if err == nil && language != "" {
		frame.RememberLanguage(c, language)
	}
	if err != nil {
		return err
	}
	view, err := s.Store.ListView(frame.Context(c), id.User)
	if err == nil {
		frame.RememberListView(c, view)
	}
	return err
}

// Logout ends the session here and at the provider.
func (s *Pages) Logout(c echo.Context, _ frame.Visit) error {
	address, err := s.Session.Logout(frame.Context(c), frame.Origin(c))
	if err != nil {
		return err
	}
	return frame.SeeOther(c, address)
}

// EndByProvider is the front-channel logout: it ends the sessions with the provider's session id. The provider frames
// this address in a page of its own, so our cookie is not sent. It does not reveal whether anything was ended.
func (s *Pages) EndByProvider(c echo.Context) error {
	c.Response().Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors "+strings.Join(s.Session.Origins(), " "))
	if err := s.Session.EndByProvider(frame.Context(c), c.QueryParam("iss"), c.QueryParam("sid"), frame.Origin(c)); err != nil {
		return err
	}
	return c.NoContent(http.StatusOK)
}

// Limited limits the rate of public requests per client address.
func (s *Pages) Limited(h echo.HandlerFunc) echo.HandlerFunc {
	return middleware.RateLimiterWithConfig(middleware.RateLimiterConfig{
		Store:       middleware.NewRateLimiterMemoryStoreWithConfig(middleware.RateLimiterMemoryStoreConfig{Rate: 10, Burst: 50}),
		DenyHandler: func(echo.Context, string, error) error { return echo.NewHTTPError(http.StatusTooManyRequests) },
	})(h)
}

// LoggedOut shows that the session has ended.
func (s *Pages) LoggedOut(c echo.Context) error {
	p := views.ErrorPage{Page: s.ErrorFrame(c), Why: i18n.T(frame.Context(c), "out.why"), Action: "/logg-inn", Label: i18n.T(frame.Context(c), "app.sign_in")}
	p.Title = i18n.T(frame.Context(c), "out.title")
	return frame.Show(c, http.StatusOK, views.Failure(p))
}
