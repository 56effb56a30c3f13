package simulator_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
)

func TestSetDown(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	id := g.accepted(t, message("40000100"))
	g.sim.SetDown(true)
	checkError(t, g.send(t, "40000100"), http.StatusServiceUnavailable)
	checkError(t, g.status(t, id), http.StatusServiceUnavailable)
	checkError(t, g.post(t, "sendBatch", `{}`), http.StatusServiceUnavailable)
	checkError(t, g.post(t, "oppslag", `{}`), http.StatusServiceUnavailable)
	if got := g.calls(simulator.OpLookup)[0]; got.Fault != "Down" || got.Status != http.StatusServiceUnavailable {
		t.Errorf("got call %+v, want Down and 503", got)
	}
	g.fetchToken(t)
	g.sim.SetDown(false)
	g.accepted(t, message("40000100"))
}

func TestChaos(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	id := g.accepted(t, `{"tekst":"Hei","fnr":"02013299997"}`)
	var asked []string
	fault := simulator.Status(http.StatusBadGateway)
	g.sim.SetChaos(func(operation, recipient string) simulator.Fault {
		asked = append(asked, operation+" "+recipient)
		return fault
	})
	checkError(t, g.send(t, "40000400"), http.StatusBadGateway)
	checkError(t, g.status(t, id), http.StatusBadGateway)
	checkError(t, g.post(t, "sendBatch", `{"tekst":"Hei","telefonnummere":["40000101","40000102"]}`), http.StatusBadGateway)
	checkError(t, g.post(t, "oppslag", `{"fnrOrgnrs":["987654329"]}`), http.StatusBadGateway)
	want := []string{"send 40000400", "hentStatus 02013299997", "sendBatch 40000101", "oppslag 987654329"}
	if !slices.Equal(asked, want) {
		t.Errorf("got %q asked, want %q", asked, want)
	}

	fault = simulator.NoFault
	checkError(t, g.send(t, "40000400"), http.StatusBadRequest)
	g.sim.SetChaos(nil)
	g.accepted(t, message("40000100"))
	if got := g.calls(simulator.OpSend)[1]; got.Fault != "Status 502" || got.Recipient != "40000400" || got.AccountID != account {
		t.Errorf("got call %+v, want Status 502", got)
	}
}

func TestFaultsOfReads(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fault  simulator.Fault
		status int
		broken bool
	}{
		"a cut after the work":    {simulator.LostAfter, 0, true},
		"half an answer":          {simulator.HalfAnswer, 200, true},
		"a slow answer":           {simulator.Slow, 200, false},
		"a failure once":          {simulator.DownOnce, 503, false},
		"an unknown status value": {simulator.NewStatus, 200, false},
		"a success without body":  {simulator.Status(204), 204, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{SlowFor: time.Nanosecond})
			g.http.Transport.(*http.Transport).DisableKeepAlives = true // else Go repeats a read that was cut
			g.sim.SetChaos(func(string, string) simulator.Fault { return tt.fault })
			got := g.post(t, "oppslag", `{"fnrOrgnrs":["987654321"]}`)
			if got.status != tt.status || (got.err != nil) != tt.broken {
				t.Errorf("got status %d, error %v, want %d", got.status, got.err, tt.status)
			}
			if call := g.calls(simulator.OpLookup)[0]; call.Fault != tt.fault.String() || call.Status != tt.status {
				t.Errorf("got call %+v, want %s", call, tt.fault)
			}
		})
	}
}

func TestSlowEndsWhenTheClientGoesAway(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{SlowFor: time.Hour})
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		g.sim.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	ctx, cancel := context.WithCancel(t.Context())
	g.sim.SetChaos(func(string, string) simulator.Fault { cancel(); return simulator.Slow })

	r := g.request(t, http.MethodPost, smsPath(account, "send"), message("40000100"))
	if got := g.do(r.WithContext(ctx)); got.err == nil {
		t.Errorf("got status %d, want none", got.status)
	}
	select {
	case <-ended:
	case <-time.After(5 * time.Minute):
		t.Fatal("the handler still waits")
	}
	if got := g.sim.Books(); len(got) != 1 || !got[0].AnswerLost {
		t.Errorf("got %v accepted, want one with its answer lost", got)
	}
}

func TestSlowEndsOnClose(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{SlowFor: time.Hour})
	g.sim.SetChaos(func(string, string) simulator.Fault { go g.sim.Close(); return simulator.Slow })
	if got := g.send(t, "40000100"); got.err == nil {
		t.Errorf("got status %d, want a cut connection", got.status)
	}
	if got := g.sim.Books(); len(got) != 1 || !got[0].AnswerLost {
		t.Errorf("got %v accepted, want one with its answer lost", got)
	}
}

func TestCutWithoutPlainTCP(t *testing.T) {
	t.Parallel()
	for name, http2 := range map[string]bool{"TLS": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			server := httptest.NewUnstartedServer(g.sim)
			server.EnableHTTP2 = http2
			server.StartTLS()
			t.Cleanup(server.Close)
			g.url, g.http = server.URL, server.Client()
			for _, digits := range []string{"901", "902", "904"} {
				if got := g.send(t, "40000"+digits); got.err == nil {
					t.Errorf("got status %d for %s, want a broken connection", got.status, digits)
				}
			}
			if got := len(g.sim.Books()); got != 2 {
				t.Errorf("got %d accepted, want 2", got)
			}
		})
	}
}
