package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
)

// answers hands one message over for each result.
func (r rig) answers(t *testing.T, results ...dispatch.Result) {
	t.Helper()
	for _, result := range results {
		r.queued(t)
		r.finish(t, r.claim(t), result)
	}
}

func (r rig) integration(t *testing.T) dispatch.Integration {
	t.Helper()
	all, err := registry.In(r.s).Integrations.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range all {
		if in.ID == r.Integration.ID {
			return in
		}
	}
	t.Fatal("the integration is gone")
	return dispatch.Integration{}
}

func TestUncertainAnswersInARow(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	died := uncertain()
	died.Died, died.Reason = true, dispatch.Reason{Key: "reason.died"}
	ok, no, busy, lost := accepted(uuid.NewString()), rejected(), unavailable(), uncertain()
	tests := []struct {
		name    string
		answers []dispatch.Result
		streak  int
		stopped bool
	}{
		{"two do not stop", []dispatch.Result{lost, lost}, 2, false},
		{"three stop", []dispatch.Result{lost, lost, lost}, 3, true},
		{"our own deaths do not count", []dispatch.Result{died, died, died, died}, 0, false},
		{"our own death does not break the row either", []dispatch.Result{lost, died, lost, died, lost}, 3, true},
		{"a success in between starts anew", []dispatch.Result{lost, lost, ok, lost, lost}, 2, false},
		{"a rejection in between is an answer too", []dispatch.Result{lost, lost, no, lost}, 1, false},
		{"an unavailable service in between says nothing", []dispatch.Result{lost, busy, lost, busy, lost}, 3, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := base.other(t)
			r.answers(t, tt.answers...)
			in := r.integration(t)
			if in.UncertainStreak != tt.streak || in.StoppedAt.IsZero() == tt.stopped || in.StoppedBy != "" {
				t.Errorf("got streak %d, stopped at %s; want %d, stopped: %t", in.UncertainStreak, in.StoppedAt, tt.streak, tt.stopped)
			}
			r.queued(t)
			if c := r.tryClaim(t, r.lane()); (c == nil) != tt.stopped {
				t.Errorf("got a claim: %t", c != nil)
			}
		})
	}
	t.Run("the deaths that RecoverDead finds do not count", func(t *testing.T) {
		r := base.other(t)
		for range 4 {
			r.died(t)
		}
		if in := r.integration(t); in.UncertainStreak != 0 || !in.StoppedAt.IsZero() {
			t.Errorf("got streak %d", in.UncertainStreak)
		}
	})
	t.Run("opening starts anew", func(t *testing.T) {
		r := base.other(t)
		r.answers(t, lost, lost, lost)
		if err := queue.In(r.s).Operations.OpenIntegration(t.Context(), r.Integration.ID, r.Actor); err != nil {
			t.Fatal(err)
		}
		r.answers(t, lost, lost)
		if in := r.integration(t); in.UncertainStreak != 2 || !in.StoppedAt.IsZero() {
			t.Errorf("got streak %d, stopped at %s", in.UncertainStreak, in.StoppedAt)
		}
	})
}

func TestRefusalOfAnIntegration(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sharing, apart := r.sharing(t), r.other(t)
	r.refuse(t, dispatch.ScopeIntegration)
	in := r.integration(t)
	if in.RefusedAt.IsZero() || in.Refusal.Key != "reason.forbidden" || in.Refusal.HTTPStatus != 403 || in.Refusal.ErrorID != "e-403" {
		t.Errorf("got %+v, want the reason", in.Refusal)
	}
	wantIn(t, "probe", in.NextProbeAt, dispatch.ProbeInterval)
	sharing.queued(t)
	apart.queued(t)
	if sharing.tryClaim(t, sharing.lane()) != nil {
		t.Error("another account on it is not held")
	}
	if apart.tryClaim(t, apart.lane()) == nil {
		t.Error("another integration is held")
	}
	t.Run("a second refusal keeps when it began and when it is probed", func(t *testing.T) {
		r.exec(t, integrationProbe, r.Integration.ID)
		r.finish(t, r.tryClaim(t, r.heldLane()), refused(dispatch.ScopeIntegration))
		again := r.integration(t)
		if !again.RefusedAt.Equal(in.RefusedAt) {
			t.Error("it began anew")
		}
		wantIn(t, "probe", again.NextProbeAt, dispatch.ProbeInterval)
	})
	t.Run("an unavailable service clears nothing", func(t *testing.T) {
		r.exec(t, integrationProbe, r.Integration.ID)
		r.finish(t, r.tryClaim(t, r.heldLane()), unavailable())
		if r.integration(t).RefusedAt.IsZero() {
			t.Error("cleared")
		}
	})
	t.Run("a rejection of our own clears nothing, since nobody was called", func(t *testing.T) {
		r.exec(t, integrationProbe, r.Integration.ID)
		ours := dispatch.Result{Outcome: dispatch.OutcomeRejected, Reason: dispatch.Reason{Key: "reason.invalid"}}
		r.finish(t, sharing.tryClaim(t, sharing.heldLane()), ours)
		if r.integration(t).RefusedAt.IsZero() {
			t.Error("cleared")
		}
	})
	t.Run("a success clears it", func(t *testing.T) {
		r.exec(t, integrationProbe, r.Integration.ID)
		sharing.queued(t)
		r.finish(t, sharing.tryClaim(t, sharing.heldLane()), accepted(uuid.NewString()))
		in := r.integration(t)
		if !in.RefusedAt.IsZero() || in.Refusal != (dispatch.Reason{}) || !in.NextProbeAt.IsZero() || in.LastSuccessAt.IsZero() {
			t.Errorf("got %+v", in)
		}
	})
}

