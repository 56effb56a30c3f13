package shipmentapi_test

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

const pace = time.Minute

// clock is a time that stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// rig is a client that speaks to a simulator over HTTP, on one wire and by one clock.
type rig struct {
	sim    *simulator.Simulator
	url    string
	clock  *clock
	client *shipmentapi.V1
}

func newRig(t *testing.T, wire shipmentapi.Wire, o simulator.Options) *rig {
	t.Helper()
	g := &rig{clock: &clock{now: now}}
	o.Now, o.Pace, o.Wire = g.clock.Now, pace, string(wire)
	o.Basic = map[string]string{"avsender": "hunter2-hunter2"}
	g.sim = simulator.New(o)
	server := httptest.NewServer(g.sim)
	t.Cleanup(server.Close)
	t.Cleanup(g.sim.Close) // before the server, which waits for slow answers
	g.url = server.URL
	g.client = g.newClient(t, wire)
	return g
}

func (g *rig) newClient(t *testing.T, wire shipmentapi.Wire) *shipmentapi.V1 {
	t.Helper()
	o := options(t, g.url)
	o.Wire, o.Now, o.Encryption = wire, g.clock.Now, encryptionOf(t, g.sim, cms.OAEP)
	return shipmentapi.NewV1(o)
}

// encryptionOf encrypts for a simulator.
func encryptionOf(t *testing.T, sim *simulator.Simulator, transport cms.Transport) shipmentapi.Encryption {
	t.Helper()
	block, _ := pem.Decode([]byte(sim.Certificate()))
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return encryptionFor(certificate, transport)
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

// send hands a letter with a title over under a new id, and returns the id.
func (g *rig) send(t *testing.T, title string) (string, error) {
	t.Helper()
	s, content := letter()
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
