package delivery_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/recipients"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// rows is a list of n new numbers with an ending that the simulator acts upon.
func rows(n int, ending string) items.List {
	list := make([]dispatch.JobRow, n)
	for i := range list {
		list[i] = storetest.Row(i+1, number(ending), fmt.Sprintf("Navn %d", i+1))
	}
	return storetest.ListOf([]string{"fornavn"}, list...)
}

func (r *rig) job(t *testing.T, id dispatch.JobID) dispatch.Job {
	t.Helper()
	j, err := items.In(r.s).Jobs.ByID(t.Context(), r.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func (r *rig) counts(t *testing.T, id dispatch.JobID) dispatch.JobCounts {
	t.Helper()
	c, err := items.In(r.s).Jobs.Counts(t.Context(), r.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (r *rig) awaitJob(t *testing.T, id dispatch.JobID, state dispatch.JobState) {
	t.Helper()
	await.True(t, "a job becomes "+string(state), func() bool { return r.job(t, id).State == state })
}

func TestTraceableJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	id := r.SendJob(t, r.s, rows(300, "020"), items.JobText{Text: "Hei ((Fornavn)), " + text})
	r.start(t)
	r.awaitJob(t, id, dispatch.JobDone)
	if got := r.calls(simulator.OpSend); got != 300 {
		t.Errorf("got %d calls, want one for each of 300", got)
	}
	texts := map[string]bool{}
	for _, m := range r.sim.Books() {
		texts[m.Text] = true
	}
	if len(texts) != 300 || !texts["Hei Navn 7, "+text] {
		t.Errorf("got %d different texts, want each recipient's own", len(texts))
	}
	if c := r.counts(t, id); c.Left() != 0 || c[dispatch.JobUncertain] != 0 || c[dispatch.JobUntracked] != 0 {
		t.Errorf("got %v, want all handed over with an id", c)
	}
}

func TestFastJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	id := r.SendJob(t, r.s, rows(2300, "020"), items.JobText{Text: text, Mode: dispatch.ModeFast, Hide: true})
	r.start(t)
	r.awaitJob(t, id, dispatch.JobDone)
	if got := r.calls(simulator.OpBatch); got != 3 || r.calls(simulator.OpSend) != 0 {
		t.Errorf("got %d batches and %d single calls, want three batches alone", got, r.calls(simulator.OpSend))
	}
	for _, m := range r.sim.Books() {
		if !m.HideInReport || !m.Batch || m.Text != text {
			t.Fatalf("a message goes out with the text hidden: %t, in a batch: %t", m.HideInReport, m.Batch)
		}
	}
	if got := r.counts(t, id)[dispatch.JobUntracked]; got != 2300 {
		t.Errorf("got %d accepted without an id, want all", got)
	}
	if got := read[int](t, r, `SELECT count(*) FROM items WHERE next_check_at IS NOT NULL`); got != 0 {
		t.Errorf("%d items without an id are to be refreshed", got)
	}
}

// TestLostBatch: the answer to one batch is lost, and exactly that batch is uncertain.
func TestLostBatch(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	var lost atomic.Bool
	r.sim.SetChaos(func(string, string) simulator.Fault {
		if lost.Swap(true) {
			return simulator.NoFault
		}
		return simulator.LostAfter
	})
	id := r.SendJob(t, r.s, rows(1501, "020"), items.JobText{Text: text, Mode: dispatch.ModeFast})
	for n := 1; n > 0; {
		var err error
		if n, err = items.In(r.s).Maker.Make(t.Context(), recipients.Merge); err != nil {
			t.Fatal(err)
		}
		if _, err := queue.In(r.s).Guards.Check(t.Context(), queue.Witness{}); err != nil {
			t.Fatal(err)
		}
	}
	r.start(t)
	r.awaitJob(t, id, dispatch.JobDone)
	c := r.counts(t, id)
	if c[dispatch.JobUncertain] == 0 || c[dispatch.JobUncertain]+c[dispatch.JobUntracked] != 1501 {
		t.Fatalf("got %v, want one part uncertain and the rest accepted", c)
	}
	parts := read[int](t, r, `SELECT count(DISTINCT part_id) FROM attempts WHERE outcome = 'uncertain'`)
	if parts != 1 {
		t.Errorf("%d parts are uncertain, want one", parts)
	}
	if got := read[int](t, r, `SELECT uncertain_streak FROM integrations WHERE id = $1`, r.Integration.ID); got > 1 {
		t.Errorf("one lost answer counts as %d", got)
	}
}

func TestSinglesGoBeforeJobs(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	r.with(t, func(in *dispatch.Integration) { in.Parallelism, in.RatePerSec = 1, 200 })
	id := r.SendJob(t, r.s, rows(3000, "020"), items.JobText{Text: text})
	w := r.start(t)
	await.True(t, "the job has begun", func() bool { return r.calls(simulator.OpSend) > 10 })
	single := r.queue(t, "020")
	w.Wake()
	r.awaitState(t, single, dispatch.StateAccepted)
	if got := r.counts(t, id)[dispatch.JobWaiting]; got < 2000 {
		t.Errorf("only %d of the job are left: the single message waited for them", got)
	}
}

func TestPausedAndStoppedJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	r.with(t, func(in *dispatch.Integration) { in.Parallelism, in.RatePerSec = 2, 500 })
	id := r.SendJob(t, r.s, rows(2000, "020"), items.JobText{Text: text})
	w := r.start(t)
	await.True(t, "the job has begun", func() bool { return r.calls(simulator.OpSend) > 10 })
	if err := items.In(r.s).Jobs.Pause(t.Context(), r.Account.ID, id, r.Actor); err != nil {
		t.Fatal(err)
	}
	// A claim that began before the pause may be committed after it.
	paused := read[time.Time](t, r, `SELECT clock_timestamp()`)
	const earlier = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND xact_start < $1`
	await.True(t, "nothing is claimed or in a call", func() bool {
		return read[int](t, r, earlier, paused) == 0 && r.counts(t, id)[dispatch.JobSending] == 0
	})
	before := r.calls(simulator.OpSend)
	single := r.queue(t, "020")
	w.Wake()
	r.awaitState(t, single, dispatch.StateAccepted)
	if got := r.calls(simulator.OpSend); got != before+1 {
		t.Errorf("%d calls while paused, want the single message alone", got-before)
	}
	if err := items.In(r.s).Jobs.Resume(t.Context(), r.Account.ID, id, r.Actor); err != nil {
		t.Fatal(err)
	}
	await.True(t, "it goes on", func() bool { return r.calls(simulator.OpSend) > before+20 })
	if err := items.In(r.s).Jobs.Stop(t.Context(), r.Account.ID, id, r.Actor); err != nil {
		t.Fatal(err)
	}
	await.True(t, "all are made and none waits", func() bool { return r.job(t, id).Made == 2000 && r.counts(t, id).Left() == 0 })
	c := r.counts(t, id)
	if c[dispatch.JobCancelled] == 0 || c[dispatch.JobCancelled]+r.calls(simulator.OpSend)-1 != 2000 {
		t.Errorf("%d cancelled and %d calls, want 2000 in all", c[dispatch.JobCancelled], r.calls(simulator.OpSend)-1)
	}
	if got := r.job(t, id).State; got != dispatch.JobStopped {
		t.Errorf("got %s, want stopped", got)
	}
}

// TestDeathInJob: a worker dies halfway; only SMS in a call are uncertain, and another worker sends the rest.
func TestDeathInJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	r.with(t, func(in *dispatch.Integration) { in.Parallelism = 4 })
	id := r.SendJob(t, r.s, rows(600, "020"), items.JobText{Text: text})
	for range 2 {
		if _, err := queue.In(r.s).Guards.Check(t.Context(), queue.Witness{}); err != nil {
			t.Fatal(err)
		}
		if _, err := items.In(r.s).Maker.Make(t.Context(), recipients.Merge); err != nil {
			t.Fatal(err)
		}
	}
	lanes, err := queue.In(r.s).Claims.Lanes(t.Context())
	if err != nil || len(lanes) != 1 || lanes[0].Job != id {
		t.Fatalf("got lanes %v, %v", lanes, err)
	}
	for range 3 { // claimed by one who is never heard of again
		if c, err := queue.In(r.s).Claims.Claim(t.Context(), lanes[0], time.Second); c == nil || err != nil {
			t.Fatal(c, err)
		}
	}
	r.start(t)
	await.True(t, "the dead are noticed", func() bool { return r.counts(t, id)[dispatch.JobUncertain] == 3 })
	r.awaitJob(t, id, dispatch.JobDone)
	if got := r.calls(simulator.OpSend); got != 597 {
		t.Errorf("got %d calls, want 597", got)
	}
}
