package delivery

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// gate limits one integration's runners to our share of its parallelism and rate, and serves its lanes round-robin.
type gate struct {
	limiter *rate.Limiter
	mu      sync.Mutex
	lanes   []queue.Lane
	next    int
	most    int       // maximum number of concurrent calls
	running int       // runners, each making one call at a time
	paused  time.Time // the service asked for no calls until then
}

// gates are the gates of all integrations.
type gates struct {
	mu      sync.Mutex
	by      map[dispatch.IntegrationID]*gate
	workers int
	runs    sync.WaitGroup
}

func newGates() *gates {
	return &gates{by: map[dispatch.IntegrationID]*gate{}, workers: 1}
}

// share sets the number of processes that share the integrations. 0, which excludes even ourselves, means that the
// database was unreachable: the former number stays.
func (g *gates) share(workers int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if workers > 0 {
		g.workers = workers
	}
}

// shared tells whether other processes use the integrations too.
func (g *gates) shared() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.workers > 1
}

// longestPause is the longest pause that a service can ask for.
const longestPause = 5 * time.Minute

// pause stops calls to an integration for as long as its service asks.
func (g *gates) pause(id dispatch.IntegrationID, d time.Duration) {
	g.mu.Lock()
	one := g.by[id]
	g.mu.Unlock()
	if one == nil {
		return
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	if until := time.Now().Add(min(d, longestPause)); until.After(one.paused) {
		one.paused = until
	}
}

// wait returns when all runners have ended.
func (g *gates) wait() { g.runs.Wait() }

// limiter returns the rate limiter of an integration, set to our share.
func (g *gates) limiter(id dispatch.IntegrationID, perSecond float64) *rate.Limiter {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.gate(id, perSecond).limiter
}

func (g *gates) gate(id dispatch.IntegrationID, perSecond float64) *gate {
	one, ok := g.by[id]
	if !ok {
		one = &gate{limiter: rate.NewLimiter(rate.Inf, 1)}
		g.by[id] = one
	}
	share := perSecond / float64(g.workers)
	if limit := rate.Limit(share); one.limiter.Limit() != limit {
		one.limiter.SetLimit(limit)
		one.limiter.SetBurst(max(1, int(math.Ceil(share/10))))
	}
	return one
}

// open gives each integration its lanes with due items, and starts its runners.
func (g *gates) open(lanes []queue.Lane, run func(*gate)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	by := map[dispatch.IntegrationID][]queue.Lane{}
	for _, l := range lanes {
		by[l.Integration] = append(by[l.Integration], l)
	}
	for id, lanes := range by {
		one := g.gate(id, lanes[0].RatePerSec)
		for range one.refill(lanes, max(1, lanes[0].Parallelism/g.workers)) {
			g.runs.Go(func() {
				defer one.leave()
				run(one)
			})
		}
	}
}

// refill sets the lanes and the limit of concurrent calls, and returns how many runners to start.
func (g *gate) refill(lanes []queue.Lane, most int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lanes, g.most = lanes, most
	start := max(most-g.running, 0)
	g.running += start
	return start
}

// take returns the next lane in turn, within the rate; false ends the runner: nothing is due, there are too many
// runners, or the integration is paused.
func (g *gate) take(ctx context.Context) (queue.Lane, bool) {
	if !g.wanted() || g.limiter.Wait(ctx) != nil {
		return queue.Lane{}, false
	}
	return g.turn()
}

// wanted tells whether another call may be made. It does not advance the round-robin: advancing twice for each call
// would skip every other lane.
func (g *gate) wanted() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.lanes) > 0 && g.running <= g.most && !time.Now().Before(g.paused)
}

// turn picks the next lane: items outside jobs first, then jobs round-robin.
func (g *gate) turn() (queue.Lane, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.lanes) == 0 || g.running > g.most {
		return queue.Lane{}, false
	}
	single := slices.ContainsFunc(g.lanes, func(l queue.Lane) bool { return l.Job == "" })
	for {
		g.next = (g.next + 1) % len(g.lanes)
		if l := g.lanes[g.next]; !single || l.Job == "" {
			return l, true
		}
	}
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running--
}

// empty removes a lane until the next poll of the database.
func (g *gate) empty(lane queue.Lane) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, l := range g.lanes {
		if l.Account == lane.Account && l.Channel == lane.Channel && l.Job == lane.Job {
			g.lanes = append(g.lanes[:i:i], g.lanes[i+1:]...)
			return
		}
	}
}