func TestRefusalOfAnAccount(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sharing := r.sharing(t)
	r.refuse(t, dispatch.ScopeAccount)
	refusals := func() []queue.AccountRefusal {
		all, err := queue.In(r.s).Operations.AccountRefusals(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	got := refusals()
	if len(got) != 1 || got[0].Account != r.Account.ID || got[0].Integration != r.Integration.ID || got[0].Reason.HTTPStatus != 403 {
		t.Fatalf("got %+v, want that account on that integration", got)
	}
	if in := r.integration(t); !in.RefusedAt.IsZero() {
		t.Error("the whole integration is marked")
	}
	t.Run("another account's success does not clear it", func(t *testing.T) {
		sharing.answers(t, accepted(uuid.NewString()))
		if len(refusals()) != 1 {
			t.Error("cleared")
		}
	})
	t.Run("its own success does", func(t *testing.T) {
		r.exec(t, accountProbe, r.Account.ID)
		r.finish(t, r.tryClaim(t, r.heldLane()), accepted(uuid.NewString()))
		if n := len(refusals()); n != 0 {
			t.Errorf("got %d refusals", n)
		}
	})
	t.Run("and so does a person", func(t *testing.T) {
		r.refuse(t, dispatch.ScopeAccount)
		if _, err := queue.In(r.s).Operations.ClearRefusal(t.Context(), r.Integration.ID, r.Account.ID, r.Actor); err != nil || len(refusals()) != 0 {
			t.Errorf("got %v, %d refusals", err, len(refusals()))
		}
		_, err := queue.In(r.s).Operations.ClearRefusal(t.Context(), r.Integration.ID, r.Account.ID, r.Actor)
		wantErr(t, err, store.ErrChanged)
	})
}

func TestStopAndOpen(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.queued(t)
	if err := queue.In(r.s).Operations.StopIntegration(t.Context(), r.Integration.ID, r.Actor, "Kari Nordmann"); err != nil {
		t.Fatal(err)
	}
	wantErr(t, queue.In(r.s).Operations.StopIntegration(t.Context(), r.Integration.ID, r.Actor, "Ola Nordmann"), store.ErrChanged)
	if in := r.integration(t); in.StoppedBy != "Kari Nordmann" || in.StoppedAt.IsZero() || r.tryClaim(t, r.lane()) != nil {
		t.Errorf("got stopped by %q, or it delivers", in.StoppedBy)
	}
	waiting, err := queue.In(r.s).Operations.WaitingOn(t.Context())
	if err != nil || waiting[r.Integration.ID] != (queue.Waiting{Due: 1}) {
		t.Errorf("got %+v, %v waiting", waiting[r.Integration.ID], err)
	}
	if err := queue.In(r.s).Operations.OpenIntegration(t.Context(), r.Integration.ID, r.Actor); err != nil || r.tryClaim(t, r.lane()) == nil {
		t.Errorf("it does not deliver again: %v", err)
	}
	wantErr(t, queue.In(r.s).Operations.OpenIntegration(t.Context(), r.Integration.ID, r.Actor), store.ErrChanged)
	_, err = queue.In(r.s).Operations.ClearRefusal(t.Context(), r.Integration.ID, "", r.Actor)
	wantErr(t, err, store.ErrChanged)
	wantErr(t, queue.In(r.s).Operations.OpenIntegration(t.Context(), "not an id", r.Actor), store.ErrNotFound)
}

// TestWaitingCountsWhatIsTriedAgain: an overdue item counts as waiting even while its next attempt is an hour away; a
// planned one does not.
func TestWaitingCountsWhatIsTriedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	again, planned := r.queued(t), r.queued(t)
	r.exec(t, `UPDATE items SET due_at = now() + interval '1 hour' WHERE id = $1`, again)
	r.exec(t, `UPDATE items SET due_at = now() + interval '1 hour', due_since = now() + interval '1 hour' WHERE id = $1`, planned)
	waiting, err := queue.In(r.s).Operations.WaitingOn(t.Context())
	if err != nil || waiting[r.Integration.ID] != (queue.Waiting{Due: 1}) {
		t.Errorf("got %+v, %v waiting", waiting[r.Integration.ID], err)
	}
}

// TestUncertainStaysWhereItWasCalled: an uncertain item counts at the integration that was called, also when its account has moved.
func TestUncertainStaysWhereItWasCalled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := r.other(t)
	r.answers(t, uncertain())
	r.exec(t, `UPDATE accounts SET sms_integration_id = $2 WHERE id = $1`, r.Account.ID, other.Integration.ID)
	waiting, err := queue.In(r.s).Operations.WaitingOn(t.Context())
	if err != nil || waiting[r.Integration.ID].Uncertain != 1 || waiting[other.Integration.ID].Uncertain != 0 {
		t.Errorf("got %+v, %v", waiting, err)
	}
}

func TestSavingAnIntegrationKeepsItsMarks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.refuse(t, dispatch.ScopeIntegration)
	r.answers(t)
	in := r.Integration
	in.Parallelism, in.RatePerSec = 2, 1.5
	id, err := registry.In(r.s).Integrations.Save(t.Context(), in, dispatch.Credentials{ClientID: "ny", ClientSecret: "nytt"})
	if err != nil || id != r.Integration.ID {
		t.Fatalf("got %s, %v", id, err)
	}
	got := r.integration(t)
	if got.RefusedAt.IsZero() || time.Since(got.RefusedAt) > time.Minute || got.Parallelism != 2 || got.RatePerSec != 1.5 {
		t.Errorf("got %+v", got)
	}
	if c, err := registry.In(r.s).Credentials.InUse(t.Context(), id); err != nil || c.ClientSecret != "nytt" {
		t.Errorf("got other credentials: %v", err)
	}
}
