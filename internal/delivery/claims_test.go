package delivery

import (
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// TestRunnersShareClaims: whoever asks while something is due gets an item, each another one, however many ask at the same
// time; and then nobody gets any.
func TestRunnersShareClaims(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if _, err := s.CheckGuard(t.Context()); err != nil {
		t.Fatal(err)
	}
	sample := storetest.NewSample(t, s, "oppvekst")
	const due = 75
	for range due {
		sample.Queue(t, s, storetest.ToPhone("90000123", "Hei der"))
	}
	lanes, err := s.Lanes(t.Context())
	if err != nil || len(lanes) != 1 {
		t.Fatalf("got %d lanes, %v; want one", len(lanes), err)
	}
	c := newClaims(s, time.Minute)
	var mu sync.Mutex
	got := map[dispatch.ItemID]int{}
	ask := func() {
		claim, err := c.next(t.Context(), lanes[0])
		if err != nil || claim == nil {
			t.Errorf("got claim %v, %v; want an item", claim, err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		got[claim.Item]++
	}
	var runners sync.WaitGroup
	for range due {
		runners.Go(ask)
	}
	runners.Wait()
	if len(got) != due {
		t.Errorf("%d runners got %d different items", due, len(got))
	}
	if claim, err := c.next(t.Context(), lanes[0]); claim != nil || err != nil {
		t.Errorf("got %v, %v when nothing was left", claim, err)
	}
}
