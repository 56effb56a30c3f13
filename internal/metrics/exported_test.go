package metrics_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"utsending/internal/dispatch"
	"utsending/internal/metrics"
	"utsending/internal/store/storetest"
)

const (
	rules     = "../../deploy/monitoring/rules.yaml"
	dashboard = "../../deploy/monitoring/dashboard.json"
	runbook   = "../../docs/runbook.md"
	manual    = "../../docs/operations.md"
)

// exported are all metrics, from a process in which everything that can be told has happened.
func exported(t *testing.T) map[string]*dto.MetricFamily {
	t.Helper()
	s := storetest.New(t)
	storetest.NewSample(t, s, "oppvekst")
	if _, err := s.DB.ExecContext(t.Context(), `UPDATE integrations SET stopped_at = now(), stopped_by = '', certificate_expires_at = now()`); err != nil {
		t.Fatal(err)
	}
	m := metrics.New(metrics.Options{Version: "1", Store: s, LogServer: true})
	m.Request(http.MethodGet, "/", http.StatusOK, time.Second)
	m.Delivered(dispatch.KindSMS, "i", dispatch.Result{Outcome: dispatch.OutcomeUnavailable, Reason: dispatch.Reason{Key: "reason.token_refused"}})
	m.Unread(dispatch.KindSMS, "i", "reason.server_error")
	server := httptest.NewServer(m.Handler())
	defer server.Close()
	answer, err := http.Get(server.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// labels of a family, with those that Prometheus adds.
func labels(f *dto.MetricFamily) []string {
	list := []string{"job", "instance"}
	for _, m := range f.GetMetric() {
		for _, l := range m.GetLabel() {
			list = append(list, l.GetName())
		}
		if m.Histogram != nil {
			list = append(list, "le")
		}
	}
	return list
}

// alertRules are the rules by name.
func alertRules(t *testing.T) map[string]string {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(read(t, rules), &file); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			all[r.Alert] = r.Expr
		}
	}
	return all
}

// panelQueries are the dashboard's, by panel.
func panelQueries(t *testing.T) map[string]string {
	t.Helper()
	var file struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(read(t, dashboard), &file); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, p := range file.Panels {
		for _, q := range p.Targets {
			all[p.Title] += q.Expr + "\n"
		}
	}
	return all
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var (
	names    = regexp.MustCompile(`\b(?:utsending|process|go)_\w+`)
	grouped  = regexp.MustCompile(`\bby \(([^)]*)\)`)
	matchers = regexp.MustCompile(`[{,]\s*(\w+)\s*[=!]`)
	alerts   = regexp.MustCompile(`(?m)^### (Utsending\w+)$`)
)

// TestMonitoringNamesWhatIsExported: rules and dashboard ask for metrics and labels that there are.
func TestMonitoringNamesWhatIsExported(t *testing.T) {
	t.Parallel()
	families := exported(t)
	queries := panelQueries(t)
	maps.Copy(queries, alertRules(t))
	asked := map[string]bool{}
	for where, query := range queries {
		known := []string{"job", "instance"}
		for _, name := range names.FindAllString(query, -1) {
			for _, part := range []string{"_bucket", "_sum", "_count"} {
				if base := strings.TrimSuffix(name, part); families[base] != nil {
					name = base
				}
			}
			if families[name] == nil {
				t.Errorf("%s: nothing exports %s", where, name)
				continue
			}
			asked[name] = true
			known = append(known, labels(families[name])...)
		}
		for _, label := range used(query) {
			if !slices.Contains(known, label) {
				t.Errorf("%s: no metric in it has the label %s", where, label)
			}
		}
	}
	for name := range families {
		if strings.HasPrefix(name, "utsending_") && !asked[name] {
			t.Errorf("neither rules nor dashboard show %s", name)
		}
	}
}

// used are the labels that a query names.
func used(query string) []string {
	var list []string
	for _, m := range grouped.FindAllStringSubmatch(query, -1) {
		list = append(list, strings.Split(m[1], ", ")...)
	}
	for _, m := range matchers.FindAllStringSubmatch(query, -1) {
		list = append(list, m[1])
	}
	return list
}

// TestMetricsAreDescribed: each is in the operator's manual, and what stands there is exported.
func TestMetricsAreDescribed(t *testing.T) {
	t.Parallel()
	families, text := exported(t), string(read(t, manual))
	for name := range families {
		if strings.HasPrefix(name, "utsending_") && !strings.Contains(text, "`"+name+"`") {
			t.Errorf("%s does not describe %s", manual, name)
		}
	}
	for _, name := range names.FindAllString(text, -1) {
		if strings.HasPrefix(name, "utsending_") && families[name] == nil {
			t.Errorf("%s describes %s, which nothing exports", manual, name)
		}
	}
}

// TestEachAlertIsInTheRunbook, and nothing else is.
func TestEachAlertIsInTheRunbook(t *testing.T) {
	t.Parallel()
	var described []string
	for _, m := range alerts.FindAllStringSubmatch(string(read(t, runbook)), -1) {
		described = append(described, m[1])
	}
	slices.Sort(described)
	if want := slices.Sorted(maps.Keys(alertRules(t))); !slices.Equal(described, want) {
		t.Errorf("%s has the alerts\n%q, the rules have\n%q", runbook, described, want)
	}
}
