package main_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/pgserver"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
	"utsending/internal/tier"
)

// TestPointInTime: the database is restored from a base backup and archived log to a moment at which SMS and shipments waited or were
// under way that were handed over afterwards. The restored copy hands nothing over until people have decided, as docs/operations.md
// leads them, and delivers then.
func TestPointInTime(t *testing.T) {
	tier.Trial(t)
	t.Parallel()
	primary := startServer(t, pgserver.Options{Template: migrated(t), Archive: true})
	restored := bare(t)
	s := newStormOn(t, killSetting(t, "KILL_SEED", rand.Uint64()), primary.URL("postgres"))
	web := s.start()
	to := nationalID()
	sendEach := func(n int) {
		for range n {
			for _, by := range s.senders {
				s.sendOne(by)
				s.postOne(by, to)
			}
		}
	}
	sendEach(2)
	if err := restored.Back(t.Context(), primary); errors.Is(err, pgserver.ErrNoBaseBackup) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	sendEach(2) // only in the archived log
	eventually(t, "all is handed over", func() bool { return s.left() == 0 })
	before := s.handedOver()

	calls := newTurnstile(t)
	calls.let(0)
	s.sim.SetChaos(func(operation, _ string) simulator.Fault {
		if operation == simulator.OpSend {
			calls.pass()
		}
		return simulator.NoFault
	})
	if _, err := s.db.ExecContext(t.Context(), `UPDATE integrations SET parallelism = 2 WHERE kind = 'sms'`); err != nil { // so that some wait behind others
		t.Fatal(err)
	}
	for range 10 {
		for _, by := range s.senders {
			s.sendOne(by)
		}
	}
	under := 10 * len(s.senders)
	eventually(t, "calls are under way, and SMS wait behind them", func() bool {
		return calls.holds() && s.count(`SELECT count(*) FROM items WHERE state = 'queued'`) > 0
	})
	var at string
	if err := s.db.QueryRowContext(t.Context(), `SELECT clock_timestamp()::text`).Scan(&at); err != nil {
		t.Fatal(err)
	}
	calls.release()
	s.calm([]*life{web})
	if got := s.handedOver(); got != before+under {
		t.Fatalf("%d were handed over, want %d", got, before+under)
	}

	if err := primary.Archived(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := primary.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := restored.RecoverTo(t.Context(), primary, at); err != nil {
		t.Fatal(err)
	}
	s.movedTo(restored.URL("postgres"))
	web = s.start()
	eventually(t, "delivery is paused", func() bool { return s.guard() == queue.Guard{Paused: true} })
	if n := s.count(`SELECT count(*) FROM items WHERE state = 'uncertain' AND restored_at IS NOT NULL`); n != under {
		t.Errorf("%d are to be decided about, want %d", n, under)
	}
	if n := s.count(`SELECT count(*) FROM items WHERE state = 'accepted'`); n != before {
		t.Errorf("%d were handed over before, want %d", n, before)
	}

	decided := 0
	for _, by := range s.senders {
		n, err := items.In(s.store).Decisions.ResolveRestored(t.Context(), by.Account, false, dispatch.DecisionSent, by.Actor)
		if err != nil {
			t.Fatal(err)
		}
		decided += n
	}
	if decided != under {
		t.Errorf("%d were decided about, want %d", decided, under)
	}
	if err := queue.In(s.store).Operations.ResumeDelivery(t.Context(), s.senders[0].Actor); err != nil {
		t.Fatal(err)
	}
	sendEach(1)
	s.calm([]*life{web})
	if got, want := s.handedOver(), before+under+2*len(s.senders); got != want {
		t.Errorf("%d were handed over in the end, want %d", got, want)
	}
	s.sentOnce()
}

// movedTo has the programs and the test use another database.
func (s *storm) movedTo(database string) {
	s.t.Helper()
	s.database = database
	s.store, s.db = storeWith(s.t, database, s.keys.added), storetest.DB(s.t, database)
	s.addressed(s.address)
}
