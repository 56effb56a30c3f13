package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// TestNarrowListTellsTheSame: what the narrow table chooses is shown as what is read from the items themselves.
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
		letter := r.sentLetter(t, func(s *dispatch.Shipment) { s.Title, s.ExternalReference = "Vedtak "+status, "2026/1234" })
		r.exec(t, `UPDATE items SET state = 'accepted', accepted_at = now(), status = $2, status_at = now() WHERE id = $1`, letter, status)
		sms := r.in(t, dispatch.StateQueued)
		r.exec(t, `UPDATE items SET state = 'accepted', accepted_at = now(), status = $2, status_at = now() WHERE id = $1`, sms, status)
	}
	for _, kind := range []dispatch.Kind{"", dispatch.KindSMS, dispatch.KindShipment} {
		for _, oldest := range []bool{false, true} {
			read := func(outcome string) []dispatch.ListRow {
				rows, _, _, err := r.s.List(t.Context(), r.Account.ID, store.ListQuery{
					Viewer: r.User, Filter: dispatch.ListFilter{Kind: kind, Outcome: outcome}, Window: store.Window{Limit: 40, Oldest: oldest}})
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

// TestCreators: rows say who made them, also people who came after the first list was read.
func TestCreators(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.in(t, dispatch.StateCancelled)
	names := func() (names []string) {
		rows, _, _, err := r.s.List(t.Context(), r.Account.ID, store.ListQuery{Viewer: r.User, Window: store.Window{Limit: 10}})
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

// TestListWhole: what stands around a list is the same whether it comes with the rows or by itself, and so are the rows.
func TestListWhole(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, state := range []dispatch.State{dispatch.StateDraft, dispatch.StateQueued, dispatch.StateCancelled, dispatch.StateUncertain} {
		r.in(t, state)
	}
	r.sentLetter(t, nil)
	for _, name := range []string{"Å lese", "mine", "Alt"} {
		if _, err := r.s.SaveFilter(t.Context(), r.Account.ID, r.User, name, "gruppe=stoppet"); err != nil {
			t.Fatal(err)
		}
	}
	for name, filter := range map[string]dispatch.ListFilter{
		"everything": {}, "SMS": {Kind: dispatch.KindSMS}, "letters": {Kind: dispatch.KindShipment}, "a group": {Group: dispatch.GroupStopped},
		"a group that is read from items": {Group: dispatch.GroupWorking}, "a sender": {Sender: r.User}, "a group and a sender": {Group: dispatch.GroupStopped, Sender: r.User}, "a status": {Status: "LEST"}, "no kind": {Kind: dispatch.KindSMS, Type: "Vedtak"},
	} {
		for _, w := range []store.Window{{Limit: 2}, {Limit: 10, Oldest: true}} {
			lq := store.ListQuery{Viewer: r.User, Filter: filter, Window: w}
			aq := store.AroundQuery{Viewer: r.User, Kind: filter.Kind, Counted: filter.Plain()}
			rows, older, newer, around, err := r.s.ListWhole(t.Context(), r.Account.ID, lq, aq)
			if err != nil {
				t.Fatal(err)
			}
			wantRows, wantOlder, wantNewer, err := r.s.List(t.Context(), r.Account.ID, lq)
			if err != nil {
				t.Fatal(err)
			}
			wantAround, err := r.s.ListAround(t.Context(), r.Account.ID, aq)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(wantRows, rows); diff != "" || older != wantOlder || newer != wantNewer {
				t.Errorf("%s: older %t, newer %t, rows (-want +got):\n%s", name, older, newer, diff)
			}
			if diff := cmp.Diff(wantAround, around); diff != "" || len(around.Saved) != 3 || around.FollowUps != 1 {
				t.Errorf("%s: around (-want +got):\n%s", name, diff)
			}
		}
	}
}
