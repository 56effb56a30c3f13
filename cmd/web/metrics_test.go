package main_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// figures are the program's Prometheus metrics at one moment.
type figures struct {
	families map[string]*dto.MetricFamily
	text     string
}

func readFigures(t *testing.T, address string) figures {
	t.Helper()
	answer, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("/metrics answers %d, %v", answer.StatusCode, err)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	return figures{families, string(body)}
}

// get is the figure of a series: of a histogram, how often something was observed. labels are name=value.
func (f figures) get(name string, labels ...string) float64 {
	for _, m := range f.families[name].GetMetric() {
		if !has(m, labels) {
			continue
		}
		switch {
		case m.Histogram != nil:
			return float64(m.Histogram.GetSampleCount())
		case m.Counter != nil:
			return m.Counter.GetValue()
		}
		return m.Gauge.GetValue()
	}
	return 0
}

func has(m *dto.Metric, labels []string) bool {
	got := map[string]bool{}
	for _, l := range m.GetLabel() {
		got[l.GetName()+"="+l.GetValue()] = true
	}
	for _, l := range labels {
		if !got[l] {
			return false
		}
	}
	return true
}

// TestMetrics: after real traffic the metrics are right, and tell nothing personal.
func TestMetrics(t *testing.T) {
	t.Parallel()
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	s := newShipmentStack(t, "METRICS_ADDR="+address)
	refused := s.refuseTokens(t)
	s.endsCertificate(t, time.Unix(1893456000, 0))
	c := s.caller(t, "kari")
	before := readFigures(t, address)
	shipment := s.traffic(t, c)
	after := readFigures(t, address)

	const requests = "utsending_http_request_duration_seconds"
	for _, want := range []struct {
		n      float64
		labels []string
	}{
		{2, []string{"method=GET", "route=/k/:konto/sms", "status=2xx"}},
		{1, []string{"method=GET", "route=/k/:konto/sms/:id", "status=4xx"}},
		{1, []string{"method=POST", "route=/k/:konto/forsendelser/ny", "status=3xx"}},
		{1, []string{"method=POST", "route=/k/:konto/utkast/:id/dokumenter", "status=2xx"}},
		{1, []string{"method=GET", "route=/*", "status=4xx"}},
		{1, []string{"method=other", "status=4xx"}},
	} {
		if got := after.get(requests, want.labels...) - before.get(requests, want.labels...); got != want.n {
			t.Errorf("%v: counted %v requests, want %v", want.labels, got, want.n)
		}
	}
	s.wantDeliveries(t, after)
	for _, want := range []struct {
		n    float64
		name string
		has  []string
	}{
		{1, "utsending_uncertain_items", []string{"kind=sms"}},
		{0, "utsending_uncertain_items", []string{"kind=shipment"}},
		{2, "utsending_queue_due_items", []string{"kind=sms"}}, // one waits for its token, one for its integration
		{0, "utsending_queue_due_items", []string{"kind=shipment"}},
		{1893456000, "utsending_encryption_certificate_expiry_timestamp_seconds", []string{"integration=" + string(s.oppvekst.SMSIntegration)}},
		{1, "utsending_token_failures_total", []string{"integration=" + string(refused), "reason=token_refused"}},
		{1, "utsending_integration_blocked", []string{"integration=" + string(s.helse.SMSIntegration), "because=refused"}},
		{1, "utsending_integration_blocked", []string{"integration=" + string(s.oppvekst.SMSIntegration), "because=person"}},
		{0, "utsending_integration_blocked", []string{"integration=" + string(s.oppvekst.ShipmentIntegration)}},
		{1, "utsending_database_up", nil},
		{0, "utsending_delivery_paused", nil},
		{4, "utsending_database_connections_limit", []string{"pool=pages"}},
		{1, "utsending_build_info", []string{"version=0.1"}},
	} {
		if got := after.get(want.name, want.has...); got != want.n {
			t.Errorf("%s%v is %v, want %v", want.name, want.has, got, want.n)
		}
	}
	if got := after.get("utsending_queue_oldest_due_seconds", "kind=sms"); got <= 0 || got > patience.Seconds()*2 {
		t.Errorf("the oldest due item has waited %v seconds", got)
	}
	if after.get("utsending_status_read_errors_total", "kind=sms", "reason=server_error") == 0 || after.get("go_goroutines") == 0 {
		t.Error("failed reads or the Go runtime are not told")
	}
	wantDiscreet(t, after.text, s, shipment)
	if status, _ := c.get("/metrics"); status != http.StatusNotFound {
		t.Errorf("the application itself answers /metrics with %d", status)
	}
}

// endsCertificate makes the encryption certificate of the account's SMS integration expire: the kind of integration
// does not matter to monitoring.
func (s *stack) endsCertificate(t *testing.T, at time.Time) {
	t.Helper()
	_, err := storetest.DB(t, s.database).ExecContext(t.Context(), `UPDATE integrations SET certificate_expires_at = $2 WHERE id = $1`, s.oppvekst.SMSIntegration, at)
	if err != nil {
		t.Fatal(err)
	}
}

