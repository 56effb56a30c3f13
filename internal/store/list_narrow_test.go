package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/lists"
)

// TestNarrowListTellsTheSame: rows chosen by the narrow table agree with the items.
func TestNarrowListTellsTheSame(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	colleague := r.other(t)
	colleague.Account = r.Account
	for _, by := range []rig{r, colleague} {
		by.in(t, dispatch.StateQueued)
		for _, state := range []string{"rejected", "failed", "uncertain", "cancelled"} {
			r.exec(t, `UPDATE items SET state = $2, reason_at = now() WHERE id = $1`, by.in(t, dispatch.StateQueued), state)
		}
	}
	r.exec(t, `UPDATE items SET due_since = now() + interval '1 hour' WHERE state = 'queued' AND created_by = $1`, r.User)
	for _, status := range []string{"", "MOTTATT", "VARSLET", "SENDT_PRINT", "PRINTET", "LEST", "AVVIST", "NOE_NYTT"} {
		shipment := r.sentShipment(t, func(s *dispatch.Shipment) { s.Title, s.ExternalReference = "Vedtak "+status, "2026/1234" })
		r.exec(t, `UPDATE items SET state = 'accepted', accepted_at = now(), status = $2, status_at = now() WHERE id = $1`, shipment, status)
		sms := r.in(t, dispatch.StateQueued)
		r.exec(t, `UPDATE items SET state = 'accepted', accepted_at = now(), status = $2, status_at = now() WHERE id = $1`, sms, status)
	}
	for _, kind := range []dispatch.Kind{"", dispatch.KindSMS, dispatch.KindShipment} {
		for _, oldest := range []bool{false, true} {
			read := func(outcome string) []dispatch.ListRow {
				rows, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, lists.ListQuery{
					Viewer: r.User, Filter: dispatch.ListFilter{Kind: kind, Outcome: outcome}, Page: store.Page{Limit: 40, Oldest: oldest}})
				if err != nil || len(rows) < 8 {
					t.Fatalf("%d rows, %v", len(rows), err)
				}
				return rows
			}
			if diff := cmp.Diff(read(dispatch.OutcomeSent), read("")); diff != "" {
				t.Errorf("%q, the oldest first %t (-items +narrow):\n%s", kind, oldest, diff)
			}
		}
	}
}

// TestHandedOver: what a service has without a status is found in every order, and nothing else.
func TestHandedOver(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	accepted := func(id dispatch.ItemID, status string, tracked bool) dispatch.ItemID {
		r.exec(t, `UPDATE items SET state = 'accepted', accepted_at = now(), status = $2, upstream_id = CASE WHEN $3 THEN gen_random_uuid() END WHERE id = $1`, id, status, tracked)
		return id
	}
	r.in(t, dispatch.StateQueued)
	r.in(t, dispatch.StateUncertain)
	r.in(t, dispatch.StateDraft)
	sms := accepted(r.in(t, dispatch.StateQueued), "", true)
	letter := accepted(r.sentShipment(t, func(*dispatch.Shipment) {}), "", true)
	untracked := accepted(r.sentShipment(t, func(*dispatch.Shipment) {}), "", false)
	accepted(r.sentShipment(t, func(*dispatch.Shipment) {}), "VARSLET", true)
	for _, by := range append(dispatch.ListSorts(dispatch.KindShipment), "") {
		for kind, want := range map[dispatch.Kind][]dispatch.ItemID{"": {sms, letter, untracked}, dispatch.KindSMS: {sms}, dispatch.KindShipment: {letter, untracked}} {
			for _, group := range []dispatch.Group{"", dispatch.GroupWorking} {
				order := dispatch.ListOrder{By: by}.Offered(kind)
				q := lists.ListQuery{Viewer: r.User, Order: order, Filter: dispatch.ListFilter{Kind: kind, Group: group, Status: dispatch.StatusHandedOver}, Page: store.Page{Limit: 10}}
				rows, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, q)
				var got []dispatch.ItemID
				for _, row := range rows {
					got = append(got, row.ID)
				}
				slices.Sort(got)
				slices.Sort(want)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%q of %q in %q: got %v, %v, want %v", by, kind, group, got, err, want)
				}
			}
		}
	}
}

// TestCreators: rows name their creators, even people who came after the first list was read.
func TestCreators(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.in(t, dispatch.StateCancelled)
	names := func() (names []string) {
		rows, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, lists.ListQuery{Viewer: r.User, Page: store.Page{Limit: 10}})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			names = append(names, row.Creator)
		}
		return names
	}
	first := names()
	colleague := r.other(t)
	colleague.Account = r.Account
	colleague.in(t, dispatch.StateCancelled)
	name := read[string](t, r, `SELECT name FROM users WHERE id = $1`, colleague.User)
	if diff := cmp.Diff(append([]string{name}, first...), names()); diff != "" || first[0] == "" {
		t.Errorf("%q first, then (-want +got):\n%s", first, diff)
	}
}

// TestListAround: the surroundings of a list are the viewer's own, and the counts are read apart.
func TestListAround(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, state := range []dispatch.State{dispatch.StateDraft, dispatch.StateQueued, dispatch.StateCancelled, dispatch.StateUncertain} {
		r.in(t, state)
	}
	r.sentShipment(t, nil)
	for _, name := range []string{"Å lese", "mine", "Alt"} {
		if _, err := lists.In(r.s).Items.SaveFilter(t.Context(), r.Account.ID, r.User, name, "gruppe=stoppet"); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []dispatch.Kind{"", dispatch.KindSMS, dispatch.KindShipment} {
		want, err := lists.In(r.s).Items.Counts(t.Context(), r.Account.ID, r.User, kind)
		if err != nil || len(want) == 0 {
			t.Fatal(want, err)
		}
		for _, counted := range []bool{true, false} {
			around, err := lists.In(r.s).Items.Around(t.Context(), r.Account.ID, lists.AroundQuery{Viewer: r.User, Kind: kind, Counted: counted})
			if err != nil || len(around.Saved) != 3 || around.Saved[0].Name != "Alt" || around.FollowUps != 1 {
				t.Errorf("got %+v, %v", around, err)
			}
			if counted != (around.Counts != nil) || counted && !cmp.Equal(want, around.Counts) {
				t.Errorf("%q: got counts %v, want %v where they are asked for", kind, around.Counts, want)
			}
		}
	}
}
