package delivery

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// dueSMS returns a lane with n due SMS.
func dueSMS(t *testing.T, due int) (*store.Store, queue.Lane) {
	t.Helper()
	s := storetest.New(t)
	if _, err := queue.In(s).Guards.Check(t.Context(), queue.Witness{}); err != nil {
		t.Fatal(err)
	}
	rows := make([]dispatch.JobRow, due)
	for i := range rows {
		rows[i] = storetest.Row(i+1, "90000123", "Navn")
	}
	storetest.NewSample(t, s, "oppvekst").SendJob(t, s, storetest.ListOf([]string{"fornavn"}, rows...), items.JobText{Text: "Hei der"})
	if _, err := items.In(s).Maker.Make(t.Context(), recipients.Merge); err != nil {
		t.Fatal(err)
	}
	lanes, err := queue.In(s).Claims.Lanes(t.Context())
	if err != nil || len(lanes) != 1 {
		t.Fatalf("got %d lanes, %v; want one", len(lanes), err)
	}
	return s, lanes[0]
}

// TestRunnersShareClaims: concurrent callers get different items while any are due, then none. Items that no caller
// asked for are unchanged.
func TestRunnersShareClaims(t *testing.T) {
	t.Parallel()
	const due, more = 75, 5
	s, lane := dueSMS(t, due+more)
	c := newClaims(s, time.Minute)
	var mu sync.Mutex
	got := map[dispatch.ItemID]bool{}
	ask := func() {
		claim, err := c.next(t.Context(), lane)
		if err != nil || claim == nil {
			t.Errorf("got claim %v, %v; want an item", claim, err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		got[claim.Item] = true
	}
	asked := func(n int) {
		var runners sync.WaitGroup
		for range n {
			runners.Go(ask)
		}
		runners.Wait()
	}
	asked(due)
	if len(got) != due {
		t.Errorf("%d runners got %d different items", due, len(got))
	}
	if queues, err := queue.In(s).Gauges.Queues(t.Context()); err != nil || len(queues) != 1 || queues[0].Due != more {
		t.Errorf("got %+v, %v; want %d left in the queue", queues, err, more)
	}
	asked(more)
	if claim, err := c.next(t.Context(), lane); claim != nil || err != nil {
		t.Errorf("got %v, %v when nothing was left", claim, err)
	}
}

// TestRunnersGather: callers that come while a statement runs share the next one.
func TestRunnersGather(t *testing.T) {
	t.Parallel()
	const runners = queue.ClaimAtMost + 6
	s, lane := dueSMS(t, runners)
	c := newClaims(s, time.Minute)
	c.waiting[lane] = nil // a statement runs
	waiting := make([]chan claimed, runners)
	for i := range waiting {
		waiting[i] = make(chan claimed, 1)
		if c.join(lane, waiting[i]) {
			t.Fatal("a second statement begins")
		}
	}
	c.serve(t.Context(), lane)
	served := map[string]int{} // by the token that a statement gives to all
	for _, one := range waiting {
		got := <-one
		if got.claim == nil || got.err != nil {
			t.Fatal(got)
		}
		served[got.claim.Token]++
	}
	if sizes := slices.Sorted(maps.Values(served)); !slices.Equal(sizes, []int{runners - queue.ClaimAtMost, queue.ClaimAtMost}) {
		t.Errorf("got statements of %v items", sizes)
	}
	if first := c.join(lane, make(chan claimed, 1)); !first {
		t.Error("the next to come would wait for nothing")
	}
}
