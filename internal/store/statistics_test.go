package store_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// agree compares the statistics with the items.
func (r rig) agree(t *testing.T) {
	t.Helper()
	if n, err := lists.In(r.s).Statistics.Drift(t.Context()); err != nil || n != 0 {
		t.Errorf("%d counts are not what the items say, %v", n, err)
	}
	r.costsAgree(t)
}

// today is what the account has sent today.
func (r rig) today(t *testing.T) dispatch.Statistics {
	t.Helper()
	y, m, d := time.Now().In(dispatch.Oslo).Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, dispatch.Oslo)
	st, err := lists.In(r.s).Statistics.OfAccount(t.Context(), r.Account.ID, day, day.AddDate(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shipments := r.shipments(t)
	r.in(t, dispatch.StateDraft)
	rejectedOne, got := r.in(t, dispatch.StateRejected), r.in(t, dispatch.StateAccepted)
	r.exec(t, `UPDATE items SET status = 'LEVERT', status_at = now() WHERE id = $1`, got)
	shipment := shipments.acceptedShipment(t, dispatch.StatusRead, 3*time.Hour)
	r.exec(t, `UPDATE shipments SET billing_code = 'K-1', signing_status = 'SIGNERT_AV_MOTTAKER', signing_at = now() WHERE item_id = $1`, shipment)
	r.agree(t)

	for _, folded := range []bool{false, true} {
		t.Run(fmt.Sprintf("folded: %t", folded), func(t *testing.T) {
			if folded {
				if err := lists.In(r.s).Statistics.Fold(t.Context()); err != nil {
					t.Fatal(err)
				}
				if n := read[int](t, r, `SELECT count(*) FROM stat_changes`); n != 0 {
					t.Errorf("%d changes are left", n)
				}
			}
			st := r.today(t)
			sms := st.By(func(o dispatch.OfOutcome) bool { return o.Kind == dispatch.KindSMS })
			if want := (dispatch.Tally{N: 2, Arrived: 1, Stopped: 1, Segments: 2}); sms != want {
				t.Errorf("SMS: got %+v, want %+v", sms, want)
			}
			if all := st.By(func(dispatch.OfOutcome) bool { return true }); all.N != 3 || all.Arrived != 2 {
				t.Errorf("all: got %+v", all)
			}
			if len(st.Senders) != 2 || st.Senders[0].Name != "Kari Nordmann" {
				t.Errorf("senders: got %+v", st.Senders)
			}
			if len(st.Billing) != 1 || st.Billing[0].Value != "K-1" || st.Billing[0].N != 1 {
				t.Errorf("billing codes: got %+v", st.Billing)
			}
			if st.Read.Total() != 1 || st.Read.Median() != 0 || st.Sign.Median() != 1 {
				t.Errorf("read %v, signed %v", st.Read, st.Sign)
			}
			r.agree(t)
		})
	}
	t.Run("another account's are its own", func(t *testing.T) {
		if st := r.other(t).today(t); len(st.Outcomes) != 0 || len(st.Senders) != 0 {
			t.Errorf("got %+v", st)
		}
	})
	t.Run("what is deleted is not counted", func(t *testing.T) {
		r.exec(t, `DELETE FROM items WHERE id = $1`, rejectedOne)
		r.agree(t)
		if all := r.today(t).By(func(dispatch.OfOutcome) bool { return true }); all.N != 2 {
			t.Errorf("got %+v", all)
		}
	})
}

// TestStatisticsFollowTheItems changes items at random and concurrently, and folds meanwhile.
func TestStatisticsFollowTheItems(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shipments := r.shipments(t)
	var ids []dispatch.ItemID
	for range 10 {
		ids = append(ids, r.in(t, dispatch.StateAccepted), shipments.acceptedShipment(t, dispatch.StatusNotified, time.Hour))
	}
	changes := []string{
		`state = 'accepted', status = 'SENDT', status_at = now()`, `state = 'accepted', status = 'LEST', status_at = now() + interval '5 hours'`,
		`state = 'accepted', status = ''`, `state = 'accepted', status = '', upstream_id = NULL`, `state = 'rejected'`, `state = 'uncertain'`, `state = 'cancelled'`,
		`state = 'draft'`, `state = 'queued', due_at = now(), due_since = now()`, `state = 'accepted', status = 'IKKE_LEVERT', upstream_id = gen_random_uuid()`,
		`created_at = created_at - interval '1 day'`, `accepted_at = accepted_at - interval '1 day'`, `accepted_at = accepted_at - interval '3 hours'`,
	}
	var writers sync.WaitGroup
	for w := range 6 {
		writers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 29))
			for range 60 {
				id := ids[rng.IntN(len(ids))]
				r.exec(t, `UPDATE items SET `+changes[rng.IntN(len(changes))]+` WHERE id = $1`, id)
				switch rng.IntN(8) {
				case 0:
					if err := lists.In(r.s).Statistics.Fold(t.Context()); err != nil {
						t.Error(err)
					}
				case 1:
					r.exec(t, `UPDATE shipments SET billing_code = $2, signing_status = 'SIGNERT_AV_MOTTAKER', signing_at = now() WHERE item_id = $1`, id, fmt.Sprint("K", rng.IntN(3)))
				}
			}
		})
	}
	writers.Wait()
	r.agree(t)
	r.listedAgrees(t)
	if err := lists.In(r.s).Statistics.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.agree(t)
}

