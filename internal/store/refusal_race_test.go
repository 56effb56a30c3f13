package store_test

import (
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// TestProbeIsNotLost: a probe whose item is locked by another transaction for a moment is due again at once, not
// after a quarter of an hour.
func TestProbeIsNotLost(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	for _, scope := range []dispatch.Scope{dispatch.ScopeIntegration, dispatch.ScopeAccount} {
		t.Run(string(scope), func(t *testing.T) {
			r := base.other(t)
			id := r.queued(t)
			r.finish(t, r.claim(t), refused(scope))
			r.exec(t, `UPDATE integrations SET next_probe_at = now() WHERE id = $1`, r.Integration.ID)
			r.exec(t, `UPDATE account_refusals SET next_probe_at = now() WHERE integration_id = $1`, r.Integration.ID)
			r.exec(t, `UPDATE items SET due_at = now() WHERE id = $1`, id)
			lane := r.lane()
			lane.Refused = true
			held, err := r.db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := held.ExecContext(t.Context(), `SELECT FROM items WHERE id = $1 FOR UPDATE`, id); err != nil {
				t.Fatal(err)
			}
			if r.tryClaim(t, lane) != nil {
				t.Error("claimed what another transaction holds")
			}
			if err := held.Rollback(); err != nil {
				t.Fatal(err)
			}
			if r.tryClaim(t, lane) == nil {
				t.Error("the probe is lost, though nothing was tried with it")
			}
			if r.tryClaim(t, lane) != nil {
				t.Error("two probes at a time")
			}
		})
	}
}

// TestRefusedBeforeAPersonClearedIt: a refusal of a call that started before a person cleared the block does not
// block again.
func TestRefusedBeforeAPersonClearedIt(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	for _, scope := range []dispatch.Scope{dispatch.ScopeIntegration, dispatch.ScopeAccount} {
		t.Run(string(scope), func(t *testing.T) {
			r := base.other(t)
			var account dispatch.AccountID
			if scope == dispatch.ScopeAccount {
				account = r.Account.ID
			}
			r.queued(t)
			r.queued(t)
			slow, quick := r.claim(t), r.claim(t)
			r.finish(t, quick, refused(scope))
			if _, err := queue.In(r.s).Operations.ClearRefusal(t.Context(), r.Integration.ID, account, r.Actor); err != nil {
				t.Fatal(err)
			}
			r.finish(t, slow, refused(scope))
			again := r.tryClaim(t, r.lane())
			if again == nil {
				t.Fatal("refused again by a call from before")
			}
			r.finish(t, again, refused(scope))
			if r.tryClaim(t, r.lane()) != nil {
				t.Error("what was tried since is refused, and counts for nothing")
			}
		})
	}
}
