package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

// Answers that come after the lease has expired, and perhaps after a person's decision. An answer is proof, and never
// lost; but it does not revert a person's act.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	id := uuid.NewString()
	const (
		nobody = dispatch.Decision("")
		sent   = dispatch.DecisionSent
		again  = dispatch.DecisionSendAgain
		drop   = dispatch.DecisionDrop
	)
	tests := []struct {
		name     string
		decided  dispatch.Decision
		answer   dispatch.Result
		want     dispatch.State
		upstream string
	}{
		{"accepted wins", nobody, accepted(id), dispatch.StateAccepted, id},
		{"rejected was not sent", nobody, rejected(), dispatch.StateRejected, ""},
		{"unavailable was surely not sent and goes again", nobody, unavailable(), dispatch.StateQueued, ""},
		{"refused was surely not sent and waits", nobody, refused(dispatch.ScopeIntegration), dispatch.StateQueued, ""},
		{"uncertain stays uncertain", nobody, uncertain(), dispatch.StateUncertain, ""},
		{"accepted after the decision that it was sent brings the id", sent, accepted(id), dispatch.StateAccepted, id},
		{"rejected proves the decision that it was sent wrong", sent, rejected(), dispatch.StateRejected, ""},
		{"accepted wins over the decision to drop it", drop, accepted(id), dispatch.StateAccepted, id},
		{"rejected leaves what was dropped", drop, rejected(), dispatch.StateCancelled, ""},
		{"unavailable does not send what was dropped", drop, unavailable(), dispatch.StateCancelled, ""},
		{"uncertain leaves what was dropped", drop, uncertain(), dispatch.StateCancelled, ""},
		{"accepted stops what was to be sent again", again, accepted(id), dispatch.StateAccepted, id},
		{"rejected leaves what is to be sent again", again, rejected(), dispatch.StateQueued, ""},
		{"unavailable leaves what is to be sent again", again, unavailable(), dispatch.StateQueued, ""},
		{"uncertain leaves what is to be sent again", again, uncertain(), dispatch.StateQueued, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := base.other(t)
			c := r.died(t)
			if r.state(t, c.Item) != dispatch.StateUncertain {
				t.Fatal("not uncertain when we died")
			}
			if tt.decided != nobody {
				r.resolve(t, c.Item, tt.decided)
			}
			r.finish(t, c, tt.answer)
			it := r.Item(t, r.s, c.Item)
			if it.State != tt.want || it.UpstreamID != tt.upstream {
				t.Errorf("got %s with id %q, want %s with %q", it.State, it.UpstreamID, tt.want, tt.upstream)
			}
			if (it.State == dispatch.StateAccepted && tt.upstream != "") == it.NextCheck.IsZero() {
				t.Errorf("got next check %s", it.NextCheck)
			}
			r.wantAttempt(t, c.Attempt, tt.answer)
			if again := r.tryClaim(t, r.lane()); (again != nil) != (tt.want == dispatch.StateQueued && tt.decided == dispatch.DecisionSendAgain) {
				t.Errorf("it can be claimed: %t", again != nil)
			}
		})
	}
}

