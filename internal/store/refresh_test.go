package store_test

import (
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

var plan = dispatch.DefaultRefreshPlan()

// check moves an item's next read to now and claims it.
func (r rig) check(t *testing.T, id dispatch.ItemID) queue.Check {
	t.Helper()
	r.exec(t, `UPDATE items SET next_check_at = now() WHERE id = $1`, id)
	in := read[dispatch.IntegrationID](t, r, `SELECT integration_id FROM items WHERE id = $1`, id)
	due, err := queue.In(r.s).Checks.Due(t.Context())
	if err != nil || due[in] != dispatch.IntegrationSMS {
		t.Fatalf("due is %v, %v", due, err)
	}
	checks, err := queue.In(r.s).Checks.Claim(t.Context(), in, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if c.Item == id {
			return c
		}
	}
	t.Fatalf("not among %d checks", len(checks))
	return queue.Check{}
}

// told saves a status as if the service had told it at a moment.
func (r rig) told(t *testing.T, id dispatch.ItemID, status dispatch.Status, now time.Time) dispatch.Item {
	t.Helper()
	if err := queue.In(r.s).Checks.SaveStatus(t.Context(), r.check(t, id), status, now, plan); err != nil {
		t.Fatal(err)
	}
	return r.Item(t, r.s, id).Item
}

func TestClaimChecks(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.in(t, dispatch.StateAccepted)
	r.in(t, dispatch.StateRejected)
	c := r.check(t, id)
	it := r.Item(t, r.s, id)
	if c.Account != r.Account.ID || c.ServiceID != r.Account.SMSAccountID || c.Integration != r.Integration.ID ||
		c.Service != storetest.ServiceName || c.UpstreamID != it.UpstreamID || !c.AcceptedAt.Equal(it.AcceptedAt) || c.SettledAt != nil {
		t.Errorf("got %+v", c)
	}
	t.Run("a claimed check is left alone, but not for ever", func(t *testing.T) {
		if checks, err := queue.In(r.s).Checks.Claim(t.Context(), r.Integration.ID, 10); err != nil || len(checks) != 0 {
			t.Errorf("got %d checks, %v", len(checks), err)
		}
		wantIn(t, "check", r.Item(t, r.s, id).NextCheck, 2*time.Minute)
	})
	t.Run("the integration that accepted it is asked, whatever the account uses now", func(t *testing.T) {
		r.exec(t, `UPDATE accounts SET sms_integration_id = $2 WHERE id = $1`, r.Account.ID, r.other(t).Integration.ID)
		if c := r.check(t, id); c.Integration != r.Integration.ID {
			t.Error("got another one")
		}
	})
	t.Run("each is claimed once by several at a time", func(t *testing.T) {
		r := newRig(t)
		for range 40 {
			r.in(t, dispatch.StateAccepted)
		}
		r.exec(t, `UPDATE items SET next_check_at = now()`)
		var mu sync.Mutex
		seen := map[dispatch.ItemID]int{}
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				checks, err := queue.In(r.s).Checks.Claim(t.Context(), r.Integration.ID, 10)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				for _, c := range checks {
					seen[c.Item]++
				}
			})
		}
		all.Wait()
		for id, n := range seen {
			if n != 1 {
				t.Errorf("%s was claimed %d times", id, n)
			}
		}
	})
}

func TestSaveStatus(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.in(t, dispatch.StateAccepted)
	it := r.Item(t, r.s, id)
	at := func(after time.Duration) time.Time { return it.AcceptedAt.Add(after) }
	const day = 24 * time.Hour
	steps := []struct {
		name   string
		status dispatch.Status
		now    time.Time
		event  string
		next   time.Time
	}{
		{"the first status", dispatch.StatusCreated, at(time.Minute), " status:OPPRETTET", at(5 * time.Minute)},
		{"the same again is no event", dispatch.StatusCreated, at(5 * time.Minute), "", at(15 * time.Minute)},
		{"a value nobody knows", "NY_VERDI", at(15 * time.Minute), " status:NY_VERDI", at(time.Hour)},
		{"UKJENT is not settled", dispatch.StatusUnknown, at(time.Hour), " status:UKJENT", at(7 * time.Hour)},
		{"settled: daily from now", dispatch.StatusDelivered, at(2 * day), " status:LEVERT", at(3 * day)},
		{"settled still", dispatch.StatusDelivered, at(3 * day), "", at(4 * day)},
		{"the last of seven days is at the limit", dispatch.StatusDelivered, at(9*day - time.Hour), "", at(9 * day)},
		{"backwards is kept, and unsettled again", dispatch.StatusSent, at(9*day - time.Minute), " status:SENDT", at(9*day - time.Minute + 6*time.Hour)},
		{"settled otherwise: seven days anew", dispatch.StatusNotDelivered, at(20 * day), " status:IKKE_LEVERT", at(21 * day)},
		{"settled in a third way: seven days anew", dispatch.StatusDelivered, at(26 * day), " status:LEVERT", at(27 * day)},
		{"and the last read ends it", dispatch.StatusDelivered, at(33 * day), "", time.Time{}},
	}
	events := r.events(t, id)
	for _, step := range steps {
		got := r.told(t, id, step.status, step.now)
		events += step.event
		if got.Status != step.status || r.events(t, id) != events {
			t.Errorf("%s: got %s with events %q, want %q", step.name, got.Status, r.events(t, id), events)
		}
		if !got.NextCheck.Equal(step.next) {
			t.Errorf("%s: got next check %s after acceptance, want %s", step.name, got.NextCheck.Sub(it.AcceptedAt), step.next.Sub(it.AcceptedAt))
		}
		if got.State != dispatch.StateAccepted || got.CheckedAt.IsZero() {
			t.Errorf("%s: got %s, checked at %s", step.name, got.State, got.CheckedAt)
		}
	}
}