// TestStatisticsOfPeriods: any period has the sums of the items of its days, each counted once.
func TestStatisticsOfPeriods(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shipments := r.shipments(t)
	y, m, d := time.Now().In(dispatch.Oslo).Date()
	day := func(ago int) time.Time { return time.Date(y, m, d-ago, 0, 0, 0, 0, dispatch.Oslo) }
	const days = 24
	for ago := range days {
		id := shipments.acceptedShipment(t, dispatch.StatusRead, time.Hour)
		r.exec(t, `UPDATE shipments SET billing_code = $2 WHERE item_id = $1`, id, fmt.Sprint("K", ago%2))
		r.exec(t, `UPDATE items SET created_at = $2 WHERE id = $1`, id, day(ago).Add(time.Duration(ago)*time.Hour))
		if ago == days/2 { // the others are not put together
			if err := lists.In(r.s).Statistics.Fold(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.agree(t)
	for from := range days + 1 {
		for to := range from + 1 {
			st, err := lists.In(r.s).Statistics.OfAccount(t.Context(), r.Account.ID, day(from), day(to-1))
			if err != nil {
				t.Fatal(err)
			}
			want := min(from, days-1) - to + 1
			bills := 0
			for _, code := range st.Billing {
				bills += code.N
			}
			senders := dispatch.Tally{}
			for _, one := range st.Senders {
				senders = senders.Add(one.Tally)
			}
			all := st.By(func(dispatch.OfOutcome) bool { return true })
			if all.N != want || bills != want || st.Read.Total() != want || st.Hours.Total() != want || senders != all {
				t.Errorf("%d to %d days ago: got %+v by day, %+v by sender, %d billed and %d read, want %d", from, to, all, senders, bills, st.Read.Total(), want)
			}
		}
	}
}

// TestStatisticsOfBulk: a job's items, created a thousand per statement, are counted in a few rows.
func TestStatisticsOfBulk(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var rows []dispatch.JobRow
	for i := range 200 {
		rows = append(rows, storetest.Row(i+2, fmt.Sprintf("9%07d", i)))
	}
	r.SendJob(t, r.s, storetest.ListOf(nil, rows...), items.JobText{Text: "Hei der"})
	if _, err := items.In(r.s).Maker.Make(t.Context(), merged); err != nil {
		t.Fatal(err)
	}
	if n := read[int](t, r, `SELECT count(*) FROM stat_changes`); n > 3 {
		t.Errorf("%d changes for one job", n)
	}
	if all := r.today(t).By(func(o dispatch.OfOutcome) bool { return o.Outcome == dispatch.OutcomeOpen }); all.N != 200 || all.Segments != 200 {
		t.Errorf("got %+v", all)
	}
	r.agree(t)
}
