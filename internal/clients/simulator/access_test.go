package simulator_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
)

func TestAccessToV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Integrations: map[string]string{integration: "passord1"}})
	id := g.shippedV2(t, newDraftV2())
	tests := map[string]struct {
		change func(*http.Request)
		line   string // of the violation, or empty
	}{
		"refuses no token":              {func(r *http.Request) { r.Header.Del("Authorization") }, "no bearer token"},
		"refuses Basic":                 {func(r *http.Request) { r.SetBasicAuth("a", "b") }, "no bearer token"},
		"refuses a token it never made": {func(r *http.Request) { r.Header.Set("Authorization", "Bearer a.b.c") }, ""},
		"refuses no IntegrasjonId":      {func(r *http.Request) { r.Header.Del("IntegrasjonId") }, "no IntegrasjonId or no IntegrasjonPassord"},
		"refuses no IntegrasjonPassord": {func(r *http.Request) { r.Header.Del("IntegrasjonPassord") }, "no IntegrasjonId or no IntegrasjonPassord"},
		"refuses a wrong password":      {func(r *http.Request) { r.Header.Set("IntegrasjonPassord", "passord2") }, ""},
		"refuses a wrong id":            {func(r *http.Request) { r.Header.Set("IntegrasjonId", stranger) }, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for operation, r := range operationsV2(t, g, id) {
				before := len(g.sim.Violations())
				tt.change(r)
				got := g.do(r)
				checkError(t, got, http.StatusUnauthorized)
				if got.header.Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("%s: got no challenge", operation)
				}
				var want []string
				if tt.line != "" {
					want = []string{operation + ": " + tt.line}
				}
				if lines := g.sim.Violations()[before:]; !slices.Equal(lines, want) {
					t.Errorf("%s: got violations %q, want %q", operation, lines, want)
				}
			}
		})
	}
}

func TestIdsInPathsOfV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	v1 := g.shipped(t, newDraft())
	for _, r := range operationsV2(t, g, "17") {
		if strings.Contains(r.URL.Path, "/17/") {
			checkError(t, g.do(r), http.StatusBadRequest)
		}
		r.URL.Path = strings.Replace(r.URL.Path, account, "17", 1)
		if strings.Contains(r.URL.Path, "/kontoer/17/") {
			checkError(t, g.do(r), http.StatusBadRequest)
		}
	}
	if got := len(g.sim.Violations()); got != 9 {
		t.Errorf("got %d violations, want 9: one for each operation with an id", got)
	}
	for _, id := range []string{stranger, v1} {
		for _, r := range operationsV2(t, g, id) {
			if strings.Contains(r.URL.Path, id) {
				checkError(t, g.do(r), http.StatusNotFound)
			}
		}
	}
	id := g.shippedV2(t, newDraftV2())
	checkError(t, g.get(t, id+"/status"), http.StatusNotFound) // V1 does not know it either
}

func TestAccountsOfAnIntegration(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	id := g.shippedV2(t, newDraftV2())
	denied := func(t *testing.T) {
		t.Helper()
		for operation, r := range operationsV2(t, g, id) {
			got := g.do(r)
			if operation == shipmentv2.OpTypes || operation == shipmentv2.OpReceivingSystems {
				if got.status != http.StatusOK {
					t.Errorf("%s: got %d, want 200: it belongs to no account", operation, got.status)
				}
				continue
			}
			checkError(t, got, http.StatusForbidden)
			if !strings.Contains(got.body, `"message":"Mangler tilgang"`) {
				t.Errorf("%s: got %s, want Mangler tilgang", operation, got.body)
			}
		}
	}
	g.sim.DenyAccess(integration, strings.ToUpper(account))
	denied(t)
	if n := len(g.sim.Shipments()); n != 1 {
		t.Errorf("got %d accepted, want 1", n)
	}
	g.sim.GrantAccess(integration, account)
	g.shippedV2(t, newDraftV2())
	g.sim.DenyAccess("", account)
	g.shippedV2(t, newDraftV2()) // what is said of the integration counts more
	g.sim.DenyAccess(integration, account)
	denied(t)
	other := newDraftV2()
	other.path = "kontoer/" + stranger + "/forsendelser"
	g.shippedV2(t, other)
	g.checkViolations(t)
}