func TestStatusAtIsWhenItWasFirstSeen(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.in(t, dispatch.StateAccepted)
	first := r.told(t, id, dispatch.StatusSent, time.Now())
	again := r.told(t, id, dispatch.StatusSent, time.Now())
	if !again.StatusAt.Equal(first.StatusAt) || !again.CheckedAt.After(first.CheckedAt) {
		t.Errorf("got status since %s, checked at %s; want since %s and checked later", again.StatusAt, again.CheckedAt, first.StatusAt)
	}
	if other := r.told(t, id, dispatch.StatusDelivered, time.Now()); !other.StatusAt.After(first.StatusAt) {
		t.Error("another status has the age of the first")
	}
}

func TestUnsettledForThirtyDays(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.in(t, dispatch.StateAccepted)
	accepted := r.Item(t, r.s, id).AcceptedAt
	limit := accepted.Add(30 * 24 * time.Hour)
	if it := r.told(t, id, dispatch.StatusSent, limit.Add(-time.Hour)); !it.NextCheck.Equal(limit) {
		t.Errorf("got next check at %s, want the limit %s", it.NextCheck, limit)
	}
	if it := r.told(t, id, dispatch.StatusSent, limit.Add(time.Second)); !it.NextCheck.IsZero() {
		t.Errorf("got next check at %s, want none", it.NextCheck)
	}
}

func TestSaveCheckError(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.in(t, dispatch.StateAccepted)
	before := r.told(t, id, dispatch.StatusSent, time.Now())
	events := r.events(t, id)
	fail := func(status int, missing bool) dispatch.Item {
		t.Helper()
		reason := dispatch.Reason{Key: "reason.server_error", HTTPStatus: status, ErrorID: "e-1"}
		if err := queue.In(r.s).Checks.SaveError(t.Context(), r.check(t, id), reason, dispatch.Answer{}, missing, time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		return r.Item(t, r.s, id).Item
	}
	steps := []struct {
		name    string
		status  int
		reads   int
		missing bool
		event   string
	}{
		{"a 500", 500, 0, false, ""},
		{"the first 404", 404, 1, true, ""},
		{"the second", 404, 2, true, ""},
		{"a 500 in between says nothing", 500, 2, false, ""},
		{"the third is told", 404, 3, true, " missing"},
		{"the fourth is not told again", 404, 4, true, ""},
	}
	for _, step := range steps {
		it := fail(step.status, step.missing)
		events += step.event
		if it.Missing != step.reads || it.Lost() != (step.reads >= 3) || r.events(t, id) != events {
			t.Errorf("%s: got %d missing, events %q; want %d, %q", step.name, it.Missing, r.events(t, id), step.reads, events)
		}
		if it.State != dispatch.StateAccepted || it.Status != dispatch.StatusSent || !it.CheckedAt.Equal(before.CheckedAt) {
			t.Errorf("%s: the state, the status or its age has changed", step.name)
		}
		if it.CheckError.HTTPStatus != step.status || it.CheckError.ErrorID != "e-1" || it.CheckError.At.IsZero() {
			t.Errorf("%s: got error %+v", step.name, it.CheckError)
		}
	}
	if it := r.told(t, id, dispatch.StatusSent, time.Now()); it.Missing != 0 || it.CheckError != (dispatch.Reason{}) {
		t.Errorf("a good read leaves %d missing and error %+v", it.Missing, it.CheckError)
	}
}

func TestPullCheck(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.in(t, dispatch.StateAccepted)
	pull := func() bool {
		t.Helper()
		ok, err := queue.In(r.s).Checks.Pull(t.Context(), r.Account.ID, id, 30*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	later := func() { r.exec(t, `UPDATE items SET next_check_at = now() + interval '6 hours' WHERE id = $1`, id) }
	var pulled [8]bool
	var all sync.WaitGroup
	for i := range pulled {
		all.Go(func() { pulled[i] = pull() })
	}
	all.Wait()
	n := 0
	for _, ok := range pulled {
		if ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("got %d pulls by eight at once, want 1", n)
	}
	wantIn(t, "check", r.Item(t, r.s, id).NextCheck, 0)
	later()
	if pull() {
		t.Error("pulled twice in the window")
	}
	r.exec(t, `UPDATE items SET pulled_at = now() - interval '30 seconds' WHERE id = $1`, id)
	if !pull() {
		t.Error("not pulled after the window")
	}
	r.exec(t, `UPDATE items SET pulled_at = now() - interval '1 hour', checked_at = now() - interval '29 seconds', next_check_at = now() + interval '1 hour' WHERE id = $1`, id)
	if pull() {
		t.Error("pulled although it was just read")
	}
	r.exec(t, `UPDATE items SET pulled_at = NULL, checked_at = NULL, next_check_at = NULL WHERE id = $1`, id)
	if !pull() {
		t.Error("not pulled although somebody looks at it: no more reads were planned")
	}
	r.exec(t, `UPDATE items SET pulled_at = NULL, next_check_at = NULL, accepted_at = now() - interval '91 days' WHERE id = $1`, id)
	if pull() {
		t.Error("pulled after so long")
	}
	r.exec(t, `UPDATE items SET accepted_at = now(), upstream_id = NULL WHERE id = $1`, id)
	if pull() {
		t.Error("pulled although the service gave no id to ask for")
	}
}
