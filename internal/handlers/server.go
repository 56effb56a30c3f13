// Package handlers holds the routes: each reads the request, decides with the domain, stores, and shows a page.
package handlers

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"utsending/internal/bulk"
	"utsending/internal/dispatch"
	"utsending/internal/handlers/admin"
	"utsending/internal/handlers/compose"
	"utsending/internal/handlers/follow"
	"utsending/internal/handlers/frame"
	"utsending/internal/handlers/site"
	"utsending/internal/i18n"
	"utsending/internal/pdf"
	"utsending/internal/session"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/upstream"
	"utsending/internal/views"
	"utsending/static"
)

// Options are the dependencies of the handlers.
type Options struct {
	Store          *store.Store
	Session        *session.Manager
	Languages      *i18n.Languages
	Assets         *static.Assets
	Log            *slog.Logger
	PublicURL      string
	Municipality   string
	Version        string
	Test           bool   // all configured services are test services
	Delivers       bool   // this process delivers
	RightsClaim    string // name of the login's rights claim
	Contacts       views.Contacts
	Upstream       *upstream.Clients
	Plan           dispatch.RefreshPlan
	PDF            *pdf.Inspector
	Scan           func(context.Context, io.Reader) error // virus scanner, see clamd.Scanner; nil: none
	Wake           func()                                 // makes delivery poll now
	TrustedProxies []*net.IPNet
	Notices        registry.Channels                                                    // how people can be told
	MailDomains    dispatch.MailDomains                                                 // where notices may go
	Now            func() time.Time                                                     // nil: time.Now
	PrivateChats   bool                                                                 // accounts' own chats may be on an inner network
	AskChat        func(context.Context, dispatch.Account) (dispatch.ChatAnswer, error) // sends a trial message to an account's own chat

	Observe  func(method, route string, status int, took time.Duration) // called after every request; nil: no metrics
	Stopping func() bool                                                // the process is about to stop; nil: never
}

// server holds the areas.
type server struct {
	o       Options
	frame   *frame.Frame
	site    *site.Pages
	compose *compose.Pages
	follow  *follow.Pages
	admin   *admin.Pages
}

// New returns the application's HTTP handler.
func New(o Options) http.Handler {
	s := newServer(o)
	e := s.echo()
	s.register(e)
	return e
}

func newServer(o Options) *server {
	f := &frame.Frame{
		Store: o.Store, Session: o.Session, Languages: o.Languages, Assets: o.Assets, Log: o.Log, PublicURL: o.PublicURL,
		Municipality: o.Municipality, Version: o.Version, Test: o.Test, Now: o.Now, Wake: o.Wake, Pace: frame.NewPace(),
	}
	if f.Now == nil {
		f.Now = time.Now
	}
	if f.Wake == nil {
		f.Wake = func() {}
	}
	return &server{
		o: o, frame: f,
		site: &site.Pages{Frame: f, Contacts: o.Contacts, Stopping: o.Stopping, Notices: o.Notices, MailDomains: o.MailDomains},
		compose: compose.New(compose.Options{
			Frame: f, Upstream: o.Upstream, PDF: o.PDF, Scan: o.Scan,
		}),
		follow: follow.New(follow.Options{
			Frame: f, Upstream: o.Upstream, Plan: o.Plan, Bulk: bulk.New(bulk.Options{Store: o.Store, Log: o.Log, Wake: f.Wake, Now: f.Now}),
		}),
		admin: admin.New(admin.Options{
			Frame: f, Upstream: o.Upstream, Delivers: o.Delivers, RightsClaim: o.RightsClaim, PDF: o.PDF,
			Notices: o.Notices, PrivateChats: o.PrivateChats, AskChat: o.AskChat,
		}),
	}
}

// echo returns a router with the middleware of every route.
func (s *server) echo() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.frame.HandleError
	e.IPExtractor = ipExtractor(s.o.TrustedProxies)
	e.Use(s.identify, s.measure, s.log(), s.recover(), s.secure, s.crossOrigin(), compress(), s.bounded)
	return e
}

// ipExtractor trusts X-Forwarded-For only from configured proxies.
func ipExtractor(proxies []*net.IPNet) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		options = append(options, echo.TrustIPRange(p))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

// identify gives the request an id, and its context the catalogue of the chosen language.
func (s *server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderXRequestID, uuid.NewString())
		c.SetRequest(c.Request().WithContext(i18n.With(c.Request().Context(), s.o.Languages.In(frame.ChosenLanguage(c)))))
		return next(c)
	}
}

// log writes one line per request: the route, never the address, which may hold typed text.
func (s *server) log() echo.MiddlewareFunc {
	return middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{
		LogStatus: true, LogLatency: true, LogMethod: true, HandleError: true,
		Skipper: func(c echo.Context) bool { return strings.HasPrefix(c.Path(), "/static/") || isProbe(c) },
		LogValuesFunc: func(c echo.Context, v middleware.RequestLoggerValues) error {
			s.o.Log.Info("request", "method", v.Method, "route", c.Path(), "status", v.Status, "duration", v.Latency, "request_id", frame.RequestID(c))
			return nil
		},
	})
}

// recover turns a panic into an error and logs its location in our own log; Echo's middleware would log elsewhere.
func (s *server) recover() echo.MiddlewareFunc {
	return middleware.RecoverWithConfig(middleware.RecoverConfig{
		DisableStackAll: true,
		LogErrorFunc: func(c echo.Context, err error, stack []byte) error {
			s.o.Log.Error("panic", "route", c.Path(), "stack", string(stack), "request_id", frame.RequestID(c))
			return err
		},
	})
}

// secure sets the security headers of every answer.
func (s *server) secure(next echo.HandlerFunc) echo.HandlerFunc {
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; frame-ancestors 'none'; form-action 'self' "
	https := strings.HasPrefix(s.o.PublicURL, "https://")
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", policy+strings.Join(s.o.Session.Origins(), " "))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
		h.Set("Cache-Control", "no-store")
		if https {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		return next(c)
	}
}

// crossOrigin refuses cross-site POSTs (CSRF).
func (s *server) crossOrigin() echo.MiddlewareFunc {
	protection := http.NewCrossOriginProtection()
	if err := protection.AddTrustedOrigin(s.o.PublicURL); err != nil {
		s.o.Log.Warn("public address is no origin; only same-origin requests are trusted")
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := protection.Check(c.Request()); err != nil {
				s.o.Log.Info("form of another site refused", "origin", frame.Short(c.Request().Header.Get("Origin")), "public_url", s.o.PublicURL, "request_id", frame.RequestID(c))
				return frame.ErrOtherSite
			}
			return next(c)
		}
	}
}

// compress compresses pages; assets are compressed when built, and PDFs by nature.
func compress() echo.MiddlewareFunc {
	return middleware.GzipWithConfig(middleware.GzipConfig{
		Level: 5, MinLength: 1024,
		Skipper: func(c echo.Context) bool {
			return strings.HasPrefix(c.Request().URL.Path, "/static/") || isProbe(c) || strings.HasSuffix(c.Path(), compose.DraftFileRoute) || strings.HasSuffix(c.Path(), compose.PictureRoute) || strings.HasSuffix(c.Path(), follow.ShipmentFileRoute)
		},
	})
}

// bounded limits the body of every request that is not an upload.
func (s *server) bounded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Request().Method == http.MethodPost && slices.Contains(frame.UploadRoutes, c.Path()) {
			return next(c)
		}
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, frame.FormLimit(c.Path()))
		return next(c)
	}
}
