// Command bare is the smallest web application with our libraries: it listens, has a database, and reports when it is ready. It is
// a reference for the real one.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/jmoiron/sqlx"
	"github.com/labstack/echo/v4"
	_ "github.com/lib/pq" // the driver
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	db, err := sqlx.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer db.Close()
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/readyz", func(c echo.Context) error {
		if err := db.PingContext(c.Request().Context()); err != nil {
			return c.String(http.StatusServiceUnavailable, "database does not answer\n")
		}
		return c.String(http.StatusOK, "ready\n")
	})
	go func() {
		<-ctx.Done()
		_ = e.Close() // nothing is running
	}()
	if err := e.Start(os.Getenv("ADDR")); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
