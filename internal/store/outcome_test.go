package store_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

func TestFinish(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	id := uuid.NewString()
	tests := []struct {
		name   string
		result dispatch.Result
		state  dispatch.State
		due    time.Duration // of a queued item, from now
		check  time.Duration // first read, from now; 0: never
	}{
		{"accepted with an id is read after a minute", accepted(id), dispatch.StateAccepted, 0, time.Minute},
		{"accepted without an id is never read", dispatch.Result{Outcome: dispatch.OutcomeAccepted}, dispatch.StateAccepted, 0, 0},
		{"rejected stops", rejected(), dispatch.StateRejected, 0, 0},
		{"unavailable waits", unavailable(), dispatch.StateQueued, time.Minute, 0},
		{"refused stays due", refused(dispatch.ScopeIntegration), dispatch.StateQueued, 0, 0},
		{"a refused account stays due", refused(dispatch.ScopeAccount), dispatch.StateQueued, 0, 0},
		{"uncertain asks a person", uncertain(), dispatch.StateUncertain, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := base.other(t)
			r.queued(t)
			c := r.claim(t)
			r.finish(t, c, tt.result)
			it := r.Item(t, r.s, c.Item)
			if it.State != tt.state || it.UpstreamID != tt.result.UpstreamID {
				t.Errorf("got %s with id %q, want %s", it.State, it.UpstreamID, tt.state)
			}
			wantIn(t, "due", it.DueAt, tt.due)
			if it.NextCheck.IsZero() != (tt.check == 0) {
				t.Errorf("got next check %s", it.NextCheck)
			} else if tt.check != 0 {
				wantIn(t, "check", it.NextCheck, tt.check)
			}
			r.wantReason(t, it.Item, tt.result)
			r.wantAttempt(t, c.Attempt, tt.result)
			if got, want := r.events(t, c.Item), "created queued outcome:"+string(tt.result.Outcome); got != want {
				t.Errorf("got events %q, want %q", got, want)
			}
			if free := read[bool](t, r, `SELECT lease_token IS NULL AND lease_until IS NULL FROM items WHERE id = $1`, c.Item); !free {
				t.Error("the lease is still there")
			}
		})
	}
}

func wantIn(t *testing.T, what string, got time.Time, want time.Duration) {
	t.Helper()
	if d := time.Until(got); d > want+time.Second || d < want-20*time.Second {
		t.Errorf("got %s in %s, want in %s", what, d, want)
	}
}

// wantReason expects the answer's reason at the item, unless it was accepted.
func (r rig) wantReason(t *testing.T, it dispatch.Item, result dispatch.Result) {
	t.Helper()
	got, want := it.Reason, result.Reason
	got.At = time.Time{}
	if got != want || it.Reason.At.IsZero() != (result.Outcome == dispatch.OutcomeAccepted) {
		t.Errorf("got reason %+v, want %+v", it.Reason, want)
	}
}

func (r rig) wantAttempt(t *testing.T, id dispatch.AttemptID, result dispatch.Result) {
	t.Helper()
	n := read[int](t, r, `
		SELECT count(*) FROM attempts
		WHERE id = $1 AND finished_at IS NOT NULL AND outcome = $2 AND reason_key = $3 AND http_status = $4 AND error_id = $5
		  AND coalesce(upstream_id::text, '') = $6`,
		id, result.Outcome, result.Reason.Key, result.Reason.HTTPStatus, result.Reason.ErrorID, result.UpstreamID)
	if n != 1 {
		t.Errorf("the attempt does not stand as %s", result.Outcome)
	}
}

// TestMayHaveArrived: an abandoned or stopped item is marked so if an earlier release took a 503 after a complete
// request for proof, and only then.
func TestMayHaveArrived(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	whole := unavailable()
	whole.Sent = time.Now()
	busy := whole
	busy.Reason.HTTPStatus = 429
	for name, tt := range map[string]struct {
		answer dispatch.Result
		stop   bool
		before bool // by an earlier release
		want   bool
	}{
		"given up, it went out whole before":   {whole, false, true, true},
		"stopped, it went out whole before":    {whole, true, true, true},
		"given up, it surely was not taken":    {whole, false, false, false},
		"stopped, it surely was not taken":     {whole, true, false, false},
		"given up, nothing went out":           {unavailable(), false, true, false},
		"stopped, nothing went out":            {unavailable(), true, true, false},
		"given up, it was told to wait before": {busy, false, true, false},
		"stopped, it was told to wait before":  {busy, true, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := base.other(t)
			r.answers(t, tt.answer)
			r.exec(t, `UPDATE attempts SET proven = NOT $2 WHERE account_id = $1`, r.Account.ID, tt.before)
			id := read[dispatch.ItemID](t, r, `SELECT id FROM items WHERE account_id = $1`, r.Account.ID)
			if r.Item(t, r.s, id).MayHaveArrived {
				t.Error("it is called so while it waits")
			}
			end := func() error { return stop(r.s, t.Context(), r.Account.ID, id, r.Actor) }
			if !tt.stop {
				r.exec(t, `UPDATE items SET due_since = now() - interval '24 hours' WHERE id = $1`, id)
				end = func() error { return queue.In(r.s).Claims.GiveUp(t.Context()) }
			}
			if err := end(); err != nil {
				t.Fatal(err)
			}
			if got := r.Item(t, r.s, id); got.MayHaveArrived != tt.want || got.State == dispatch.StateQueued {
				t.Errorf("got %t of what is %s, want %t", got.MayHaveArrived, got.State, tt.want)
			}
		})
	}
}

