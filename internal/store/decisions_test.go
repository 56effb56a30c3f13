package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// gone is the state of a discarded draft.
const gone = dispatch.State("gone")

// acts are people's acts on an item, with the states in which they work and their results. In every other state the
// error is ErrChanged and nothing changes.
var acts = []struct {
	name  string
	do    func(*testing.T, rig, dispatch.ItemID) error
	leads map[dispatch.State]dispatch.State
	event string
}{
	{"change", change, map[dispatch.State]dispatch.State{dispatch.StateDraft: dispatch.StateDraft}, "edited"},
	{"send", send, map[dispatch.State]dispatch.State{dispatch.StateDraft: dispatch.StateQueued}, "queued"},
	{"cancel", cancel, map[dispatch.State]dispatch.State{dispatch.StateQueued: dispatch.StateCancelled, overdue: dispatch.StateCancelled}, "cancelled"},
	{"confirm", confirm, map[dispatch.State]dispatch.State{overdue: dispatch.StateQueued}, "confirmed"},
	{"send again", sendAgain, map[dispatch.State]dispatch.State{dispatch.StateFailed: dispatch.StateQueued}, "requeued"},
	{"discard", discard, map[dispatch.State]dispatch.State{dispatch.StateDraft: gone}, ""},
	{"decide that it was sent", decide(dispatch.DecisionSent),
		map[dispatch.State]dispatch.State{dispatch.StateUncertain: dispatch.StateAccepted}, "resolved:sent"},
	{"decide to send again", decide(dispatch.DecisionSendAgain),
		map[dispatch.State]dispatch.State{dispatch.StateUncertain: dispatch.StateQueued}, "resolved:send_again"},
	{"decide to drop", decide(dispatch.DecisionDrop),
		map[dispatch.State]dispatch.State{dispatch.StateUncertain: dispatch.StateCancelled}, "resolved:drop"},
}

func change(t *testing.T, r rig, id dispatch.ItemID) error {
	return items.In(r.s).SMS.ChangeDraft(t.Context(), r.Account.ID, id, r.Actor, storetest.ToPhone("90000999", "Noe annet"))
}

func send(t *testing.T, r rig, id dispatch.ItemID) error {
	return items.In(r.s).SMS.Queue(t.Context(), r.Account, id, r.Seen(t, r.s, id), r.Actor)
}

func cancel(t *testing.T, r rig, id dispatch.ItemID) error {
	return stop(r.s, t.Context(), r.Account.ID, id, r.Actor)
}

func confirm(t *testing.T, r rig, id dispatch.ItemID) error {
	return items.In(r.s).Decisions.Confirm(t.Context(), r.Account.ID, id, r.Actor)
}

func sendAgain(t *testing.T, r rig, id dispatch.ItemID) error {
	return items.In(r.s).Decisions.SendAgain(t.Context(), r.Account.ID, id, r.Actor)
}

func discard(t *testing.T, r rig, id dispatch.ItemID) error {
	return items.In(r.s).Drafts.Discard(t.Context(), r.Account.ID, dispatch.KindSMS, id, r.Actor)
}

// decide returns ErrChanged for a decision that affected nothing, as the other acts do.
func decide(d dispatch.Decision) func(*testing.T, rig, dispatch.ItemID) error {
	return func(t *testing.T, r rig, id dispatch.ItemID) error {
		n, err := items.In(r.s).Decisions.Resolve(t.Context(), r.Account, []dispatch.ItemID{id}, d, r.Actor)
		if n == 0 && err == nil {
			return store.ErrChanged
		}
		return err
	}
}

var everyState = []dispatch.State{dispatch.StateDraft, dispatch.StateQueued, overdue, dispatch.StateSending, dispatch.StateAccepted,
	dispatch.StateRejected, dispatch.StateFailed, dispatch.StateUncertain, dispatch.StateCancelled}

func TestActsInEveryState(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	for _, act := range acts {
		for _, state := range everyState {
			t.Run(fmt.Sprintf("%s when %s", act.name, state), func(t *testing.T) {
				r := base.other(t)
				id := r.in(t, state)
				before, events, audit := r.row(t, id), r.events(t, id), r.audit(t, id)
				err := act.do(t, r, id)
				to, allowed := act.leads[state]
				switch {
				case !allowed:
					wantErr(t, err, store.ErrChanged)
					if act.name == "cancel" && state == dispatch.StateSending {
						return // the wish is kept: TestStopWhileACallIsUnderWay
					}
					if r.row(t, id) != before || r.events(t, id) != events || r.audit(t, id) != audit {
						t.Error("something has changed all the same")
					}
				case err != nil:
					t.Fatal(err)
				default:
					if act.event != "edited" { // a draft may be changed without a line in the event log
						audit++
					}
					wantAct(t, r, id, to, events+" "+act.event, audit)
				}
			})
		}
	}
}

// audit counts an item's lines in the event log.
func (r rig) audit(t *testing.T, id dispatch.ItemID) int {
	t.Helper()
	return read[int](t, r, `SELECT count(*) FROM audit_events WHERE object_id = $1 AND account_id = $2 AND actor_id = $3`, id, r.Account.ID, r.User)
}

