package delivery_test

import (
	"sync"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// clock is the simulator's clock, advanced by tests.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Now()} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// sent returns accepted items, one for each ending.
func (r *rig) sent(t *testing.T, endings ...string) map[string]dispatch.ItemID {
	t.Helper()
	ids := map[string]dispatch.ItemID{}
	for _, e := range endings {
		ids[e] = r.queue(t, e)
	}
	r.awaitAccepted(t, len(endings))
	return ids
}

// readNow makes the account's statuses due and waits until each read has succeeded or failed.
func (r *rig) readNow(t *testing.T) {
	t.Helper()
	now := read[time.Time](t, r, `SELECT now()`)
	r.exec(t, `UPDATE items SET next_check_at = now() WHERE account_id = $1 AND next_check_at IS NOT NULL`, r.Account.ID)
	await.True(t, "the statuses are read", func() bool {
		return read[int](t, r, `
			SELECT count(*) FROM items
			WHERE account_id = $1 AND next_check_at IS NOT NULL AND greatest(checked_at, check_error_at) <= $2`, r.Account.ID, now) == 0 &&
			read[int](t, r, `SELECT count(*) FROM items WHERE account_id = $1 AND state = 'accepted' AND checked_at IS NULL AND check_error_at IS NULL`, r.Account.ID) == 0
	})
}

func TestStatusesAreFollowed(t *testing.T) {
	t.Parallel()
	const pace = time.Minute
	c := newClock()
	r := newRig(t, simulator.Options{Now: c.Now, Pace: pace, TokenLifetime: 100 * 24 * time.Hour})
	r.start(t)
	// The statuses of each ending after 0, 1, 2 and 3 steps, and a day later.
	tells := map[string][]dispatch.Status{
		"020": {"OPPRETTET", "SENDT", "LEVERT", "LEVERT", "LEVERT"},
		"001": {"OPPRETTET", "IKKE_SENDT", "IKKE_SENDT", "IKKE_SENDT", "IKKE_SENDT"},
		"002": {"OPPRETTET", "SENDT", "IKKE_LEVERT", "IKKE_LEVERT", "IKKE_LEVERT"},
		"003": {"OPPRETTET", "SENDT", "UKJENT", "UKJENT", "UKJENT"},
		"004": {"OPPRETTET", "SENDT", "UKJENT", "LEVERT", "LEVERT"},
		"005": {"OPPRETTET", "OPPRETTET", "OPPRETTET", "OPPRETTET", "OPPRETTET"},
		"006": {"OPPRETTET", "SENDT", "LEVERT", "LEVERT", "IKKE_LEVERT"},
		"924": {"NY_VERDI", "NY_VERDI", "NY_VERDI", "NY_VERDI", "NY_VERDI"},
	}
	var endings []string
	for e := range tells {
		endings = append(endings, e)
	}
	ids := r.sent(t, endings...)
	for step := range 5 {
		r.readNow(t)
		for e, want := range tells {
			it := r.Item(t, r.s, ids[e])
			if it.State != dispatch.StateAccepted || it.Status != want[step] || it.CheckedAt.IsZero() || it.CheckError != (dispatch.Reason{}) {
				t.Errorf("%s, step %d: got %s with %s, want %s", e, step, it.State, it.Status, want[step])
			}
			wait := time.Until(it.NextCheck)
			if settled := it.Settled(); settled != want[step].Settled(dispatch.KindSMS) || settled != (wait > 12*time.Hour) {
				t.Errorf("%s, step %d: settled %t, and read again in %s", e, step, settled, wait)
			}
		}
		c.add(pace)
		if step == 3 {
			c.add(24 * time.Hour)
		}
	}
	for e, tells := range tells {
		n := 1
		for i := range tells[1:] {
			if tells[i] != tells[i+1] {
				n++
			}
		}
		if got := read[int](t, r, `SELECT count(*) FROM events WHERE item_id = $1 AND kind = 'status'`, ids[e]); got != n {
			t.Errorf("%s: got %d status events, want one for each change: %d", e, got, n)
		}
	}
}

func TestReadsThatFail(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{Pace: time.Hour})
	r.start(t)
	ids := r.sent(t, "020")
	r.readNow(t)
	before := r.Item(t, r.s, ids["020"])
	r.exec(t, `UPDATE items SET accepted_at = now() - interval '2 days'`) // the plan is to read every six hours
	for _, fault := range []simulator.Fault{
		simulator.Status(400), simulator.Status(401), simulator.Status(403), simulator.Status(408), simulator.Status(429),
		simulator.Status(500), simulator.Status(502), simulator.Status(503), simulator.HTMLAnswer, simulator.NoID, simulator.EmptyAnswer,
		simulator.HalfAnswer, simulator.LostBefore, simulator.Redirect,
	} {
		r.sim.SetChaos(func(op, _ string) simulator.Fault {
			if op == simulator.OpStatus {
				return fault
			}
			return simulator.NoFault
		})
		r.readNow(t)
		it := r.Item(t, r.s, ids["020"])
		if it.State != before.State || it.Status != before.Status || !it.CheckedAt.Equal(before.CheckedAt) || it.Missing != 0 {
			t.Errorf("%s: the state, the status or its age has changed: %s, %s", fault, it.State, it.Status)
		}
		if it.CheckError.Key == "" || it.CheckError.At.IsZero() || fault < 1000 && it.CheckError.HTTPStatus != int(fault) {
			t.Errorf("%s: got error %+v", fault, it.CheckError)
		}
		if own := fault < 1000; own {
			wantAnswer(t, it.Answer, int(fault))
		} else if it.Answer != (dispatch.Answer{}) {
			t.Errorf("%s: an answer that is none of the service's became %+v", fault, it.Answer)
		}
		if wait := time.Until(it.NextCheck); wait <= 0 || wait > 5*time.Minute {
			t.Errorf("%s: the next read is in %s", fault, wait)
		}
	}
	if r.refused(t) {
		t.Error("a read that is refused stops the sending")
	}
	r.sim.SetChaos(nil)
	r.readNow(t)
	if it := r.Item(t, r.s, ids["020"]); it.CheckError != (dispatch.Reason{}) || it.Answer != (dispatch.Answer{}) || !it.CheckedAt.After(before.CheckedAt) {
		t.Errorf("a good read leaves the error %+v", it.CheckError)
	}
}

