package delivery_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/store/pgserver"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
	"utsending/internal/tier"
)

// The database server really stops here, so these tests have their own, which keeps what was committed.
func TestDatabaseThatGoesAway(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	pg, err := pgserver.Start(t.Context(), pgserver.Options{NPMDir: "../../node_modules"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pg.Stop(); err != nil {
			t.Error(err)
		}
	})
	url := pg.URL("postgres")
	if _, err := storetest.Open(t, url).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Run("an answer is kept while it is away, and written when it is back", func(t *testing.T) { keptAnswer(t, pg, url) })
	t.Run("a stop does not wait for it, and what it did not hear of is a question", func(t *testing.T) { stopWhileAway(t, pg, url) })
	t.Run("under load nothing is doubled, and nothing is lost", func(t *testing.T) { restartUnderLoad(t, pg, url) })
}

func restart(t *testing.T, pg *pgserver.Server) {
	t.Helper()
	if err := pg.Restart(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// killOnce kills the server when the first message reaches the service, which then accepts it.
func killOnce(t *testing.T, pg *pgserver.Server) func(string, string) simulator.Fault {
	var once sync.Once
	return func(string, string) simulator.Fault {
		once.Do(func() {
			if err := pg.Kill(); err != nil {
				t.Error(err)
			}
		})
		return simulator.NoFault
	}
}

func keptAnswer(t *testing.T, pg *pgserver.Server, url string) {
	r := rigOn(t, url, storetest.Open(t, url), simulator.Options{})
	r.sim.SetChaos(killOnce(t, pg))
	id := r.queue(t, "020")
	r.start(t)
	await.True(t, "the service has accepted the message", func() bool { return len(r.sim.Books()) == 1 })
	await.True(t, "the worker has noticed that the database is away", func() bool { return r.log.has("database does not answer") })
	restart(t, pg)
	it := r.awaitState(t, id, dispatch.StateAccepted)
	if want := r.sim.Books()[0].ID; it.UpstreamID != want || it.NextCheck.IsZero() {
		t.Errorf("got id %q, next check %s; want %q", it.UpstreamID, it.NextCheck, want)
	}
	if n := r.attempted(t, id); n != 1 || r.calls(simulator.OpSend) != 1 {
		t.Errorf("got %d attempts and %d calls, want one", n, r.calls(simulator.OpSend))
	}
	await.True(t, "the worker has noticed that the database is back", func() bool { return r.log.has("database answers again") })
}

func stopWhileAway(t *testing.T, pg *pgserver.Server, url string) {
	r := rigOn(t, url, storetest.Open(t, url), simulator.Options{})
	r.sim.SetChaos(killOnce(t, pg))
	id := r.queue(t, "020")
	w := r.start(t, func(o *delivery.Options) { o.Lease, o.Grace = 2*time.Second, 100*time.Millisecond })
	await.True(t, "the service has accepted the message", func() bool { return len(r.sim.Books()) == 1 })
	w.stop()
	restart(t, pg)
	r.start(t, func(o *delivery.Options) { o.Lease = 2 * time.Second })
	it := r.awaitState(t, id, dispatch.StateUncertain)
	if it.Reason.Key != "reason.died" || len(r.sim.Books()) != 1 {
		t.Errorf("got uncertain because of %q, and %d accepted", it.Reason.Key, len(r.sim.Books()))
	}
}

// ends counts attempts by how and when they ended.
func (r *rig) ends(t *testing.T) (ends string) {
	t.Helper()
	err := r.db.QueryRowContext(t.Context(), `
		SELECT string_agg(format('%s %s at %s: %s', outcome, reason_key, at, n), ', ' ORDER BY at)
		FROM (SELECT outcome, reason_key, date_trunc('second', finished_at)::time AS at, count(*) AS n FROM attempts GROUP BY 1, 2, 3) a`).Scan(&ends)
	if err != nil {
		t.Error(err)
	}
	return ends
}

func restartUnderLoad(t *testing.T, pg *pgserver.Server, url string) {
	const n, processes, parallelism = 60, 2, 4
	r := rigOn(t, url, storetest.Open(t, url), simulator.Options{SlowFor: 10 * time.Millisecond})
	r.sim.SetChaos(func(string, string) simulator.Fault { return simulator.Slow })
	ids := r.queueMany(t, n)
	for range processes {
		// Long enough for a busy machine: only items that the database interrupts may be uncertain.
		r.start(t, func(o *delivery.Options) { o.Lease = 15 * time.Second })
	}
	for i, kill := range []bool{false, true} {
		await.True(t, "some more are accepted", func() bool { return len(r.sim.Books()) >= 15*(i+1) })
		if kill {
			if err := pg.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		restart(t, pg)
	}
	await.True(t, "nothing waits for its call", func() bool { return r.count(t, dispatch.StateQueued) == 0 })
	await.True(t, "answers are written", func() bool { return r.count(t, dispatch.StateAccepted) >= len(r.sim.Books()) })
	r.exec(t, `UPDATE items SET lease_until = now() WHERE state = 'sending'`) // of a claim that was never heard of it would run out later
	await.True(t, "all messages have come to an end", func() bool {
		return r.count(t, dispatch.StateAccepted)+r.count(t, dispatch.StateUncertain) == n
	})
	r.wantOnce(t, ids)
	if got, limit := r.count(t, dispatch.StateUncertain), 2*processes*parallelism; got > limit {
		t.Errorf("got %d questions to a person, want at most those in mid-call: %d; attempts ended as %s", got, limit, r.ends(t))
	}
	if g, err := queue.In(r.s).Guards.Current(t.Context()); g.Paused || err != nil {
		t.Errorf("a restart looks like a restore: %+v, %v", g, err)
	}
}