func TestAccountsOfTheOptions(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Accounts: []string{account}})
	g.shippedV2(t, newDraftV2())
	other := newDraftV2()
	other.path = "kontoer/" + stranger + "/forsendelser"
	checkError(t, g.shipV2(t, other), http.StatusForbidden)
	g.sim.GrantAccess(integration, stranger)
	g.shippedV2(t, other)
	g.sim.DenyAccess("", account)
	checkError(t, g.send(t, "40000100"), http.StatusForbidden) // SMS has accounts too
}

func TestRotationOfIntegrations(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Integrations: map[string]string{integration: "passord1"}})
	with := func(password string) reply {
		r := newDraftV2().requestV2(t, g)
		r.Header.Set("IntegrasjonPassord", password)
		return g.do(r)
	}
	checkRotation(t, g.sim, rotation{
		use:    func(password string) int { return with(password).status },
		add:    func(password string) { g.sim.AddIntegration(integration, password) },
		revoke: func(password string) { g.sim.RevokeIntegration(integration, password) },
		used:   func(s simulator.Shipment) string { return s.Credential.IntegrationPassword },
	})
}

func TestRotationOfBasic(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Basic: map[string]string{sender: "passord1"}})
	checkRotation(t, g.sim, rotation{
		use: func(password string) int {
			r := newDraft().request(t, g)
			r.SetBasicAuth(sender, password)
			return g.do(r).status
		},
		add:    func(password string) { g.sim.AddBasic(sender, password) },
		revoke: func(password string) { g.sim.RevokeBasic(sender, password) },
		used:   func(s simulator.Shipment) string { return s.Credential.Password },
	})
}

func TestRotationOfClients(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	g.sim.AddClient("app", "passord1")
	checkRotation(t, g.sim, rotation{
		use: func(secret string) int {
			a := g.form(t, map[string][]string{"grant_type": {"client_credentials"}, "client_id": {"app"}, "client_secret": {secret}})
			if a.status != http.StatusOK {
				return a.status
			}
			g.token = strings.Split(a.body, `"`)[3]
			return g.shipV2(t, newDraftV2()).status
		},
		add:    func(secret string) { g.sim.AddClient("app", secret) },
		revoke: func(secret string) { g.sim.RevokeClient("app", secret) },
		used:   func(s simulator.Shipment) string { return s.Credential.ClientSecret },
	})
	if got := g.shipV2(t, newDraftV2()).status; got != http.StatusOK {
		t.Errorf("got %d, want 200: a token outlives the secret it was asked for with", got)
	}
}

// rotation says how a shipment is sent with one of the secrets passord1 and passord2, of which the first is accepted.
type rotation struct {
	use         func(secret string) int
	add, revoke func(secret string)
	used        func(simulator.Shipment) string
}

func checkRotation(t *testing.T, sim *simulator.Simulator, r rotation) {
	t.Helper()
	want := func(secret string, status int) {
		t.Helper()
		if got := r.use(secret); got != status {
			t.Errorf("got %d with %s, want %d", got, secret, status)
		}
	}
	want("passord1", http.StatusOK)
	want("passord2", http.StatusUnauthorized)
	r.add("passord2")
	want("passord1", http.StatusOK)
	want("passord2", http.StatusOK)
	r.revoke("passord1")
	want("passord1", http.StatusUnauthorized)
	want("passord2", http.StatusOK)
	r.revoke("passord2")
	want("passord2", http.StatusUnauthorized)
	r.add("passord1")
	want("passord1", http.StatusOK)
	var used []string
	for _, s := range sim.Shipments() {
		used = append(used, r.used(s))
	}
	if want := []string{"passord1", "passord1", "passord2", "passord2", "passord1"}; !slices.Equal(used, want) {
		t.Errorf("got shipments that came with %q, want %q", used, want)
	}
}

func TestRevokeWhereAnyPairIsGood(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	g.sim.RevokeBasic(sender, "hemmelig")
	checkError(t, g.ship(t, newDraft()), http.StatusUnauthorized)
	r := newDraft().request(t, g)
	r.SetBasicAuth(sender, "ny")
	if got := g.do(r).status; got != http.StatusOK {
		t.Errorf("got %d, want 200 for every other pair", got)
	}
	g.sim.AddBasic(sender, "hemmelig")
	g.shipped(t, newDraft())
	other := newDraft().request(t, g)
	other.SetBasicAuth(sender, "ny")
	checkError(t, g.do(other), http.StatusUnauthorized)
}