func wantAct(t *testing.T, r rig, id dispatch.ItemID, to dispatch.State, events string, audit int) {
	t.Helper()
	if got := r.audit(t, id); got != audit {
		t.Errorf("got %d lines in the event log, want %d", got, audit)
	}
	if to == gone {
		_, err := items.In(r.s).SMS.ByID(t.Context(), r.Account.ID, id)
		wantErr(t, err, store.ErrNotFound)
		return
	}
	if got := r.state(t, id); got != to {
		t.Errorf("got %s, want %s", got, to)
	}
	if got := r.events(t, id); got != events {
		t.Errorf("got events %q, want %q", got, events)
	}
}

// A double click, or two people at once: one of them is told that it is too late.
func TestActsTwiceAtOnce(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	for _, act := range acts[1:] { // a draft may be changed twice
		t.Run(act.name, func(t *testing.T) {
			for state := range act.leads {
				r := base.other(t)
				id := r.in(t, state)
				var errs [4]error
				var all sync.WaitGroup
				for i := range errs {
					all.Go(func() { errs[i] = act.do(t, r, id) })
				}
				all.Wait()
				done := 0
				for _, err := range errs {
					switch {
					case err == nil:
						done++
					case !errors.Is(err, store.ErrChanged) && !errors.Is(err, store.ErrNotFound):
						t.Error(err)
					}
				}
				if done != 1 {
					t.Errorf("when %s, it was done %d times", state, done)
				}
			}
		})
	}
}

func TestRevealIsWrittenDownInEveryState(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	for _, state := range everyState {
		r := base.other(t)
		id := r.in(t, state)
		before, events := r.row(t, id), r.events(t, id)
		if err := items.In(r.s).Decisions.Reveal(t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Errorf("%s: %v", state, err)
		}
		if r.row(t, id) != before || r.events(t, id) != events+" revealed" {
			t.Errorf("%s: got events %q", state, r.events(t, id))
		}
	}
}

func TestWhatIsSentAgainIsDueAnew(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	window := 90 * time.Second
	tests := []struct {
		name  string
		state dispatch.State
		do    func(*testing.T, rig, dispatch.ItemID) error
		after time.Duration
	}{
		{"a sent draft waits for the undo window", dispatch.StateDraft, send, window},
		{"a decision to send again can be undone as long", dispatch.StateUncertain, decide(dispatch.DecisionSendAgain), window},
		{"a confirmed item goes at once", overdue, confirm, 0},
		{"what was given up goes at once", dispatch.StateFailed, sendAgain, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := base.other(t)
			id := r.in(t, tt.state)
			r.Account.UndoWindow = window
			if err := tt.do(t, r, id); err != nil {
				t.Fatal(err)
			}
			it := r.Item(t, r.s, id)
			if wait := time.Until(it.DueAt); wait > tt.after || wait < tt.after-10*time.Second || !it.DueSince.Equal(it.DueAt) {
				t.Errorf("got due in %s, since %s; want in %s", wait, it.DueSince, tt.after)
			}
			if tt.state != overdue && (it.Reason != dispatch.Reason{}) {
				t.Errorf("got the old reason %+v", it.Reason)
			}
			if c := r.tryClaim(t, r.lane()); (c != nil) != (tt.after == 0) {
				t.Errorf("got a claim: %t", c != nil)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	one, two, sent := r.in(t, dispatch.StateUncertain), r.in(t, dispatch.StateUncertain), r.in(t, dispatch.StateAccepted)
	ids := []dispatch.ItemID{one, sent, "not an id", one, two}
	if n, err := items.In(r.s).Decisions.Resolve(t.Context(), r.Account, ids, dispatch.DecisionDrop, r.Actor); err != nil || n != 2 {
		t.Fatalf("got %d, %v; want 2: each uncertain item once, the others left alone", n, err)
	}
	if got := r.state(t, sent); got != dispatch.StateAccepted {
		t.Errorf("got %s for the accepted one", got)
	}
	if n := read[int](t, r, `SELECT count(*) FROM attempts WHERE resolution = 'not_sent' AND resolved_by = $1 AND resolved_at IS NOT NULL`, r.User); n != 2 {
		t.Errorf("got %d resolved attempts, want 2", n)
	}
}

// TestDecidedToHaveArrived: an item that arrived was handed over when the call was made, not when somebody said so.
func TestDecidedToHaveArrived(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.in(t, dispatch.StateUncertain)
	r.exec(t, `UPDATE attempts SET started_at = now() - interval '3 hours', sent_at = NULL WHERE item_id = $1`, id)
	if n, err := items.In(r.s).Decisions.Resolve(t.Context(), r.Account, []dispatch.ItemID{id}, dispatch.DecisionSent, r.Actor); err != nil || n != 1 {
		t.Fatalf("got %d, %v", n, err)
	}
	if !read[bool](t, r, `SELECT accepted_at BETWEEN now() - interval '4 hours' AND now() - interval '2 hours' FROM items WHERE id = $1`, id) {
		t.Error("it was handed over when somebody decided")
	}
}