func TestLateAnswerWhileASecondCallRuns(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	first, second := uuid.NewString(), uuid.NewString()
	// twice returns an item whose first call was lost and whose second one is running.
	twice := func(t *testing.T) (r rig, lost func(dispatch.Result), ends func(dispatch.Result) dispatch.SMSItem, holds func() bool) {
		r = base.other(t)
		one := r.died(t)
		r.resolve(t, one.Item, dispatch.DecisionSendAgain)
		two := r.claim(t)
		return r, func(a dispatch.Result) { r.finish(t, one, a) },
			func(a dispatch.Result) dispatch.SMSItem { r.finish(t, two, a); return r.Item(t, r.s, two.Item) },
			func() bool {
				ok, err := queue.In(r.s).Claims.Extend(t.Context(), two, time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				return ok
			}
	}
	t.Run("an acceptance takes the lease, so that the second never lets its last byte go", func(t *testing.T) {
		_, lost, ends, holds := twice(t)
		lost(accepted(first))
		if holds() {
			t.Error("the second call still holds the lease")
		}
		if it := ends(unavailable()); it.State != dispatch.StateAccepted || it.UpstreamID != first {
			t.Errorf("got %s with %q", it.State, it.UpstreamID)
		}
	})
	t.Run("a second acceptance does not hide the first", func(t *testing.T) {
		r, lost, ends, _ := twice(t)
		lost(accepted(first))
		if it := ends(accepted(second)); it.State != dispatch.StateAccepted || it.UpstreamID != first {
			t.Errorf("got %s with %q, want the first id", it.State, it.UpstreamID)
		}
		if n := read[int](t, r, `SELECT count(DISTINCT upstream_id) FROM attempts WHERE account_id = $1`, r.Account.ID); n != 2 {
			t.Errorf("got %d ids in the attempts, want both", n)
		}
	})
	t.Run("anything else leaves the second alone", func(t *testing.T) {
		for _, answer := range []dispatch.Result{rejected(), unavailable(), uncertain(), refused(dispatch.ScopeAccount)} {
			_, lost, ends, holds := twice(t)
			lost(answer)
			if !holds() {
				t.Errorf("%s took the lease", answer.Outcome)
			}
			if it := ends(accepted(second)); it.State != dispatch.StateAccepted || it.UpstreamID != second {
				t.Errorf("%s: got %s with %q", answer.Outcome, it.State, it.UpstreamID)
			}
		}
	})
	t.Run("a second that is uncertain stays so whatever the first turns out to be, unless accepted", func(t *testing.T) {
		for answer, want := range map[string]dispatch.State{"": dispatch.StateUncertain, first: dispatch.StateAccepted} {
			r, lost, ends, _ := twice(t)
			it := ends(uncertain())
			if answer == "" {
				lost(rejected())
			} else {
				lost(accepted(answer))
			}
			if got := r.Item(t, r.s, it.ID); got.State != want || got.UpstreamID != answer {
				t.Errorf("got %s with %q, want %s", got.State, got.UpstreamID, want)
			}
		}
	})
}

func TestLostLease(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.queued(t)
	c := r.claim(t)
	if ok, err := queue.In(r.s).Claims.Extend(t.Context(), c, 2*time.Minute); !ok || err != nil {
		t.Fatalf("got %t, %v for a lease that runs", ok, err)
	}
	wantIn(t, "lease", read[time.Time](t, r, `SELECT lease_until FROM items WHERE id = $1`, c.Item), 2*time.Minute)
	t.Run("another token prolongs nothing", func(t *testing.T) {
		other := *c
		other.Token = uuid.NewString()
		if ok, err := queue.In(r.s).Claims.Extend(t.Context(), &other, time.Hour); ok || err != nil {
			t.Errorf("got %t, %v", ok, err)
		}
	})
	t.Run("a lease that ran out is lost even before anybody noticed", func(t *testing.T) {
		r.exec(t, `UPDATE items SET lease_until = now() WHERE id = $1`, c.Item)
		if ok, err := queue.In(r.s).Claims.Extend(t.Context(), c, time.Hour); ok || err != nil {
			t.Errorf("got %t, %v", ok, err)
		}
	})
	t.Run("its answer counts all the same", func(t *testing.T) {
		id := uuid.NewString()
		r.finish(t, c, accepted(id))
		if it := r.Item(t, r.s, c.Item); it.State != dispatch.StateAccepted || it.UpstreamID != id {
			t.Errorf("got %s with %q", it.State, it.UpstreamID)
		}
	})
}

// TestLateAnswerReopensItsJob: a job is done when its last item is uncertain. If a late answer shows that it was not
// sent, it is retried and the job reopened.
func TestLateAnswerReopensItsJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.SendJob(t, r.s, listOf(1), items.JobText{Text: "Hei der", Segments: 1})
	r.makeSome(t)
	c := r.tryClaim(t, r.jobLane(id))
	if c == nil {
		t.Fatal("nothing to claim")
	}
	r.exec(t, `UPDATE items SET lease_until = now() - interval '1 second' WHERE id = $1`, c.Item)
	if n, err := queue.In(r.s).Claims.RecoverDead(t.Context(), time.Minute); n != (queue.Dead{Uncertain: 1}) || err != nil {
		t.Fatalf("got %+v, %v", n, err)
	}
	for _, want := range []dispatch.JobState{dispatch.JobDone, dispatch.JobRunning} {
		for range 2 { // the first time sees that all of it is made
			r.makeSome(t)
			if err := items.In(r.s).Jobs.Finish(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.job(t, id).State; got != want {
			t.Fatalf("the job is %s, want %s; its item is %s", got, want, r.state(t, c.Item))
		}
		if got := r.job(t, id).Uncertain; got != (want == dispatch.JobDone) {
			t.Errorf("the job is %s, and uncertain: %t", want, got)
		}
		if want == dispatch.JobDone {
			r.finish(t, c, unavailable())
			r.exec(t, `UPDATE items SET due_at = now() WHERE id = $1`, c.Item)
		}
	}
	if again := r.tryClaim(t, r.jobLane(id)); again == nil || again.Item != c.Item {
		t.Error("it does not go again")
	}
}

// After a failover, the clock of the new primary may be behind that of the old one. The latest attempt decides, by order and not by time.
func TestClockBehindAfterFailover(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.queued(t)
	first := r.claim(t)
	r.finish(t, first, unavailable())
	r.exec(t, `UPDATE attempts SET started_at = now() + interval '4 seconds' WHERE id = $1`, first.Attempt)
	r.exec(t, `UPDATE items SET due_at = now() - interval '1 second' WHERE id = $1`, first.Item)
	second := r.claim(t)
	r.finish(t, second, rejected())
	if got := r.state(t, first.Item); second.Item != first.Item || got != dispatch.StateRejected {
		t.Errorf("the item is %s after it was rejected", got)
	}
}
