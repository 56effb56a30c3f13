package delivery_test

import (
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
)

// TestAThousandShipmentsAreReadWithOneCall: shipments without news cost one call, however many they are.
func TestAThousandShipmentsAreReadWithOneCall(t *testing.T) {
	t.Parallel()
	l := shipmentsTo(t, simulator.Options{})
	l.sendOver(t, l.v1(t))
	l.work(t, func(o *delivery.Options) { o.Plan.First, o.Plan.Then = []time.Duration{time.Hour}, time.Hour })
	id := l.send(t, "Vedtak [lest]")
	l.await(t, id, "nothing new comes of it", func(it dispatch.ShipmentItem) bool {
		if it.Status == "LEST" {
			return true
		}
		l.exec(t, `UPDATE items SET next_check_at = now() WHERE next_check_at IS NOT NULL`)
		return false
	})
	l.copy(t, id, shipmentapi.StatusesMax-1)
	before := l.allCalls()
	l.readAll(t)
	after := l.allCalls()
	if got := after[shipmentv1.OpShipmentStatuses] - before[shipmentv1.OpShipmentStatuses]; got != 1 {
		t.Errorf("asked for statuses %d times, want once", got)
	}
	for operation, n := range after {
		if operation != shipmentv1.OpShipmentStatuses && n != before[operation] {
			t.Errorf("%s was called %d times for no news", operation, n-before[operation])
		}
	}
}

// copy duplicates a read shipment n times. All copies have one id at the service, and each is asked for.
func (l *shipments) copy(t *testing.T, id dispatch.ItemID, times int) {
	t.Helper()
	columns := func(table, key string) string {
		return ask[string](t, l, `
			SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
			WHERE table_name = $1 AND column_name NOT IN ($2, 'form_key') AND is_generated = 'NEVER'`, table, key)
	}
	items, shipments, reports := columns("items", "id"), columns("shipments", "item_id"), columns("service_reports", "item_id")
	l.exec(t, `
		WITH made AS (
			INSERT INTO items (id, form_key, `+items+`) SELECT gen_random_uuid(), gen_random_uuid(), `+items+` FROM items, generate_series(1, $2) WHERE id = $1 RETURNING id
		), written AS (
			INSERT INTO shipments (item_id, `+shipments+`) SELECT made.id, `+shipments+` FROM shipments, made WHERE item_id = $1)
		INSERT INTO service_reports (item_id, `+reports+`) SELECT made.id, `+reports+` FROM service_reports, made WHERE item_id = $1`, id, times)
}

// readAll reads the status of every shipment once more.
func (l *shipments) readAll(t *testing.T) {
	t.Helper()
	now := ask[time.Time](t, l, `SELECT now()`)
	l.exec(t, `UPDATE items SET next_check_at = now()`)
	await.True(t, "all statuses are read", func() bool {
		return ask[int](t, l, `SELECT count(*) FROM items WHERE checked_at IS NULL OR checked_at <= $1`, now) == 0
	})
}

// allCalls counts the service's requests, by operation.
func (l *shipments) allCalls() map[string]int {
	calls := map[string]int{}
	for _, c := range l.sim.Calls() {
		calls[c.Operation]++
	}
	return calls
}
