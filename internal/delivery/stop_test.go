package delivery_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// door blocks requests whose path ends in suffix until it is opened.
type door struct {
	suffix  string
	arrived chan struct{}
	opened  chan struct{}
}

func newDoor(suffix string) *door {
	return &door{suffix: suffix, arrived: make(chan struct{}, 1000), opened: make(chan struct{})}
}

func (d *door) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, d.suffix) {
			body, _ := io.ReadAll(r.Body) // else nobody would notice a client that goes away
			r.Body = io.NopCloser(bytes.NewReader(body))
			d.arrived <- struct{}{}
			select {
			case <-d.opened:
			case <-r.Context().Done():
			}
		}
		next.ServeHTTP(w, r)
	})
}

func (d *door) await(t *testing.T) {
	t.Helper()
	select {
	case <-d.arrived:
	case <-time.After(patience):
		t.Fatal("nobody came to " + d.suffix)
	}
}

func TestStopLetsRunningCallsFinish(t *testing.T) {
	t.Parallel()
	d := newDoor("/send")
	r := newRig(t, simulator.Options{}, d.wrap)
	r.with(t, func(in *dispatch.Integration) { in.Parallelism = 1 })
	ids := r.queueMany(t, 5)
	w := r.start(t)
	d.await(t)
	w.cancel()
	w.Wake()
	close(d.opened)
	w.stop()
	if n := len(r.sim.Books()); n != 1 {
		t.Errorf("got %d accepted messages, want the one that ran", n)
	}
	if got := r.count(t, dispatch.StateAccepted); got != 1 {
		t.Errorf("got %d recorded, want 1", got)
	}
	if got := r.count(t, dispatch.StateQueued); got != len(ids)-1 {
		t.Errorf("got %d left in the queue, want %d", got, len(ids)-1)
	}
}

// However often processes are replaced under load, no message may become uncertain.
func TestManyStops(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	ids := r.queueMany(t, 120)
	for round := 1; r.count(t, dispatch.StateQueued) > 0; round++ {
		w := r.start(t)
		await.True(t, "some more are accepted", func() bool { return len(r.sim.Books()) >= min(round*12, len(ids)) })
		w.stop()
		if n := r.count(t, dispatch.StateSending) + r.count(t, dispatch.StateUncertain); n != 0 {
			t.Fatalf("got %d messages left behind by stop %d", n, round)
		}
	}
	r.wantOnce(t, ids)
}

func TestStopPastTheGraceTime(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{SlowFor: time.Hour})
	id := r.queue(t, "905") // accepted, but no answer for an hour
	w := r.start(t, func(o *delivery.Options) { o.Grace = 100 * time.Millisecond })
	await.True(t, "the service has the message", func() bool { return len(r.sim.Books()) == 1 })
	w.stop()
	it := r.Item(t, r.s, id)
	if it.State != dispatch.StateUncertain || it.Reason.Key != "reason.died" {
		t.Fatalf("got %s because of %q", it.State, it.Reason.Key)
	}
	if n := read[int](t, r, `SELECT uncertain_streak FROM integrations WHERE id = $1`, r.Integration.ID); n != 0 {
		t.Error("our own stop counts against the integration")
	}
	r.start(t)
	next := r.queue(t, "020")
	r.awaitState(t, next, dispatch.StateAccepted)
	if n := r.booked(it.Recipient.Phone); n != 1 {
		t.Errorf("got %d accepted, want it not sent again", n)
	}
}

func TestStopWhileTheLeaseIsAsked(t *testing.T) {
	t.Parallel()
	d := newDoor("/token")
	r := newRig(t, simulator.Options{}, d.wrap)
	id := r.queue(t, "020")
	w := r.start(t, func(o *delivery.Options) { o.Grace, o.Lease = 100*time.Millisecond, shortLease })
	d.await(t) // claimed, and nothing sent yet
	r.awaitProlonged(t, id)
	tx, err := r.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`SELECT FROM items WHERE id = $1 FOR UPDATE`, id); err != nil {
		t.Fatal(err)
	}
	close(d.opened) // all but the last byte goes out, then the lease is asked for, in vain
	await.True(t, "the lease is asked for", func() bool {
		return read[int](t, r, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	})
	stopped := make(chan struct{})
	go func() { w.stop(); close(stopped) }()
	await.True(t, "the result waits to be written", func() bool {
		return read[int](t, r, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE%'`) > 0
	})
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	<-stopped
	if it := r.Item(t, r.s, id); it.State != dispatch.StateQueued || len(r.sim.Books()) != 0 {
		t.Errorf("got %s (%s) and %d accepted; it was surely not sent", it.State, it.Reason.Key, len(r.sim.Books()))
	}
}

// shortLease is a lease that expires within a test.
const shortLease = 6 * time.Second

// awaitProlonged waits until an item's lease has been extended.
func (r *rig) awaitProlonged(t *testing.T, id dispatch.ItemID) {
	t.Helper()
	until := func() time.Time { return read[time.Time](t, r, `SELECT lease_until FROM items WHERE id = $1`, id) }
	was := until()
	await.True(t, "the lease is prolonged", func() bool { return until().After(was) })
}

func TestTheLeaseIsKeptWhileACallRuns(t *testing.T) {
	t.Parallel()
	d := newDoor("/send")
	r := newRig(t, simulator.Options{}, d.wrap)
	id := r.queue(t, "020")
	r.start(t, func(o *delivery.Options) { o.Lease = shortLease })
	d.await(t)
	for range 2 { // one may be the question before the last byte
		r.awaitProlonged(t, id)
	}
	close(d.opened)
	r.awaitState(t, id, dispatch.StateAccepted)
}

// A process that slept beyond its lease must not send: a person may have decided meanwhile.
func TestLeaseLostBeforeTheLastByte(t *testing.T) {
	t.Parallel()
	d := newDoor("/token")
	r := newRig(t, simulator.Options{}, d.wrap)
	id := r.queue(t, "020")
	r.start(t, func(o *delivery.Options) { o.Lease = shortLease })
	d.await(t)
	r.awaitProlonged(t, id)
	r.exec(t, `UPDATE items SET lease_until = now() - interval '1 second' WHERE id = $1`, id)
	r.awaitState(t, id, dispatch.StateUncertain)
	if n, err := items.In(r.s).Decisions.Resolve(t.Context(), r.Account, []dispatch.ItemID{id}, dispatch.DecisionDrop, r.Actor); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	close(d.opened)
	await.True(t, "the answer is recorded", func() bool {
		return read[int](t, r, `SELECT count(*) FROM attempts WHERE item_id = $1 AND outcome = 'unavailable' AND reason_key = 'reason.lease_lost'`, id) == 1
	})
	if it := r.Item(t, r.s, id); it.State != dispatch.StateCancelled || len(r.sim.Books()) != 0 {
		t.Errorf("got %s and %d accepted", it.State, len(r.sim.Books()))
	}
}
