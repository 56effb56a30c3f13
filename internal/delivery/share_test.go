package delivery_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
)

// crowd counts concurrent sends.
type crowd struct {
	mu        sync.Mutex
	now, most int
}

func (c *crowd) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/send") {
			c.add(1)
			defer c.add(-1)
		}
		next.ServeHTTP(w, r)
	})
}

func (c *crowd) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += n
	c.most = max(c.most, c.now)
}

func (c *crowd) peak() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.most
}

// rounds answers sends in groups of n, so that no runner laps one that waits for the database.
type rounds struct {
	next  http.Handler
	size  int
	left  int // sends to come
	mu    sync.Mutex
	here  int
	begun chan struct{} // closed when the round is full
}

func (r *rounds) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if strings.HasSuffix(q.URL.Path, "/send") {
		<-r.arrive()
	}
	r.next.ServeHTTP(w, q)
}

// arrive joins the round, and completes it if no other runner is to come.
func (r *rounds) arrive() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun == nil {
		r.begun = make(chan struct{})
	}
	full := r.begun
	if r.here++; r.here == min(r.size, r.left) {
		r.left, r.here, r.begun = r.left-r.here, 0, nil
		close(full)
	}
	return full
}

func TestTwoWorkersDeliverEachMessageOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	ids := r.queueMany(t, 300)
	r.start(t)
	r.start(t)
	r.awaitAccepted(t, len(ids))
	r.wantOnce(t, ids)
	if n := len(r.sim.Books()); n != len(ids) {
		t.Errorf("got %d accepted messages, want %d", n, len(ids))
	}
	if n := read[int](t, r, `SELECT count(*) FROM attempts`); n != len(ids) {
		t.Errorf("got %d attempts, want %d", n, len(ids))
	}
}

func TestOneAccountsThousandsDoNotKeepAnotherWaiting(t *testing.T) {
	t.Parallel()
	for _, parallelism := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("with %d at once", parallelism), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, simulator.Options{}, func(next http.Handler) http.Handler { return &rounds{next: next, size: parallelism, left: 102} })
			r.with(t, func(in *dispatch.Integration) { in.Parallelism = parallelism })
			two, three := r.other(t, true), r.other(t, true)
			r.queueMany(t, 100)
			single, other := two.queue(t, "020"), three.queue(t, "020")
			r.start(t)
			for _, id := range []dispatch.ItemID{single, other} {
				phone := two.awaitEither(t, three, id)
				for place, m := range r.sim.Books() {
					if m.Phone == phone && place > 3*parallelism+10 {
						t.Errorf("a single message went as number %d", place+1)
					}
				}
			}
			r.awaitAccepted(t, 100)
		})
	}
}

// awaitEither waits for an item of one of two accounts and returns its number.
func (r *rig) awaitEither(t *testing.T, other *rig, id dispatch.ItemID) string {
	t.Helper()
	if read[string](t, r, `SELECT account_id::text FROM items WHERE id = $1`, id) != string(r.Account.ID) {
		r = other
	}
	it := r.awaitState(t, id, dispatch.StateAccepted)
	return it.Recipient.Phone.Reveal()
}

func TestParallelism(t *testing.T) {
	t.Parallel()
	const parallelism = 4
	for workers := 1; workers <= 2; workers++ {
		t.Run(fmt.Sprintf("of one integration, by %d workers", workers), func(t *testing.T) {
			t.Parallel()
			var c crowd
			d := newDoor("/send")
			r := newRig(t, simulator.Options{}, d.wrap, c.wrap)
			r.with(t, func(in *dispatch.Integration) { in.Parallelism = parallelism })
			for range workers {
				r.start(t, func(o *delivery.Options) { o.Lease = shortLease })
			}
			r.awaitShared(t, workers)
			two := r.other(t, true)
			r.queueMany(t, 20)
			two.queueMany(t, 10)
			await.True(t, "as many calls run as may", func() bool { return c.peak() >= parallelism })
			r.looked(t, workers)
			if got := c.peak(); got != parallelism {
				t.Errorf("got %d at once, want %d", got, parallelism)
			}
			close(d.opened)
			r.awaitAccepted(t, 20)
			two.awaitAccepted(t, 10)
			if got := c.peak(); got != parallelism {
				t.Errorf("got %d at once later, want %d", got, parallelism)
			}
		})
	}
}

// TestNewcomersShareAtOnce: a worker that was alone yields calls at its next poll, not at its next heartbeat.
func TestNewcomersShareAtOnce(t *testing.T) {
	t.Parallel()
	const parallelism = 4
	var c crowd
	d := newDoor("/send")
	r := newRig(t, simulator.Options{}, d.wrap, c.wrap)
	r.with(t, func(in *dispatch.Integration) { in.Parallelism = parallelism })
	for workers := 1; workers <= 2; workers++ {
		r.start(t)
		await.True(t, "the worker is seen", func() bool { return read[int](t, r, `SELECT count(*) FROM workers`) == workers })
	}
	r.queueMany(t, 20)
	await.True(t, "as many calls run as may", func() bool { return c.peak() >= parallelism })
	r.looked(t, 2)
	if got := c.peak(); got != parallelism {
		t.Errorf("got %d at once, want %d", got, parallelism)
	}
	close(d.opened)
	r.awaitAccepted(t, 20)
}

