package smsapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
)

const (
	account = "6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11"
	smsID   = "0d9f1f0e-0c5b-4c58-8d8e-7d7d2a7f6a01"
)

// rig is a client that speaks to a simulator over HTTP.
type rig struct {
	sim    *simulator.Simulator
	url    string
	client *smsapi.Client
}

func newRig(t *testing.T, o simulator.Options) *rig {
	t.Helper()
	sim := whole.New(o)
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	t.Cleanup(sim.Close) // before the server, which waits for slow answers
	g := &rig{sim: sim, url: server.URL}
	g.client = smsapi.New(options(t, server.URL))
	return g
}

// options are those of a client of the service at an address, with its token endpoint.
func options(t *testing.T, url string) smsapi.Options {
	t.Helper()
	client := clients.NewHTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	credentials := dispatch.Credentials{ClientID: "app", ClientSecret: "hush-hush", Scope: "ks:fiks"}
	return smsapi.Options{BaseURL: url, HTTP: client, Tokens: clients.ClientCredentials(url+"/token", credentials)}
}

// handled is a client of a service that answers every call but those for a token with h.
func handled(t *testing.T, h http.HandlerFunc) *smsapi.Client {
	t.Helper()
	return smsapi.New(options(t, handledServer(t, h)))
}

func handledServer(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"access_token":"a-token","token_type":"Bearer","expires_in":3600}`))
	})
	mux.HandleFunc("/", h)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// answering is a client of a service that always gives the same answer.
func answering(t *testing.T, status int, body string) *smsapi.Client {
	t.Helper()
	return handled(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
}

func to(phone dispatch.Phone) dispatch.SMS {
	return dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: phone}, Text: "Hei på deg"}
}

func (g *rig) send(t *testing.T, phone dispatch.Phone) (string, error) {
	t.Helper()
	return g.client.Send(t.Context(), account, to(phone), nil)
}

// accepted sends a message that must be accepted, and returns its id.
func (g *rig) accepted(t *testing.T, phone dispatch.Phone) string {
	t.Helper()
	id, err := g.send(t, phone)
	if err != nil {
		t.Fatalf("send: %v", err)
	}
	return id
}

// calls counts the calls of one operation.
func (g *rig) calls(operation string) int {
	n := 0
	for _, c := range g.sim.Calls() {
		if c.Operation == operation {
			n++
		}
	}
	return n
}

// checkCalls demands a number of calls of an operation, and that none of all broke the contract.
func (g *rig) checkCalls(t *testing.T, operation string, want int) {
	t.Helper()
	if got := g.calls(operation); got != want {
		t.Errorf("got %d calls of %s, want %d", got, operation, want)
	}
	if got := g.sim.Violations(); got != nil {
		t.Errorf("got violations %q, want none", got)
	}
}

// result is what a call came to.
type result struct {
	outcome dispatch.Outcome
	scope   dispatch.Scope
	key     string
	status  int
}

// resultOf demands that an error is one of ours; no error is accepted.
func resultOf(t *testing.T, err error) result {
	t.Helper()
	if err == nil {
		return result{outcome: dispatch.OutcomeAccepted}
	}
	var e *clients.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want a *clients.Error", err)
	}
	return result{e.Outcome, e.Scope, e.Key, e.HTTPStatus}
}

func checkResult(t *testing.T, err error, want result) {
	t.Helper()
	if got := resultOf(t, err); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// eventually polls for something that happens in another goroutine.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Errorf("never happened: %s", what)
			return
		}
	}
}
