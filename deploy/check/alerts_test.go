package check

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/util/teststorage"

	"utsending/internal/dispatch"
	"utsending/internal/metrics"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// read parses the alert rules.
func read(t *testing.T) []rulefmt.Rule {
	t.Helper()
	file, faults := rulefmt.ParseFile("../monitoring/rules.yaml", false, model.LegacyValidation, parser.NewParser(parser.Options{}), slog.Default())
	if err := errors.Join(faults...); err != nil {
		t.Fatal(err)
	}
	return file.Groups[0].Rules
}

// TestDashboardQueries parses each query of the dashboard with Prometheus' parser.
func TestDashboardQueries(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../monitoring/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range board.Panels {
		for _, q := range p.Targets {
			n++
			if _, err := parser.NewParser(parser.Options{}).ParseExpr(q.Expr); err != nil {
				t.Errorf("%s: %v", q.Expr, err)
			}
		}
	}
	if n < 20 {
		t.Errorf("%d queries", n)
	}
}

// installation is a process with its database, as Prometheus sees it.
type installation struct {
	storetest.Sample
	s       *store.Store
	url     string
	metrics *metrics.Metrics
	targets map[string]*httptest.Server // by instance
}

func install(t *testing.T, s *store.Store) *installation {
	t.Helper()
	i := &installation{s: s, targets: map[string]*httptest.Server{}}
	i.serve(t, "1.0")
	return i
}

// serve starts one more process of a version.
func (i *installation) serve(t *testing.T, version string) *httptest.Server {
	t.Helper()
	i.metrics = metrics.New(metrics.Options{Version: version, Store: i.s, LogServer: true})
	i.metrics.Request(http.MethodGet, "/", http.StatusOK, time.Millisecond)
	server := httptest.NewServer(i.metrics.Handler())
	t.Cleanup(server.Close)
	i.targets[server.URL] = server
	return server
}

// scrape reads the metrics of all processes, with the timestamp then.
func (i *installation) scrape(t *testing.T, to *teststorage.TestStorage, then time.Time) {
	t.Helper()
	into := to.Appender(t.Context())
	add := func(name string, value float64, pairs ...string) {
		if _, err := into.Append(0, labels.FromStrings(append(pairs, "__name__", name, "job", "utsending")...), then.UnixMilli(), value); err != nil {
			t.Fatal(err)
		}
	}
	for instance := range i.targets {
		families, up := fetch(instance), 0.0
		if families != nil {
			up = 1
		}
		add("up", up, "instance", instance)
		for _, sample := range samples(t, families, then) {
			var pairs []string
			for name, value := range sample.Metric {
				if name != model.MetricNameLabel {
					pairs = append(pairs, string(name), string(value))
				}
			}
			add(string(sample.Metric[model.MetricNameLabel]), float64(sample.Value), append(pairs, "instance", instance)...)
		}
	}
	if err := into.Commit(); err != nil {
		t.Fatal(err)
	}
}

// fetch reads the metrics of a process; nil when it does not answer.
func fetch(instance string) map[string]*dto.MetricFamily {
	answer, err := http.Get(instance + "/metrics")
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil
	}
	read := expfmt.NewTextParser(model.LegacyValidation)
	families, err := read.TextToMetricFamilies(strings.NewReader(string(body)))
	if err != nil {
		return nil
	}
	return families
}

