// Package delivery is the background work: it hands due items over to the services and reads their statuses. Any
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

// Options configure a Worker. Zero durations mean the defaults.
type Options struct {
	Store    *store.Store
	Upstream *upstream.Clients
	Log      *slog.Logger
	Plan     dispatch.RefreshPlan
	Lease    time.Duration // of a claimed item, without renewal; 30 s
	Poll     time.Duration // interval of polling for due items; 1 s
	Window   time.Duration // how long an uncertain shipment may still appear at the service; 18 min
	Grace    time.Duration // for calls in progress at shutdown; 20 s

	// Delivered is called after every attempt, Unread after every failed read, for metrics.
	Delivered func(dispatch.Kind, dispatch.IntegrationID, dispatch.Result)
	Unread    func(kind dispatch.Kind, in dispatch.IntegrationID, reason string)
}

// maintainEvery is the interval of maintenance and of our heartbeat: other processes count us as dead after fifteen
// seconds without one.
const maintainEvery = 5 * time.Second

// sweepEvery is the interval of the search for follow-ups that become due with time.
const sweepEvery = time.Minute

// Worker delivers items and reads statuses until it is stopped.
type Worker struct {
	o       Options
	id      string
	wake    chan struct{}
	gates   *gates
	claims  *claims
	commits *groupCommit
	known   known
	db      *health
	told    map[queue.BlockedIntegration]bool // blocked integrations already logged; used by maintain only

	reading, lookingUp *errands
}

// New returns a worker, to be started by Run.
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

// Wake makes the worker poll for due items now. It never blocks.
func (w *Worker) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Run works until ctx ends; then nothing more is claimed, and calls in progress may finish within the grace time.
func (w *Worker) Run(ctx context.Context) {
	calls, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(w.o.Grace, cut) })
	defer stop()

	w.commits = w.openGroupCommit(calls)
	w.maintain(ctx) // before any claim: the number of processes determines our share
	var loops sync.WaitGroup
	loops.Go(func() {
		if !w.gates.shared() { // otherwise the other processes first reduce their share, at their next heartbeat
			w.deliverDue(ctx, calls)
		}
		w.every(ctx, w.o.Poll, w.wake, func() { w.deliverDue(ctx, calls) })
	})
	loops.Go(func() { w.every(ctx, w.o.Poll, nil, func() { w.keepJobs(ctx) }) })
	loops.Go(func() { w.every(ctx, w.o.Poll, nil, func() { w.refreshDue(ctx) }) })
	loops.Go(func() { w.every(ctx, w.o.Poll, nil, func() { w.recoverDue(ctx) }) })
	loops.Go(func() { w.every(ctx, w.o.Poll, nil, func() { w.reconcileDue(ctx) }) })
	loops.Go(func() { w.every(ctx, min(w.o.Lease/6, maintainEvery), nil, func() { w.maintain(ctx) }) })
	loops.Go(func() { w.every(ctx, sweepEvery, nil, func() { w.sweep(ctx) }) })
	loops.Wait()
	w.gates.wait()
	w.reading.wait()
	w.lookingUp.wait()
	w.commits.close()
	leave, cancel := context.WithTimeout(calls, time.Second)
	defer cancel()
	_ = queue.In(w.o.Store).Workers.Remove(leave, w.id) // otherwise others notice within seconds
}

// every calls f after each interval, and sooner when woken. The first call is after an interval, so that a start does
// not query everything at once.
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

// maintain writes our heartbeat and recovers items of dead processes.
func (w *Worker) maintain(ctx context.Context) {
	w.beat(ctx)
	dead, err := queue.In(w.o.Store).Claims.RecoverDead(ctx, w.o.Window)
	if w.db.note(ctx, err) && dead.Uncertain > 0 {
		w.o.Log.Warn("items left in mid-call are uncertain", "items", dead.Uncertain)
	}
	if dead.Queued > 0 {
		w.o.Log.Info("items left before their call are queued again", "items", dead.Queued)
	}
	w.tellHeld(ctx)
	w.db.note(ctx, registry.In(w.o.Store).Credentials.Switch(ctx))
	w.db.note(ctx, queue.In(w.o.Store).Claims.GiveUp(ctx))
	w.db.note(ctx, lists.In(w.o.Store).Statistics.Fold(ctx))
	w.db.note(ctx, registry.In(w.o.Store).Sessions.Purge(ctx))
	w.db.note(ctx, items.In(w.o.Store).Documents.Purge(ctx))
	w.db.note(ctx, items.In(w.o.Store).Lists.Purge(ctx))
}

// beat writes our heartbeat and learns how many processes share the work.
func (w *Worker) beat(ctx context.Context) {
	beat, earlier := w.known.beating()
	workers, held, err := queue.In(w.o.Store).Workers.Heartbeat(ctx, w.id, beat)
	if !w.db.note(ctx, err) {
		return
	}
	w.gates.share(workers)
	if held {
		w.known.beaten(beat, earlier)
	}
}

// tellHeld logs each newly blocked integration once, with the reason, so that operators learn of it without opening
// the pages.
func (w *Worker) tellHeld(ctx context.Context) {
	held, err := queue.In(w.o.Store).Gauges.BlockedIntegrations(ctx)
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

// sweep opens the follow-ups that become due with time.
func (w *Worker) sweep(ctx context.Context) {
	_, err := lists.In(w.o.Store).FollowUps.Sweep(ctx)
	w.db.note(ctx, err)
}

// health logs once when the database becomes unreachable and once when it is back.
type health struct {
	log *slog.Logger
	mu  sync.Mutex
	bad bool
}

// note records the result of a database call and tells whether it succeeded.
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
