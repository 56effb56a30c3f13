package delivery

import (
	"context"
	"sync"
	"time"

	"utsending/internal/store"
	"utsending/internal/store/queue"
)

// claims lets runners of one lane share statements: while one runs, those who come gather, and the next one claims an item and
// begins an attempt for each of them. Nothing is claimed for a runner that is not free to call.
type claims struct {
	store   *store.Store
	lease   time.Duration
	mu      sync.Mutex
	waiting map[queue.Lane][]chan claimed // a lane is in it while a statement runs
}

// claimed is what a runner gets: an item whose attempt is begun, or none.
type claimed struct {
	claim *queue.Claim
	err   error
}

func newClaims(s *store.Store, lease time.Duration) *claims {
	return &claims{store: s, lease: lease, waiting: map[queue.Lane][]chan claimed{}}
}

// next returns the next due item of a lane; nil when there is none.
func (c *claims) next(ctx context.Context, lane queue.Lane) (*queue.Claim, error) {
	if !lane.ClaimsMany() {
		return queue.In(c.store).Claim(ctx, lane, c.lease)
	}
	mine := make(chan claimed, 1)
	if first := c.join(lane, mine); first {
		go c.serve(ctx, lane)
	}
	got := <-mine
	return got.claim, got.err
}

// join adds a runner to those who wait, and tells whether no statement runs.
func (c *claims) join(lane queue.Lane, mine chan claimed) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting, running := c.waiting[lane]
	c.waiting[lane] = append(waiting, mine)
	return !running
}

// serve claims for those who wait, until nobody does.
func (c *claims) serve(ctx context.Context, lane queue.Lane) {
	for runners := c.gathered(lane); len(runners) > 0; runners = c.gathered(lane) {
		items, err := queue.In(c.store).ClaimMany(ctx, lane, c.lease, len(runners))
		for i, runner := range runners {
			if i < len(items) {
				runner <- claimed{claim: items[i]}
			} else {
				runner <- claimed{err: err}
			}
		}
	}
}

// gathered takes those who wait, as many as one statement serves.
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
