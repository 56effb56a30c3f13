// Package metrics counts what the program does and tells it to Prometheus. Labels are routes, kinds, outcomes, reasons and
// ids of integrations: closed or small sets, nothing personal, nothing that anybody types.
package metrics

import (
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Metrics are the figures of one process. They are safe for concurrent use.
type Metrics struct {
	registry   *prometheus.Registry
	requests   *prometheus.HistogramVec
	deliveries *prometheus.CounterVec
	unread     *prometheus.CounterVec
	tokens     *prometheus.CounterVec
}

// New returns figures that are zero, and reads the others from the store when asked.
func New(version string, s *store.Store) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "utsending_http_request_duration_seconds", Help: "Time taken by requests, by route pattern.",
			Buckets: []float64{.005, .02, .05, .1, .25, 1, 5, 30},
		}, []string{"method", "route", "status"}),
		deliveries: counter("utsending_deliveries_total", "Attempts to hand an item over, by outcome.", "kind", "integration", "outcome"),
		unread:     counter("utsending_status_read_errors_total", "Reads of a status or history that failed.", "kind", "integration", "reason"),
		tokens:     counter("utsending_token_failures_total", "Calls that were not made because no token was to be had.", "integration", "reason"),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "utsending_build_info", Help: "Always 1: which program this is.",
		ConstLabels: prometheus.Labels{"version": version, "go_version": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.deliveries, m.unread, m.tokens, build, newDatabase(s),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// Handler serves the figures at /metrics.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry}))
	return mux
}

// Request counts a request that was answered. route is the pattern, never the address.
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(known(method), route, strconv.Itoa(status/100)+"xx").Observe(took.Seconds())
}

// known keeps methods that callers make up out of the labels.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
		return method
	}
	return "other"
}

// Delivered counts an attempt to hand an item over.
func (m *Metrics) Delivered(kind dispatch.Kind, in dispatch.IntegrationID, r dispatch.Result) {
	m.deliveries.WithLabelValues(string(kind), string(in), string(r.Outcome)).Inc()
	m.token(in, r.Reason.Key)
}

// Unread counts a read that failed.
func (m *Metrics) Unread(kind dispatch.Kind, in dispatch.IntegrationID, reason string) {
	m.unread.WithLabelValues(string(kind), string(in), short(reason)).Inc()
	m.token(in, reason)
}

func (m *Metrics) token(in dispatch.IntegrationID, reason string) {
	if strings.HasPrefix(reason, "reason.token_") {
		m.tokens.WithLabelValues(string(in), short(reason)).Inc()
	}
}

// short is a reason without what all reasons begin with.
func short(reason string) string { return strings.TrimPrefix(reason, "reason.") }