func TestUnavailableForADay(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.queued(t)
	for n := range 3 {
		c := r.claim(t)
		if c.Item != id || c.Unavailable != n {
			t.Fatalf("got %d attempts before, want %d", c.Unavailable, n)
		}
		if n == 2 {
			r.exec(t, `UPDATE items SET due_since = now() - interval '24 hours' WHERE id = $1`, id)
		}
		r.finish(t, c, unavailable())
		r.exec(t, `UPDATE items SET due_at = now() WHERE id = $1`, id)
	}
	it := r.Item(t, r.s, id)
	if it.State != dispatch.StateFailed || !it.MaySendAgain() || it.Reason.Key != "reason.busy" {
		t.Fatalf("got %s because of %q, want failed and why", it.State, it.Reason.Key)
	}
	t.Run("the button counts anew", func(t *testing.T) {
		if err := items.In(r.s).Decisions.SendAgain(t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
		if c := r.claim(t); c.Item != id || c.Unavailable != 0 {
			t.Errorf("got %d attempts before, want none", c.Unavailable)
		}
	})
}

func TestRefusedForADayAsks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.queued(t)
	c := r.claim(t)
	r.exec(t, `UPDATE items SET due_since = now() - interval '24 hours' WHERE id = $1`, id)
	r.finish(t, c, refused(dispatch.ScopeIntegration))
	if it := r.Item(t, r.s, id); !it.MayConfirm(time.Now()) {
		t.Errorf("got %s, want a question before it goes", it.State)
	}
}

// A commit whose answer was lost is repeated, and must not count twice.
func TestFinishTwice(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, result := range []dispatch.Result{accepted(uuid.NewString()), rejected(), unavailable(), uncertain()} {
		t.Run(string(result.Outcome), func(t *testing.T) {
			r := r.other(t)
			r.queued(t)
			c := r.claim(t)
			r.finish(t, c, result)
			row, events := r.row(t, c.Item), r.events(t, c.Item)
			streak := r.streak(t)
			r.finish(t, c, result)
			if r.row(t, c.Item) != row || r.events(t, c.Item) != events || r.streak(t) != streak {
				t.Errorf("the second time changed something: streak %d, events %q", r.streak(t), r.events(t, c.Item))
			}
		})
	}
}

// TestOwnStopIsLogged: uncertain answers in a row that stop an integration are one line of the event log, of the program itself; those
// that follow, and those of an integration that a person has stopped, are none.
func TestOwnStopIsLogged(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const lines = `SELECT count(*) FROM audit_events WHERE action = 'integration.stop' AND actor_id IS NULL AND account_id IS NULL
		AND object_id = $1 AND details->>'uncertain' = $2`
	logged := func() int {
		return read[int](t, r, lines, r.Integration.ID, strconv.Itoa(dispatch.UncertainLimit))
	}
	var claims []*queue.Claim
	for range dispatch.UncertainLimit + 1 {
		r.queued(t)
		claims = append(claims, r.claim(t))
	}
	for i, c := range claims {
		r.finish(t, c, uncertain())
		want := 0
		if i+1 >= dispatch.UncertainLimit {
			want = 1
		}
		if got := logged(); got != want {
			t.Errorf("after %d uncertain answers: %d lines, want %d", i+1, got, want)
		}
	}

	t.Run("a person's stop is theirs", func(t *testing.T) {
		r := r.other(t)
		var claims []*queue.Claim
		for range dispatch.UncertainLimit {
			r.queued(t)
			claims = append(claims, r.claim(t))
		}
		if err := queue.In(r.s).Operations.StopIntegration(t.Context(), r.Integration.ID, r.Actor, "Nora Dahl"); err != nil {
			t.Fatal(err)
		}
		for _, c := range claims {
			r.finish(t, c, uncertain())
		}
		if got := read[int](t, r, lines, r.Integration.ID, strconv.Itoa(dispatch.UncertainLimit)); got != 0 {
			t.Errorf("%d lines of the program's", got)
		}
	})
}

func (r rig) streak(t *testing.T) int {
	t.Helper()
	return read[int](t, r, `SELECT uncertain_streak FROM integrations WHERE id = $1`, r.Integration.ID)
}