// TestNewcomersWait: a new worker starts no call at its start while another works, which counts it at its own next heartbeat. The other is
// a row here, so that only the newcomer can call.
func TestNewcomersWait(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	if _, err := r.db.Exec(`INSERT INTO workers (id, seen_at) VALUES (gen_random_uuid(), now() + interval '1 hour')`); err != nil {
		t.Fatal(err)
	}
	id := r.queue(t, "020")
	newcomer := r.start(t, func(o *delivery.Options) { o.Poll, o.Lease = time.Hour, shortLease })
	for range 2 { // the first heartbeat may come before the first chance to call, the second comes after it
		now := read[time.Time](t, r, `SELECT now()`)
		await.True(t, "the newcomer gives a sign of life", func() bool {
			return read[int](t, r, `SELECT count(*) FROM workers WHERE seen_at > $1 AND seen_at < now() + interval '1 minute'`, now) == 1
		})
	}
	if it := r.Item(t, r.s, id); it.State != dispatch.StateQueued {
		t.Errorf("the newcomer began at once: the message is %s", it.State)
	}
	newcomer.Wake()
	r.awaitState(t, id, dispatch.StateAccepted)
}

// awaitShared waits until every worker knows their number.
func (r *rig) awaitShared(t *testing.T, workers int) {
	t.Helper()
	const all = `SELECT count(*) FROM workers WHERE seen_at > $1`
	for range 2 { // the second sign of life comes after the first has been counted by all
		now := read[time.Time](t, r, `SELECT now()`)
		await.True(t, "the workers know of each other", func() bool { return read[int](t, r, all, now) == workers })
	}
}

func TestParallelismHoldsForEachIntegration(t *testing.T) {
	t.Parallel()
	var c crowd
	r := newRig(t, simulator.Options{SlowFor: 20 * time.Millisecond}, c.wrap)
	r.sim.SetChaos(func(string, string) simulator.Fault { return simulator.Slow })
	r.with(t, func(in *dispatch.Integration) { in.Parallelism = 1 })
	apart := r.other(t, false)
	apart.with(t, func(in *dispatch.Integration) { in.Parallelism = 1 })
	r.queueMany(t, 20)
	apart.queueMany(t, 20)
	r.start(t)
	r.awaitAccepted(t, 20)
	apart.awaitAccepted(t, 20)
	if got := c.peak(); got != 2 {
		t.Errorf("got %d at once, want one of each integration", got)
	}
}

func TestRate(t *testing.T) {
	t.Parallel()
	const perSecond, n = 8, 12
	for workers := 1; workers <= 2; workers++ {
		t.Run(fmt.Sprintf("of one integration, by %d workers", workers), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, simulator.Options{})
			r.with(t, func(in *dispatch.Integration) { in.RatePerSec = perSecond })
			for range workers {
				r.start(t, func(o *delivery.Options) { o.Lease = shortLease })
			}
			r.awaitShared(t, workers)
			start := time.Now()
			r.queueMany(t, n)
			r.awaitAccepted(t, n)
			// Each worker may send one at once.
			if got, want := time.Since(start), time.Duration(n-workers)*time.Second/perSecond; got < want {
				t.Errorf("got %d messages in %s, want at least %s", n, got, want)
			}
		})
	}
}

func TestWakeDoesNotWaitForThePoll(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	w := r.start(t, func(o *delivery.Options) { o.Poll = time.Hour })
	await.True(t, "the worker has begun", func() bool { return read[int](t, r, `SELECT count(*) FROM delivery_guard`) == 1 })
	id := r.queue(t, "020")
	await.True(t, "the message goes when the worker is woken", func() bool {
		w.Wake()
		return r.Item(t, r.s, id).State == dispatch.StateAccepted
	})
}

// Living workers share; one with a long lease must not be taken for dead.
func TestSignsOfLife(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	w := r.start(t, func(o *delivery.Options) { o.Lease = 10 * time.Minute })
	await.True(t, "the worker is seen", func() bool { return read[int](t, r, `SELECT count(*) FROM workers`) == 1 })
	r.exec(t, `UPDATE workers SET seen_at = now() - interval '14 seconds'`)
	await.True(t, "the worker is seen again before the others count it as gone", func() bool {
		return read[bool](t, r, `SELECT seen_at > now() - interval '10 seconds' FROM workers`)
	})
	w.stop()
	if n := read[int](t, r, `SELECT count(*) FROM workers`); n != 0 {
		t.Error("a worker that has stopped still counts")
	}
}
