package v1_test

import (
	"net/http/httptest"
	"testing"

	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v1 "utsending/internal/clients/shipmentapi/v1"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/dispatch"
)

// rig is a client that speaks to a simulator over HTTP, on one wire and by one clock.
type rig struct {
	sim    *simulator.Simulator
	url    string
	clock  *apitest.Clock
	client *v1.Client
}

func newRig(t *testing.T, wire shipmentapi.Wire, o simulator.Options) *rig {
	t.Helper()
	g := &rig{clock: apitest.NewClock()}
	o.Now, o.Pace, o.Wire = g.clock.Now, apitest.Pace, string(wire)
	o.Basic = map[string]string{"avsender": "hunter2-hunter2"}
	g.sim = whole.New(o)
	server := httptest.NewServer(g.sim)
	t.Cleanup(server.Close)
	t.Cleanup(g.sim.Close) // before the server, which waits for slow answers
	g.url = server.URL
	g.client = g.newClient(t, wire)
	return g
}

func (g *rig) newClient(t *testing.T, wire shipmentapi.Wire) *v1.Client {
	t.Helper()
	o := options(t, g.url)
	o.Wire, o.Now, o.Encryption = wire, g.clock.Now, apitest.EncryptionOf(t, g.sim, cms.OAEP)
	return v1.New(o)
}

// eachWire runs a test on both wires.
func eachWire(t *testing.T, test func(t *testing.T, wire shipmentapi.Wire)) {
	t.Helper()
	for _, wire := range []shipmentapi.Wire{shipmentapi.WireSpec, shipmentapi.WireDeployed} {
		t.Run("as "+string(wire), func(t *testing.T) {
			t.Parallel()
			test(t, wire)
		})
	}
}

// started reserves an id.
func (g *rig) started(t *testing.T) string {
	t.Helper()
	id, err := g.client.Start(t.Context())
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	return id
}

// send hands a shipment with a title over under a new id, and returns the id.
func (g *rig) send(t *testing.T, title string) (string, error) {
	t.Helper()
	s, content := apitest.Shipment()
	s.Title = title
	id := g.started(t)
	_, err := g.client.Send(t.Context(), shipmentapi.Target{Reserved: id}, s, content, nil)
	return id, err
}

// sent hands over what must be accepted, and returns the id.
func (g *rig) sent(t *testing.T, s dispatch.Shipment, content shipmentapi.Content) string {
	t.Helper()
	id := g.started(t)
	if got, err := g.client.Send(t.Context(), shipmentapi.Target{Reserved: id}, s, content, nil); err != nil || got != id {
		t.Fatalf("got id %q, error %v, want %s", got, err, id)
	}
	return id
}

// checkShipments demands a number of accepted shipments, and that no call broke the contract.
func (g *rig) checkShipments(t *testing.T, want int) {
	t.Helper()
	if got := len(g.sim.Shipments()); got != want {
		t.Errorf("got %d shipments accepted, want %d", got, want)
	}
	if got := g.sim.Violations(); got != nil {
		t.Errorf("got violations %q, want none", got)
	}
}

func (g *rig) calls(operation string) int {
	n := 0
	for _, c := range g.sim.Calls() {
		if c.Operation == operation {
			n++
		}
	}
	return n
}
