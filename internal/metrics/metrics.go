// Package metrics counts what the program does, for Prometheus. Labels are routes, kinds, outcomes, reasons and ids
// of integrations: closed or small sets, nothing personal, no user input.
package metrics

import (
	"bytes"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// The figures that are counted; those of the database are in database.go.
const (
	requests   = "utsending_http_request_duration_seconds" // time taken by requests, by route pattern
	deliveries = "utsending_deliveries_total"              // attempts to hand an item over, by outcome
	unread     = "utsending_status_read_errors_total"      // reads of a status or history that failed
	tokens     = "utsending_token_failures_total"          // calls that were not made because no token was to be had
	build      = "utsending_build_info"                    // always 1: which program this is
)

// buckets are the upper bounds of the histogram of requests, in seconds.
var buckets = []float64{.005, .02, .05, .1, .25, 1, 5, 30}

// Metrics are the counters of one process. They are safe for concurrent use.
type Metrics struct{ set *metrics.Set }

// Options say what is measured.
type Options struct {
	Version   string
	Store     *store.Store
	LogServer bool // the event log is handed over to one
}

// New returns counters at zero, and gauges that are read from the store.
func New(o Options) *Metrics {
	metrics.ExposeMetadata(true)
	m := &Metrics{metrics.NewSet()}
	m.set.NewGauge(series(build, "version", o.Version, "go_version", runtime.Version()), func() float64 { return 1 })
	m.set.RegisterMetricsWriter(database{o.Store, o.LogServer}.write)
	return m
}

// Handler serves the figures at /metrics.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		var b bytes.Buffer // rendered first: a slow client must not slow the reading of figures
		m.set.WritePrometheus(&b)
		metrics.WriteProcessMetrics(&b)
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write(b.Bytes()) // the client may have gone
	})
	return mux
}

// Request counts a request that was answered. route is the pattern, never the address.
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	name := series(requests, "method", known(method), "route", route, "status", strconv.Itoa(status/100)+"xx")
	m.set.GetOrCreatePrometheusHistogramExt(name, buckets).Update(took.Seconds())
}

// known keeps made-up methods out of the labels.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
		return method
	}
	return "other"
}

// Delivered counts an attempt to hand an item over.
func (m *Metrics) Delivered(kind dispatch.Kind, in dispatch.IntegrationID, r dispatch.Result) {
	m.count(deliveries, "kind", string(kind), "integration", string(in), "outcome", string(r.Outcome))
	m.token(in, r.Reason.Key)
}

// Unread counts a read that failed.
func (m *Metrics) Unread(kind dispatch.Kind, in dispatch.IntegrationID, reason string) {
	m.count(unread, "kind", string(kind), "integration", string(in), "reason", short(reason))
	m.token(in, reason)
}

func (m *Metrics) token(in dispatch.IntegrationID, reason string) {
	if strings.HasPrefix(reason, "reason.token_") {
		m.count(tokens, "integration", string(in), "reason", short(reason))
	}
}

func (m *Metrics) count(name string, labels ...string) {
	m.set.GetOrCreateCounter(series(name, labels...)).Inc()
}

// series is a metric's name with its labels: names and values in turn.
func series(name string, labels ...string) string {
	if len(labels) == 0 {
		return name
	}
	b := make([]byte, 0, 160)
	b = append(append(b, name...), '{')
	for i := 0; i+1 < len(labels); i += 2 {
		b = append(append(b, labels[i]...), '=')
		b = append(strconv.AppendQuote(b, labels[i+1]), ',')
	}
	b[len(b)-1] = '}'
	return string(b)
}

// short is a reason without its prefix.
func short(reason string) string { return strings.TrimPrefix(reason, "reason.") }
