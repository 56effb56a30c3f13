package store_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// used is what the account has used this month.
func (r rig) used(t *testing.T) int {
	t.Helper()
	q, err := items.In(r.s).Budgets.SMSQuota(t.Context(), r.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return q.Used
}

// limit sets the account's limit, as an administrator does.
func (r rig) limit(t *testing.T, parts int) {
	t.Helper()
	r.exec(t, `UPDATE accounts SET sms_limit = $2 WHERE id = $1`, r.Account.ID, parts)
}

// twoSegments is an SMS of two segments.
var twoSegments = storetest.ToPhone("90000123", strings.Repeat("a", 161))

func TestQuotaCounts(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	for name, tt := range map[string]struct {
		state dispatch.State
		want  int
	}{
		"a draft":                         {dispatch.StateDraft, 0},
		"what is queued":                  {dispatch.StateQueued, 1},
		"what is being sent":              {dispatch.StateSending, 1},
		"what was accepted":               {dispatch.StateAccepted, 1},
		"what may have been sent":         {dispatch.StateUncertain, 1},
		"what was stopped is given back":  {dispatch.StateCancelled, 0},
		"what was rejected is given back": {dispatch.StateRejected, 0},
		"what was given up is given back": {dispatch.StateFailed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := base.other(t)
			r.in(t, tt.state)
			if got := r.used(t); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
			if got := base.used(t); got != 0 {
				t.Errorf("got %d on another account", got)
			}
		})
	}
	t.Run("by parts, and few rows hold the sum", func(t *testing.T) {
		r := base.other(t)
		for range 5 {
			r.Queue(t, r.s, twoSegments)
		}
		if got := r.used(t); got != 10 {
			t.Errorf("got %d, want 10", got)
		}
		if n := read[int](t, r, `SELECT count(*) FROM sms_usage WHERE account_id = $1`, r.Account.ID); n != 1 {
			t.Errorf("got %d rows, want 1", n)
		}
	})
	t.Run("what is sent again after it was given up once", func(t *testing.T) {
		r := base.other(t)
		id := r.in(t, dispatch.StateFailed)
		if err := items.In(r.s).Decisions.SendAgain(t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
		if got := r.used(t); got != 1 {
			t.Errorf("got %d, want 1", got)
		}
	})
	t.Run("what a person sends again once, and keeps what a person drops", func(t *testing.T) {
		r := base.other(t)
		r.resolve(t, r.in(t, dispatch.StateUncertain), dispatch.DecisionSendAgain)
		r.exec(t, `UPDATE items SET due_at = now() + interval '1 hour' WHERE account_id = $1`, r.Account.ID)
		r.resolve(t, r.in(t, dispatch.StateUncertain), dispatch.DecisionDrop)
		if got := r.used(t); got != 2 {
			t.Errorf("got %d, want 2", got)
		}
	})
	t.Run("gives back in the month in which it was counted", func(t *testing.T) {
		r := base.other(t)
		id := r.queued(t)
		r.exec(t, `UPDATE sms SET counted_month = '2026-01-01' WHERE item_id = $1`, id)
		r.exec(t, `UPDATE sms_usage SET month = '2026-01-01' WHERE account_id = $1`, r.Account.ID)
		r.queued(t)
		if err := stop(r.s, t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
		if got := r.used(t); got != 1 {
			t.Errorf("got %d this month, want 1", got)
		}
		if n := read[int](t, r, `SELECT sum(parts) FROM sms_usage WHERE account_id = $1 AND month = '2026-01-01'`, r.Account.ID); n != 0 {
			t.Errorf("got %d in January, want 0", n)
		}
	})
	t.Run("in the month that it is in Oslo", func(t *testing.T) {
		r := base.other(t)
		r.queued(t)
		want := time.Now().In(dispatch.Oslo).Format("2006-01") + "-01"
		if got := read[string](t, r, `SELECT month::text FROM sms_usage WHERE account_id = $1`, r.Account.ID); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestQuotaStops(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	t.Run("what does not fit stays a draft", func(t *testing.T) {
		r := base.other(t)
		r.limit(t, 3)
		r.Queue(t, r.s, twoSegments)
		id := r.Draft(t, r.s, twoSegments)
		wantErr(t, items.In(r.s).SMS.Queue(t.Context(), r.Account, id, r.Seen(t, r.s, id), r.Actor), items.ErrQuota)
		if state := r.state(t, id); state != dispatch.StateDraft || r.used(t) != 2 {
			t.Errorf("it is %s, and %d are used", state, r.used(t))
		}
		r.limit(t, 4)
		if err := items.In(r.s).SMS.Queue(t.Context(), r.Account, id, r.Seen(t, r.s, id), r.Actor); err != nil {
			t.Errorf("after the limit was raised: %v", err)
		}
	})
	t.Run("nor is it sent again", func(t *testing.T) {
		r := base.other(t)
		id := r.in(t, dispatch.StateFailed)
		r.limit(t, 1)
		r.queued(t)
		wantErr(t, items.In(r.s).Decisions.SendAgain(t.Context(), r.Account.ID, id, r.Actor), items.ErrQuota)
	})
	t.Run("of many at once, just as many go as fit", func(t *testing.T) {
		r := base.other(t)
		r.limit(t, 3)
		var ids [8]dispatch.ItemID
		for i := range ids {
			ids[i] = r.Draft(t, r.s, storetest.ToPhone("90000123", "Hei der"))
		}
		var all sync.WaitGroup
		results := make([]error, len(ids))
		for i, id := range ids {
			all.Go(func() { results[i] = items.In(r.s).SMS.Queue(t.Context(), r.Account, id, r.Seen(t, r.s, id), r.Actor) })
		}
		all.Wait()
		sent := 0
		for _, err := range results {
			if err == nil {
				sent++
			} else {
				wantErr(t, err, items.ErrQuota)
			}
		}
		if sent != 3 || r.used(t) != 3 {
			t.Errorf("%d went and %d are used, want 3", sent, r.used(t))
		}
	})
}

// TestQuotaAtOnce: without a limit no transaction waits for another, and no segment is lost.
func TestQuotaAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const n = 40
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range n / 4 {
				id := r.queued(t)
				if i%2 == 0 {
					if err := stop(r.s, t.Context(), r.Account.ID, id, r.Actor); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if got := r.used(t); got != n/2 {
		t.Errorf("got %d, want %d", got, n/2)
	}
}

func TestScheduling(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	due := func(t *testing.T, r rig, id dispatch.ItemID) (at, since time.Time) {
		t.Helper()
		it := r.Item(t, r.s, id)
		return it.DueAt, it.DueSince
	}
	tomorrow := time.Now().Add(24 * time.Hour).Truncate(time.Second)
	planned := storetest.ToPhone("90000123", "Hei der")
	planned.SendAt = tomorrow

	t.Run("goes at its time, which is what its waiting counts from", func(t *testing.T) {
		r := base.other(t)
		r.Account.UndoWindow = time.Minute
		id := r.Queue(t, r.s, planned)
		if at, since := due(t, r, id); !at.Equal(tomorrow) || !since.Equal(tomorrow) {
			t.Errorf("due %v since %v, want %v", at, since, tomorrow)
		}
		if c := r.tryClaim(t, r.lane()); c != nil {
			t.Error("it was claimed before")
		}
		if got := r.Item(t, r.s, id); !got.SendAt.Equal(tomorrow) || got.Urgent || got.Stage(time.Now()) != dispatch.StageScheduled {
			t.Errorf("got %v, %t, %s", got.SendAt, got.Urgent, got.Stage(time.Now()))
		}
	})
	t.Run("waits for the account's daytime, unless it is urgent", func(t *testing.T) {
		r := base.other(t)
		minute := time.Now().In(dispatch.Oslo)
		from := (minute.Hour()*60 + minute.Minute() + 720) % 1430 // somewhere else on the clock
		r.Account.Daytime = dispatch.Daytime{From: from, To: from + 1}
		id := r.Queue(t, r.s, storetest.ToPhone("90000123", "Hei der"))
		at, since := due(t, r, id)
		local := at.In(dispatch.Oslo)
		if local.Hour()*60+local.Minute() != from || !since.Equal(at) || !at.After(time.Now()) {
			t.Errorf("due %v since %v", at, since)
		}
		urgent := storetest.ToPhone("90000123", "Haster")
		urgent.Urgent = true
		id = r.Queue(t, r.s, urgent)
		if c := r.tryClaim(t, r.lane()); c == nil || c.Item != id {
			t.Error("the urgent one was not claimed")
		}
	})
	t.Run("can be given another time, or none, until it is due", func(t *testing.T) {
		r := base.other(t)
		id := r.Queue(t, r.s, planned)
		later := tomorrow.Add(time.Hour)
		if err := items.In(r.s).SMS.Reschedule(t.Context(), r.Account, id, dispatch.Timing{SendAt: later, Urgent: true}, r.Actor); err != nil {
			t.Fatal(err)
		}
		if at, since := due(t, r, id); !at.Equal(later) || !since.Equal(later) || !r.Item(t, r.s, id).Urgent {
			t.Errorf("due %v since %v, want %v", at, since, later)
		}
		if err := items.In(r.s).SMS.Reschedule(t.Context(), r.Account, id, dispatch.Timing{}, r.Actor); err != nil {
			t.Fatal(err)
		}
		wantErr(t, items.In(r.s).SMS.Reschedule(t.Context(), r.Account, id, dispatch.Timing{SendAt: later}, r.Actor), store.ErrChanged)
		if c := r.tryClaim(t, r.lane()); c == nil {
			t.Error("it was not claimed")
		}
		if got := r.events(t, id); !strings.HasSuffix(got, "queued rescheduled rescheduled") {
			t.Errorf("got events %q", got)
		}
		if got := r.used(t); got != 1 {
			t.Errorf("%d parts are used, want 1", got)
		}
	})
	t.Run("can be stopped until it is due", func(t *testing.T) {
		r := base.other(t)
		id := r.Queue(t, r.s, planned)
		if err := stop(r.s, t.Context(), r.Account.ID, id, r.Actor); err != nil {
			t.Fatal(err)
		}
		wantErr(t, items.In(r.s).SMS.Reschedule(t.Context(), r.Account, id, dispatch.Timing{}, r.Actor), store.ErrChanged)
		wantErr(t, items.In(r.s).SMS.Reschedule(t.Context(), base.Account, id, dispatch.Timing{}, r.Actor), store.ErrNotFound)
		wantErr(t, items.In(r.s).SMS.Reschedule(t.Context(), r.Account, dispatch.ItemID(uuid.NewString()), dispatch.Timing{}, r.Actor), store.ErrNotFound)
	})
}

func TestAccountSMSSettings(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.Account
	a.WatchWords, a.Daytime, a.SMSLimit = "rus\npsykisk helse", dispatch.Daytime{From: 480, To: 1200, Workdays: true}, 500
	check := func(t *testing.T, slug string, want dispatch.Account) dispatch.Account {
		t.Helper()
		all, err := registry.In(r.s).Accounts.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range all {
			if got.Slug == slug {
				if got.WatchWords != want.WatchWords || got.Daytime != want.Daytime || got.SMSLimit != want.SMSLimit {
					t.Errorf("got %q, %v, %d", got.WatchWords, got.Daytime, got.SMSLimit)
				}
				return got
			}
		}
		t.Fatal("the account is gone")
		return dispatch.Account{}
	}
	if _, err := registry.In(r.s).Accounts.Save(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	stored := check(t, a.Slug, a)
	stored.WatchWords, stored.Daytime, stored.SMSLimit = "", dispatch.Daytime{}, 0
	if err := registry.In(r.s).Accounts.Update(t.Context(), stored, r.Actor); err != nil {
		t.Fatal(err)
	}
	check(t, a.Slug, stored)
	fresh := a
	fresh.Slug, fresh.Name = slug(), "Konto "+slug()
	if err := registry.In(r.s).Accounts.Create(t.Context(), fresh, r.Actor); err != nil {
		t.Fatal(err)
	}
	check(t, fresh.Slug, a)
}

// TestQuotaOfJobs: a job's SMS count like single ones, and a job above the limit is not sent at all.
func TestQuotaOfJobs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.limit(t, 5)
	draft := func(numbers ...string) dispatch.JobID {
		rows := make([]dispatch.JobRow, len(numbers))
		for i, n := range numbers {
			rows[i] = storetest.Row(i+1, n, "Ola")
		}
		return r.JobDraft(t, r.s, storetest.ListOf([]string{"fornavn"}, rows...), items.JobText{Text: "Hei ((fornavn))", Segments: len(rows)})
	}
	send := func(id dispatch.JobID) error {
		return items.In(r.s).SMSJobs.Send(t.Context(), r.Account, id, r.SeenJob(t, r.s, id), r.Actor, true)
	}
	first, second, third := draft("90000001", "90000002", "90000003"), draft("90000004", "90000005", "90000006"), draft("90000007", "90000008")
	if err := send(first); err != nil {
		t.Fatal(err)
	}
	wantErr(t, send(second), items.ErrQuota) // though no item of the first is made yet
	merge := func(dispatch.Job) func(dispatch.JobRow) string {
		return func(dispatch.JobRow) string { return "Hei Ola" }
	}
	if _, err := items.In(r.s).Maker.Make(t.Context(), merge); err != nil {
		t.Fatal(err)
	}
	if got := r.used(t); got != 3 {
		t.Errorf("%d parts are counted, want 3", got)
	}
	wantErr(t, send(second), items.ErrQuota)
	if err := send(third); err != nil {
		t.Error(err)
	}
	if err := items.In(r.s).Jobs.Stop(t.Context(), r.Account.ID, first, r.Actor); err != nil {
		t.Fatal(err)
	}
	if got := r.used(t); got != 0 {
		t.Errorf("%d parts are counted of a stopped job, want none", got)
	}
}
