package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

// TestStopWhileACallIsUnderWay: the wish is kept until it is known whether the item was sent.
func TestStopWhileACallIsUnderWay(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	for name, tt := range map[string]struct {
		answer dispatch.Result
		state  dispatch.State
		counts bool // against the account's quota
	}{
		"sent":         {accepted(uuid.NewString()), dispatch.StateAccepted, true},
		"not sent":     {unavailable(), dispatch.StateCancelled, false},
		"refused":      {refused(dispatch.ScopeAccount), dispatch.StateCancelled, false},
		"rejected":     {rejected(), dispatch.StateRejected, false},
		"nobody knows": {uncertain(), dispatch.StateUncertain, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := base.other(t)
			id := r.queued(t)
			c := r.claim(t)
			for range 2 { // a second wish changes nothing
				asked, err := items.In(r.s).Decisions.Stop(t.Context(), r.Account.ID, id, r.Actor)
				if err != nil || !asked {
					t.Fatalf("the wish was not kept: %v", err)
				}
			}
			if it := r.Item(t, r.s, id); it.State != dispatch.StateSending || it.StopAskedAt.IsZero() || it.StopAskedBy == "" || it.MayAskToStop() {
				t.Fatalf("got %s, asked at %v by %q, want it under way with the wish", it.State, it.StopAskedAt, it.StopAskedBy)
			}
			r.finish(t, c, tt.answer)
			if it := r.Item(t, r.s, id); it.State != tt.state {
				t.Errorf("got %s, want %s", it.State, tt.state)
			}
			if n := read[int](t, r, `SELECT count(*) FROM events WHERE item_id = $1 AND kind = 'stop_asked'`, id); n != 1 {
				t.Errorf("the timeline tells of %d wishes, want 1", n)
			}
			stopped := tt.state == dispatch.StateCancelled
			if n := read[int](t, r, `SELECT count(*) FROM events e WHERE e.item_id = $1 AND e.kind = 'cancelled' AND e.actor_id IS NULL`, id); (n == 1) != stopped {
				t.Errorf("the timeline has %d lines that it was stopped", n)
			}
			if counts := read[bool](t, r, `SELECT counted_month IS NOT NULL FROM sms WHERE item_id = $1`, id); counts != tt.counts {
				t.Errorf("it counts against the quota: %t", counts)
			}
		})
	}
	t.Run("its process died before the call", func(t *testing.T) {
		r := base.other(t)
		id := r.queued(t)
		r.claim(t)
		if asked, err := items.In(r.s).Decisions.Stop(t.Context(), r.Account.ID, id, r.Actor); err != nil || !asked {
			t.Fatal(err)
		}
		r.exec(t, `DELETE FROM attempts WHERE item_id = $1`, id)
		r.exec(t, `UPDATE items SET lease_until = now() - interval '1 minute' WHERE id = $1`, id)
		if _, err := queue.In(r.s).Claims.RecoverDead(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
		if it := r.Item(t, r.s, id); it.State != dispatch.StateCancelled {
			t.Errorf("got %s, want it stopped", it.State)
		}
	})
	t.Run("the service does not have it", func(t *testing.T) {
		r := newRig(t).shipments(t)
		r.queuedShipment(t)
		c := r.claimShipment(t)
		r.finish(t, c, lostShipment())
		if asked, err := items.In(r.s).Decisions.Stop(t.Context(), r.Account.ID, c.Item, r.Actor); err != nil || !asked {
			t.Fatalf("the wish was not kept: %t, %v", asked, err)
		}
		r.sendOnceMore(t, r.recovery(t))
		if state := read[dispatch.State](t, r, `SELECT state FROM items WHERE id = $1`, c.Item); state != dispatch.StateCancelled {
			t.Errorf("got %s, want it stopped", state)
		}
	})
	lost := func(t *testing.T) (rig, dispatch.ItemID) { // asked to stop during a call of which nobody knows what came
		r := base.other(t)
		id := r.queued(t)
		c := r.claim(t)
		if _, err := items.In(r.s).Decisions.Stop(t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
		r.finish(t, c, uncertain())
		return r, id
	}
	t.Run("a person sends what was given up again", func(t *testing.T) {
		r, id := lost(t)
		r.exec(t, `DELETE FROM attempts WHERE item_id = $1`, id)
		r.exec(t, `UPDATE items SET state = 'failed' WHERE id = $1`, id)
		if err := items.In(r.s).Decisions.SendAgain(t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
		r.finish(t, r.claim(t), unavailable())
		if it := r.Item(t, r.s, id); it.State != dispatch.StateQueued {
			t.Errorf("got %s, want it queued: the wish was about the attempt before", it.State)
		}
	})
	t.Run("a person sends it again", func(t *testing.T) {
		r, id := lost(t)
		if n, err := items.In(r.s).Decisions.Resolve(t.Context(), r.Account, []dispatch.ItemID{id}, dispatch.DecisionSendAgain, r.Actor); n != 1 || err != nil {
			t.Fatalf("got %d, %v", n, err)
		}
		if it := r.Item(t, r.s, id); it.State != dispatch.StateQueued || !it.StopAskedAt.IsZero() {
			t.Errorf("got %s with a wish from %v, want it queued without", it.State, it.StopAskedAt)
		}
	})
}
