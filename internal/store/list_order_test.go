package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/lists"
)

// ordered fills an account with what its orders must tell apart: equal texts, statuses of all groups, two senders, drafts.
func ordered(t *testing.T) rig {
	t.Helper()
	r := newRig(t)
	colleague := r.other(t)
	colleague.Account = r.Account
	r.exec(t, `UPDATE users SET name = 'Åse' WHERE id = $1`, r.User)
	r.exec(t, `UPDATE users SET name = 'Berit' WHERE id = $1`, colleague.User)
	for i, title := range []string{"ørret", "Ålesund", "Ærlig", "abc", "Abc", "", "Vedtak", "Vedtak", "vedtak"} {
		by := []rig{r, colleague}[i%2]
		id := by.sentShipment(t, func(s *dispatch.Shipment) {
			s.Title, s.ExternalReference, s.Recipient.Postal.Name = title, []string{"", "2026/1"}[i%2], fmt.Sprintf("Person %d", i%4)
		})
		status := []string{"", "LEST", "AVVIST", "SENDT_PRINT"}[i%4]
		r.exec(t, `UPDATE items SET state = 'accepted', accepted_at = now(), status = $2, status_at = now() WHERE id = $1`, id, status)
	}
	r.sentShipment(t, nil)
	later := r.sentShipment(t, nil)
	r.exec(t, `UPDATE items SET due_since = now() + interval '1 hour' WHERE id = $1`, later)
	for _, by := range []rig{r, colleague} {
		by.in(t, dispatch.StateDraft)
		by.in(t, dispatch.StateQueued)
		for _, state := range []string{"cancelled", "uncertain"} {
			r.exec(t, `UPDATE items SET state = $2, reason_at = now() WHERE id = $1`, by.in(t, dispatch.StateQueued), state)
		}
	}
	r.exec(t, `UPDATE items SET created_at = '2026-03-02 08:00:00Z' WHERE id IN (SELECT id FROM items ORDER BY id LIMIT 5)`)
	return r
}

// walk reads a list page by page, down or up, and returns its rows in the list's order.
func walk(t *testing.T, r rig, q lists.ListQuery, limit int, from *dispatch.ListRow) (rows []dispatch.ListRow) {
	t.Helper()
	up := from != nil
	q.Page = store.Page{Limit: limit, Oldest: q.Order.Upwards()}
	if up {
		q.Page = store.Above(rowCursor(*from), q.Page, limit)
	}
	for range 100 {
		page, older, newer, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, q)
		if err != nil {
			t.Fatal(err)
		}
		before, after := newer, older
		if q.Page.Oldest {
			before, after = older, newer
		}
		if up {
			rows = append(slices.Clone(page), rows...)
		} else {
			rows = append(rows, page...)
		}
		if len(page) == 0 || up && !before || !up && !after {
			return rows
		}
		if fresh := (store.Page{Limit: limit, Oldest: q.Page.Oldest}); up {
			q.Page = store.Above(rowCursor(page[0]), fresh, limit)
		} else {
			q.Page = fresh.From(rowCursor(page[len(page)-1]))
		}
	}
	t.Fatal("the list has no end")
	return nil
}

func rowCursor(r dispatch.ListRow) store.Cursor {
	return store.Cursor{At: r.CreatedAt, ID: r.ID, Value: r.Value}
}

