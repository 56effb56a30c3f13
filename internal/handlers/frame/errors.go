package frame

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/session"
	"utsending/internal/store"
	"utsending/internal/views"
)

// ErrSlow ends a request whose body came so slowly that we stopped waiting for it.
var ErrSlow = errors.New("body that came too slowly")

// ErrOtherSite refuses a form that, by the browser's headers, another site sent.
var ErrOtherSite = errors.New("form of another site")

// HandleError turns an error into a page, and logs it; nothing else does either.
func (s *Frame) HandleError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	status := StatusOf(err)
	switch {
	case errors.Is(Context(c).Err(), context.Canceled) && errors.Is(err, context.Canceled):
		s.Log.Info("visitor left", "route", c.Path(), "request_id", RequestID(c))
	case errors.Is(err, ErrSlow):
		s.Log.Warn("a request was cut off since its body came too slowly", "route", c.Path(), "request_id", RequestID(c))
	case store.Unstorable(err):
		s.Log.Error("text that cannot be stored has passed the gate", "route", c.Path(), "error", store.Describe(err), "request_id", RequestID(c))
	case status >= 500:
		s.Log.Error("request failed", "route", c.Path(), "status", status, "error", store.Describe(err), "request_id", RequestID(c))
	}
	if Context(c).Err() != nil {
		return // the client has gone
	}
	if asksForPart(c) {
		_ = c.NoContent(status)
		return
	}
	if err := s.showError(c, status, err); err != nil {
		s.Log.Error("error page failed", "error", err, "request_id", RequestID(c))
		_ = c.String(status, http.StatusText(status))
	}
}

