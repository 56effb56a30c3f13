package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

func TestResolveRestored(t *testing.T) {
	t.Parallel()
	for decision, want := range map[dispatch.Decision]dispatch.State{
		dispatch.DecisionSent: dispatch.StateAccepted, dispatch.DecisionSendAgain: dispatch.StateQueued, dispatch.DecisionDrop: dispatch.StateCancelled,
	} {
		t.Run(string(decision), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			two := r.other(t)
			ids := []dispatch.ItemID{r.queued(t), r.queued(t), r.in(t, dispatch.StateSending)}
			theirs := two.queued(t)
			r = r.restored(t)
			two.s, two.db = r.s, r.db
			r.checkGuard(t)
			if counts, err := queue.In(r.s).Guards.Restored(t.Context()); err != nil || counts[queue.RestoredItems{Account: r.Account.ID}] != 3 || counts[queue.RestoredItems{Account: two.Account.ID}] != 1 {
				t.Errorf("got %v, %v waiting", counts, err)
			}
			n, err := items.In(r.s).Decisions.ResolveRestored(t.Context(), r.Account, false, decision, r.Actor)
			if err != nil || n != len(ids) {
				t.Fatalf("got %d, %v; want %d", n, err, len(ids))
			}
			for _, id := range ids {
				if got := r.state(t, id); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
			if got := two.state(t, theirs); got != dispatch.StateUncertain {
				t.Errorf("another account's became %s", got)
			}
			if r.tryClaim(t, r.lane()) != nil {
				t.Error("claimed while paused")
			}
			r.resume(t)
			if c := r.tryClaim(t, r.lane()); (c != nil) != (want == dispatch.StateQueued) {
				t.Errorf("got a claim after resuming: %t", c != nil)
			}
		})
	}
}

// TestRestoredPlanned: a planned item may have been moved forward after the backup. It is decided about separately,
// and if confirmed, sent at its planned time.
func TestRestoredPlanned(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	due, planned := r.queued(t), r.queued(t)
	r.exec(t, `UPDATE sms SET send_at = now() + interval '2 hours' WHERE item_id = $1`, planned)
	r.exec(t, `UPDATE items SET due_at = now() + interval '2 hours', due_since = now() + interval '2 hours' WHERE id = $1`, planned)
	r = r.restored(t)
	r.checkGuard(t)
	counts, err := queue.In(r.s).Guards.Restored(t.Context())
	if err != nil || counts[queue.RestoredItems{Account: r.Account.ID}] != 1 || counts[queue.RestoredItems{Account: r.Account.ID, Planned: true}] != 1 {
		t.Fatalf("got %v, %v", counts, err)
	}
	if n, err := items.In(r.s).Decisions.ResolveRestored(t.Context(), r.Account, false, dispatch.DecisionSent, r.Actor); n != 1 || err != nil || r.state(t, due) != dispatch.StateAccepted {
		t.Errorf("of what was due: got %d, %v", n, err)
	}
	if got := r.state(t, planned); got != dispatch.StateUncertain {
		t.Errorf("what was planned is %s", got)
	}
	if n, err := items.In(r.s).Decisions.ResolveRestored(t.Context(), r.Account, true, dispatch.DecisionSendAgain, r.Actor); n != 1 || err != nil {
		t.Errorf("of what was planned: got %d, %v", n, err)
	}
	if left := time.Until(r.Item(t, r.s, planned).DueAt); r.state(t, planned) != dispatch.StateQueued || left < 119*time.Minute || left > 2*time.Hour {
		t.Errorf("it is %s, and due in %s", r.state(t, planned), left)
	}
}

// If a restored item becomes uncertain later, that is a new question, not the restore's.
func TestUncertainAfterTheRestore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	scheduled := r.queued(t)
	r.exec(t, `UPDATE items SET due_at = now() + interval '1 hour', due_since = now() + interval '1 hour' WHERE id = $1`, scheduled)
	r = r.restored(t)
	r.checkGuard(t)
	r.resolve(t, scheduled, dispatch.DecisionSendAgain)
	r.resume(t)
	r.exec(t, `UPDATE items SET due_at = now(), due_since = now() WHERE id = $1`, scheduled)
	r.finish(t, r.claim(t), uncertain())
	if counts, err := queue.In(r.s).Guards.Restored(t.Context()); err != nil || counts[queue.RestoredItems{Account: r.Account.ID}] != 0 {
		t.Errorf("got %v, %v; want none: the restore has nothing to do with it", counts, err)
	}
}

func TestAnswersAcrossARestore(t *testing.T) {
	t.Parallel()
	t.Run("an answer proves what the restore made uncertain", func(t *testing.T) {
		r := newRig(t)
		r.queued(t)
		c := r.claim(t)
		r = r.restored(t)
		r.checkGuard(t)
		id := uuid.NewString()
		r.finish(t, c, accepted(id))
		if it := r.Item(t, r.s, c.Item); it.State != dispatch.StateAccepted || it.UpstreamID != id {
			t.Errorf("got %s with %q", it.State, it.UpstreamID)
		}
	})
	t.Run("also when the backup is older than the attempt", func(t *testing.T) {
		r := newRig(t)
		r.queued(t)
		c := r.claim(t)
		r.exec(t, `DELETE FROM attempts`)
		r.exec(t, `UPDATE items SET state = 'queued', lease_token = NULL, lease_until = NULL`)
		r = r.restored(t)
		r.checkGuard(t)
		id := uuid.NewString()
		r.finish(t, c, accepted(id))
		if it := r.Item(t, r.s, c.Item); it.State != dispatch.StateAccepted || it.UpstreamID != id {
			t.Errorf("got %s with %q", it.State, it.UpstreamID)
		}
		r.wantAttempt(t, c.Attempt, accepted(id))
	})
	t.Run("an item that the backup does not know has no answer to keep", func(t *testing.T) {
		r := newRig(t)
		r.queued(t)
		c := r.claim(t)
		r.exec(t, `DELETE FROM items`)
		wantErr(t, queue.In(r.s).Outcomes.Finish(t.Context(), queue.Ended{Claim: c, Result: accepted(uuid.NewString())}), store.ErrNotFound)
	})
}

