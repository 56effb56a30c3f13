package store_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// deliverer is a process that delivers, as far as the guard knows it.
type deliverer struct {
	rig
	queue.Witness
}

// deliverer returns a process that has beaten once.
func (r rig) deliverer(t *testing.T) *deliverer {
	t.Helper()
	d := &deliverer{r, queue.Witness{Worker: uuid.NewString()}}
	if d.beats(t, 1) {
		d.Beat = 1
	}
	return d
}

// beats writes a heartbeat, whose answer may be lost, and tells whether it proves anything.
func (d *deliverer) beats(t *testing.T, n int64) bool {
	t.Helper()
	_, held, err := queue.In(d.s).Workers.Heartbeat(t.Context(), d.Worker, n)
	if err != nil {
		t.Fatal(err)
	}
	return held
}

// begin claims an item, and with it begins an attempt.
func (d *deliverer) begin(t *testing.T) {
	t.Helper()
	d.queued(t)
	d.Attempts = append(d.Attempts, d.claim(t).Attempt)
}

// finds checks the guard. want.Why is a part of the reason.
func (d *deliverer) finds(t *testing.T, want queue.Guard) {
	t.Helper()
	got, err := queue.In(d.s).Guards.Check(t.Context(), d.Witness)
	if strings.Contains(got.Why, want.Why) {
		got.Why = want.Why
	}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

// promote makes the database look as a standby does when it is promoted: its timeline is newer than the guard's.
func (r rig) promote(t *testing.T) {
	t.Helper()
	r.exec(t, `UPDATE delivery_guard SET timeline = '00000000'`)
	r.exec(t, `UPDATE workers SET vouches = '00000000' WHERE vouches <> ''`)
}

// TestPromotedStandby: a failover is accepted only when every process that delivered finds what it knows.
func TestPromotedStandby(t *testing.T) {
	t.Parallel()
	var (
		holds   = queue.Guard{}
		goesOn  = queue.Guard{Promoted: true}
		waits   = queue.Guard{Waiting: true}
		paused  = queue.Guard{Paused: true}
		lacking = queue.Guard{Paused: true, Restored: true, Why: "lacks what this process had begun"}
		silent  = queue.Guard{Paused: true, Restored: true, Why: "did not tell within 20 seconds"}
		unknown = queue.Guard{Paused: true, Restored: true, Why: "no process that delivered can tell"}
	)
	for name, test := range map[string]func(t *testing.T, one, two *deliverer){
		"lacks nothing": func(t *testing.T, one, two *deliverer) {
			one.finds(t, waits)
			if one.queued(t); one.tryClaim(t, one.lane()) != nil {
				t.Error("claimed before all had told")
			}
			one.finds(t, waits)
			two.finds(t, goesOn)
			one.finds(t, holds)
			if one.tryClaim(t, one.lane()) == nil {
				t.Error("nothing to claim afterwards")
			}
			if n := read[int](t, one.rig, `SELECT count(*) FROM audit_events WHERE action = 'delivery.promoted'`); n != 1 {
				t.Errorf("got %d lines in the event log, want 1", n)
			}
		},
		"was promoted after minutes": func(t *testing.T, one, two *deliverer) {
			one.exec(t, `UPDATE workers SET seen_at = now() - interval '5 minutes'`)
			one.beats(t, 2)
			one.finds(t, waits)
			two.finds(t, goesOn)
		},
		"lacks an attempt": func(t *testing.T, one, two *deliverer) {
			one.exec(t, `DELETE FROM attempts WHERE id = $1`, two.Attempts[0])
			one.finds(t, waits)
			two.finds(t, lacking)
			one.finds(t, paused)
		},
		"lacks a heartbeat": func(t *testing.T, one, two *deliverer) {
			one.exec(t, `UPDATE workers SET beat = beat - 1 WHERE id = $1`, one.Worker)
			one.finds(t, lacking)
		},
		"lacks a process": func(t *testing.T, one, two *deliverer) {
			one.exec(t, `DELETE FROM workers WHERE id = $1`, one.Worker)
			one.finds(t, lacking)
		},
		"heartbeats meanwhile prove nothing": func(t *testing.T, one, two *deliverer) {
			one.exec(t, `UPDATE workers SET beat = beat - 1 WHERE id = $1`, one.Worker)
			for n := range int64(3) {
				if one.beats(t, n+2) {
					t.Error("a heartbeat proves something")
				}
			}
			one.finds(t, lacking)
		},
		"a process died with what it knew": func(t *testing.T, one, two *deliverer) {
			one.finds(t, waits)
			one.exec(t, `UPDATE delivery_guard SET promoted_at = promoted_at - interval '21 seconds'`)
			one.finds(t, silent)
		},
		"a process stopped in order before": func(t *testing.T, one, two *deliverer) {
			if err := queue.In(two.s).Workers.Remove(t.Context(), two.Worker); err != nil {
				t.Fatal(err)
			}
			one.finds(t, goesOn)
		},
		"all who delivered are gone": func(t *testing.T, one, two *deliverer) {
			one.exec(t, `DELETE FROM workers`)
			one.deliverer(t).finds(t, unknown)
		},
		"a process that begins meanwhile knows nothing": func(t *testing.T, one, two *deliverer) {
			fresh := one.deliverer(t)
			if fresh.Beat != 0 {
				t.Errorf("its heartbeat is %d", fresh.Beat)
			}
			fresh.finds(t, waits)
			one.finds(t, waits)
			two.finds(t, goesOn)
			fresh.finds(t, holds)
		},
		"promoted twice": func(t *testing.T, one, two *deliverer) {
			one.finds(t, waits)
			one.exec(t, `UPDATE workers SET vouches = '0000000' WHERE vouches <> '00000000'`) // it vouched for the first
			two.finds(t, waits)
			one.finds(t, goesOn)
		},
		"somebody has paused delivery": func(t *testing.T, one, two *deliverer) {
			one.exec(t, `UPDATE delivery_guard SET paused_at = now(), paused_by = 'Kari'`)
			one.finds(t, queue.Guard{Waiting: true, Paused: true, PausedBy: "Kari"})
			two.finds(t, queue.Guard{Promoted: true, Paused: true, PausedBy: "Kari"})
			one.finds(t, queue.Guard{Paused: true, PausedBy: "Kari"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			one, two := r.deliverer(t), r.deliverer(t)
			one.begin(t)
			two.begin(t)
			r.promote(t)
			test(t, one, two)
		})
	}
}

// TestPromotedStandbyHasBatches: a batch of a fast job is one call with one id.
func TestPromotedStandbyHasBatches(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	d := r.deliverer(t)
	part := dispatch.AttemptID(uuid.NewString())
	item := r.in(t, dispatch.StateSending)
	r.exec(t, `UPDATE attempts SET part_id = $1 WHERE item_id = $2`, part, item)
	d.Attempts = append(d.Attempts, part)
	r.promote(t)
	d.finds(t, queue.Guard{Promoted: true})
}

// TestDeadProcessIsForgotten: after a minute a process that died is no longer asked about a failover.
func TestDeadProcessIsForgotten(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	one, dead := r.deliverer(t), r.deliverer(t)
	r.exec(t, `UPDATE workers SET seen_at = now() - interval '61 seconds' WHERE id = $1`, dead.Worker)
	one.begin(t)
	if !one.beats(t, 2) {
		t.Fatal("the heartbeat proves nothing")
	}
	r.promote(t)
	one.finds(t, queue.Guard{Promoted: true})
}

// TestForgottenProcessComesBack: a process that was taken for dead is asked again. The answer to its first heartbeat since is lost
// with the primary.
func TestForgottenProcessComesBack(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	one, slow := r.deliverer(t), r.deliverer(t)
	for n := range int64(3) {
		slow.beats(t, n+2)
		slow.Beat = n + 2
	}
	r.exec(t, `UPDATE workers SET seen_at = now() - interval '61 seconds' WHERE id = $1`, slow.Worker)
	one.beats(t, 2)
	slow.beats(t, slow.Beat+1)
	r.promote(t)
	one.finds(t, queue.Guard{Waiting: true})
	slow.finds(t, queue.Guard{Promoted: true})
}
