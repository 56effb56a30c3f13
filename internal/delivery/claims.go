package delivery

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// claims lets runners of one lane share statements: one claims for several of them, a few moments ahead, and one begins
// the attempts of those that wait. An attempt is still begun just before its own call, and what is only claimed is never in
// doubt.
type claims struct {
	store *store.Store
	lease time.Duration
	mu    sync.Mutex
	by    map[laneKey]*line
	work  sync.WaitGroup
}

// laneKey tells lanes apart.
type laneKey struct {
	account dispatch.AccountID
	channel dispatch.Kind
	job     dispatch.JobID
	service dispatch.IntegrationID
}

func keyOf(l store.Lane) laneKey { return laneKey{l.Account, l.Channel, l.Job, l.Integration} }

const (
	// aheadTime is how long what is claimed ahead lasts at the pace of the lane.
	aheadTime = 50 * time.Millisecond
	// aheadKeep is how long an item that is claimed ahead waits for its turn before it is put back.
	aheadKeep = time.Second
	// releaseTime bounds a statement that puts back.
	releaseTime = 5 * time.Second
)

// line is a lane with the runners that wait, and what is claimed for those to come.
type line struct {
	key       laneKey
	lane      store.Lane // as it was last asked for
	waiting   []chan claimed
	ahead     []*store.Claim
	beginning bool // whether a statement begins attempts: those who come meanwhile share the next one
	filling   bool // whether one claims
	dry       bool // the last one found less than it asked for

	taken int       // items handed out since then: the pace
	since time.Time // when something was last claimed
}

// claimed is what a runner gets: an item whose attempt is begun, or none.
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
	c.join(ctx, lane, mine)
	got := <-mine
	return got.claim, got.err
}

func (c *claims) join(ctx context.Context, lane store.Lane, mine chan claimed) {
	key := keyOf(lane)
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.by[key]
	if l == nil {
		l = &line{key: key}
		c.by[key] = l
	}
	l.lane = lane
	l.waiting = append(l.waiting, mine)
	c.move(ctx, l)
}

// move starts the statements that a line needs now, and forgets one that is through. The lock is held.
func (c *claims) move(ctx context.Context, l *line) {
	if !l.beginning && len(l.waiting) > 0 && len(l.ahead) > 0 {
		l.beginning = true
		c.work.Go(func() { c.begin(ctx, l) })
	}
	if most := l.wants(); most > 0 {
		l.filling = true
		f := filling{l.lane, most, len(l.waiting) + l.taken}
		c.work.Go(func() { c.fill(ctx, l, f) })
	}
	if l.dry && !l.filling && !l.beginning && len(l.ahead) == 0 {
		delete(c.by, l.key)
	}
}

// wants returns how many items are to be claimed now: for those who wait, and ahead while the lane keeps its pace.
func (l *line) wants() int {
	missing, pace := len(l.waiting)-len(l.ahead), 0
	if passed := time.Since(l.since); passed < aheadKeep {
		pace = int(float64(l.taken) * aheadTime.Seconds() / passed.Seconds())
	}
	switch {
	case l.filling:
		return 0
	case missing > 0:
		return store.Together(max(missing, pace))
	case !l.dry && len(l.ahead) < pace/2:
		return store.Together(pace)
	}
	return 0
}

// filling is a statement that claims: how many items, and how many runners had come when it began.
type filling struct {
	lane store.Lane
	most int
	came int
}

// fill claims items. Who has waited since before, when there are none, gets none.
func (c *claims) fill(ctx context.Context, l *line, f filling) {
	list, err := c.store.ClaimSome(ctx, f.lane, c.lease, f.most)
	c.mu.Lock()
	defer c.mu.Unlock()
	l.ahead = append(l.ahead, list...)
	if waited := f.came - l.taken; len(list) == 0 && waited > len(l.ahead) {
		for _, to := range l.waiting[len(l.ahead):waited] {
			to <- claimed{err: err}
		}
		l.waiting = append(l.waiting[:len(l.ahead):len(l.ahead)], l.waiting[waited:]...)
	}
	l.filling, l.dry, l.taken, l.since = false, len(list) < f.most, 0, time.Now()
	c.move(ctx, l)
	if len(l.ahead) > 0 {
		time.AfterFunc(aheadKeep, func() { c.putBack(ctx, l) })
	}
}

// beginning is a statement that begins attempts, one for each of the runners.
type beginning struct {
	lane    store.Lane
	runners []chan claimed
	items   []*store.Claim
}

// gather is how often a beginning gives way to whatever else can run. Answers come in groups, and so do the runners whose
// calls they end: one statement then serves them all, not one the first of them and another one the rest.
const gather = 3

// begin begins attempts for those who wait. When they may not go any more, neither may what else is claimed.
func (c *claims) begin(ctx context.Context, l *line) {
	for range gather {
		runtime.Gosched()
	}
	b := c.pair(l)
	ok, err := c.store.Begin(ctx, b.lane, b.items)
	for i, to := range b.runners {
		if ok {
			to <- claimed{claim: b.items[i]}
		} else {
			to <- claimed{err: err}
		}
	}
	c.mu.Lock()
	l.beginning = false
	var held []*store.Claim
	if !ok {
		held, l.ahead = append(b.items, l.ahead...), nil
	}
	c.move(ctx, l)
	c.mu.Unlock()
	c.release(ctx, b.lane, held)
}

// pair gives those who wait what is claimed ahead.
func (c *claims) pair(l *line) beginning {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(l.waiting), len(l.ahead))
	b := beginning{l.lane, l.waiting[:n:n], l.ahead[:n:n]}
	l.waiting, l.ahead = l.waiting[n:], l.ahead[n:]
	l.taken += n
	return b
}

// putBack puts back what has been claimed ahead for too long: the pace of the lane has fallen.
func (c *claims) putBack(ctx context.Context, l *line) {
	c.mu.Lock()
	var old []*store.Claim
	for len(l.ahead) > 0 && !l.ahead[0].Younger(aheadKeep) {
		old, l.ahead = append(old, l.ahead[0]), l.ahead[1:]
	}
	lane := l.lane
	c.mu.Unlock()
	c.release(ctx, lane, old)
}

// release puts items back whose attempts are not begun. What cannot be put back now is when its lease runs out.
func (c *claims) release(ctx context.Context, lane store.Lane, items []*store.Claim) {
	if len(items) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	_ = c.store.Unclaim(ctx, lane, items)
}

// close puts everything back that is claimed ahead. No runner may be left.
func (c *claims) close(ctx context.Context) {
	c.work.Wait()
	c.mu.Lock()
	lines := slices.Collect(maps.Values(c.by))
	c.by = map[laneKey]*line{}
	c.mu.Unlock()
	for _, l := range lines {
		c.mu.Lock()
		items := l.ahead
		l.ahead = nil // putBack may come still
		c.mu.Unlock()
		c.release(ctx, l.lane, items)
	}
}
