package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
)

// page reads one page and returns the ids in it.
func (r rig) page(t *testing.T, q lists.ListQuery, w store.Page) (ids []dispatch.ItemID, older, newer bool) {
	t.Helper()
	items, older, newer, err := lists.In(r.s).Items.List(t.Context(), r.Account.ID, withWindow(q, w))
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		ids = append(ids, it.ID)
	}
	return ids, older, newer
}

func withWindow(q lists.ListQuery, w store.Page) lists.ListQuery {
	q.Page = w
	return q
}

func (r rig) cursor(t *testing.T, id dispatch.ItemID) store.Cursor {
	t.Helper()
	return store.Cursor{At: r.Item(t, r.s, id).CreatedAt, ID: id}
}

// listed creates items, many of them in the same microsecond, and returns them newest first.
func listed(t *testing.T, r rig) []dispatch.ItemID {
	t.Helper()
	minutes := []int{0, 1, 1, 1, 1, 2, 3, 3}
	made := make([]dispatch.ItemID, len(minutes))
	for i := range made {
		made[i] = r.in(t, dispatch.StateQueued)
	}
	for i, id := range slices.Backward(made) { // so that the order in the table is not the one in the list
		r.exec(t, `UPDATE items SET created_at = '2026-03-02 08:00:00.123456Z'::timestamptz + $2 * interval '1 minute' WHERE id = $1`, id, minutes[i])
		if i%2 == 0 {
			r.exec(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, id)
		}
	}
	r.in(t, dispatch.StateDraft)
	rows, err := r.db.Query(`SELECT id FROM items WHERE account_id = $1 ORDER BY created_at DESC, id DESC`, r.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var ids []dispatch.ItemID
	for rows.Next() {
		var id dispatch.ItemID
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

func TestListPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	want, mine := listed(t, r), lists.ListQuery{Viewer: r.User}
	for _, limit := range []int{1, 2, 3, 4, len(want), len(want) + 5} {
		var down []dispatch.ItemID
		w := store.Page{Limit: limit}
		for range want {
			ids, older, newer := r.page(t, mine, w)
			if newer == w.Before.Zero() || len(ids) > limit {
				t.Errorf("limit %d: got newer %t and %d items after %d", limit, newer, len(ids), len(down))
			}
			down = append(down, ids...)
			if older != (len(down) < len(want)) {
				t.Fatalf("limit %d: got older %t after %d of %d", limit, older, len(down), len(want))
			}
			if !older {
				break
			}
			w.Before = r.cursor(t, down[len(down)-1])
		}
		if diff := cmp.Diff(want, down); diff != "" {
			t.Errorf("limit %d, towards older (-want +got):\n%s", limit, diff)
		}
		if got := upwards(t, r, want, limit); !slices.Equal(got, want) {
			t.Errorf("limit %d, towards newer: got %v, want %v", limit, got, want)
		}
	}
}

// upwards pages from the oldest item to the newest.
func upwards(t *testing.T, r rig, want []dispatch.ItemID, limit int) []dispatch.ItemID {
	t.Helper()
	up := want[len(want)-1:]
	for range want {
		ids, older, newer := r.page(t, lists.ListQuery{Viewer: r.User}, store.Page{Limit: limit, After: r.cursor(t, up[0])})
		up = append(slices.Clone(ids), up...)
		if !older || newer != (len(up) < len(want)) {
			t.Fatalf("limit %d: got older %t, newer %t after %d of %d", limit, older, newer, len(up), len(want))
		}
		if !newer {
			break
		}
	}
	return up
}

func TestListShows(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	colleague := r.other(t) // made on an account of its own, here a colleague on the same one
	colleague.Account = r.Account
	own, theirs := r.in(t, dispatch.StateDraft), colleague.in(t, dispatch.StateDraft)
	sent := colleague.in(t, dispatch.StateCancelled)
	elsewhere := r.other(t)
	elsewhere.in(t, dispatch.StateCancelled)

	tests := []struct {
		name   string
		filter lists.ListQuery
		want   []dispatch.ItemID
	}{
		{"one's own drafts and what everybody sent", lists.ListQuery{Viewer: r.User}, []dispatch.ItemID{sent, own}},
		{"a colleague's own drafts to the colleague", lists.ListQuery{Viewer: colleague.User}, []dispatch.ItemID{sent, theirs}},
		{"only one's own drafts when drafts are asked for", inGroup(r.User, dispatch.GroupPlanned), []dispatch.ItemID{own}},
		{"one group when asked", inGroup(r.User, dispatch.GroupStopped), []dispatch.ItemID{sent}},
		{"nothing in a group that nothing is in", inGroup(r.User, dispatch.GroupUncertain), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, older, newer := r.page(t, tt.filter, store.Page{Limit: 10})
			if !slices.Equal(got, tt.want) || older || newer {
				t.Errorf("got %v, older %t, newer %t; want %v alone", got, older, newer, tt.want)
			}
		})
	}
	t.Run("the latest draft is one's own", func(t *testing.T) {
		got, err := items.In(r.s).SMS.LatestDraft(t.Context(), r.Account.ID, r.User)
		if got != own || err != nil {
			t.Errorf("got %s, %v; want %s", got, err, own)
		}
	})
}

func inGroup(viewer dispatch.UserID, g dispatch.Group) lists.ListQuery {
	return lists.ListQuery{Viewer: viewer, Filter: dispatch.ListFilter{Group: g}}
}
