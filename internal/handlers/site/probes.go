package site

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/handlers/frame"
	"utsending/internal/store/queue"
)

// Healthz is the liveness probe.
func (s *Pages) Healthz(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readyPatience is the database's time limit for the readiness probe.
const readyPatience = 3 * time.Second

// Readyz is the readiness probe: the process is not about to stop, and the database answers and has our schema.
func (s *Pages) Readyz(c echo.Context) error {
	if why := s.unready(frame.Context(c)); why != "" {
		return c.String(http.StatusServiceUnavailable, why+"\n")
	}
	return c.String(http.StatusOK, "ready\n")
}

// unready is why the process cannot serve now; empty: it can.
func (s *Pages) unready(ctx context.Context) string {
	if s.Stopping != nil && s.Stopping() {
		return "stopping"
	}
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	why := make(chan string, 1)
	go func() { why <- s.unreadyDatabase(ctx) }() // the driver would wait for a server that accepts the query and does not answer
	select {
	case found := <-why:
		return found
	case <-ctx.Done():
		return noAnswer
	}
}

const noAnswer = "database does not answer"

func (s *Pages) unreadyDatabase(ctx context.Context) string {
	have, want, err := queue.In(s.Store).Examinations.Schema(ctx)
	switch {
	case err != nil:
		return noAnswer
	case have < want:
		return "database is not migrated"
	}
	return ""
}
