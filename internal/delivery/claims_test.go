package delivery

import (
	"sync"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/storetest"
)

// dueSMS returns a lane with so many due SMS, and who sent them.
func dueSMS(t *testing.T, due int) (*store.Store, store.Lane, storetest.Sample) {
	t.Helper()
	s := storetest.New(t)
	if _, err := s.CheckGuard(t.Context()); err != nil {
		t.Fatal(err)
	}
	sample := storetest.NewSample(t, s, "oppvekst")
	for range due {
		sample.Queue(t, s, storetest.ToPhone("90000123", "Hei der"))
	}
	lanes, err := s.Lanes(t.Context())
	if err != nil || len(lanes) != 1 {
		t.Fatalf("got %d lanes, %v; want one", len(lanes), err)
	}
	return s, lanes[0], sample
}

// TestRunnersShareClaims: whoever asks while something is due gets an item, each another one, however many ask at the same
// time; and then nobody gets any.
func TestRunnersShareClaims(t *testing.T) {
	t.Parallel()
	const due = 75
	s, lane, _ := dueSMS(t, due)
	c := newClaims(s, time.Minute)
	var mu sync.Mutex
	got := map[dispatch.ItemID]int{}
	ask := func() {
		claim, err := c.next(t.Context(), lane)
		// What is claimed ahead is put back when nobody comes for it within a second, as on a busy machine: then it is asked again.
		for end := time.Now().Add(await.Limit); claim == nil && err == nil && time.Now().Before(end); {
			claim, err = c.next(t.Context(), lane)
		}
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
	if claim, err := c.next(t.Context(), lane); claim != nil || err != nil {
		t.Errorf("got %v, %v when nothing was left", claim, err)
	}
}

// claimedAhead returns claims that hold so many items ahead.
func claimedAhead(t *testing.T, s *store.Store, lane store.Lane, most int) *claims {
	t.Helper()
	c := newClaims(s, time.Minute)
	l := &line{lane: lane}
	c.by[keyOf(lane)] = l
	c.fill(t.Context(), l, filling{lane: lane, most: most})
	if len(l.ahead) != most {
		t.Fatalf("%d are claimed ahead", len(l.ahead))
	}
	return c
}

// awaitDue returns when so many items are queued and due.
func awaitDue(t *testing.T, s *store.Store, due int) {
	t.Helper()
	for {
		queues, err := s.Queues(t.Context())
		if err != nil {
			t.Fatal(err) // also when the test has run out of time
		}
		if len(queues) == 1 && queues[0].Due == due {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// TestClaimedAheadIsPutBack: nobody comes for it, we stop, or it may not go any more.
func TestClaimedAheadIsPutBack(t *testing.T) {
	t.Parallel()
	const due, ahead = 5, 4
	for name, then := range map[string]func(*testing.T, *claims, store.Lane, storetest.Sample){
		"when nobody comes for it": func(*testing.T, *claims, store.Lane, storetest.Sample) {},
		"when we stop":             func(t *testing.T, c *claims, _ store.Lane, _ storetest.Sample) { c.close(t.Context()) },
		"when it may not go": func(t *testing.T, c *claims, lane store.Lane, by storetest.Sample) {
			if err := c.store.Pause(t.Context(), by.Actor, "Kari"); err != nil {
				t.Fatal(err)
			}
			if got, err := c.next(t.Context(), lane); got != nil || err != nil {
				t.Errorf("got %v, %v while delivery is paused", got, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, lane, sample := dueSMS(t, due)
			then(t, claimedAhead(t, s, lane, ahead), lane, sample)
			awaitDue(t, s, due)
		})
	}
}
