package store_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// TestFinishAccepted: what is written together stands as if written one by one, and what is not ours any more is left to
// Finish.
func TestFinishAccepted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.answers(t, uncertain()) // a streak that an acceptance ends
	readable := store.Accepted{Claim: r.next(t), Result: accepted(uuid.NewString())}
	unreadable := store.Accepted{Claim: r.next(t), Result: dispatch.Result{Outcome: dispatch.OutcomeAccepted}}
	written := store.Accepted{Claim: r.next(t), Result: accepted(uuid.NewString())}
	r.finish(t, written.Claim, written.Result)
	lost := store.Accepted{Claim: r.died(t), Result: accepted(uuid.NewString())}
	again := store.Accepted{Claim: r.next(t), Result: accepted(uuid.NewString())}
	r.exec(t, `UPDATE items SET lease_token = gen_random_uuid() WHERE id = $1`, again.Claim.Item)
	other := store.Accepted{Claim: r.foreign(t, readable.Claim), Result: readable.Result}

	rest, err := r.s.FinishAccepted(t.Context(), []store.Accepted{readable, other, lost, unreadable, again, written})
	if err != nil {
		t.Fatal(err)
	}
	if want := []store.Accepted{other, lost, again, written}; !slices.Equal(claimsOf(rest), claimsOf(want)) {
		t.Errorf("got %d left, want %d: the foreign one, the lost ones and the one written before", len(rest), len(want))
	}
	for _, a := range []store.Accepted{readable, unreadable, written} {
		r.wantAttempt(t, a.Claim.Attempt, a.Result)
		if got, want := r.outcome(t, a.Claim.Item), r.outcome(t, written.Claim.Item); got != want {
			t.Errorf("got %s, want %s as written alone", got, want)
		}
		it := r.Item(t, r.s, a.Claim.Item)
		if it.UpstreamID != a.Result.UpstreamID || it.NextCheck.IsZero() != a.Result.NextCheck.IsZero() {
			t.Errorf("got id %q and check %s, want %q and %s", it.UpstreamID, it.NextCheck, a.Result.UpstreamID, a.Result.NextCheck)
		}
	}
	for _, a := range []store.Accepted{lost, again} {
		if got := r.state(t, a.Claim.Item); got == dispatch.StateAccepted {
			t.Errorf("got %s for one that is not ours any more", got)
		}
	}
	if in := r.integration(t); in.UncertainStreak != 0 {
		t.Errorf("got a streak of %d after an acceptance", in.UncertainStreak)
	}
}

func (r rig) next(t *testing.T) *store.Claim {
	t.Helper()
	r.queued(t)
	return r.claim(t)
}

// foreign is a claim as somebody would make it up for another account.
func (r rig) foreign(t *testing.T, c *store.Claim) *store.Claim {
	t.Helper()
	made := *c
	made.Attempt, made.Lane.Account = dispatch.AttemptID(uuid.NewString()), r.other(t).Account.ID
	return &made
}

func claimsOf(list []store.Accepted) []*store.Claim {
	claims := make([]*store.Claim, len(list))
	for i, a := range list {
		claims[i] = a.Claim
	}
	return claims
}

// outcome is what stands in an item and its events but for what the service gave it.
func (r rig) outcome(t *testing.T, id dispatch.ItemID) string {
	t.Helper()
	return r.events(t, id) + " " + read[string](t, r, `
		SELECT concat_ws(' ', state, lease_token IS NULL, lease_until IS NULL, reason_key, reason_status, reason_error_id, reason_at IS NULL,
		    accepted_at IS NOT NULL, recover_at IS NULL, window_ends_at IS NULL, unavailable_count, integration_id IS NULL = (upstream_id IS NULL))
		FROM items WHERE id = $1`, id)
}