// StatusOf maps an error to an HTTP status; unknown errors are our own fault.
func StatusOf(err error) int {
	var he *echo.HTTPError
	var tooLarge *http.MaxBytesError
	var full store.Full
	switch {
	case errors.Is(err, store.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, store.ErrChanged), errors.Is(err, store.ErrStale), errors.As(err, &full):
		return http.StatusConflict
	case errors.Is(err, ErrSlow):
		return http.StatusRequestTimeout
	case errors.Is(err, session.ErrLogin), errors.Is(err, session.ErrCancelled):
		return http.StatusBadRequest
	case errors.Is(err, session.ErrLevel), errors.Is(err, session.ErrNotFresh), errors.Is(err, session.ErrOther), errors.Is(err, errNotFresh),
		errors.Is(err, ErrOtherSite):
		return http.StatusForbidden
	case errors.Is(err, errUnreadable), errors.Is(err, errLongLine), store.Unstorable(err):
		return http.StatusUnprocessableEntity
	case errors.Is(err, session.ErrProvider):
		return http.StatusBadGateway
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &he):
		return he.Code
	case store.Unreachable(err), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

func (s *Frame) showError(c echo.Context, status int, err error) error {
	p := views.ErrorPage{Page: s.ErrorFrame(c)}
	if status < http.StatusInternalServerError { // the database answers
		s.countOn(c, &p.Page)
	}
	title, why := errorKeys(status, err)
	p.Title, p.Why = i18n.T(Context(c), title), i18n.T(Context(c), why)
	var full store.Full
	switch {
	case errors.As(err, &full):
		no := full.Of.Full("")
		p.Title, p.Why = i18n.T(Context(c), "full.title"), i18n.T(Context(c), no.Key, "Most", no.Args["Most"]) // not an internal error, so no id
	case errors.Is(err, errNotFresh):
		p.Action, p.Label = "/logg-inn/igjen?retur="+escape(s.FormPath(c)), i18n.T(Context(c), "login.fresh") // not an internal error, so no id
	case errors.Is(err, session.ErrLogin), errors.Is(err, session.ErrCancelled), errors.Is(err, session.ErrProvider), errors.Is(err, session.ErrLevel):
		p.Action, p.Label, p.ErrorID = "/logg-inn", i18n.T(Context(c), "login.again"), RequestID(c)
	case errors.Is(err, store.ErrStale):
		p.Action, p.Label, p.NewTab = stalePath(c), i18n.T(Context(c), "error.stale.open"), true
	case status == http.StatusUnauthorized && c.Request().Method == http.MethodPost:
		p.Why = i18n.T(Context(c), "out.unsaved") // the typed text stays in this page, which can be sent again from here
		p.Action, p.Label, p.NewTab = loginPath(c), i18n.T(Context(c), "idle.sign_in"), true
	case status == http.StatusUnauthorized:
		if len(c.Cookies()) == 0 { // has not been here before, so has not been logged out either
			p.Title, p.Why = i18n.T(Context(c), "out.not_in"), i18n.T(Context(c), "out.not_in.why")
		}
		p.Action, p.Label = loginPath(c), i18n.T(Context(c), "app.sign_in")
	default:
		p.Action, p.Label, p.ErrorID = "/", i18n.T(Context(c), "app.to_front"), RequestID(c)
	}
	return Show(c, status, views.Failure(p))
}

// errorKeys returns the catalogue keys of an error's heading and text.
func errorKeys(status int, err error) (title, why string) {
	switch {
	case errors.Is(err, session.ErrCancelled):
		return "login.failed.title", "login.cancelled.why"
	case errors.Is(err, session.ErrLogin):
		return "login.failed.title", "login.failed.why"
	case errors.Is(err, session.ErrLevel):
		return "login.level.title", "login.level.why"
	case errors.Is(err, session.ErrNotFresh):
		return "login.failed.title", "login.unproved.why"
	case errors.Is(err, session.ErrOther):
		return "login.other.title", "login.other.why"
	case errors.Is(err, errNotFresh):
		return "login.fresh.title", "login.fresh.why"
	case errors.Is(err, session.ErrProvider):
		return "login.down.title", "login.down.why"
	case errors.Is(err, ErrOtherSite):
		return "error.other_site.title", "error.other_site.why"
	case errors.Is(err, errUnreadable):
		return "error.unreadable.title", "error.unreadable.why"
	case errors.Is(err, errLongLine):
		return "error.long_line.title", "error.long_line.why"
	case errors.Is(err, store.ErrStale):
		return "error.stale.title", "error.stale.why"
	case status == http.StatusUnauthorized:
		return "out.title", "out.why"
	}
	switch status {
	case 400, 403, 404, 405, 408, 409, 413, 422, 429, 503:
	default:
		status = http.StatusInternalServerError
	}
	key := "error." + strconv.Itoa(status)
	return key + ".title", key + ".why"
}

// ErrorFrame returns a page with the user's navigation, if they are logged in.
func (s *Frame) ErrorFrame(c echo.Context) views.Page {
	_, theme := s.themed(c)
	p := views.Page{Now: s.Now(), Assets: s.Assets, Theme: theme, Municipality: s.municipality(theme), Version: s.Version, Test: s.Test, Scheme: scheme(c), HighContrast: highContrast(c), Narrow: true}
	if u, ok := c.Get(userKey).(dispatch.User); ok && u.ID != "" {
		p.User, p.SignedIn = u, true
		p.Account = s.around(c, Visit{User: u})
	}
	if a, ok := c.Get(accountKey).(dispatch.Account); ok {
		p.Account = a
	}
	return p
}

// SiteFrame is the frame of a page that everybody may read, with the user's navigation and its numbers, if they are logged in.
func (s *Frame) SiteFrame(c echo.Context) views.Page {
	p := s.ErrorFrame(c)
	s.countOn(c, &p)
	return p
}

// countOn counts for the navigation of a page without a visit.
func (s *Frame) countOn(c echo.Context, p *views.Page) {
	v := Visit{User: p.User, Account: p.Account}
	if p.SignedIn {
		s.count(c, &v)
	}
	p.FollowUps, p.ToApprove = v.FollowUps, v.ToApprove
}

// stalePath is the draft to which a form belongs, whatever part of it was posted.
func stalePath(c echo.Context) string {
	return "/k/" + c.Param("konto") + "/utkast/" + c.Param("id")
}

// loginPath is the login's address, which returns to the requested page.
func loginPath(c echo.Context) string {
	if c.Request().Method != http.MethodGet {
		return "/logg-inn"
	}
	return "/logg-inn?retur=" + escape(c.Request().URL.Path)
}
