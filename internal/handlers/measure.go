package handlers

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// measure tells of each request once its answer is known.
func (s *server) measure(next echo.HandlerFunc) echo.HandlerFunc {
	if s.o.Observe == nil {
		return next
	}
	return func(c echo.Context) error {
		began := time.Now()
		err := next(c)
		status := c.Response().Status
		if err != nil && !c.Response().Committed {
			status = statusOf(err)
		}
		s.o.Observe(c.Request().Method, c.Path(), status, time.Since(began))
		return err
	}
}

// isProbe tells whether a machine asks how the process is: often, and for a word.
func isProbe(c echo.Context) bool { return c.Path() == "/healthz" || c.Path() == "/readyz" }

// healthz says that the process lives.
func (s *server) healthz(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readyPatience is how long the database may take to answer a question about readiness.
const readyPatience = 3 * time.Second

// readyz says that the process can serve: it is not about to stop, the database answers and has our schema.
func (s *server) readyz(c echo.Context) error {
	if why := s.unready(ctx(c)); why != "" {
		return c.String(http.StatusServiceUnavailable, why+"\n")
	}
	return c.String(http.StatusOK, "ready\n")
}

// unready is why the process cannot serve now, or nothing.
func (s *server) unready(ctx context.Context) string {
	if s.o.Stopping != nil && s.o.Stopping() {
		return "stopping"
	}
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	why := make(chan string, 1)
	go func() { why <- s.unreadyDatabase(ctx) }() // the driver waits on for a server that takes the question and says nothing
	select {
	case found := <-why:
		return found
	case <-ctx.Done():
		return noAnswer
	}
}

const noAnswer = "database does not answer"

func (s *server) unreadyDatabase(ctx context.Context) string {
	have, want, err := s.o.Store.Schema(ctx)
	switch {
	case err != nil:
		return noAnswer
	case have < want:
		return "database is not migrated"
	}
	return ""
}
