package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// listOf is a list of n different phone numbers.
func listOf(n int) items.List {
	rows := make([]dispatch.JobRow, n)
	for i := range rows {
		rows[i] = storetest.Row(i+1, fmt.Sprintf("9%07d", i))
	}
	return storetest.ListOf(nil, rows...)
}

// makeSome creates the next items of a job, and returns how many rows it processed.
func (r rig) makeSome(t *testing.T) int {
	t.Helper()
	n, err := items.In(r.s).Maker.Make(t.Context(), merged)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// wantOneEach expects one item, one SMS and one creation event for each row of a job's list.
func (r rig) wantOneEach(t *testing.T, id dispatch.JobID, n int) {
	t.Helper()
	got := read[string](t, r, `
		SELECT concat_ws(' ', count(*), count(DISTINCT it.job_position), min(it.job_position), max(it.job_position), count(DISTINCT m.recipient_hash),
		                 (SELECT count(*) FROM events e JOIN items i ON i.id = e.item_id WHERE i.job_id = $1 AND e.kind IN ('queued', 'cancelled')))
		FROM items it JOIN sms m ON m.item_id = it.id WHERE it.job_id = $1`, id)
	if want := fmt.Sprintf("%d %d 1 %d %d %d", n, n, n, n, n); got != want {
		t.Errorf("got items, positions from and to, recipients, events %s, want %s", got, want)
	}
	if j := r.job(t, id); j.Made != n || j.Recipients != n || j.MadeAt.IsZero() {
		t.Errorf("the job has made %d of %d, at %v", j.Made, j.Recipients, j.MadeAt)
	}
}

// jobStates counts the items of a job by state.
func (r rig) jobStates(t *testing.T, id dispatch.JobID) string {
	t.Helper()
	return read[string](t, r, `
		SELECT coalesce(string_agg(n || ' ' || state, ', ' ORDER BY state), '')
		FROM (SELECT state, count(*) AS n FROM items WHERE job_id = $1 GROUP BY state) c`, id)
}

// TestJobChangedSince: a list uploaded after the review is not sent.
func TestJobChangedSince(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.JobDraft(t, r.s, listOf(2), items.JobText{Text: "Hei der", Segments: 2})
	seen := r.SeenJob(t, r.s, id)
	if _, err := items.In(r.s).Rows.Fill(t.Context(), r.Account.ID, id, r.Actor, listOf(3)); err != nil {
		t.Fatal(err)
	}
	wantErr(t, items.In(r.s).SMSJobs.Send(t.Context(), r.Account, id, seen, r.Actor, true), store.ErrStale)
}

func TestThousandsOfItemsAreMade(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.SendJob(t, r.s, listOf(2100), items.JobText{Text: "Hei der", Segments: 2100})
	calls := 0
	for n := r.makeSome(t); n > 0; n = r.makeSome(t) {
		if calls++; n > 1000 {
			t.Fatalf("%d in one transaction", n)
		}
		if made := r.job(t, id).Made; made != min(calls*1000, 2100) {
			t.Fatalf("%d are made after %d transactions", made, calls)
		}
	}
	r.wantOneEach(t, id, 2100)
	if got := r.jobStates(t, id); got != "2100 queued" || r.used(t) != 2100 {
		t.Errorf("got %s with %d parts used", got, r.used(t))
	}
	if c := r.tryClaim(t, r.jobLane(id)); c == nil {
		t.Error("nothing of it can be claimed")
	}
}

// TestItemsAreMadeByTwo: two processes create items of the same job concurrently.
func TestItemsAreMadeByTwo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.SendJob(t, r.s, listOf(2500), items.JobText{Text: "Hei der", Segments: 2500})
	end := time.Now().Add(5 * time.Minute)
	var all sync.WaitGroup
	for range 2 {
		s := storetest.Open(t, r.url)
		for range 2 {
			all.Go(func() {
				for made := false; !made && time.Now().Before(end); {
					if _, err := items.In(s).Maker.Make(t.Context(), merged); err != nil {
						t.Error(err)
						return
					}
					j, err := items.In(s).Jobs.ByID(t.Context(), r.Account.ID, id)
					made = err != nil || !j.MadeAt.IsZero()
				}
			})
		}
	}
	all.Wait()
	r.wantOneEach(t, id, 2500)
	if n := r.used(t); n != 2500 {
		t.Errorf("%d parts are used, want 2500", n)
	}
}

