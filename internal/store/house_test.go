package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

func TestRecoverDead(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	alive := r.in(t, dispatch.StateSending)
	c := r.died(t)
	it := r.Item(t, r.s, c.Item)
	if it.State != dispatch.StateUncertain || it.Reason.Key != "reason.died" || it.Reason.At.IsZero() {
		t.Errorf("got %s because of %q", it.State, it.Reason.Key)
	}
	r.wantAttempt(t, c.Attempt, dispatch.Result{Outcome: dispatch.OutcomeUncertain, Reason: dispatch.Reason{Key: "reason.died"}})
	if got := r.events(t, c.Item); got != "created queued outcome:uncertain" {
		t.Errorf("got events %q", got)
	}
	if got := r.state(t, alive); got != dispatch.StateSending {
		t.Errorf("a call that runs became %s", got)
	}
	if r.tryClaim(t, r.lane()) != nil {
		t.Error("it can be claimed again")
	}
	if n, err := queue.In(r.s).Claims.RecoverDead(t.Context(), time.Minute); n != (queue.Dead{}) || err != nil {
		t.Errorf("got %+v, %v the second time", n, err)
	}
}

// TestRecoverDeadBeforeTheAttempt: an item claimed without an attempt, as by an earlier release, was certainly not
// sent.
func TestRecoverDeadBeforeTheAttempt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.queued(t)
	r.claim(t)
	r.exec(t, `DELETE FROM attempts WHERE item_id = $1`, id)
	r.exec(t, `UPDATE items SET lease_until = now() - interval '1 second' WHERE id = $1`, id)
	if n, err := queue.In(r.s).Claims.RecoverDead(t.Context(), time.Minute); n != (queue.Dead{Queued: 1}) || err != nil {
		t.Fatalf("got %+v, %v", n, err)
	}
	if c := r.claim(t); c.Item != id {
		t.Errorf("got %s, want the same item again", c.Item)
	}
	if got := r.events(t, id); got != "created queued outcome:unavailable" {
		t.Errorf("got events %q", got)
	}
}

func TestRecoverDeadByTwoAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const items = 30
	for range items {
		r.in(t, dispatch.StateSending)
	}
	r.exec(t, `UPDATE items SET lease_until = now() - interval '1 second' WHERE state = 'sending'`)
	two := storetest.Open(t, r.url)
	counts := make(chan int, 2)
	go func() { d, _ := queue.In(r.s).Claims.RecoverDead(t.Context(), time.Minute); counts <- d.Uncertain }()
	go func() { d, _ := queue.In(two).Claims.RecoverDead(t.Context(), time.Minute); counts <- d.Uncertain }()
	if n := <-counts + <-counts; n != items {
		t.Errorf("got %d recovered together, want %d", n, items)
	}
	if n := read[int](t, r, `SELECT count(*) FROM events WHERE detail = 'uncertain'`); n != items {
		t.Errorf("got %d events, want %d", n, items)
	}
}

func TestGiveUp(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	const dayAgo = `UPDATE items SET due_since = now() - interval '24 hours' WHERE id = $1`
	tests := []struct {
		name    string
		prepare func(*testing.T, rig) dispatch.ItemID
		want    dispatch.State
	}{
		{"an item that was unavailable for a day", func(t *testing.T, r rig) dispatch.ItemID {
			r.answers(t, unavailable())
			id := read[dispatch.ItemID](t, r, `SELECT id FROM items WHERE account_id = $1`, r.Account.ID)
			r.exec(t, dayAgo, id)
			return id
		}, dispatch.StateFailed},
		{"not one that was unavailable for less", func(t *testing.T, r rig) dispatch.ItemID {
			r.answers(t, unavailable())
			return read[dispatch.ItemID](t, r, `SELECT id FROM items WHERE account_id = $1`, r.Account.ID)
		}, dispatch.StateQueued},
		{"not one that was held for a day: it asks first", func(t *testing.T, r rig) dispatch.ItemID {
			return r.in(t, overdue)
		}, dispatch.StateQueued},
		{"not one in mid-call", func(t *testing.T, r rig) dispatch.ItemID {
			id := r.in(t, dispatch.StateSending)
			r.exec(t, dayAgo, id)
			return id
		}, dispatch.StateSending},
		{"not an uncertain one", func(t *testing.T, r rig) dispatch.ItemID {
			id := r.in(t, dispatch.StateUncertain)
			r.exec(t, dayAgo, id)
			return id
		}, dispatch.StateUncertain},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := base.other(t)
			id := tt.prepare(t, r)
			events := r.events(t, id)
			if err := queue.In(r.s).Claims.GiveUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			if tt.want == dispatch.StateFailed {
				events += " gave_up"
			}
			if r.state(t, id) != tt.want || r.events(t, id) != events {
				t.Errorf("got %s with events %q, want %s with %q", r.state(t, id), r.events(t, id), tt.want, events)
			}
		})
	}
}

func TestSeenAndGone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	one, two := uuid.NewString(), uuid.NewString()
	seen := func(worker string, want int) {
		t.Helper()
		if n, _, err := queue.In(r.s).Workers.Heartbeat(t.Context(), worker, 1); err != nil || n != want {
			t.Errorf("got %d workers, %v; want %d", n, err, want)
		}
	}
	seen(one, 1)
	seen(two, 2)
	seen(one, 2)
	if err := queue.In(r.s).Workers.Remove(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	seen(one, 1)
	seen(two, 2)
	r.exec(t, `UPDATE workers SET seen_at = now() - interval '16 seconds' WHERE id = $1`, two)
	seen(one, 1)
	r.exec(t, `UPDATE workers SET seen_at = now() - interval '2 hours'`)
	seen(one, 1)
	if n := read[int](t, r, `SELECT count(*) FROM workers`); n != 1 {
		t.Errorf("got %d rows, want the dead one cleared away", n)
	}
}

func TestPurgeSessions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for token, life := range map[string]time.Duration{"over": -time.Second, "running": time.Hour} {
		if err := registry.In(r.s).Sessions.Commit(token, []byte(session), time.Now().Add(life)); err != nil {
			t.Fatal(err)
		}
	}
	if err := registry.In(r.s).Sessions.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := read[string](t, r, `SELECT string_agg(token_hash, ' ') FROM sessions`); got != "running" {
		t.Errorf("got %q left", got)
	}
}

// TestMaxWaitIsOne: the longest wait is the same in the database and the domain, and no function has its own.
func TestMaxWaitIsOne(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if got := read[float64](t, r, `SELECT extract(epoch FROM max_wait())`); got != dispatch.MaxWait.Seconds() {
		t.Errorf("max_wait() is %v s, MaxWait %v", got, dispatch.MaxWait)
	}
	if got := read[string](t, r, `SELECT coalesce(string_agg(proname, ' '), '') FROM pg_proc WHERE prosrc ~ 'due_since <= now\(\) - interval'`); got != "" {
		t.Errorf("functions with a wait of their own: %s", got)
	}
}
