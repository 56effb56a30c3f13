package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/handlers"
	"utsending/internal/i18n"
	"utsending/internal/pdf"
	"utsending/internal/session"
	"utsending/internal/store"
	"utsending/static"
)

// serve runs the application until ctx ends.
func serve(ctx context.Context) error {
	c, err := readConfig()
	if err != nil {
		return err
	}
	keys, err := c.readKeys()
	if err != nil {
		return err
	}
	log := c.logger()
	s, err := store.Open(store.Options{URL: c.DatabaseURL, Keys: keys, MaxOpenConns: c.Connections})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := prepareDatabase(ctx, s, c, log); err != nil {
		return err
	}
	services := delivery.NewServices(s, c.Services)
	services.SubmitTimeout = c.SubmitTimeout
	worker := delivery.New(delivery.Options{
		Store: s, Services: services, Log: log, Plan: c.plan(), Lease: c.Lease, Poll: c.Poll, Grace: c.Grace, Window: c.RecoveryWindow,
	})
	pages, err := newHandler(c, s, services, worker, log)
	if err != nil {
		return err
	}
	return runBoth(ctx, c, pages, worker, log)
}

// prepareDatabase waits for the database and sees that it has our schema.
func prepareDatabase(ctx context.Context, s *store.Store, c config, log *slog.Logger) error {
	if err := awaitDatabase(ctx, s, log); err != nil {
		return err
	}
	if c.Migrate {
		n, err := s.Migrate(ctx)
		if err != nil {
			return errors.New("migrate: " + store.Describe(err))
		}
		log.Info("database migrated", "migrations", n)
		return nil
	}
	ok, err := s.Migrated(ctx)
	if err != nil {
		return errors.New("database: " + store.Describe(err))
	}
	if !ok {
		return errors.New("the database does not have the schema of this program: run 'web migrate', or set MIGRATE=true")
	}
	return nil
}

// awaitDatabase gives a database that is just starting a minute.
func awaitDatabase(ctx context.Context, s *store.Store, log *slog.Logger) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for waited := false; ; waited = true {
		err := s.Ping(ctx)
		if err == nil {
			return nil
		}
		if !waited {
			log.Warn("waiting for the database", "error", store.Describe(err))
		}
		select {
		case <-ctx.Done():
			return errors.New("the database does not answer: " + store.Describe(err))
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func newHandler(c config, s *store.Store, services *delivery.Services, worker *delivery.Worker, log *slog.Logger) (http.Handler, error) {
	assets, err := static.Load()
	if err != nil {
		return nil, err
	}
	catalogue, err := i18n.Load(i18n.Default)
	if err != nil {
		return nil, err
	}
	login := session.New(session.Options{
		Store: s, Log: log, PublicURL: c.PublicURL, Issuer: c.OIDC.Issuer, ClientID: c.OIDC.ClientID,
		ClientSecret: dispatch.Secret(c.OIDC.ClientSecret), Scopes: c.OIDC.Scopes, RightsClaim: c.OIDC.RightsClaim,
		Idle: c.SessionIdle, Lifetime: c.SessionLifetime,
	})
	go login.Warm()
	return handlers.New(handlers.Options{
		Store: s, Session: login, Catalogue: catalogue, Assets: assets, Log: log, PublicURL: c.PublicURL,
		Municipality: c.Municipality, Version: version, Test: c.test(), Delivers: bool(c.Delivery), Plan: c.plan(), PDF: pdf.New(pdf.Options{}),
		Environment: environment(services), Services: c.Services, RightsClaim: c.OIDC.RightsClaim, Try: services.Try, Forget: services.Forget, Wake: worker.Wake, TrustedProxies: c.Proxies,
	}), nil
}

// environment names the environment of a configured service.
func environment(services *delivery.Services) func(string) string {
	return func(name string) string {
		if s, ok := services.ByName(name); ok {
			return string(s.Environment)
		}
		return "unknown"
	}
}

// runBoth serves and delivers until ctx ends, and lets both come to an end.
func runBoth(ctx context.Context, c config, pages http.Handler, worker *delivery.Worker, log *slog.Logger) error {
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{
		Handler: pages, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var background sync.WaitGroup
	if c.Delivery {
		background.Go(func() { worker.Run(ctx) })
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	log.Info("serving", "address", listener.Addr().String(), "delivery", bool(c.Delivery))
	select {
	case err = <-ended:
		stop()
	case <-ctx.Done():
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.Grace)
		defer cancel()
		err = server.Shutdown(grace)
	}
	background.Wait()
	log.Info("stopped")
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}