// TestJobOutOfABackup: a backup taken while a job's items were being created is restored. The created ones were due
// and may have been sent, and so may those created afterwards.
func TestJobOutOfABackup(t *testing.T) {
	t.Parallel()
	t.Run("that was due", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		id := r.SendJob(t, r.s, listOf(1300), items.JobText{Text: "Hei der"})
		r.makeSome(t)
		r = r.restored(t)
		if n := r.makeSome(t); n != 0 {
			t.Errorf("%d were made before anybody looked which database it is", n)
		}
		r.checkGuard(t)
		if n := r.makeSome(t); n != 0 {
			t.Errorf("%d were made while delivery is paused", n)
		}
		r.resume(t)
		r.made(t)
		if got := r.jobStates(t, id); got != "1300 uncertain" {
			t.Errorf("got %s", got)
		}
		if n := read[int](t, r, `SELECT count(DISTINCT job_position) FROM items WHERE job_id = $1 AND restored_at IS NOT NULL`, id); n != 1300 {
			t.Errorf("%d rows have an item that is known to be restored", n)
		}
		if c := r.tryClaim(t, r.jobLane(id)); c != nil {
			t.Error("something of it is sent by itself")
		}
		if err := items.In(r.s).Jobs.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, err := items.In(r.s).Jobs.Resolve(t.Context(), r.Account, id, dispatch.DecisionSendAgain, r.Actor); err != nil || n != 1300 {
			t.Errorf("decided about %d, %v", n, err)
		}
		if c := r.tryClaim(t, r.jobLane(id)); c == nil {
			t.Error("what a person has decided to send is not sent")
		}
	})
	t.Run("that was stopped", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		id := r.SendJob(t, r.s, listOf(1200), items.JobText{Text: "Hei der"})
		r.makeSome(t)
		if err := items.In(r.s).Jobs.Stop(t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
		r = r.restored(t)
		r.checkGuard(t)
		r.resume(t)
		r.made(t)
		if got := r.jobStates(t, id); got != "1200 cancelled" {
			t.Errorf("got %s", got)
		}
	})
}

// TestFastJobCallsANumberOnce: of valid rows with one number, however it is typed, the first gets an item.
func TestFastJobCallsANumberOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	person := storetest.Row(2, "90000001")
	person.Recipient = dispatch.SMSRecipient{NationalID: "01820099999"}
	faulty := storetest.Row(1, "90000003")
	faulty.Problem.Key = dispatch.ProblemDuplicate
	job := r.SendJob(t, r.s, storetest.ListOf(nil, faulty, person, storetest.Row(3, "90000002"), storetest.Row(4, "+4790000001"), storetest.Row(5, "90000003")),
		items.JobText{Text: "Hei der", Mode: dispatch.ModeFast})
	for r.makeSome(t) > 0 {
	}
	got := read[string](t, r, `SELECT string_agg(job_position::text, ' ' ORDER BY job_position) FROM items WHERE job_id = $1`, job)
	if got != "2 3 5" {
		t.Errorf("rows %s have items, want 2 3 5", got)
	}
}

// TestARowMakesOneItem: a constraint of the database guarantees it; and a form makes one item.
func TestARowMakesOneItem(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.SendJob(t, r.s, listOf(2), items.JobText{Text: "Hei der"})
	for r.makeSome(t) > 0 {
	}
	single := r.queued(t)
	for name, statement := range map[string]string{
		"a second item of a row":  `UPDATE items SET job_position = 1 WHERE job_position = 2`,
		"an item without a form":  `UPDATE items SET form_key = NULL WHERE job_id IS NULL`,
		"a second item of a form": `INSERT INTO items (id, account_id, kind, created_by, form_key) SELECT gen_random_uuid(), account_id, kind, created_by, form_key FROM items WHERE job_id IS NULL`,
	} {
		if _, err := r.db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if n := read[int](t, r, `SELECT count(*) FROM items WHERE job_id IS NOT NULL AND form_key IS NULL OR id = $1`, single); n != 3 {
		t.Errorf("got %d items, want two without a form and one", n)
	}
}
