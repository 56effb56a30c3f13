package delivery

import (
	"context"
	"sync"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// claims lets runners of one lane that ask at the same time share a statement. Each goes on with its item at once, so
// that still nothing is marked long before its call.
type claims struct {
	store *store.Store
	lease time.Duration
	mu    sync.Mutex
	by    map[laneKey]*line
}

// laneKey tells lanes apart.
type laneKey struct {
	account dispatch.AccountID
	channel dispatch.Kind
	job     dispatch.JobID
	service dispatch.IntegrationID
}

// line is the runners that wait for the next statement of a lane.
type line struct {
	waiting []chan claimed
	asking  bool
}

// claimed is what a runner gets: an item, or none.
type claimed struct {
	claim *store.Claim
	err   error
}

func newClaims(s *store.Store, lease time.Duration) *claims {
	return &claims{store: s, lease: lease, by: map[laneKey]*line{}}
}

// next returns the next due item of a lane; nil when there is none.
func (c *claims) next(ctx context.Context, lane store.Lane) (*store.Claim, error) {
	if !lane.Together() {
		return c.store.Claim(ctx, lane, c.lease)
	}
	mine := make(chan claimed, 1)
	key := laneKey{lane.Account, lane.Channel, lane.Job, lane.Integration}
	c.mu.Lock()
	l := c.by[key]
	if l == nil {
		l = &line{}
		c.by[key] = l
	}
	l.waiting = append(l.waiting, mine)
	first := !l.asking
	l.asking = true
	c.mu.Unlock()
	if first {
		go c.serve(ctx, key, l, lane)
	}
	got := <-mine
	return got.claim, got.err
}

// serve asks for those who wait, and again for those who came meanwhile, until nobody waits.
func (c *claims) serve(ctx context.Context, key laneKey, l *line, lane store.Lane) {
	for {
		c.mu.Lock()
		waiting := l.waiting
		l.waiting = nil
		if len(waiting) == 0 {
			delete(c.by, key)
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		list, err := c.store.ClaimSome(ctx, lane, c.lease, len(waiting))
		for i, to := range waiting {
			if i < len(list) {
				to <- claimed{claim: list[i]}
			} else {
				to <- claimed{err: err}
			}
		}
	}
}
