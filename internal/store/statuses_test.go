package store_test

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// TestNewStatusIsOneRow: when a release with a row for it migrates, a status that was unknown to an earlier release
// is regrouped and counted anew: in lists, statistics and follow-ups. The example is two statuses of the third
// generation.
func TestNewStatusIsOneRow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shipments := r.shipments(t)
	r.exec(t, `DELETE FROM statuses WHERE kind = 'shipment' AND status IN ('SENDT_ALTINN', 'LEVERT_ALTINN')`)
	r.exec(t, `UPDATE applied_code SET hash = 'of the earlier release'`)
	sent := shipments.acceptedShipment(t, dispatch.StatusSentToAltinn, 10*24*time.Hour)
	delivered := shipments.acceptedShipment(t, dispatch.StatusDeliveredToAltinn, 10*24*time.Hour)
	known := shipments.acceptedShipment(t, dispatch.StatusRead, time.Hour)
	r.exec(t, `UPDATE shipments SET cost_print = 1500, cost_digital = 400, cost_month = '2026-01-01'`) // what a status costs changes with its row
	look := func(id dispatch.ItemID, group dispatch.Group, route dispatch.Route) {
		t.Helper()
		got := read[string](t, r, `SELECT it.list_group || ' ' || l.list_group || ' ' || l.route FROM items it JOIN listed l ON l.item_id = it.id WHERE it.id = $1`, id)
		if want := string(group) + " " + string(group) + " " + string(route); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	look(sent, dispatch.GroupWorking, dispatch.RouteOpen)
	look(delivered, dispatch.GroupWorking, dispatch.RouteOpen)
	if err := lists.In(r.s).Statistics.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := shipments.acceptedShipment(t, dispatch.StatusDeliveredToAltinn, time.Hour) // not folded yet
	if got := r.today(t).By(func(dispatch.OfOutcome) bool { return true }).Arrived; got != 1 {
		t.Errorf("%d have arrived before, want one", got)
	}
	if got := read[int](t, r, `SELECT count(*) FROM follow_ups WHERE item_id = ANY(ARRAY[$1, $2]::uuid[]) AND ended_at IS NULL AND cause = 'silent'`, sent, delivered); got != 2 {
		t.Errorf("%d are silent, want two", got)
	}

	if _, err := storetest.Open(t, storetest.Owner(r.url)).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	look(sent, dispatch.GroupOnItsWay, dispatch.RouteDigital)
	look(delivered, dispatch.GroupArrived, dispatch.RouteDigital)
	look(again, dispatch.GroupArrived, dispatch.RouteDigital)
	look(known, dispatch.GroupArrived, dispatch.RouteDigital)
	r.counted(t)
	r.agree(t)
	if got := r.today(t).By(func(dispatch.OfOutcome) bool { return true }).Arrived; got != 3 {
		t.Errorf("%d have arrived, want three", got)
	}
	if got := read[string](t, r, `SELECT string_agg(item_id::text, ' ') FROM follow_ups WHERE ended_at IS NULL`); got != string(sent) {
		t.Errorf("follow-ups %s, want one of %s", got, sent)
	}
	if n, err := lists.In(r.s).FollowUps.Drift(t.Context()); n != 0 || err != nil {
		t.Errorf("%d follow-ups are not what the items say, %v", n, err)
	}
}

// TestServerReadsStatuses: only migrate writes them.
func TestServerReadsStatuses(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, table := range []string{"statuses", "signing_statuses", "causes", "applied_code"} {
		for right, want := range map[string]bool{"SELECT": true, "INSERT": false, "UPDATE": false, "DELETE": false} {
			if got := read[bool](t, r, `SELECT has_table_privilege('utsending_server', $1, $2)`, table, right); got != want {
				t.Errorf("%s on %s: got %t, want %t", right, table, got, want)
			}
		}
	}
}
