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

	"utsending/internal/bulk"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/export"
	"utsending/internal/handlers"
	"utsending/internal/i18n/texts"
	"utsending/internal/keeper"
	"utsending/internal/metrics"
	"utsending/internal/notify"
	"utsending/internal/pdf"
	"utsending/internal/session"
	"utsending/internal/siem"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/upstream"
	"utsending/static"
)

// app is one process of the application.
type app struct {
	config    config
	log       *slog.Logger
	store     *store.Store
	upstream  *upstream.Clients
	worker    *delivery.Worker
	keeper    *keeper.Keeper
	metrics   *metrics.Metrics
	inspector *pdf.Inspector
	exports   *export.Maker
	bulk      *bulk.Worker
	notifier  *notify.Notifier
	siem      *siem.Forwarder
	login     *session.Manager
}

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
	files, err := c.Storage.objects()
	if err != nil {
		return err
	}
	relaxHeap(100)
	log := c.logger()
	log.Info("starting", "version", version, "settings", c)
	s, err := store.Open(store.Options{URL: c.DatabaseURL, Keys: keys, Objects: files, MaxOpenConns: c.Connections})
	if err != nil {
		return err
	}
	defer s.Close()
	prepared := make(chan error, 1)
	go func() { prepared <- prepareDatabase(ctx, s, c, log) }()
	owner, err := c.openOwner()
	if err != nil {
		return err
	}
	defer owner.Close()
	a := newApp(c, s, owner, log)
	pages, err := a.handler(ctx) // while the database is starting
	if err := errors.Join(err, <-prepared); err != nil {
		return err
	}
	if err := a.inspector.Missing(); err != nil {
		log.Error("uploaded PDFs are not checked, and shipments cannot be printed: put inspectpdf of this release beside web", "error", err.Error())
	}
	go a.inspector.Prepare(ctx)
	return a.run(ctx, pages)
}

func newApp(c config, s, owner *store.Store, log *slog.Logger) *app {
	a := &app{config: c, log: log, store: s, upstream: upstream.New(s, c.Services), inspector: pdf.New(pdf.Options{})}
	a.metrics = metrics.New(metrics.Options{Version: version, Store: s, LogServer: c.SIEM.Address != ""})
	a.upstream.SubmitTimeout = c.SubmitTimeout
	a.keeper = keeper.New(keeper.Options{Store: s, Owner: owner, Log: log, KeepObjects: c.Storage.Kept})
	a.worker = delivery.New(delivery.Options{
		Store: s, Upstream: a.upstream, Log: log, Plan: c.plan(), Lease: c.Lease, Poll: c.Poll, Grace: c.Grace, Window: c.RecoveryWindow,
		Delivered: a.metrics.Delivered, Unread: a.metrics.Unread,
	})
	return a
}

// prepareDatabase waits for the database and checks that it has our schema and was sealed with our keys.
func prepareDatabase(ctx context.Context, s *store.Store, c config, log *slog.Logger) error {
	if err := awaitDatabase(ctx, s, log); err != nil {
		return err
	}
	if err := s.OwnSessions(ctx); err != nil {
		return databaseError(err)
	}
	if err := prepareSchema(ctx, s, c, log); err != nil {
		return err
	}
	_, err := queue.In(s).Examinations.VerifyKeys(ctx)
	if errors.Is(err, queue.ErrOtherKeys) {
		return errors.New("the key set does not open what this database holds: start with the one that belongs to it. What another one seals, that one will not open")
	}
	if err != nil {
		return databaseError(err)
	}
	return warnUnprotected(ctx, s, log)
}

// warnUnprotected logs a warning if the server could change the event log. A small installation may want it so.
func warnUnprotected(ctx context.Context, s *store.Store, log *slog.Logger) error {
	protected, err := s.AuditProtected(ctx)
	if err != nil {
		return databaseError(err)
	}
	if !protected {
		log.Warn("the user of DATABASE_URL may change and delete the event log: 'web doctor' says what to do")
	}
	return nil
}

func prepareSchema(ctx context.Context, s *store.Store, c config, log *slog.Logger) error {
	if c.Migrate {
		n, err := c.migrate(ctx)
		if err != nil {
			return fmt.Errorf("migrate: %w", databaseError(err))
		}
		log.Info("database migrated", "migrations", n)
		return nil
	}
	ok, err := s.Migrated(ctx)
	if err != nil {
		return databaseError(err)
	}
	if !ok {
		return errors.New("the database does not have the schema of this program: run 'web migrate', or set MIGRATE=true")
	}
	return nil
}

// awaitDatabase waits up to a minute for a database that is starting, or is still being restored or promoted.
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

