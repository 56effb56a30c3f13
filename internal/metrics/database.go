package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// database reads figures from the store each time somebody asks. All processes tell the same queue: take one of them.
type database struct {
	store                                         *store.Store
	up, due, oldest, uncertain, certificate, held *prometheus.Desc
	open, inUse, limit, waits, waitDuration       *prometheus.Desc
}

// patience is how long the database may take to answer.
const patience = 5 * time.Second

func newDatabase(s *store.Store) *database {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("utsending_"+name, help, labels, nil)
	}
	return &database{
		store:     s,
		up:        desc("database_up", "1 when the database answered just now; without it the queue is not told."),
		due:       desc("queue_due_items", "Items that should have gone by now.", "kind"),
		oldest:    desc("queue_oldest_due_seconds", "How long ago the oldest of them should have gone; 0 when there is none.", "kind"),
		uncertain: desc("uncertain_items", "Items whose fate is not known.", "kind"),
		certificate: desc("encryption_certificate_expiry_timestamp_seconds",
			"When the certificate ends that an integration encrypts files with, in seconds since 1970.", "integration"),
		held:         desc("integration_held", "1 for an integration that nothing is handed over to until somebody sees to it.", "integration", "because"),
		open:         desc("database_connections_open", "Open connections of a pool.", "pool"),
		inUse:        desc("database_connections_in_use", "Connections of a pool that are at work.", "pool"),
		limit:        desc("database_connections_limit", "Most connections that a pool may open.", "pool"),
		waits:        desc("database_connection_waits_total", "Times that somebody waited for a connection.", "pool"),
		waitDuration: desc("database_connection_wait_seconds_total", "Time spent waiting for connections.", "pool"),
	}
}

// Describe implements prometheus.Collector.
func (d *database) Describe(out chan<- *prometheus.Desc) {
	for _, one := range []*prometheus.Desc{d.up, d.due, d.oldest, d.uncertain, d.certificate, d.held, d.open, d.inUse, d.limit, d.waits, d.waitDuration} {
		out <- one
	}
}

// Collect implements prometheus.Collector.
func (d *database) Collect(out chan<- prometheus.Metric) {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	for pool, s := range d.store.Pools() {
		gauge(d.open, float64(s.OpenConnections), pool)
		gauge(d.inUse, float64(s.InUse), pool)
		gauge(d.limit, float64(s.MaxOpenConnections), pool)
		out <- prometheus.MustNewConstMetric(d.waits, prometheus.CounterValue, float64(s.WaitCount), pool)
		out <- prometheus.MustNewConstMetric(d.waitDuration, prometheus.CounterValue, s.WaitDuration.Seconds(), pool)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	queues, err := d.store.Queues(ctx)
	if err != nil {
		gauge(d.up, 0)
		return
	}
	for _, q := range withEmpty(queues) {
		gauge(d.due, float64(q.Due), string(q.Kind))
		gauge(d.oldest, q.OldestDue, string(q.Kind))
		gauge(d.uncertain, float64(q.Uncertain), string(q.Kind))
	}
	certificates, err := d.store.Certificates(ctx)
	if err != nil {
		gauge(d.up, 0)
		return
	}
	for _, c := range certificates {
		gauge(d.certificate, float64(c.Expires.Unix()), string(c.Integration))
	}
	held, err := d.store.HeldIntegrations(ctx)
	if err != nil {
		gauge(d.up, 0)
		return
	}
	for _, h := range held {
		gauge(d.held, 1, string(h.Integration), h.Because)
	}
	gauge(d.up, 1)
}

// withEmpty adds the kinds that have nothing waiting: a figure that is 0 can be told from one that is missing.
func withEmpty(queues []store.Queue) []store.Queue {
	byKind := map[dispatch.Kind]store.Queue{dispatch.KindSMS: {Kind: dispatch.KindSMS}, dispatch.KindShipment: {Kind: dispatch.KindShipment}}
	for _, q := range queues {
		byKind[q.Kind] = q
	}
	all := make([]store.Queue, 0, len(byKind))
	for _, q := range byKind {
		all = append(all, q)
	}
	return all
}
