package handlers

import (
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/handlers/frame"
)

// measure reports each request to Observe after its answer.
func (s *server) measure(next echo.HandlerFunc) echo.HandlerFunc {
	if s.o.Observe == nil {
		return next
	}
	return func(c echo.Context) error {
		began := time.Now()
		err := next(c)
		status := c.Response().Status
		if err != nil && !c.Response().Committed {
			status = frame.StatusOf(err)
		}
		s.o.Observe(c.Request().Method, c.Path(), status, time.Since(began))
		return err
	}
}

// isProbe tells whether the request is a health probe.
func isProbe(c echo.Context) bool { return c.Path() == "/healthz" || c.Path() == "/readyz" }