func samples(t *testing.T, families map[string]*dto.MetricFamily, then time.Time) model.Vector {
	t.Helper()
	list, err := expfmt.ExtractSamples(&expfmt.DecodeOptions{Timestamp: model.TimeFromUnixNano(then.UnixNano())}, slices.Collect(maps.Values(families))...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// minutes is the duration of each test, longer than the for clause of any rule.
const minutes = 75

// firing returns the alerts that fire after minutes scrapes, one a minute. happens is called before each.
func firing(t *testing.T, i *installation, happens func(minute int)) []string {
	t.Helper()
	db := teststorage.New(t)
	engine := promqltest.NewTestEngine(t, false, 5*time.Minute, 1_000_000)
	var all []*rules.AlertingRule
	for _, r := range read(t) {
		expr, err := parser.NewParser(parser.Options{}).ParseExpr(r.Expr)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rules.NewAlertingRule(r.Alert, expr, time.Duration(r.For), 0, labels.FromMap(r.Labels), labels.FromMap(r.Annotations), labels.EmptyLabels(), "", true, slog.Default()))
	}
	start := time.Now()
	for minute := range minutes {
		happens(minute)
		then := start.Add(time.Duration(minute) * time.Minute)
		i.scrape(t, db, then)
		for _, r := range all {
			if _, err := r.Eval(t.Context(), 0, then, rules.EngineQueryFunc(engine, db), nil, 0); err != nil {
				t.Fatalf("%s: %v", r.Name(), err)
			}
		}
	}
	var list []string
	for _, r := range all {
		fires := false
		for _, alert := range r.ActiveAlerts() {
			fires = fires || alert.State == rules.StateFiring
			if said := alert.Annotations.Get("summary"); strings.Contains(said, "error expanding") {
				t.Errorf("%s says %q", r.Name(), said)
			}
		}
		if fires {
			list = append(list, r.Name())
		}
	}
	return list
}

// TestAlerts causes each alert: with a real database, metrics read over HTTP, and rules evaluated by Prometheus' code.
func TestAlerts(t *testing.T) {
	t.Parallel()
	nothing := func(int) {}
	tests := []struct {
		want  []string
		begin func(t *testing.T, i *installation) (happens func(minute int))
	}{
		{nil, func(*testing.T, *installation) func(int) { return nothing }},
		{[]string{"UtsendingIsAway", "UtsendingCopyIsAway"}, func(t *testing.T, i *installation) func(int) {
			return func(minute int) {
				if minute == 30 {
					for _, server := range i.targets {
						server.Close()
					}
				}
			}
		}},
		{[]string{"UtsendingCopyIsAway"}, func(t *testing.T, i *installation) func(int) {
			i.serve(t, "1.0").Close()
			return nothing
		}},
		{[]string{"UtsendingDeliveryIsPaused"}, func(t *testing.T, i *installation) func(int) {
			must(t, queue.In(i.s).Operations.PauseDelivery(t.Context(), i.Actor, "Nora Dahl"))
			return nothing
		}},
		{[]string{"UtsendingIntegrationIsBlocked"}, func(t *testing.T, i *installation) func(int) {
			must(t, queue.In(i.s).Operations.StopIntegration(t.Context(), i.Integration.ID, i.Actor, "Nora Dahl"))
			return nothing
		}},
		{[]string{"UtsendingQueueStands"}, func(t *testing.T, i *installation) func(int) {
			i.Queue(t, i.s, storetest.ToPhone("+4799999999", "Hei."))
			i.exec(t, `UPDATE items SET due_at = now() - interval '20 minutes', due_since = now() - interval '20 minutes'`)
			return nothing
		}},
		{[]string{"UtsendingItemsAreUncertain"}, func(t *testing.T, i *installation) func(int) {
			i.Queue(t, i.s, storetest.ToPhone("+4799999999", "Hei."))
			must(t, queue.In(i.s).Guards.MarkRestored(t.Context()))
			must(t, queue.In(i.s).Operations.ResumeDelivery(t.Context(), i.Actor))
			return nothing
		}},
		{[]string{"UtsendingIsRefused"}, func(t *testing.T, i *installation) func(int) {
			return func(minute int) {
				if minute%15 == 0 {
					i.metrics.Delivered(dispatch.KindSMS, i.Integration.ID, dispatch.Result{Outcome: dispatch.OutcomeRefused})
				}
			}
		}},
		{[]string{"UtsendingTokensFail"}, func(t *testing.T, i *installation) func(int) {
			none := dispatch.Result{Outcome: dispatch.OutcomeUnavailable, Reason: dispatch.Reason{Key: "reason.token_refused"}}
			return func(int) { i.metrics.Delivered(dispatch.KindSMS, i.Integration.ID, none) }
		}},
		{[]string{"UtsendingStatusReadsFail"}, func(t *testing.T, i *installation) func(int) {
			return func(int) { i.metrics.Unread(dispatch.KindSMS, i.Integration.ID, "reason.server_error") }
		}},
		{[]string{"UtsendingWorkIsSetAside"}, func(t *testing.T, i *installation) func(int) {
			for range dispatch.SetAsideAfter {
				_ = i.s.SetAside(t.Context(), dispatch.QueueReseal, "x", errors.New("does not open")) // returns the error that it was given
			}
			return nothing
		}},
		{[]string{"UtsendingCertificateEnds"}, func(t *testing.T, i *installation) func(int) {
			i.exec(t, `UPDATE integrations SET certificate_expires_at = now() + interval '10 days'`)
			return nothing
		}},
		{[]string{"UtsendingCertificateEnds", "UtsendingCertificateHasEnded"}, func(t *testing.T, i *installation) func(int) {
			i.exec(t, `UPDATE integrations SET certificate_expires_at = now() - interval '1 hour'`)
			return nothing
		}},
		{[]string{"UtsendingLogServerIsBehind"}, func(t *testing.T, i *installation) func(int) {
			must(t, queue.In(i.s).Operations.PauseDelivery(t.Context(), i.Actor, "Nora Dahl"))
			must(t, queue.In(i.s).Operations.ResumeDelivery(t.Context(), i.Actor))
			if n, err := registry.In(i.s).Audit.Chain(t.Context(), time.Now().Add(-time.Hour)); n == 0 || err != nil {
				t.Fatalf("%d lines are chained, %v", n, err)
			}
			i.exec(t, `UPDATE audit_events SET at = now() - interval '2 hours'`)
			return nothing
		}},
		{[]string{"UtsendingPagesFail"}, func(t *testing.T, i *installation) func(int) {
			return func(int) {
				i.metrics.Request(http.MethodGet, "/", http.StatusOK, time.Millisecond)
				i.metrics.Request(http.MethodGet, "/", http.StatusInternalServerError, time.Millisecond)
			}
		}},
		{[]string{"UtsendingPagesAreSlow"}, func(t *testing.T, i *installation) func(int) {
			return func(int) { i.metrics.Request(http.MethodGet, "/", http.StatusOK, 3*time.Second) }
		}},
		{[]string{"UtsendingConnectionsRunOut"}, func(t *testing.T, i *installation) func(int) {
			i.s.DB.SetMaxOpenConns(1)
			return func(minute int) {
				if minute > minutes-18 {
					i.crowd(t)
				}
			}
		}},
		{[]string{"UtsendingVersionsDiffer"}, func(t *testing.T, i *installation) func(int) {
			i.serve(t, "2.0")
			return nothing
		}},
	}
	caused := map[string]bool{"UtsendingDatabaseIsAway": true} // by TestDatabaseIsAway
	for _, test := range tests {
		for _, alert := range test.want {
			caused[alert] = true
		}
		t.Run(strings.Join(test.want, "+"), func(t *testing.T) {
			url := storetest.Database(t)
			s := storetest.Open(t, url)
			i := install(t, s)
			i.url, i.Sample = url, storetest.NewSample(t, s, "oppvekst")
			if got := firing(t, i, test.begin(t, i)); !same(got, test.want) {
				t.Errorf("%q fire, want %q", got, test.want)
			}
		})
	}
	for _, r := range read(t) {
		if !caused[r.Alert] {
			t.Errorf("no test causes %s", r.Alert)
		}
	}
}

// TestDatabaseIsAway: nothing listens on the database's port.
func TestDatabaseIsAway(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{URL: "postgres://web@127.0.0.1:1/utsending?sslmode=disable"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := firing(t, install(t, s), func(int) {}); !same(got, []string{"UtsendingDatabaseIsAway"}) {
		t.Errorf("%q fire", got)
	}
}

func same(got, want []string) bool {
	slices.Sort(got)
	return slices.Equal(got, slices.Sorted(slices.Values(want)))
}

// exec changes the database as its owner.
func (i *installation) exec(t *testing.T, statement string) {
	t.Helper()
	if _, err := storetest.DB(t, storetest.Owner(i.url)).ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// crowd lets 250 callers wait 0.4 s for the one connection, as if they had come within a minute: 100 s of waiting.
func (i *installation) crowd(t *testing.T) {
	t.Helper()
	held, err := i.s.DB.Conn(t.Context())
	must(t, err)
	ctx, end := context.WithTimeout(t.Context(), 400*time.Millisecond)
	defer end()
	gone := make(chan struct{})
	for range 250 {
		go func() {
			conn, err := i.s.DB.Conn(ctx)
			if err == nil {
				_ = conn.Close()
			}
			gone <- struct{}{}
		}()
	}
	for range 250 {
		<-gone
	}
	must(t, held.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
