package store_test

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/lists"
)

// chosenKinds makes items for which each act has its reasons to leave them out.
func (r rig) chosenKinds(t *testing.T) {
	t.Helper()
	shipments := r.shipments(t)
	for _, state := range []dispatch.State{
		dispatch.StateDraft, dispatch.StateQueued, dispatch.StateCancelled, dispatch.StateRejected, dispatch.StateFailed, dispatch.StateUncertain, dispatch.StateAccepted,
	} {
		r.in(t, state)
	}
	replaced := r.in(t, dispatch.StateFailed)
	r.exec(t, `UPDATE items SET origin_id = $2, origin_kind = 'replaces' WHERE id = $1`, r.in(t, dispatch.StateAccepted), replaced)
	r.exec(t, `UPDATE sms SET text = NULL WHERE item_id = $1`, r.in(t, dispatch.StateFailed))
	r.exec(t, `UPDATE attempts SET outcome = 'uncertain' WHERE item_id = $1`, r.in(t, dispatch.StateFailed))
	for _, row := range dispatch.StatusRows(dispatch.KindShipment) {
		id := shipments.acceptedShipment(t, row.Status, 0)
		r.exec(t, `UPDATE shipments SET number_hash = CASE WHEN $2 THEN 'x'::bytea END, content = CASE WHEN $2 THEN content ELSE '' END WHERE item_id = $1`, id, len(row.Status)%2 == 0)
	}
	for _, status := range []dispatch.SigningStatus{"", dispatch.SigningDone, "NOE_NYTT"} {
		id := shipments.acceptedShipment(t, dispatch.StatusRead, 0)
		r.exec(t, `UPDATE shipments SET sign_by = now() + interval '1 day', signing_status = $2, number_hash = 'x' WHERE item_id = $1`, id, status)
	}
}

// TestEffectIsTheRule: for each act, what the effect of a selection says is what the rule says of each of its items.
func TestEffectIsTheRule(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.chosenKinds(t)
	in := lists.In(r.s)
	all := lists.Selection{Viewer: r.User, List: lists.ListQuery{Viewer: r.User}, Until: time.Now().Add(time.Minute)}
	ids, err := in.Selections.Selected(t.Context(), r.Account.ID, all, dispatch.BulkMost)
	rows, _, _, listed := in.Items.List(t.Context(), r.Account.ID, lists.ListQuery{Viewer: r.User, Page: store.Page{Limit: 1000}})
	if err != nil || listed != nil || len(ids) != len(rows) || len(ids) < 30 {
		t.Fatalf("%d are chosen, and %d listed: %v, %v", len(ids), len(rows), err, listed)
	}
	found, err := in.Selections.Items(t.Context(), r.Account.ID, r.User, ids)
	if err != nil || len(found) != len(ids) {
		t.Fatalf("%d found of %d, %v", len(found), len(ids), err)
	}
	for _, act := range dispatch.BulkActs() {
		want := map[dispatch.BulkResult]int{}
		for _, it := range found {
			it.Reach = dispatch.ReachOpen
			want[act.LeftOut(it)]++
		}
		for name, sel := range map[string]lists.Selection{"ticked": {Viewer: r.User, Items: ids}, "the whole list": all} {
			groups, more, err := in.Selections.Groups(t.Context(), r.Account.ID, act, sel)
			got := map[dispatch.BulkResult]int{}
			for _, g := range groups {
				g.Reach = dispatch.ReachOpen
				got[act.LeftOut(g.BulkItem)] += g.N
			}
			if err != nil || more || !maps.Equal(got, want) {
				t.Errorf("%s of %s: %v, %t\n%s", act, name, err, more, cmp.Diff(want, got))
			}
		}
	}
}
