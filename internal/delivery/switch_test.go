package delivery_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// mover is an account whose shipments move between the generations of the service.
type mover struct {
	*shipments
	v1, v2, v3 dispatch.IntegrationID
	titles     map[string]dispatch.ItemID
}

func newMover(t *testing.T) *mover {
	t.Helper()
	l := shipmentsTo(t, knowing(simulator.Options{}))
	m := &mover{shipments: l, titles: map[string]dispatch.ItemID{}}
	m.v1, m.v2, m.v3 = l.v1(t), l.v2(t), l.over(t, dispatch.IntegrationShipmentV3)
	l.sendOver(t, m.v1)
	return m
}

// move lets the account's shipments go over an integration, as an administrator does, with one connection; empty for none.
func (m *mover) move(t *testing.T, to dispatch.IntegrationID) {
	t.Helper()
	admin := registry.In(storetest.Narrow(t, m.at))
	accounts, err := admin.Accounts.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range accounts {
		if a.ID == m.account.ID {
			err = admin.Accounts.Switch(t.Context(), a, to, m.sample.Actor)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	m.account.ShipmentIntegration = to
}

// post queues shipments with a word in the title.
func (m *mover) post(t *testing.T, n int, word string) {
	t.Helper()
	for range n {
		title := fmt.Sprintf("Vedtak %d %s", len(m.titles), word)
		m.titles[title] = m.send(t, title)
	}
}

// unlucky makes some submissions fail the first time, in any generation: unavailable, answer lost, connection cut.
func (m *mover) unlucky() {
	var mu sync.Mutex
	met := map[string]bool{}
	m.sim.SetChaos(func(operation, title string) simulator.Fault {
		if operation != shipmentv1.OpSendShipment && !slices.Contains(sends, operation) {
			return simulator.NoFault
		}
		mu.Lock()
		defer mu.Unlock()
		first := !met[title]
		met[title] = true
		switch {
		case !first:
			return simulator.NoFault
		case strings.Contains(title, "nede"):
			return simulator.Status(503)
		case strings.Contains(title, "uavklart"):
			return simulator.LostAfter
		case strings.Contains(title, "aldri fremme") && operation == shipmentv1.OpSendShipment:
			return simulator.LostBefore
		}
		return simulator.NoFault
	})
}

// wantEachOnce waits until every shipment's status is read, and expects each once at the service, in the generation
// of its attempts.
func (m *mover) wantEachOnce(t *testing.T) {
	t.Helper()
	booked := map[string][]simulator.Shipment{}
	for title, id := range m.titles {
		it := m.await(t, id, "never read: "+title, func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
		booked[title] = m.shipped(title)
		if b := booked[title]; len(b) != 1 || b[0].ID != it.UpstreamID {
			t.Errorf("%s is accepted as %q and booked as %+v", title, it.UpstreamID, b)
			continue
		}
		reserved := ask[bool](t, m.shipments, `SELECT reserved_id IS NOT NULL FROM items WHERE id = $1`, id)
		over := ask[string](t, m.shipments, `SELECT n.name FROM items i JOIN integrations n ON n.id = i.integration_id WHERE i.id = $1`, id)
		if got := booked[title][0].Generation; got != over || reserved != (got == simulator.GenerationV1) {
			t.Errorf("%s went to %s and is read over %s, with an id reserved: %t", title, got, over, reserved)
		}
	}
	m.wantNoBreach(t)
}

// wentOver counts the accepted shipments of a generation.
func (m *mover) wentOver(generation string) int {
	n := 0
	for _, s := range m.sim.Shipments() {
		if s.Generation == generation {
			n++
		}
	}
	return n
}

func TestMovingBetweenGenerationsUnderLoad(t *testing.T) {
	t.Parallel()
	m := newMover(t)
	m.unlucky()
	m.work(t)
	m.work(t)
	wave := func() {
		m.post(t, 4, "")
		m.post(t, 1, "uavklart")
		m.post(t, 3, "nede")
		m.post(t, 4, "")
	}
	wave()
	m.post(t, 1, "aldri fremme")
	m.post(t, 8, "") // some of them are not attempted before the switch
	m.move(t, m.v2)
	wave()
	m.await(t, m.titles["Vedtak 0 "], "never read", func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
	before := m.wentOver(simulator.GenerationV1)
	wave()
	m.post(t, 8, "")
	m.move(t, m.v3)
	wave()
	m.move(t, m.v1)
	wave()
	m.wantEachOnce(t)
	v1, v2, v3 := m.wentOver(simulator.GenerationV1), m.wentOver(simulator.GenerationV2), m.wentOver(simulator.GenerationV3)
	if before == 0 || v2 == 0 || v3 == 0 || v1 <= before {
		t.Errorf("%d and then %d shipments went over V1, %d over V2, %d over V3", before, v1, v2, v3)
	}
}

// TestWhatDoesNotFitStays: what the new generation would refuse goes out as it is, where it was to go.
func TestWhatDoesNotFitStays(t *testing.T) {
	t.Parallel()
	m := newMover(t)
	m.post(t, 1, "")
	m.titles["Vedtak i farger"] = m.send(t, "Vedtak i farger", func(s *dispatch.Shipment) { s.Print.Color = true })
	effect, err := registry.In(m.store).Accounts.MoveEffect(t.Context(), m.account.ID, dispatch.V3)
	if err != nil || effect.Stay != 1 || !slices.Equal(effect.Fields, []string{dispatch.FieldColor}) {
		t.Errorf("got %+v, %v, want the one in colours to stay", effect, err)
	}
	m.move(t, m.v3)
	m.work(t)
	m.wantEachOnce(t)
	if got := m.shipped("Vedtak i farger")[0].Generation; got != simulator.GenerationV1 || m.wentOver(simulator.GenerationV3) != 1 {
		t.Errorf("the one in colours went over %s, %d over V3", got, m.wentOver(simulator.GenerationV3))
	}
}

// TestWhatMovesAndWhatStays stops at the switch, to check each kind of shipment in progress.
func TestWhatMovesAndWhatStays(t *testing.T) {
	t.Parallel()
	t.Run("what has an id at V1 goes there, also when the account sends over nothing", func(t *testing.T) {
		t.Parallel()
		for name, to := range map[string]func(*mover) dispatch.IntegrationID{"V2": func(m *mover) dispatch.IntegrationID { return m.v2 }, "none": func(*mover) dispatch.IntegrationID { return "" }} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				m := newMover(t)
				m.sim.SetChaos(func(operation, _ string) simulator.Fault {
					if operation == shipmentv1.OpSendShipment {
						return simulator.Status(503)
					}
					return simulator.NoFault
				})
				m.work(t)
				m.post(t, 1, "")
				await.True(t, "it was attempted", func() bool { return m.calls(shipmentv1.OpSendShipment, "") > 0 })
				m.move(t, to(m))
				m.sim.SetChaos(nil)
				m.wantEachOnce(t)
				if n := m.wentOver(simulator.GenerationV1); n != 1 {
					t.Errorf("%d went over V1", n)
				}
			})
		}
	})
	t.Run("what was never attempted and does not fit where the account moves goes where it was to go", func(t *testing.T) {
		t.Parallel()
		m := newMover(t)
		hold := func(in dispatch.IntegrationID) {
			if err := queue.In(m.store).Operations.StopIntegration(t.Context(), in, m.sample.Actor, "Nora Dahl"); err != nil {
				t.Fatal(err)
			}
		}
		open := func(in dispatch.IntegrationID) {
			if err := queue.In(m.store).Operations.OpenIntegration(t.Context(), in, m.sample.Actor); err != nil {
				t.Fatal(err)
			}
		}
		hold(m.v1)
		m.work(t)
		long := m.send(t, "Vedtak", filedAs(strings.Repeat("å", 101)))
		fine := m.send(t, "Vedtak som passer", filedAs(strings.Repeat("å", 100)))
		m.move(t, m.v2)
		m.awaitState(t, fine, dispatch.StateAccepted)
		if n := m.wentOver(simulator.GenerationV2); n != 1 || m.sent("Vedtak") != 0 {
			t.Errorf("%d went over V2, and what does not fit %d times", n, m.sent("Vedtak"))
		}
		open(m.v1)
		if it := m.awaitState(t, long, dispatch.StateRejected); it.Reason.HTTPStatus != 0 || m.sent("Vedtak") != 0 { // it fits there no more
			t.Errorf("reason %+v, sent %d times", it.Reason, m.sent("Vedtak"))
		}

		hold(m.v2)
		underscored := m.send(t, "Vedtak med kode", func(s *dispatch.Shipment) { s.BillingCode = "A_1" })
		m.move(t, m.v1)
		open(m.v2)
		m.awaitState(t, underscored, dispatch.StateAccepted)
		if n := m.wentOver(simulator.GenerationV2); n != 2 || m.wentOver(simulator.GenerationV1) != 0 {
			t.Errorf("%d went over V2, want 2", n)
		}
	})
	t.Run("a shipment over V2 is found and read there after the account has moved back", func(t *testing.T) {
		t.Parallel()
		m := newMover(t)
		m.move(t, m.v2)
		m.unlucky()
		m.work(t)
		m.post(t, 1, "uavklart")
		m.post(t, 1, "")
		for _, id := range m.titles {
			m.await(t, id, "never sent", func(it dispatch.ShipmentItem) bool {
				return it.State == dispatch.StateAccepted || it.State == dispatch.StateUncertain
			})
		}
		m.move(t, m.v1)
		m.wantEachOnce(t)
		if n := m.wentOver(simulator.GenerationV2); n != 2 {
			t.Errorf("%d went over V2", n)
		}
	})
}
