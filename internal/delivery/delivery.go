// Package delivery is the background work: it hands due items over to the services and reads what became of them. Any
// number of processes may run it on one database.
package delivery

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/upstream"
)

// Options are what a Worker is made of. Zero durations mean the defaults.
type Options struct {
	Store    *store.Store
	Upstream *upstream.Clients
	Log      *slog.Logger
	Plan     dispatch.RefreshPlan
	Lease    time.Duration // how long a claimed item is ours without a sign of life; 30 s
	Poll     time.Duration // how often the database is asked for due items; 1 s
	Window   time.Duration // how long an uncertain shipment may still turn up at the service; 18 min
	Grace    time.Duration // how long running calls may finish when we are told to stop; 20 s

	// Delivered and Unread are told of every attempt and of every read that failed, for counting.
	Delivered func(dispatch.Kind, dispatch.IntegrationID, dispatch.Result)
	Unread    func(kind dispatch.Kind, in dispatch.IntegrationID, reason string)
}

// houseEvery is the longest time between two signs of life: others count us as gone after fifteen seconds without one.
const houseEvery = 5 * time.Second

// sweepEvery is how often we look for what time alone has made somebody's business.
const sweepEvery = time.Minute

// Worker delivers and refreshes until it is stopped.
type Worker struct {
	o      Options
	id     string
	wake   chan struct{}
	gates  *gates
	claims *claims
	book   *book
	db     *health
	told   map[queue.BlockedIntegration]bool // of which the log tells; the house's own

	reading, lookingUp *errands
}

// New returns a worker; Run starts it.
func New(o Options) *Worker {
	o.Lease = orDefault(o.Lease, 30*time.Second)
	o.Poll = orDefault(o.Poll, time.Second)
	o.Window = orDefault(o.Window, 18*time.Minute)
	o.Grace = orDefault(o.Grace, 20*time.Second)
	if o.Delivered == nil {
		o.Delivered = func(dispatch.Kind, dispatch.IntegrationID, dispatch.Result) {}
	}
	if o.Unread == nil {
		o.Unread = func(dispatch.Kind, dispatch.IntegrationID, string) {}
	}
	return &Worker{o: o, id: uuid.NewString(), wake: make(chan struct{}, 1), gates: newGates(), claims: newClaims(o.Store, o.Lease), db: &health{log: o.Log},
		reading: newErrands(), lookingUp: newErrands()}
}

func orDefault(d, standard time.Duration) time.Duration {
	if d == 0 {
		return standard
	}
	return d
}

// Wake makes the worker look for due items now. It never blocks.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Run works until ctx ends; then nothing new is claimed, and running calls may finish within the grace time.
func (w *Worker) Run(ctx context.Context) {
	calls, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(w.o.Grace, cut) })
	defer stop()

	w.book = w.openBook(calls)
	w.keepHouse(ctx) // before anything is claimed: how many share the integrations
	var loops sync.WaitGroup
	loops.Go(func() {
		if !w.gates.shared() { // else those who were here make room first, with their next look
			w.deliverDue(ctx, calls)
		}
		w.every(ctx, w.o.Poll, w.wake, func() { w.deliverDue(ctx, calls) })
	})
	loops.Go(func() { w.every(ctx, w.o.Poll, nil, func() { w.keepJobs(ctx) }) })
	loops.Go(func() { w.every(ctx, w.o.Poll, nil, func() { w.refreshDue(ctx) }) })
	loops.Go(func() { w.every(ctx, w.o.Poll, nil, func() { w.recoverDue(ctx) }) })
	loops.Go(func() { w.every(ctx, min(w.o.Lease/6, houseEvery), nil, func() { w.keepHouse(ctx) }) })
	loops.Go(func() { w.every(ctx, sweepEvery, nil, func() { w.sweep(ctx) }) })
	loops.Wait()
	w.gates.wait()
	w.reading.wait()
	w.lookingUp.wait()
	w.book.close()
	leave, cancel := context.WithTimeout(calls, time.Second)
	defer cancel()
	_ = queue.In(w.o.Store).RemoveWorker(leave, w.id) // others notice within seconds anyway
}

// every calls f after each interval, and sooner when woken. The first time is an interval away: a start does not ask the
// database for everything at once.
func (w *Worker) every(ctx context.Context, interval time.Duration, wake <-chan struct{}, f func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-wake:
		}
		if ctx.Err() == nil {
			f()
		}
	}
}

// keepHouse says that we are alive and sees to items that nobody else will.
func (w *Worker) keepHouse(ctx context.Context) {
	workers, err := queue.In(w.o.Store).Heartbeat(ctx, w.id)
	if w.db.note(ctx, err) {
		w.gates.share(workers)
	}
	dead, err := queue.In(w.o.Store).RecoverDead(ctx, w.o.Window)
	if w.db.note(ctx, err) && dead.Uncertain > 0 {
		w.o.Log.Warn("items left in mid-call are uncertain", "items", dead.Uncertain)
	}
	if dead.Queued > 0 {
		w.o.Log.Info("items left before their call are queued again", "items", dead.Queued)
	}
	w.tellHeld(ctx)
	w.db.note(ctx, registry.In(w.o.Store).SwitchCredentials(ctx))
	w.db.note(ctx, queue.In(w.o.Store).GiveUp(ctx))
	w.db.note(ctx, lists.In(w.o.Store).FoldStatistics(ctx))
	w.db.note(ctx, registry.In(w.o.Store).PurgeSessions(ctx))
	w.db.note(ctx, items.In(w.o.Store).PurgeUploads(ctx))
	w.db.note(ctx, items.In(w.o.Store).PurgeJobs(ctx))
}

// tellHeld says once of each integration that delivery has stopped to use it, and why: nothing goes there until somebody
// looks, and a person need not look at the pages.
func (w *Worker) tellHeld(ctx context.Context) {
	held, err := queue.In(w.o.Store).BlockedIntegrations(ctx)
	if !w.db.note(ctx, err) {
		return
	}
	told := map[queue.BlockedIntegration]bool{}
	for _, one := range held {
		if told[one] = true; !w.told[one] {
			w.o.Log.Error("nothing is handed over to an integration until somebody sees to it", "integration", one.Integration, "because", one.Because)
		}
	}
	w.told = told
}

// sweep finds what has come to want a person because time went by.
func (w *Worker) sweep(ctx context.Context) {
	_, err := lists.In(w.o.Store).SweepFollowUps(ctx)
	w.db.note(ctx, err)
}

// health logs once when the database goes away and once when it is back.
type health struct {
	log *slog.Logger
	mu  sync.Mutex
	bad bool
}

// note takes the result of a database call and tells whether it went well.
func (h *health) note(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return err == nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil && !store.Unreachable(err) {
		h.log.Error("database refuses a statement", "error", store.Describe(err))
		return false
	}
	if bad := err != nil; bad != h.bad {
		h.bad = bad
		if bad {
			h.log.Error("database does not answer", "error", store.Describe(err))
		} else {
			h.log.Info("database answers again")
		}
	}
	return err == nil
}
