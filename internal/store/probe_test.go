package store_test

import (
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// refuse marks the integration, or only the account on it, by the answer to one call.
func (r rig) refuse(t *testing.T, scope dispatch.Scope) {
	t.Helper()
	r.queued(t)
	r.finish(t, r.claim(t), refused(scope))
}

func (r rig) heldLane() queue.Lane {
	lane := r.lane()
	lane.Refused = true
	return lane
}

const (
	integrationProbe = `UPDATE integrations SET next_probe_at = next_probe_at - interval '15 minutes' WHERE id = $1`
	accountProbe     = `UPDATE account_refusals SET next_probe_at = next_probe_at - interval '15 minutes' WHERE account_id = $1`
)

func TestOneRowProbesEveryFifteenMinutes(t *testing.T) {
	t.Parallel()
	for _, scope := range []dispatch.Scope{dispatch.ScopeIntegration, dispatch.ScopeAccount} {
		t.Run(string(scope), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.refuse(t, scope)
			for range 20 {
				r.queued(t)
			}
			for range 2 {
				if n := len(together(t, 8, r, r.heldLane())); n != 0 {
					t.Errorf("got %d probes before the time, want none", n)
				}
				if scope == dispatch.ScopeAccount {
					r.exec(t, accountProbe, r.Account.ID)
				} else {
					r.exec(t, integrationProbe, r.Integration.ID)
				}
				if n := len(together(t, 8, r, r.heldLane())); n != 1 {
					t.Errorf("got %d probes, want 1", n)
				}
			}
		})
	}
}

func TestLanesTellWhatIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sharing, apart := r.sharing(t), r.other(t)
	r.refuse(t, dispatch.ScopeAccount)
	sharing.queued(t)
	apart.queued(t)
	lanes, err := queue.In(r.s).Claims.Lanes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[dispatch.AccountID]bool{}
	for _, l := range lanes {
		got[l.Account] = l.Refused
	}
	if len(got) != 3 || !got[r.Account.ID] || got[sharing.Account.ID] || got[apart.Account.ID] {
		t.Errorf("got %v, want only the refused account held", got)
	}
}

// A probe without a row in probes would make the others wait another fifteen minutes.
func TestAProbeIsTakenOnlyToBeUsed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sharing := r.sharing(t)
	r.refuse(t, dispatch.ScopeAccount)
	sharing.refuse(t, dispatch.ScopeIntegration)
	r.exec(t, integrationProbe, r.Integration.ID)
	if r.tryClaim(t, r.heldLane()) != nil {
		t.Fatal("an account that is refused itself has probed before its time")
	}
	if sharing.tryClaim(t, sharing.heldLane()) == nil {
		t.Error("the integration's probe is used up although nothing was tried")
	}
}

func TestALaneThatIsRefusedNoMore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.refuse(t, dispatch.ScopeIntegration)
	if _, err := queue.In(r.s).Operations.ClearRefusal(t.Context(), r.Integration.ID, "", r.Actor); err != nil {
		t.Fatal(err)
	}
	if r.tryClaim(t, r.heldLane()) == nil {
		t.Error("a lane that was read before the refusal was cleared gets nothing")
	}
}

// TestNothingToTry: ClearRefusal keeps the refusal of an integration or an account while no item waits. The next item is tried at once.
func TestNothingToTry(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	for scope, refusals := range map[dispatch.Scope]string{
		dispatch.ScopeIntegration: `SELECT count(*) FROM integrations WHERE id = $1 AND refused_at IS NOT NULL`,
		dispatch.ScopeAccount:     `SELECT count(*) FROM account_refusals WHERE integration_id = $1`,
	} {
		r := base.other(t)
		account := dispatch.AccountID("")
		if scope == dispatch.ScopeAccount {
			account = r.Account.ID
		}
		again := func(waits bool, left int) {
			t.Helper()
			if got, err := queue.In(r.s).Operations.ClearRefusal(t.Context(), r.Integration.ID, account, r.Actor); err != nil || got != waits {
				t.Errorf("%s: something waits: %t, %v", scope, got, err)
			}
			if n := read[int](t, r, refusals, r.Integration.ID); n != left {
				t.Errorf("%s: %d refusals, want %d", scope, n, left)
			}
		}
		r.refuse(t, scope)
		r.exec(t, `UPDATE items SET due_at = due_at + interval '1 day', due_since = due_since + interval '1 day' WHERE account_id = $1`, r.Account.ID)
		again(false, 1)
		r.queued(t)
		c := r.tryClaim(t, r.heldLane())
		if c == nil {
			t.Fatalf("%s: the next item waits", scope)
		}
		again(true, 0)
		r.finish(t, c, accepted(uuid.NewString()))
	}
}
