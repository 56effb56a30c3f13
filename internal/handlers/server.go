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
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/pdf"
	"utsending/internal/session"
	"utsending/internal/store"
	"utsending/internal/upstream"
	"utsending/internal/views"
	"utsending/static"
)

// Options are what the handlers work with.
type Options struct {
	Store          *store.Store
	Session        *session.Manager
	Catalogue      *i18n.Catalogue
	Assets         *static.Assets
	Log            *slog.Logger
	PublicURL      string
	Municipality   string
	Version        string
	Test           bool   // all configured services are test services
	Delivers       bool   // this process delivers
	RightsClaim    string // where the login's values stand
	Contacts       views.Contacts
	Upstream       *upstream.Clients
	Plan           dispatch.RefreshPlan
	PDF            *pdf.Inspector
	Scan           func(context.Context, io.Reader) error // looks for viruses, as clamd.Scanner does; nil: nobody does
	Wake           func()                                 // tells delivery that something is due now
	TrustedProxies []*net.IPNet
	Now            func() time.Time // nil: time.Now

	Observe  func(method, route string, status int, took time.Duration) // is told of every request; nil: nobody counts
	Stopping func() bool                                                // this process is to take no more work; nil: never
}

// server carries what the handlers share.
type server struct {
	o       Options
	choices *choices
	pace    middleware.RateLimiterStore // of what people reveal and open, each person's own
	places  func() map[string]string    // of Norway's postal codes

	pictures *pictures
}

// maxForm bounds the body of an ordinary form: a text of 1600 characters and what belongs to it.
const maxForm = 256 << 10

// Who reads numbers and content one after the other is stopped: nobody's work needs more, and taking all of them would.
const (
	revealsAtOnce    = 60
	revealsPerSecond = 0.2
)

// New returns the whole application as one handler.
func New(o Options) http.Handler {
	s := newServer(o)
	e := s.echo()
	s.register(e)
	return e
}

func newServer(o Options) *server {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &server{o: o, choices: newChoices(o.Store), pictures: newPictures(), places: sync.OnceValue(o.Assets.PostalPlaces), pace: middleware.NewRateLimiterMemoryStoreWithConfig(
		middleware.RateLimiterMemoryStoreConfig{Rate: revealsPerSecond, Burst: revealsAtOnce, ExpiresIn: time.Hour})}
}

// echo returns a router with what comes before every route.
func (s *server) echo() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.handleError
	e.IPExtractor = ipExtractor(s.o.TrustedProxies)
	e.Use(s.identify, s.measure, s.log(), s.recover(), s.secure, s.crossOrigin(), compress(), s.bounded)
	return e
}

// ipExtractor believes X-Forwarded-For only from configured proxies.
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

// identify gives the request an id, and its context the catalogue.
func (s *server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set(echo.HeaderXRequestID, uuid.NewString())
		c.SetRequest(c.Request().WithContext(i18n.With(c.Request().Context(), s.o.Catalogue)))
		return next(c)
	}
}

func requestID(c echo.Context) string { return c.Response().Header().Get(echo.HeaderXRequestID) }

// log writes one line per request: the route, never the address, which may hold what people typed.
func (s *server) log() echo.MiddlewareFunc {
	return middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{
		LogStatus: true, LogLatency: true, LogMethod: true, HandleError: true,
		Skipper: func(c echo.Context) bool { return strings.HasPrefix(c.Path(), "/static/") || isProbe(c) },
		LogValuesFunc: func(c echo.Context, v middleware.RequestLoggerValues) error {
			s.o.Log.Info("request", "method", v.Method, "route", c.Path(), "status", v.Status, "duration", v.Latency, "request_id", requestID(c))
			return nil
		},
	})
}

// recover turns a panic into an error and says in our own log where it was; Echo's would go elsewhere.
func (s *server) recover() echo.MiddlewareFunc {
	return middleware.RecoverWithConfig(middleware.RecoverConfig{
		DisableStackAll: true,
		LogErrorFunc: func(c echo.Context, err error, stack []byte) error {
			s.o.Log.Error("panic", "route", c.Path(), "stack", string(stack), "request_id", requestID(c))
			return err
		},
	})
}

// secure sets the headers that every answer has.
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

// crossOrigin refuses POSTs that another site makes a browser send.
func (s *server) crossOrigin() echo.MiddlewareFunc {
	protection := http.NewCrossOriginProtection()
	if err := protection.AddTrustedOrigin(s.o.PublicURL); err != nil {
		s.o.Log.Warn("public address is no origin; only same-origin requests are trusted")
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := protection.Check(c.Request()); err != nil {
				s.o.Log.Info("form of another site refused", "origin", short(c.Request().Header.Get("Origin")), "public_url", s.o.PublicURL, "request_id", requestID(c))
				return errOtherSite
			}
			return next(c)
		}
	}
}

// compress compresses pages; the assets are compressed when they are built, and PDFs by whoever made them.
func compress() echo.MiddlewareFunc {
	return middleware.GzipWithConfig(middleware.GzipConfig{
		Level: 5, MinLength: 1024,
		Skipper: func(c echo.Context) bool {
			return strings.HasPrefix(c.Request().URL.Path, "/static/") || isProbe(c) || strings.HasSuffix(c.Path(), draftFileRoute) || strings.HasSuffix(c.Path(), pictureRoute) || strings.HasSuffix(c.Path(), shipmentFileRoute)
		},
	})
}

// bounded limits the body of every request that is not an upload.
func (s *server) bounded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Request().Method == http.MethodPost && slices.Contains(uploadRoutes, c.Path()) {
			return next(c)
		}
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, maxForm)
		return next(c)
	}
}

// paced bounds how often one person may reveal a number or open others' content.
func (s *server) paced(h func(echo.Context, visit) error) func(echo.Context, visit) error {
	return func(c echo.Context, v visit) error {
		if ok, err := s.pace.Allow(string(v.User.ID)); err != nil || !ok {
			return echo.NewHTTPError(http.StatusTooManyRequests)
		}
		return h(c, v)
	}
}

// wake tells delivery that something may be due now.
func (s *server) wake() {
	if s.o.Wake != nil {
		s.o.Wake()
	}
}

// origin is where a request comes from, for the event log.
func origin(c echo.Context) string { return c.RealIP() }

// by is who acts in a request.
func by(c echo.Context, u dispatch.User) store.Actor {
	return store.Actor{User: u.ID, Origin: origin(c)}
}

// ctx is the context of a request.
func ctx(c echo.Context) context.Context { return c.Request().Context() }
