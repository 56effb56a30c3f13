package delivery_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
	"utsending/internal/clients/simulator/shipmentv3"
	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// The credentials of the account's V2 integration before any rotation.
const (
	integrationID       = "0b2f6c1e-6f0a-4d0e-9a9b-1a2b3c4d5e6f"
	integrationPassword = "passord-en"
)

func v2Credentials() dispatch.Credentials {
	return dispatch.Credentials{
		Method: dispatch.AuthClientSecret, ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret, Scope: "ks:fiks",
		IntegrationID: integrationID, IntegrationPassword: integrationPassword,
	}
}

// knowing makes the service accept only these credentials.
func knowing(o simulator.Options) simulator.Options {
	o.Clients = map[string]string{storetest.ClientID: storetest.ClientSecret}
	o.Integrations = map[string]string{integrationID: integrationPassword}
	return o
}

// newV2Shipments sends over V2 with one worker.
func newV2Shipments(t *testing.T, o simulator.Options) *shipments {
	t.Helper()
	return newShipmentsOver(t, dispatch.IntegrationShipmentV2, o)
}

// newShipmentsOver sends over a generation after V1 with one worker.
func newShipmentsOver(t *testing.T, kind dispatch.IntegrationKind, o simulator.Options) *shipments {
	t.Helper()
	l := shipmentsTo(t, knowing(o))
	l.sendOver(t, l.over(t, kind))
	l.work(t)
	return l
}

// v2 makes an integration with V2, and gives the account its id there.
func (l *shipments) v2(t *testing.T) dispatch.IntegrationID {
	return l.over(t, dispatch.IntegrationShipmentV2)
}

// over makes an integration with a generation after V1.
func (l *shipments) over(t *testing.T, kind dispatch.IntegrationKind) dispatch.IntegrationID {
	t.Helper()
	if l.account.ShipmentAccountID == "" {
		l.account.ShipmentAccountID = uuid.NewString()
	}
	name := map[dispatch.IntegrationKind]string{dispatch.IntegrationShipmentV2: "V2", dispatch.IntegrationShipmentV3: "V3"}[kind]
	in := dispatch.Integration{Name: name, Kind: kind, Service: strings.ToLower(name), Parallelism: 4, RatePerSec: 1000}
	return l.integration(t, in, v2Credentials())
}

// colleague is another account on the same integration.
func (l *shipments) colleague(t *testing.T, slug string) *shipments {
	t.Helper()
	two := *l
	two.sample = storetest.NewSample(t, l.store, slug)
	two.account = two.sample.Account
	two.account.ShipmentAccountID, two.account.ShipmentIntegration = uuid.NewString(), l.account.ShipmentIntegration
	if _, err := registry.In(l.store).Accounts.Save(t.Context(), two.account); err != nil {
		t.Fatal(err)
	}
	return &two
}

// strange sends a shipment past us to the same account, under another system's name or ours.
func (l *shipments) strange(t *testing.T, reference, system string) {
	t.Helper()
	l.past(t, l.service(t), 2, func(s *dispatch.Shipment) { s.ExternalReference, s.SourceSystem = reference, system })
}

// service is the configured service of the account's integration.
func (l *shipments) service(t *testing.T) string {
	return ask[string](t, l, `SELECT service FROM integrations WHERE id = $1`, l.account.ShipmentIntegration)
}

// shipped are the shipments that the service has accepted with a title.
func (l *shipments) shipped(title string) []simulator.Shipment {
	return slices.DeleteFunc(l.sim.Shipments(), func(s simulator.Shipment) bool { return s.Title != title })
}

// sent counts the submissions of a shipment over V2 or V3.
func (l *shipments) sent(title string) int {
	n := 0
	for _, operation := range sends {
		n += l.calls(operation, title)
	}
	return n
}

// sends are the submissions of V2 and V3.
var sends = append(shipmentv3.Sends(), shipmentv2.OpSend)

// wantNoBreach expects that the client kept the rules of the service.
func (l *shipments) wantNoBreach(t *testing.T) {
	t.Helper()
	if v := l.sim.Violations(); len(v) > 0 {
		t.Errorf("rules of the contract broken: %q", v)
	}
}

// fault makes submissions of shipments with the title fail, until it is removed.
func (l *shipments) fault(title string, f simulator.Fault) {
	l.sim.SetChaos(func(operation, asked string) simulator.Fault {
		if slices.Contains(sends, operation) && asked == title {
			return f
		}
		return simulator.NoFault
	})
}

// ask returns the single value of a query.
func ask[T any](t *testing.T, l *shipments, query string, args ...any) T {
	t.Helper()
	var v T
	if err := l.db.QueryRowContext(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func (l *shipments) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := l.db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// refused tells whether the account's integration is blocked, and how many accounts are.
func (l *shipments) refused(t *testing.T) (integration bool, accounts int) {
	t.Helper()
	return ask[bool](t, l, `SELECT refused_at IS NOT NULL FROM integrations WHERE id = $1`, l.account.ShipmentIntegration),
		ask[int](t, l, `SELECT count(*) FROM account_refusals WHERE integration_id = $1`, l.account.ShipmentIntegration)
}

// inFront is a proxy before the service that can answer accepted submissions as busy.
type inFront struct {
	next http.Handler
	busy atomic.Int32 // how many submissions are taken and answered as if the service were busy
}

func (o *inFront) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimSuffix(r.URL.Path, "/")
	if submits := strings.HasSuffix(path, "/forsendelser") || strings.HasSuffix(path, "endForsendelse"); r.Method == http.MethodPost && submits && o.busy.Add(-1) >= 0 {
		o.next.ServeHTTP(httptest.NewRecorder(), r)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	o.next.ServeHTTP(w, r)
}
