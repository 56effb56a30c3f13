package metrics

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
)

// database reads figures from the store at each scrape. All processes report the same queue: use one of them.
type database struct {
	store     *store.Store
	logServer bool // one is configured: without it the event log waits for nobody
}

// patience is the timeout of the statements.
const patience = 5 * time.Second

// write writes them in the text format of Prometheus.
func (d database) write(w io.Writer) {
	writePools(w, queue.In(d.store).Gauges.Pools())
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	up := family(w, "gauge", "database_up", "1 when the database answered just now; without it the queue is not told.")
	found, err := d.read(ctx)
	if err != nil {
		up(0)
		return
	}
	up(1)
	paused := 0.0
	if found.guard.Paused {
		paused = 1
	}
	family(w, "gauge", "delivery_paused", "1 while nothing is handed over, to any service, because a person or a restored database said so.")(paused)
	writeQueues(w, withEmpty(found.queues))
	writeIntegrations(w, found.certificates, found.blocked)
	if d.logServer {
		writeSIEM(w, found.siem, time.Now())
	}
	tell := family(w, "gauge", "work_set_aside", "Background work that keeps failing for its own sake, by queue.")
	for _, q := range dispatch.Queues() {
		tell(float64(found.aside[q]), "queue", string(q))
	}
}

// writeSIEM tells how far the log server is behind.
func writeSIEM(w io.Writer, state registry.SIEMState, now time.Time) {
	family(w, "gauge", "log_server_waiting_events", "Lines of the event log that the log server does not have yet.")(float64(state.Waiting))
	lag := 0.0
	if state.Oldest != nil {
		lag = max(now.Sub(*state.Oldest).Seconds(), 0)
	}
	family(w, "gauge", "log_server_lag_seconds", "How old the first of them is; 0 when there is none.")(lag)
}

// figures are what is read from the store.
type figures struct {
	guard        queue.Guard
	queues       []queue.Queue
	certificates []registry.Certificate
	blocked      []queue.BlockedIntegration
	siem         registry.SIEMState
	aside        map[dispatch.Queue]int
}

func (d database) read(ctx context.Context) (f figures, err error) {
	for _, read := range []func() error{
		func() (err error) { f.guard, err = queue.In(d.store).Guards.Current(ctx); return },
		func() (err error) { f.queues, err = queue.In(d.store).Gauges.Queues(ctx); return },
		func() (err error) { f.certificates, err = registry.In(d.store).Integrations.Certificates(ctx); return },
		func() (err error) { f.blocked, err = queue.In(d.store).Gauges.BlockedIntegrations(ctx); return },
		func() (err error) { f.siem, err = registry.In(d.store).SIEM.State(ctx); return },
		func() (err error) { f.aside, err = d.store.AsideCounts(ctx); return },
	} {
		if err := read(); err != nil {
			return f, err
		}
	}
	return f, nil
}

func writePools(w io.Writer, pools map[string]sql.DBStats) {
	for _, f := range []struct {
		kind, name, help string
		value            func(sql.DBStats) float64
	}{
		{"gauge", "database_connections_open", "Open connections of a pool.",
			func(s sql.DBStats) float64 { return float64(s.OpenConnections) }},
		{"gauge", "database_connections_in_use", "Connections of a pool that are at work.",
			func(s sql.DBStats) float64 { return float64(s.InUse) }},
		{"gauge", "database_connections_limit", "Most connections that a pool may open.",
			func(s sql.DBStats) float64 { return float64(s.MaxOpenConnections) }},
		{"counter", "database_connection_waits_total", "Times that somebody waited for a connection.",
			func(s sql.DBStats) float64 { return float64(s.WaitCount) }},
		{"counter", "database_connection_wait_seconds_total", "Time spent waiting for connections.",
			func(s sql.DBStats) float64 { return s.WaitDuration.Seconds() }},
	} {
		tell := family(w, f.kind, f.name, f.help)
		for _, pool := range slices.Sorted(maps.Keys(pools)) {
			tell(f.value(pools[pool]), "pool", pool)
		}
	}
}

func writeQueues(w io.Writer, queues []queue.Queue) {
	for _, f := range []struct {
		name, help string
		value      func(queue.Queue) float64
	}{
		{"queue_due_items", "Items that should have gone by now.",
			func(q queue.Queue) float64 { return float64(q.Due) }},
		{"queue_oldest_due_seconds", "How long ago the oldest of them should have gone; 0 when there is none.",
			func(q queue.Queue) float64 { return q.OldestDue }},
		{"uncertain_items", "Items whose fate is not known.",
			func(q queue.Queue) float64 { return float64(q.Uncertain) }},
	} {
		tell := family(w, "gauge", f.name, f.help)
		for _, q := range queues {
			tell(f.value(q), "kind", string(q.Kind))
		}
	}
}

func writeIntegrations(w io.Writer, certificates []registry.Certificate, blocked []queue.BlockedIntegration) {
	expiry := family(w, "gauge", "encryption_certificate_expiry_timestamp_seconds",
		"When the certificate ends that an integration encrypts files with, in seconds since 1970.")
	for _, c := range certificates {
		expiry(float64(c.Expires.Unix()), "integration", string(c.Integration))
	}
	tell := family(w, "gauge", "integration_blocked", "1 for an integration that nothing is handed over to until somebody sees to it.")
	for _, b := range blocked {
		tell(1, "integration", string(b.Integration), "because", b.Because)
	}
}

// family begins a metric family, and returns a function that writes a sample: label names and values in turn.
func family(w io.Writer, kind, name, help string) func(value float64, labels ...string) {
	name = "utsending_" + name
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	return func(value float64, labels ...string) { fmt.Fprintln(w, series(name, labels...), value) }
}

// withEmpty adds the kinds that have nothing waiting: 0 is not the same as missing.
func withEmpty(queues []queue.Queue) []queue.Queue {
	for _, kind := range dispatch.Kinds {
		if !slices.ContainsFunc(queues, func(q queue.Queue) bool { return q.Kind == kind }) {
			queues = append(queues, queue.Queue{Kind: kind})
		}
	}
	return queues
}
