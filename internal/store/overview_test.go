package store_test

import (
	"fmt"
	"slices"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// TestLatest: the latest items sent are of different jobs, also behind a job larger than what is read at once, of one sender or of all.
func TestLatest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	send := func(n int) dispatch.JobID {
		var rows []dispatch.JobRow
		for i := range n {
			rows = append(rows, storetest.Row(i+1, fmt.Sprintf("90%06d", i)))
		}
		id := r.SendJob(t, r.s, storetest.ListOf(nil, rows...), items.JobText{Text: "Hei der", Segments: 1})
		for made := 1; made > 0; {
			var err error
			if made, err = items.In(r.s).Maker.Make(t.Context(), merged); err != nil {
				t.Fatal(err)
			}
		}
		return id
	}
	before := r.in(t, dispatch.StateRejected)
	small, large := send(3), send(700)
	between := r.in(t, dispatch.StateRejected)
	small2 := send(2)
	latest := func(sender dispatch.UserID, most int) (got []string) {
		list, err := lists.In(r.s).Items.Latest(t.Context(), r.Account.ID, sender, most)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			if one.Job != "" {
				got = append(got, string(one.Job))
			} else {
				got = append(got, string(one.Item))
			}
		}
		return got
	}
	all := []string{string(small2), string(between), string(large), string(small), string(before)}
	if got := latest("", 9); !slices.Equal(got, all) {
		t.Errorf("got %q, want %q", got, all)
	}
	if got := latest(r.User, 2); !slices.Equal(got, all[:2]) {
		t.Errorf("the user's two latest: %q", got)
	}
	other := r.other(t)
	if list, err := lists.In(r.s).Items.Latest(t.Context(), other.Account.ID, "", 9); err != nil || len(list) > 0 {
		t.Errorf("another account: %v, %v", list, err)
	}
	if got := latest(other.User, 9); len(got) > 0 {
		t.Errorf("another sender: %q", got)
	}
}