// refuseTokens gives the second account an integration whose secret is wrong.
func (s *stack) refuseTokens(t *testing.T) dispatch.IntegrationID {
	t.Helper()
	id, err := registry.In(s.store).Integrations.Save(t.Context(),
		dispatch.Integration{Name: "SMS med feil passord", Kind: dispatch.IntegrationSMS, Service: storetest.ServiceName, Parallelism: 1, RatePerSec: 1000},
		dispatch.Credentials{ClientID: storetest.ClientID, ClientSecret: "wrong"})
	if err == nil {
		s.helse.SMSIntegration = id
		_, err = registry.In(s.store).Accounts.Save(t.Context(), s.helse)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// traffic is what happens between two readings of the metrics. It returns values that must not be in them.
func (s *stack) traffic(t *testing.T, c *caller) []string {
	t.Helper()
	m := toPhone("120", "Kommer frem.")
	number := phone("120")
	for range 2 {
		c.get("/k/oppvekst/sms?q=" + number)
	}
	c.get("/k/oppvekst/sms/" + number)
	c.get("/" + number)
	answer := c.do("BREW", c.address+"/k/oppvekst/sms/"+number, nil)
	_ = answer.Body.Close()
	name := c.uploadPDF(c.draft())

	s.await(t, s.oppvekst, s.send(t, s.oppvekst, "kari", m), dispatch.StateAccepted)
	s.await(t, s.oppvekst, s.send(t, s.oppvekst, "kari", toPhone("400", "Avvises.")), dispatch.StateRejected)
	s.uncertain(t, s.oppvekst, "kari", toPhone("500", "Uavklart."))
	unread := s.send(t, s.oppvekst, "kari", toPhone("923", "Kan ikke leses."))
	eventually(t, "a read has failed", func() bool { return s.item(t, s.oppvekst, unread).CheckError.Key != "" })
	held := s.send(t, s.helse, "liv", toPhone("120", "Uten adgang."))
	s.awaitHold(t, s.helse, held, dispatch.BlockRefused)
	if err := queue.In(s.store).Operations.StopIntegration(t.Context(), s.integration, s.user(t, "kari"), "Nora Dahl"); err != nil {
		t.Fatal(err)
	}
	s.send(t, s.oppvekst, "kari", toPhone("120", "Venter."))
	return []string{name, m.text}
}

// wantDeliveries compares the counters with the attempts that the database holds.
func (s *stack) wantDeliveries(t *testing.T, f figures) {
	t.Helper()
	rows, err := storetest.DB(t, s.database).QueryContext(t.Context(), `SELECT integration_id, outcome, count(*) FROM attempts GROUP BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	series := 0
	for ; rows.Next(); series++ {
		var integration, outcome string
		var n float64
		if err := rows.Scan(&integration, &outcome, &n); err != nil {
			t.Fatal(err)
		}
		if got := f.get("utsending_deliveries_total", "kind=sms", "integration="+integration, "outcome="+outcome); got != n {
			t.Errorf("counted %v times %s on %s, want %v", got, outcome, integration, n)
		}
	}
	if told := len(f.families["utsending_deliveries_total"].GetMetric()); rows.Err() != nil || series < 4 || told != series {
		t.Errorf("the database holds %d kinds of outcomes, %d are told, want at least four and as many (%v)", series, told, rows.Err())
	}
}

// wantDiscreet checks that metrics tell nothing personal, and are few.
func wantDiscreet(t *testing.T, text string, s *stack, more []string) {
	t.Helper()
	words := append(forbidden.list(), more...)
	for _, a := range []dispatch.Account{s.oppvekst, s.helse} {
		words = append(words, a.Slug, a.Name, a.SenderName, string(a.ID), a.SMSAccountID)
	}
	for _, p := range people {
		words = append(words, p.Name, p.Name[strings.LastIndex(p.Name, " ")+1:])
	}
	for _, found := range search("/metrics", text, words) {
		t.Error(found)
	}
	if n := strings.Count(text, "\n"); n > 1500 {
		t.Errorf("%d lines of figures", n)
	}
}

// TestStopping: a process that is being stopped is not ready while it still serves, and then exits in order.
func TestStopping(t *testing.T) {
	t.Parallel()
	s := newStack(t, stackOptions{jsonLog: true, env: []string{"STOP_DELAY=3s"}})
	if err := s.web.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	says := func(path string) (status int, body string) {
		answer, err := http.Get(s.address + path)
		if err != nil {
			return 0, err.Error()
		}
		b, _ := io.ReadAll(answer.Body) // what is missing is not as wanted
		_ = answer.Body.Close()
		return answer.StatusCode, string(b)
	}
	eventually(t, "it says that it stops", func() bool {
		status, body := says("/readyz")
		return status == http.StatusServiceUnavailable && body == "stopping\n"
	})
	if status, _ := says("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz answers %d while it stops", status)
	}
	eventually(t, "it has ended", s.web.ended)
	if s.web.err != nil {
		t.Errorf("it ended with %v", s.web.err)
	}
	wantLogLines(t, s.web.output(), "starting", "serving", "stopping", "stopped")
}
