package upstream_test

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/await"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
	"utsending/internal/upstream"
)

// rig is an account, the simulated services and the clients that call them.
type rig struct {
	storetest.Sample
	store   *store.Store
	db      *sql.DB
	sim     *simulator.Simulator
	url     string // of the services
	clients *upstream.Clients
}

// newRig puts handlers between the clients and the simulator.
func newRig(t *testing.T, between ...func(http.Handler) http.Handler) *rig {
	t.Helper()
	at := storetest.Database(t)
	r := &rig{store: storetest.Open(t, at), db: storetest.DB(t, at), sim: whole.New(simulator.Options{})}
	handler := http.Handler(r.sim)
	for _, b := range between {
		handler = b(handler)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	t.Cleanup(r.sim.Close)
	r.url = server.URL
	r.Sample = storetest.NewSample(t, r.store, "oppvekst")
	service := func(name string, kind dispatch.IntegrationKind) dispatch.Service {
		return dispatch.Service{Name: name, Kind: kind, Environment: dispatch.EnvironmentTest, BaseURL: r.url, TokenURL: r.url + "/token"}
	}
	r.clients = upstream.New(r.store, []dispatch.Service{
		service(storetest.ServiceName, dispatch.IntegrationSMS), service("v1", dispatch.IntegrationShipmentV1), service("v2", dispatch.IntegrationShipmentV2),
	})
	r.clients.CallTimeout, r.clients.SubmitTimeout = await.Limit, await.Limit // what the answer is counts, not when it comes
	t.Cleanup(func() {
		for _, v := range r.sim.Violations() {
			t.Error("breach of contract:", v)
		}
	})
	return r
}

// over lets the account send shipments over a new integration of a kind.
func (r *rig) over(t *testing.T, kind dispatch.IntegrationKind) dispatch.IntegrationID {
	t.Helper()
	c := dispatch.Credentials{ClientID: "bruker", ClientSecret: "passord"}
	in := dispatch.Integration{Name: "Forsendelser", Kind: kind, Service: "v1", Parallelism: 2, RatePerSec: 1000}
	if kind == dispatch.IntegrationShipmentV2 {
		in.Service = "v2"
		c.Method, c.IntegrationID, c.IntegrationPassword = dispatch.AuthClientSecret, uuid.NewString(), "passord"
	}
	id, err := registry.In(r.store).Integrations.Save(t.Context(), in, c)
	if err != nil {
		t.Fatal(err)
	}
	r.Account.ShipmentIntegration, r.Account.ShipmentKind, r.Account.ShipmentAccountID = id, kind, uuid.NewString()
	if _, err := registry.In(r.store).Accounts.Save(t.Context(), r.Account); err != nil {
		t.Fatal(err)
	}
	return id
}

// send hands a shipment over, and returns the service's id of it.
func (r *rig) send(t *testing.T, title, reference string) string {
	t.Helper()
	client, err := r.clients.Client(t.Context(), r.Account.ShipmentIntegration, map[bool]string{true: "v2", false: "v1"}[r.Account.ShipmentKind == dispatch.IntegrationShipmentV2])
	if err != nil {
		t.Fatal(err)
	}
	file := pdftest.Make(1)
	s := dispatch.Shipment{
		Title: title, SourceSystem: "Utsending", ExternalReference: reference,
		Documents: []dispatch.Document{{FileName: "Brev.pdf", MimeType: dispatch.MimePDF, Size: int64(len(file))}},
		Recipient: dispatch.Address{
			Postal:  dispatch.PostalAddress{Name: "Jonas Vik", Line1: "Furuveien 8", PostalCode: "7715", City: "Steinkjer", Country: "Norge"},
			Digital: dispatch.DigitalAddress{NationalID: "12847812345"},
		},
	}
	id, err := client.Shipments.Send(t.Context(), shipmentapi.Target{AccountID: r.Account.ShipmentAccountID}, s, func(context.Context, dispatch.Document) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(file)), nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// shipped is the shipment that the service has accepted.
func (r *rig) shipped(t *testing.T) simulator.Shipment {
	t.Helper()
	all := r.sim.Shipments()
	if len(all) != 1 {
		t.Fatalf("the service has %d shipments", len(all))
	}
	return all[0]
}
