package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/siem"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// logServer are the settings of the log server that gets the event log.
type logServer struct {
	Address     string `env:"SIEM_ADDRESS"`
	Token       string `env:"SIEM_TOKEN"`
	CA          string `env:"SIEM_CA"`
	Certificate string `env:"SIEM_CERTIFICATE"`
	Key         string `env:"SIEM_KEY"`
}

// server is the configured log server; nil: none. host is our host name in its log.
func (l logServer) server(publicURL string) (siem.Server, error) {
	host := ""
	if u, err := url.Parse(publicURL); err == nil {
		host = u.Hostname()
	}
	return siem.ParseServer(siem.Settings{
		Address: l.Address, Token: dispatch.Secret(l.Token), CA: l.CA, Certificate: l.Certificate, Key: dispatch.Secret(l.Key), Host: host,
	})
}

func (l logServer) validate() error {
	if _, err := l.server(""); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	return nil
}

// logServer connects to the log server without sending, and reports how far the log has been handed over.
func (e *examination) logServer(ctx context.Context) {
	s, err := e.config.SIEM.server(e.config.PublicURL)
	if s == nil || err != nil {
		e.skip("log server", "none is configured: the event log stays in the database")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	if fault := s.Reach(ctx); fault != siem.FaultNone {
		e.fail("log server", s.String()+": "+logServerProblems[fault], "Correct SIEM_ADDRESS and the settings beside it, or let this machine reach the server")
		return
	}
	e.ok("log server", s.String()+" takes a connection")
}

// logServerLag reports how far the event log has been handed over.
func (e *examination) logServerLag(ctx context.Context, s *store.Store) {
	if e.config.SIEM.Address == "" {
		return
	}
	state, err := registry.In(s).SIEM.State(ctx)
	switch {
	case err != nil:
		e.fail("log server lag", store.Describe(err), "See that this user may read siem_cursor")
	case state.Oldest != nil && time.Since(*state.Oldest) > siemLate:
		e.fail("log server lag", fmt.Sprintf("%d lines of the event log wait, the oldest since %s", state.Waiting, state.Oldest.UTC().Format(time.RFC3339)),
			"See what the log of 'serve' says of the log server")
	default:
		e.ok("log server lag", fmt.Sprintf("%d lines of the event log wait", state.Waiting))
	}
}

// siemLate is the age of a line that should have been handed over.
const siemLate = time.Hour

// logServerProblems describe faults for an operator.
var logServerProblems = map[siem.Fault]string{
	siem.FaultConnection: "cannot be reached, or ends the connection without close_notify", siem.FaultTime: "does not answer",
	siem.FaultTLS: "gives no encrypted connection that this machine trusts (SIEM_CA), or does not trust ours (SIEM_CERTIFICATE)", siem.FaultLogin: "refuses SIEM_TOKEN",
	siem.FaultRefused: "refuses us", siem.FaultLater: "asks to come later",
}