func idsOf(rows []dispatch.ListRow) (ids []dispatch.ItemID) {
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// TestListOrders: in each order, with each filter, the list has the same rows, each once, whatever the length of its pages and the
// direction of reading; and a page can be read again from its first row.
func TestListOrders(t *testing.T) {
	t.Parallel()
	r := ordered(t)
	for name, filter := range map[string]dispatch.ListFilter{
		"all": {}, "SMS": {Kind: dispatch.KindSMS}, "shipments": {Kind: dispatch.KindShipment}, "planned": {Kind: dispatch.KindShipment, Group: dispatch.GroupPlanned},
		"a group": {Kind: dispatch.KindShipment, Group: dispatch.GroupStopped}, "a sender": {Sender: r.User}, "a status": {Kind: dispatch.KindShipment, Status: "LEST"},
	} {
		t.Run(name, func(t *testing.T) {
			usual := idsOf(walk(t, r, lists.ListQuery{Viewer: r.User, Filter: filter}, 50, nil))
			slices.Sort(usual)
			for _, by := range dispatch.ListSorts(filter.Kind) {
				for _, reversed := range []bool{false, true} {
					q := lists.ListQuery{Viewer: r.User, Filter: filter, Order: dispatch.ListOrder{By: by, Reversed: reversed}}
					whole := walk(t, r, q, 50, nil)
					sorted := idsOf(whole)
					slices.Sort(sorted)
					if diff := cmp.Diff(usual, sorted); diff != "" {
						t.Fatalf("%+v has other rows (-usual +this):\n%s", q.Order, diff)
					}
					for _, limit := range []int{1, 2, 3} {
						if diff := cmp.Diff(idsOf(whole), idsOf(walk(t, r, q, limit, nil))); diff != "" {
							t.Errorf("%+v, %d at a time (-want +got):\n%s", q.Order, limit, diff)
						}
						if n := len(whole); n > 0 {
							if diff := cmp.Diff(idsOf(whole[:n-1]), idsOf(walk(t, r, q, limit, &whole[n-1]))); diff != "" {
								t.Errorf("%+v, %d at a time, upwards (-want +got):\n%s", q.Order, limit, diff)
							}
						}
					}
					if len(whole) > 1 {
						q.Page = store.From(rowCursor(whole[1]), store.Page{Limit: 2, Oldest: q.Order.Upwards()})
						again, _, _, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, q)
						if diff := cmp.Diff(idsOf(whole[1:min(3, len(whole))]), idsOf(again)); diff != "" || err != nil {
							t.Errorf("%+v, from the second row: %v (-want +got):\n%s", q.Order, err, diff)
						}
					}
				}
			}
		})
	}
}

// TestListOrderOfTexts: texts stand as in a Norwegian dictionary, and those of protected people nowhere that tells who they are.
func TestListOrderOfTexts(t *testing.T) {
	t.Parallel()
	r := ordered(t)
	titles := func() (titles []string) {
		rows := walk(t, r, lists.ListQuery{Viewer: r.User, Filter: dispatch.ListFilter{Kind: dispatch.KindShipment, Status: "LEST"}, Order: dispatch.ListOrder{By: dispatch.SortTitle}}, 2, nil)
		for _, row := range rows {
			titles = append(titles, row.Title)
		}
		return titles
	}
	r.exec(t, `UPDATE items SET status = 'LEST' WHERE kind = 'shipment' AND state = 'accepted'`)
	r.exec(t, `UPDATE shipments SET title = 'Abc' WHERE title = 'abc'`)
	r.exec(t, `UPDATE shipments SET title = 'Vedtak' WHERE title = 'vedtak'`)
	if diff := cmp.Diff([]string{"", "Abc", "Abc", "Vedtak", "Vedtak", "Vedtak", "Ærlig", "ørret", "Ålesund"}, titles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestListOrderByValue: uncertain items come first, arrived ones last; senders stand by name, and each one's newest first.
func TestListOrderByValue(t *testing.T) {
	t.Parallel()
	r := ordered(t)
	for by, want := range map[dispatch.ListSort][]string{
		dispatch.SortStatus: {"uncertain", "stopped", "planned", "working", "on_its_way", "arrived"},
		dispatch.SortSender: {"Berit", "Åse"},
	} {
		rows := walk(t, r, lists.ListQuery{Viewer: r.User, Order: dispatch.ListOrder{By: by}}, 4, nil)
		var got []string
		for i, row := range rows {
			value := row.Value
			if by == dispatch.SortSender {
				value = row.Creator
			}
			got = append(got, value)
			if i > 0 && got[i-1] == value && rows[i-1].CreatedAt.Before(row.CreatedAt) {
				t.Errorf("%s: row %d is newer than the one above", by, i)
			}
		}
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("by %s: got %q, want %q", by, got, want)
		}
	}
	q := lists.ListQuery{Viewer: r.User, Order: dispatch.ListOrder{By: dispatch.SortStatus}, Page: store.Page{Limit: 3, Before: store.Cursor{ID: dispatch.ItemID(r.User), Value: "no group"}}}
	if rows, _, newer, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, q); err != nil || len(rows) != 3 || newer {
		t.Errorf("an unknown value is not the start: %d rows, %v", len(rows), err)
	}
}
