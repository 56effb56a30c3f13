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

// askAtMost is how many statements of one lane run at the same time: while one is written to disk, another can work.
const askAtMost = 2

// line is the runners that wait for the next statement of a lane, and how many statements run.
type line struct {
	waiting []chan claimed
	asking  int
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
	more := l.asking < askAtMost
	if more {
		l.asking++
	}
	c.mu.Unlock()
	if more {
		go c.serve(ctx, key, l, lane)
	}
	got := <-mine
	return got.claim, got.err
}

// serve asks for those who wait, and again for those who came meanwhile, until nobody waits.
func (c *claims) serve(ctx context.Context, key laneKey, l *line, lane store.Lane) {
	for waiting := c.take(key, l); len(waiting) > 0; waiting = c.take(key, l) {
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

// take returns as many of those who wait as one statement serves; none when there are none.
func (c *claims) take(key laneKey, l *line) []chan claimed {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(l.waiting) == 0 {
		l.asking--
		if l.asking == 0 {
			delete(c.by, key)
		}
		return nil
	}
	n := store.Together(len(l.waiting))
	first := l.waiting[:n:n]
	l.waiting = l.waiting[n:]
	return first
}