// Maintenance by a process that has not checked the guard must not end items that may have been sent after the backup
// as unsent.
func TestGiveUpWaitsForTheGuard(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.answers(t, unavailable())
	r.exec(t, `UPDATE items SET due_at = now(), due_since = now() - interval '2 days'`)
	r = r.restored(t)
	if err := queue.In(r.s).Claims.GiveUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := read[int](t, r, `SELECT count(*) FROM items WHERE state = 'failed'`); n != 0 {
		t.Error("given up as surely not sent")
	}
	if r.checkGuard(t); read[int](t, r, `SELECT count(*) FROM items WHERE state = 'uncertain'`) != 1 {
		t.Error("not uncertain after the restore")
	}
}

func TestRestoreOfABackupThatWasTakenWhilePaused(t *testing.T) {
	t.Parallel()
	t.Run("a second restore makes uncertain anew what was decided between the two", func(t *testing.T) {
		r := newRig(t)
		id := r.queued(t)
		r = r.restored(t)
		r.checkGuard(t)
		r.resolve(t, id, dispatch.DecisionSendAgain)
		r = r.restored(t) // after this backup, the item was sent
		if g := r.checkGuard(t); !g.Paused || !g.Restored {
			t.Errorf("got %+v", g)
		}
		if got := r.state(t, id); got != dispatch.StateUncertain {
			t.Errorf("got %s, want uncertain", got)
		}
	})
	t.Run("a restore is noticed behind a person's pause", func(t *testing.T) {
		r := newRig(t)
		id := r.queued(t)
		if err := queue.In(r.s).Operations.PauseDelivery(t.Context(), r.Actor, "Kari Nordmann"); err != nil {
			t.Fatal(err)
		}
		r = r.restored(t)
		if g := r.checkGuard(t); !g.Restored || r.state(t, id) != dispatch.StateUncertain {
			t.Errorf("got %+v and %s", g, r.state(t, id))
		}
	})
	t.Run("resuming a copy that nobody has looked at lets nothing go", func(t *testing.T) {
		r := newRig(t)
		id := r.queued(t)
		if err := queue.In(r.s).Operations.PauseDelivery(t.Context(), r.Actor, "Kari Nordmann"); err != nil {
			t.Fatal(err)
		}
		r = r.restored(t)
		r.resume(t)
		if r.tryClaim(t, r.lane()) != nil {
			t.Error("claimed")
		}
		if r.checkGuard(t); r.state(t, id) != dispatch.StateUncertain {
			t.Errorf("got %s, want uncertain", r.state(t, id))
		}
	})
}

// MarkRestored is what an operator runs after a storage snapshot, which nothing can detect.
func TestMarkRestored(t *testing.T) {
	t.Parallel()
	mark := func(t *testing.T, r rig) {
		t.Helper()
		if err := queue.In(r.s).Guards.MarkRestored(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("pauses and asks about everything due", func(t *testing.T) {
		r := newRig(t)
		id := r.queued(t)
		mark(t, r)
		if g := r.checkGuard(t); g != (queue.Guard{Paused: true}) || r.state(t, id) != dispatch.StateUncertain {
			t.Errorf("got %+v and %s", g, r.state(t, id))
		}
	})
	t.Run("also in a snapshot that was paused already", func(t *testing.T) {
		r := newRig(t)
		mark(t, r)
		id := r.queued(t)
		mark(t, r)
		if r.state(t, id) != dispatch.StateUncertain {
			t.Errorf("got %s", r.state(t, id))
		}
	})
	t.Run("also in a database that has never delivered", func(t *testing.T) {
		r := newRig(t)
		r.exec(t, `DELETE FROM delivery_guard`)
		id := r.queued(t)
		mark(t, r)
		if g := r.checkGuard(t); g != (queue.Guard{Paused: true}) || r.state(t, id) != dispatch.StateUncertain {
			t.Errorf("got %+v and %s", g, r.state(t, id))
		}
	})
}

func TestPause(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]bool{"a database that delivers": false, "a database that has never delivered": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			if first {
				r.exec(t, `DELETE FROM delivery_guard`)
			}
			r.queued(t)
			if err := queue.In(r.s).Operations.PauseDelivery(t.Context(), r.Actor, "Kari Nordmann"); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if g := r.checkGuard(t); g != (queue.Guard{Paused: true, PausedBy: "Kari Nordmann"}) || r.tryClaim(t, r.lane()) != nil {
					t.Errorf("got %+v, or a claim", g)
				}
			}
			if n := read[int](t, r, `SELECT count(*) FROM items WHERE restored_at IS NOT NULL`); n != 0 {
				t.Error("a pause marked items")
			}
			r.resume(t)
			if r.checkGuard(t) != (queue.Guard{}) || r.tryClaim(t, r.lane()) == nil {
				t.Error("delivery does not go on")
			}
		})
	}
	t.Run("a call that runs keeps its lease", func(t *testing.T) {
		r := newRig(t)
		r.queued(t)
		c := r.claim(t)
		if err := queue.In(r.s).Operations.PauseDelivery(t.Context(), r.Actor, "Kari Nordmann"); err != nil {
			t.Fatal(err)
		}
		if ok, err := queue.In(r.s).Claims.Extend(t.Context(), c, time.Minute); !ok || err != nil {
			t.Errorf("got %t, %v", ok, err)
		}
	})
}
