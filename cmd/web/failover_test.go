package main_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
	"utsending/internal/tier"
)

// TestFailover: the standby is promoted in mid-delivery. If it has all that was committed, delivery goes on by itself;
// if it lags, delivery is paused. Nothing is sent twice either way.
func TestFailover(t *testing.T) {
	tier.Trial(t)
	t.Parallel()
	for name, test := range map[string]struct {
		lagging bool
		want    queue.Guard
	}{
		"to a standby that has everything": {want: queue.Guard{}},
		"to a standby that lags":           {lagging: true, want: queue.Guard{Paused: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pair := newPair(t)
			s := newStormOn(t, killSetting(t, "KILL_SEED", rand.Uint64()), pair.database)
			s.forgets = test.lagging
			t.Logf("KILL_SEED=%d", s.seed)
			s.sim.SetChaos(func(string, string) simulator.Fault {
				time.Sleep(time.Duration(s.number(100)) * time.Millisecond) // so that calls are under way at any time
				return simulator.NoFault
			})
			webs := []*life{s.start(), s.start()}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var senders sync.WaitGroup
			for _, by := range s.senders {
				senders.Go(func() { s.keepSending(ctx, by) })
				senders.Go(func() { s.keepPosting(ctx, by) })
			}
			sent := func(more int) {
				t.Helper()
				want := s.handedOver() + more
				eventually(t, "more is handed over", func() bool { return s.handedOver() >= want })
			}
			sent(50)
			eventually(t, "both deliver", func() bool { return s.witnesses() == len(webs) })
			if test.lagging {
				pair.lag()
				sent(20)
			}
			pair.failOver()
			if test.lagging {
				stop()
				senders.Wait()
				eventually(t, "delivery is paused", func() bool { return s.guard().Paused })
			} else {
				eventually(t, "the standby is accepted", func() bool { return s.promotions() == 1 })
				sent(50)
				stop()
				senders.Wait()
			}
			if got := s.guard(); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if !test.lagging {
				s.calm(webs)
				s.compareBooks()
				return
			}
			if err := queue.In(s.store).Operations.ResumeDelivery(t.Context(), s.senders[0].Actor); err != nil {
				t.Fatal(err)
			}
			s.calm(webs)
			s.sentOnce()
		})
	}
}

// TestStandbyIsWaitedFor: a program that is started on a standby, or on a copy that is still being restored, waits until it takes
// changes.
func TestStandbyIsWaitedFor(t *testing.T) {
	tier.Trial(t)
	t.Parallel()
	pair := newPair(t)
	s := newStormOn(t, 1, pair.database)
	alone := pair.standby.URL("postgres")
	s.env = append(s.env, "DATABASE_URL="+alone)
	if _, err := items.In(storeWith(t, alone, s.keys.added)).SMS.SaveDraft(t.Context(), s.senders[0].Account.ID, s.senders[0].Actor, uuid.NewString(), storetest.ToPhone("90000123", "Hei")); !store.Unreachable(err) {
		t.Errorf("a draft on a standby: got %v", err)
	}
	web := s.start()
	eventually(t, "the program waits", func() bool { return strings.Contains(web.output(), "it is a standby") })
	pair.failOver()
	eventually(t, "the program serves", web.serves)
	web.stop(t)
}

// handedOver counts what the service has taken.
func (s *storm) handedOver() int { return len(s.sim.Books()) + len(s.sim.Shipments()) }

// witnesses counts the processes that know their database.
func (s *storm) witnesses() int {
	return s.count(`SELECT count(*) FROM workers WHERE vouches <> ''`)
}

// promotions counts the failovers that were accepted.
func (s *storm) promotions() int {
	return s.count(`SELECT count(*) FROM audit_events WHERE action = 'delivery.promoted'`)
}

// count asks the database for a number; -1 while it does not answer.
func (s *storm) count(query string) int {
	n := 0
	if err := s.db.QueryRowContext(s.t.Context(), query).Scan(&n); err != nil {
		return -1
	}
	return n
}

func (s *storm) guard() (g queue.Guard) {
	s.t.Helper()
	err := s.surely(func() (err error) {
		g, err = queue.In(s.store).Guards.Current(s.t.Context())
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return g
}

// sentOnce checks only that nothing was sent twice: rows that the standby lacked cannot be compared.
func (s *storm) sentOnce() {
	s.t.Helper()
	for id, b := range s.booksByItem() {
		if len(b) > 1 {
			s.t.Errorf("SMS %s was sent %d times", id, len(b))
		}
	}
	for id, b := range s.shipmentsByItem() {
		if len(b) > 1 {
			s.t.Errorf("shipment %s was sent %d times", id, len(b))
		}
	}
}
