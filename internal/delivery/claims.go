package delivery

import (
	"context"
	"sync"
	"time"

	"utsending/internal/store"
	"utsending/internal/store/queue"
)

// claims batches the claims of a lane: while a statement runs, free runners gather, and the next statement claims an
// item and begins an attempt for each of them. Nothing is claimed ahead for a runner that is not free to call.
type claims struct {
	store   *store.Store
	lease   time.Duration
	mu      sync.Mutex
	waiting map[queue.Lane][]chan claimed // a lane has an entry while a statement runs
}

// claimed is the result for one runner: an item whose attempt has begun, or nil.
type claimed struct {
	claim *queue.Claim
	err   error
}

func newClaims(s *store.Store, lease time.Duration) *claims {
	return &claims{store: s, lease: lease, waiting: map[queue.Lane][]chan claimed{}}
}

// next claims the next due item of a lane; nil when there is none.
func (c *claims) next(ctx context.Context, lane queue.Lane) (*queue.Claim, error) {
	if !lane.ClaimsMany() {
		return queue.In(c.store).Claims.Claim(ctx, lane, c.lease)
	}
	mine := make(chan claimed, 1)
	if first := c.join(lane, mine); first {
		go c.serve(ctx, lane)
	}
	got := <-mine
	return got.claim, got.err
}

// join adds a runner to the waiting ones, and tells whether no statement runs.
func (c *claims) join(lane queue.Lane, mine chan claimed) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting, running := c.waiting[lane]
	c.waiting[lane] = append(waiting, mine)
	return !running
}

// serve claims for the waiting runners until there are none.
func (c *claims) serve(ctx context.Context, lane queue.Lane) {
	for runners := c.gathered(lane); len(runners) > 0; runners = c.gathered(lane) {
		items, err := queue.In(c.store).Claims.ClaimMany(ctx, lane, c.lease, len(runners))
		for i, runner := range runners {
			if i < len(items) {
				runner <- claimed{claim: items[i]}
			} else {
				runner <- claimed{err: err}
			}
		}
	}
}

// gathered takes the waiting runners, as many as one statement serves.
func (c *claims) gathered(lane queue.Lane) []chan claimed {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.waiting[lane]
	n := min(len(all), queue.ClaimAtMost)
	if n == 0 {
		delete(c.waiting, lane)
		return nil
	}
	c.waiting[lane] = all[n:]
	return all[:n:n]
}