// handler returns all pages. stop ends when the process is told to stop.
func (a *app) handler(stop context.Context) (http.Handler, error) {
	c := a.config
	assets, err := static.Load()
	if err != nil {
		return nil, err
	}
	languages, err := texts.LoadAll(c.Language)
	if err != nil {
		return nil, err
	}
	a.login = session.New(session.Options{
		Store: a.store, Log: a.log, PublicURL: c.PublicURL, Issuer: c.OIDC.Issuer, ClientID: c.OIDC.ClientID,
		ClientSecret: dispatch.Secret(c.OIDC.ClientSecret), Scopes: c.OIDC.Scopes, RightsClaim: c.OIDC.RightsClaim,
		Levels: c.OIDC.Levels, AuthorizationDetails: c.OIDC.AuthorizationDetails, FreshFor: c.OIDC.FreshFor,
		Idle: c.SessionIdle, Lifetime: c.SessionLifetime,
	})
	a.exports = export.New(export.Options{Store: a.store, Languages: languages, Log: a.log})
	a.bulk = bulk.New(bulk.Options{Store: a.store, Log: a.log, Wake: a.worker.Wake})
	told := c.notifyOptions()
	told.Store, told.Languages, told.Log = a.store, languages, a.log
	a.notifier = notify.New(told)
	logs, err := c.SIEM.server(c.PublicURL)
	if err != nil {
		return nil, err
	}
	a.siem = siem.New(siem.Options{Store: a.store, Log: a.log, Server: logs})
	return handlers.New(handlers.Options{
		Store: a.store, Session: a.login, Languages: languages, Assets: assets, Log: a.log, PublicURL: c.PublicURL,
		Municipality: c.Municipality, Version: version, Test: c.test(), Delivers: bool(c.Delivery), Plan: c.plan(), PDF: a.inspector,
		Notices: told.Channels(), MailDomains: c.Notices.Domains, PrivateChats: c.Notices.Private, AskChat: a.notifier.TryChat,
		Upstream: a.upstream, RightsClaim: string(c.OIDC.RightsClaim), Scan: c.Scanner.scan(), Contacts: c.Contacts.views(),
		Wake: a.worker.Wake, TrustedProxies: c.Proxies, Observe: a.metrics.Request, Stopping: func() bool { return stop.Err() != nil },
	}), nil
}

// run serves and delivers until ctx ends, then shuts both down in order.
func (a *app) run(ctx context.Context, pages http.Handler) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 2)
	if a.config.MetricsAddr != "" {
		figures, err := a.listen("serving metrics", a.config.MetricsAddr, a.metrics.Handler(), ended)
		if err != nil {
			return err
		}
		defer figures.Close() // last, so that the final metrics can be read
	}
	server, err := a.listen("serving", a.config.Addr, pages, ended)
	if err != nil {
		return err
	}
	go a.login.Warm() // not earlier: a process that refuses to start must call nobody, and its reason must be the last line of its log
	var background sync.WaitGroup
	background.Go(func() { a.work(ctx) })
	var told time.Time
	select {
	case err = <-ended:
		told = time.Now()
		stop()
	case <-ctx.Done():
		told = time.Now()
		err = a.leave(ctx, server)
	}
	a.await(&background, told.Add(a.config.StopDelay+a.config.Grace+writeGrace))
	a.log.Info("stopped", "version", version)
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// writeGrace is how long after the grace period the background work may still write results. It only needs longer if
// the database does not answer; an item whose result is not written becomes uncertain when its lease expires.
const writeGrace = 5 * time.Second

// await waits until the background work has ended, or its time is up.
func (a *app) await(background *sync.WaitGroup, until time.Time) {
	ended := make(chan struct{})
	go func() { background.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(time.Until(until)):
		a.log.Error("background work has not ended: what it was doing may be uncertain")
	}
}

// backgroundDelay is the delay between serving pages and starting the background work: opening its connections would slow
// down the first pages.
const backgroundDelay = 200 * time.Millisecond

// work runs the background work until ctx ends.
func (a *app) work(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(backgroundDelay):
	}
	var background sync.WaitGroup
	defer background.Wait()
	if a.config.Delivery {
		background.Go(func() { a.worker.Run(ctx) })
	}
	background.Go(func() { a.keeper.Run(ctx) })
	background.Go(func() { reseal(ctx, a.store, a.log) })
	background.Go(func() { a.exports.Run(ctx) })
	background.Go(func() { a.bulk.Run(ctx) })
	background.Go(func() { a.notifier.Run(ctx) })
	background.Go(func() { a.siem.Run(ctx) })
}

// listen serves on an address, and signals ended when that is over.
func (a *app) listen(message, address string, h http.Handler, ended chan<- error) (*http.Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
		ConnState: limitConnections(a.config.MaxConnections, a.log).changed,
	}
	go func() { ended <- server.Serve(listener) }()
	a.log.Info(message, "version", version, "address", listener.Addr().String(), "delivery", bool(a.config.Delivery))
	return server, nil
}

// leave shuts the server down gracefully. During the delay /readyz fails, so that load balancers send requests
// elsewhere.
func (a *app) leave(ctx context.Context, server *http.Server) error {
	a.log.Info("stopping", "version", version, "delay", a.config.StopDelay.String(), "grace", a.config.Grace.String())
	time.Sleep(a.config.StopDelay)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.config.Grace)
	defer cancel()
	return server.Shutdown(grace)
}
