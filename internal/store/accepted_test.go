package store_test

import (
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/queue"
)

// TestFinishTogether: results written together have the same effect as one by one, even for lost claims: an answer is
// proof.
func TestFinishTogether(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.answers(t, uncertain()) // a streak that an acceptance ends
	alone := queue.Ended{Claim: r.next(t), Result: accepted(uuid.NewString())}
	r.finish(t, alone.Claim, alone.Result)
	lost := queue.Ended{Claim: r.next(t), Result: accepted(uuid.NewString())}
	r.exec(t, `UPDATE items SET lease_token = gen_random_uuid() WHERE id = $1`, lost.Claim.Item)
	died := queue.Ended{Claim: r.died(t), Result: accepted(uuid.NewString())}
	readable := queue.Ended{Claim: r.next(t), Result: accepted(uuid.NewString())}
	unreadable := queue.Ended{Claim: r.next(t), Result: dispatch.Result{Outcome: dispatch.OutcomeAccepted}}
	other := queue.Ended{Claim: r.foreign(t, readable.Claim), Result: readable.Result}
	no := queue.Ended{Claim: r.next(t), Result: rejected()}

	wantErr(t, queue.In(r.s).Outcomes.Finish(t.Context(), readable, no, other, lost, unreadable, died, alone), store.ErrNotFound) // the other account has no such item
	for _, e := range []queue.Ended{readable, unreadable, lost, died, alone, no} {
		r.wantAttempt(t, e.Claim.Attempt, e.Result)
	}
	want := r.outcome(t, alone.Claim.Item)
	for _, e := range []queue.Ended{readable, unreadable, lost} {
		if got := r.outcome(t, e.Claim.Item); got != want {
			t.Errorf("got %s, want %s as written alone", got, want)
		}
		it := r.Item(t, r.s, e.Claim.Item)
		if it.UpstreamID != e.Result.UpstreamID || it.NextCheck.IsZero() != e.Result.NextCheck.IsZero() {
			t.Errorf("got id %q and check %s, want %q and %s", it.UpstreamID, it.NextCheck, e.Result.UpstreamID, e.Result.NextCheck)
		}
	}
	if got := r.state(t, died.Claim.Item); got != dispatch.StateAccepted {
		t.Errorf("got %s for one that was given up as dead", got)
	}
	if got := r.state(t, no.Claim.Item); got != dispatch.StateRejected {
		t.Errorf("got %s for one that the service did not take", got)
	}
	if in := r.integration(t); in.UncertainStreak != 0 {
		t.Errorf("got a streak of %d after an acceptance", in.UncertainStreak)
	}
}

func (r rig) next(t *testing.T) *queue.Claim {
	t.Helper()
	r.queued(t)
	return r.claim(t)
}

// foreign is a claim forged for another account.
func (r rig) foreign(t *testing.T, c *queue.Claim) *queue.Claim {
	t.Helper()
	made := *c
	made.Attempt, made.Lane.Account = dispatch.AttemptID(uuid.NewString()), r.other(t).Account.ID
	return &made
}

// outcome is an item's row and events, except the values from the service.
func (r rig) outcome(t *testing.T, id dispatch.ItemID) string {
	t.Helper()
	return r.events(t, id) + " " + read[string](t, r, `
		SELECT concat_ws(' ', state, lease_token IS NULL, lease_until IS NULL, reason_key, reason_status, reason_error_id, reason_at IS NULL,
		    accepted_at IS NOT NULL, recover_at IS NULL, window_ends_at IS NULL, unavailable_count, integration_id IS NULL = (upstream_id IS NULL))
		FROM items WHERE id = $1`, id)
}
