package upstream_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
	"utsending/internal/upstream"
)

// trial is what is tried: a service, an integration of it, and credentials.
type trial struct {
	service     dispatch.Service
	integration dispatch.Integration
	credentials dispatch.Credentials
	accounts    []dispatch.Account
}

// newTrial is one of a kind of integration that works at an address.
func newTrial(kind dispatch.IntegrationKind, address string) trial {
	t := trial{
		service:     dispatch.Service{Name: "tjenesten", Kind: kind, Environment: dispatch.EnvironmentTest, BaseURL: address, TokenURL: address + "/token"},
		integration: dispatch.Integration{ID: "x", Name: "x", Kind: kind, Service: "tjenesten", Environment: dispatch.EnvironmentTest, ReserveIDs: true},
		credentials: dispatch.Credentials{ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret},
		accounts: []dispatch.Account{
			{Name: "Oppvekst", SMSAccountID: uuid.NewString(), ShipmentAccountID: uuid.NewString()}, {Name: "Uten kontoId"},
		},
	}
	switch kind {
	case dispatch.IntegrationShipmentV1:
		t.credentials.Method = dispatch.AuthBasic
	case dispatch.IntegrationShipmentV2:
		t.credentials.IntegrationID, t.credentials.IntegrationPassword = uuid.NewString(), "passord"
	}
	return t
}

// taken writes down the steps of a trial, the last with what it failed with.
func (tr trial) taken(t *testing.T) string {
	t.Helper()
	var words []string
	for _, s := range upstream.New(nil, []dispatch.Service{tr.service}).Try(t.Context(), tr.integration, tr.credentials, tr.accounts) {
		words = append(words, strings.TrimSpace(string(s.Step)+" "+s.Failure.Key))
	}
	return strings.Join(words, ", ")
}

// TestTry: a trial stops at the step that fails, and names what a person can do something about.
func TestTry(t *testing.T) {
	t.Parallel()
	sim := whole.New(simulator.Options{Clients: map[string]string{storetest.ClientID: storetest.ClientSecret}})
	t.Cleanup(sim.Close)
	front := httptest.NewServer(sim)
	t.Cleanup(front.Close)
	refusing := whole.New(simulator.Options{Accounts: []string{uuid.NewString()}})
	t.Cleanup(refusing.Close)
	// at serves what stands between us and the simulator.
	at := func(handle func(http.ResponseWriter, *http.Request) bool) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !handle(w, r) {
				sim.ServeHTTP(w, r)
			}
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	tokens := func(status int, body string) string {
		return at(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/token" {
				return false
			}
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
			return true
		})
	}
	strangers := at(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/token" {
			return false
		}
		w.WriteHeader(http.StatusUnauthorized)
		return true
	})
	secure := httptest.NewTLSServer(sim)
	t.Cleanup(secure.Close)
	accounts := httptest.NewServer(refusing)
	t.Cleanup(accounts.Close)

	sms, v1, v2 := dispatch.IntegrationSMS, dispatch.IntegrationShipmentV1, dispatch.IntegrationShipmentV2
	const reached = "settings, name, tls, "
	for _, test := range []struct {
		name   string
		trial  trial
		change func(*trial)
		want   string
	}{
		{"SMS", newTrial(sms, front.URL), nil, reached + "token, credentials, account"},
		{"V1, which has neither tokens nor accounts", newTrial(v1, front.URL), nil, reached + "credentials"},
		{"V2", newTrial(v2, front.URL), nil, reached + "token, credentials, account"},
		{"a service that has left the configuration", newTrial(sms, front.URL), func(tr *trial) { tr.service.Name = "en annen" }, "settings reason.trial_service"},
		{"a service that is production now", newTrial(sms, front.URL), func(tr *trial) { tr.service.Environment = dispatch.EnvironmentProduction }, "settings reason.trial_service"},
		{"no secret", newTrial(sms, front.URL), func(tr *trial) { tr.credentials.ClientSecret = "" }, "settings problem.credentials.secret"},
		{"a name that nobody has", newTrial(sms, "http://tjenesten.invalid"), nil, "settings, name reason.trial_name"},
		{"nobody listens", newTrial(sms, "http://127.0.0.1:1"), nil, "settings, name, tls reason.trial_connect"},
		{"a certificate that nobody vouches for", newTrial(sms, secure.URL), nil, "settings, name, tls reason.trial_tls"},
		{"a secret that is wrong", newTrial(sms, front.URL), func(tr *trial) { tr.credentials.ClientSecret = "feil" }, reached + "token reason.token_refused"},
		{"a token endpoint that answers HTML", newTrial(sms, tokens(200, "<html>")), nil, reached + "token reason.token_unavailable"},
		{"a token endpoint that fails in HTML", newTrial(sms, tokens(502, "<html>")), nil, reached + "token reason.token_unavailable"},
		{"a service that does not know us", newTrial(sms, strangers), nil, reached + "token, credentials reason.unauthorized"},
		{"a V2 that does not know us", newTrial(v2, strangers), nil, reached + "token, credentials reason.unauthorized"},
		{"a V1 that does not know us", newTrial(v1, strangers), nil, reached + "credentials reason.unauthorized"},
		{"an account that is not ours", newTrial(sms, accounts.URL), nil, reached + "token, credentials, account reason.forbidden"},
		{"an account of V2 that is not ours", newTrial(v2, accounts.URL), nil, reached + "token, credentials, account reason.forbidden"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.change != nil {
				test.change(&test.trial)
			}
			if got := test.trial.taken(t); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	t.Cleanup(func() { // after the trials above
		if len(sim.Calls()) == 0 || len(sim.Books())+len(sim.Shipments())+len(sim.Reserved()) != 0 {
			t.Error("a trial has sent something, or none has called")
		}
		for _, v := range append(sim.Violations(), refusing.Violations()...) {
			t.Error("breach of contract:", v)
		}
	})
}
