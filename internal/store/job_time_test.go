package store_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// merged writes the same text to everybody.
func merged(j dispatch.Job) func(dispatch.JobRow) string {
	return func(dispatch.JobRow) string { return j.Text }
}

// made makes all items of all jobs.
func (r rig) made(t *testing.T) {
	t.Helper()
	for n := 1; n > 0; {
		var err error
		if n, err = items.In(r.s).Maker.Make(t.Context(), merged); err != nil {
			t.Fatal(err)
		}
	}
}

// job reads a job of the rig's account.
func (r rig) job(t *testing.T, id dispatch.JobID) dispatch.Job {
	t.Helper()
	j, err := items.In(r.s).Jobs.ByID(t.Context(), r.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// dues returns when the items of a job are due, in the order of its list.
func (r rig) dues(t *testing.T, id dispatch.JobID) (at []time.Time) {
	t.Helper()
	for it, err := range items.In(r.s).Jobs.EachItem(t.Context(), r.Account.ID, id) {
		if err != nil {
			t.Fatal(err)
		}
		if !it.DueAt.Equal(it.DueSince) {
			t.Errorf("due %v since %v", it.DueAt, it.DueSince)
		}
		at = append(at, it.DueAt)
	}
	return at
}

// jobLane is the lane of one job.
func (r rig) jobLane(id dispatch.JobID) queue.Lane {
	l := r.lane()
	l.Job = id
	return l
}

func TestJobAtATimeOfItsOwn(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	tomorrow := time.Now().Add(24 * time.Hour).Truncate(time.Second)
	later := tomorrow.Add(time.Hour)
	list := func() items.List {
		return storetest.ListOf(nil, storetest.Row(1, "90000121"), storetest.Row(2, "90000122"), storetest.Row(3, "90000123"))
	}
	planned := items.JobText{Text: "Hei der", Segments: 3, Timing: dispatch.Timing{SendAt: tomorrow}}
	wantDue := func(t *testing.T, r rig, id dispatch.JobID, want ...time.Time) {
		t.Helper()
		got := r.dues(t, id)
		if len(got) != len(want) {
			t.Fatalf("got %d items, want %d", len(got), len(want))
		}
		for i := range want {
			if !got[i].Equal(want[i]) {
				t.Errorf("item %d is due %v, want %v", i+1, got[i], want[i])
			}
		}
	}

	t.Run("waits for it", func(t *testing.T) {
		r := base.other(t)
		id := r.SendJob(t, r.s, list(), planned)
		r.made(t)
		if j := r.job(t, id); !j.SendAt.Equal(tomorrow) || !j.DueAt.Equal(tomorrow) || !j.Scheduled(time.Now()) {
			t.Errorf("got %v, due %v", j.SendAt, j.DueAt)
		}
		wantDue(t, r, id, tomorrow, tomorrow, tomorrow)
		if c := r.tryClaim(t, r.jobLane(id)); c != nil {
			t.Error("claimed before its time")
		}
		if err := items.In(r.s).Jobs.Finish(t.Context()); err != nil || r.job(t, id).State != dispatch.JobRunning {
			t.Errorf("got %s, %v: it has not ended", r.job(t, id).State, err)
		}
	})
	t.Run("waits for the account's daytime, unless it is urgent", func(t *testing.T) {
		r := base.other(t)
		minute := time.Now().In(dispatch.Oslo)
		from := (minute.Hour()*60 + minute.Minute() + 720) % 1430 // somewhere else on the clock
		r.Account.Daytime = dispatch.Daytime{From: from, To: from + 1}
		slow := r.SendJob(t, r.s, list(), items.JobText{Text: "Hei der"})
		fast := r.SendJob(t, r.s, list(), items.JobText{Text: "Haster", Timing: dispatch.Timing{Urgent: true}})
		r.made(t)
		if local := r.job(t, slow).DueAt.In(dispatch.Oslo); local.Hour()*60+local.Minute() != from {
			t.Errorf("due %v", local)
		}
		if r.tryClaim(t, r.jobLane(slow)) != nil || r.tryClaim(t, r.jobLane(fast)) == nil {
			t.Error("the urgent one does not go, or the other does")
		}
	})
	t.Run("gets another one, with the items that follow it", func(t *testing.T) {
		r := base.other(t)
		id := r.SendJob(t, r.s, list(), planned)
		r.made(t)
		own := read[dispatch.ItemID](t, r, `SELECT id FROM items WHERE job_id = $1 AND job_position = 2`, id)
		early := tomorrow.Add(-time.Hour)
		if err := items.In(r.s).SMS.Reschedule(t.Context(), r.Account, own, dispatch.Timing{SendAt: early}, r.Actor); err != nil {
			t.Fatal(err)
		}
		if err := items.In(r.s).Jobs.Reschedule(t.Context(), r.Account, id, dispatch.Timing{SendAt: later, Urgent: true}, r.Actor); err != nil {
			t.Fatal(err)
		}
		wantDue(t, r, id, later, early, later)
		if j := r.job(t, id); !j.SendAt.Equal(later) || !j.DueAt.Equal(later) || !j.Urgent {
			t.Errorf("got %v, due %v, urgent %t", j.SendAt, j.DueAt, j.Urgent)
		}
		first := read[dispatch.ItemID](t, r, `SELECT id FROM items WHERE job_id = $1 AND job_position = 1`, id)
		if it := r.Item(t, r.s, first); !it.SendAt.Equal(later) || !it.Urgent || !strings.HasSuffix(r.events(t, first), "queued rescheduled") {
			t.Errorf("got %v, urgent %t, %q", it.SendAt, it.Urgent, r.events(t, first))
		}
		if n := read[int](t, r, `SELECT count(*) FROM audit_events WHERE action = 'job.reschedule' AND object_id = $1`, id); n != 1 {
			t.Errorf("%d lines in the event log, want 1", n)
		}
	})
	t.Run("gets another one before its items are made", func(t *testing.T) {
		r := base.other(t)
		id := r.SendJob(t, r.s, list(), planned)
		if err := items.In(r.s).Jobs.Reschedule(t.Context(), r.Account, id, dispatch.Timing{SendAt: later}, r.Actor); err != nil {
			t.Fatal(err)
		}
		r.made(t)
		wantDue(t, r, id, later, later, later)
	})
	t.Run("goes now, and then it is too late for another one", func(t *testing.T) {
		r := base.other(t)
		id := r.SendJob(t, r.s, list(), planned)
		r.made(t)
		if err := items.In(r.s).Jobs.Reschedule(t.Context(), r.Account, id, dispatch.Timing{}, r.Actor); err != nil {
			t.Fatal(err)
		}
		if r.tryClaim(t, r.jobLane(id)) == nil {
			t.Error("it does not go")
		}
		wantErr(t, items.In(r.s).Jobs.Reschedule(t.Context(), r.Account, id, dispatch.Timing{SendAt: later}, r.Actor), store.ErrChanged)
	})
	t.Run("is stopped before it", func(t *testing.T) {
		r := base.other(t)
		id := r.SendJob(t, r.s, list(), planned)
		r.made(t)
		if err := items.In(r.s).Jobs.Stop(t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
		counts, err := items.In(r.s).Jobs.Counts(t.Context(), r.Account.ID, id)
		if err != nil || counts[dispatch.JobCancelled] != 3 || r.used(t) != 0 {
			t.Errorf("got %v, %v with %d parts used", counts, err, r.used(t))
		}
		wantErr(t, items.In(r.s).Jobs.Reschedule(t.Context(), r.Account, id, dispatch.Timing{SendAt: later}, r.Actor), store.ErrChanged)
	})
	t.Run("of another account is not found", func(t *testing.T) {
		r, two := base.other(t), base.other(t)
		id := r.SendJob(t, r.s, list(), planned)
		wantErr(t, items.In(two.s).Jobs.Reschedule(t.Context(), two.Account, id, dispatch.Timing{}, two.Actor), store.ErrNotFound)
	})
	t.Run("is not that of the draft that is made of it", func(t *testing.T) {
		r := base.other(t)
		id := r.SendJob(t, r.s, list(), planned)
		r.made(t)
		r.exec(t, `UPDATE items SET state = 'failed' WHERE job_id = $1`, id)
		again, err := items.In(r.s).Repeats.Again(t.Context(), r.Account.ID, id, r.Actor, "0198f3a0-0000-7000-8000-000000000001")
		if err != nil || !r.job(t, again).SendAt.IsZero() {
			t.Errorf("got %v, %v", r.job(t, again).SendAt, err)
		}
	})
}