func TestThreeTimesNotFound(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	r.start(t)
	id := r.sent(t, "922")["922"]
	for n := 1; n <= 4; n++ {
		r.readNow(t)
		it := r.Item(t, r.s, id)
		if it.Missing != n || it.Lost() != (n >= 3) || it.State != dispatch.StateAccepted {
			t.Errorf("got %d, lost %t, %s; want %d", it.Missing, it.Lost(), it.State, n)
		}
	}
	if n := read[int](t, r, `SELECT count(*) FROM events WHERE item_id = $1 AND kind = 'missing'`, id); n != 1 {
		t.Errorf("got %d events, want one at the third", n)
	}
}

func TestSettledItemsAreReadDailyForAWeek(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{Pace: time.Nanosecond})
	r.start(t)
	settled, open := r.sent(t, "020")["020"], r.queue(t, "003")
	r.awaitAccepted(t, 2)
	r.readNow(t)
	asked := func(id dispatch.ItemID) int {
		phone, n := r.Item(t, r.s, id).Recipient.Phone.Reveal(), 0
		for _, c := range r.sim.Calls() {
			if c.Operation == simulator.OpStatus && c.Recipient == phone {
				n++
			}
		}
		return n
	}
	n := asked(settled)
	for range 3 { // the refresh comes by again and again, for others
		was := r.Item(t, r.s, open).CheckedAt
		r.exec(t, `UPDATE items SET next_check_at = now() WHERE id = $1`, open)
		await.True(t, "another is read", func() bool { return r.Item(t, r.s, open).CheckedAt.After(was) })
	}
	if it := r.Item(t, r.s, settled); asked(settled) != n || it.Status != dispatch.StatusDelivered {
		t.Errorf("got %d more reads of a settled item", asked(settled)-n)
	}
	if d := time.Until(r.Item(t, r.s, settled).NextCheck); d < 23*time.Hour || d > 24*time.Hour {
		t.Errorf("the next read is in %s, want a day", d)
	}
	if d := time.Until(r.Item(t, r.s, open).NextCheck); d > 6*time.Hour {
		t.Errorf("the next read of what may still change is in %s", d)
	}
	r.exec(t, `UPDATE items SET settled_at = now() - interval '7 days', accepted_at = now() - interval '8 days' WHERE id = $1`, settled)
	r.exec(t, `UPDATE items SET accepted_at = now() - interval '30 days' WHERE id = $1`, open)
	r.readNow(t)
	for _, id := range []dispatch.ItemID{settled, open} {
		if it := r.Item(t, r.s, id); !it.NextCheck.IsZero() {
			t.Errorf("%s is still read, in %s", it.Status, time.Until(it.NextCheck))
		}
	}
}

func TestLookingPullsTheReadForward(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{Pace: time.Nanosecond})
	r.start(t)
	id := r.sent(t, "020")["020"]
	if ok, err := queue.In(r.s).Checks.Pull(t.Context(), r.Account.ID, id, 30*time.Second); !ok || err != nil {
		t.Fatal(ok, err)
	}
	await.True(t, "the status is read at once", func() bool { return r.Item(t, r.s, id).Status == dispatch.StatusDelivered })
}
