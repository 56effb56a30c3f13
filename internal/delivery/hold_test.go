package delivery_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

func TestHeldRowsProbe(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		status int
		calls  int // of one probe that send something
		probe  string
	}{
		{"a refused integration", 401, 0, `UPDATE integrations SET next_probe_at = now() WHERE $1::uuid IS NOT NULL`}, // a question is asked first
		{"a wrong address", 405, 0, `UPDATE integrations SET next_probe_at = now() WHERE $1::uuid IS NOT NULL`},
		{"a refused account", 403, 1, `UPDATE account_refusals SET next_probe_at = now() WHERE account_id = $1`},
		{"an unknown account", 404, 1, `UPDATE account_refusals SET next_probe_at = now() WHERE account_id = $1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := &doorman{}
			d.answers.Store(int32(tt.status))
			r := newRig(t, simulator.Options{}, d.before)
			ids := r.queueMany(t, 10)
			r.start(t)
			r.start(t)
			r.awaitHeld(t, len(ids), 2)
			sends, asks := d.sends.Load(), d.asks.Load()
			r.looked(t, 2)
			if n := d.sends.Load() - sends + d.asks.Load() - asks; n != 0 {
				t.Errorf("got %d calls before the time", n)
			}
			r.exec(t, tt.probe, r.Account.ID)
			await.True(t, "it is probed", func() bool { return d.asks.Load() > asks && d.sends.Load() == sends+int32(tt.calls) })
			r.looked(t, 2)
			if n := d.sends.Load() - sends; n != int32(tt.calls) {
				t.Errorf("got %d calls by a probe, want %d", n, tt.calls)
			}
			r.awaitHeld(t, len(ids), 2)
			d.answers.Store(0)
			r.exec(t, tt.probe, r.Account.ID)
			r.awaitAccepted(t, len(ids))
			r.wantOnce(t, ids)
		})
	}
}

// doorman is a proxy before the service. While it has a status, it answers every request except for tokens.
type doorman struct{ answers, sends, asks atomic.Int32 }

func (d *doorman) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := int(d.answers.Load())
		if status == 0 || r.URL.Path == "/token" {
			next.ServeHTTP(w, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/send") {
			d.sends.Add(1)
		} else {
			d.asks.Add(1)
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"status": status, "errorId": uuid.NewString(), "message": "Nei"})
	})
}

// awaitHeld waits until n items wait on a refusal, and no item claimed just before is still running.
func (r *rig) awaitHeld(t *testing.T, n, workers int) {
	t.Helper()
	held := func() bool {
		return r.count(t, dispatch.StateQueued) == n && read[int](t, r, `
			SELECT count(*) FROM integrations i LEFT JOIN account_refusals a ON a.integration_id = i.id
			WHERE i.id = $1 AND (i.refused_at IS NOT NULL OR a.refused_at IS NOT NULL)`, r.Integration.ID) == 1
	}
	await.True(t, "all rows wait", held)
	r.looked(t, workers)
	await.True(t, "all rows wait still", held)
}

// waitForGuard counts the polls that wait for the guard.
func (r *rig) waitForGuard(t *testing.T) int {
	t.Helper()
	return read[int](t, r, `SELECT count(*) FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'delivery_guard'::regclass AND NOT granted`)
}

// looked waits until so many workers have polled and found the due items. Each poll reads the guard first, so the
// guard is held shut until all wait for it, and again until they are back.
func (r *rig) looked(t *testing.T, workers int) {
	t.Helper()
	for range 3 {
		tx, err := r.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(`LOCK TABLE delivery_guard IN ACCESS EXCLUSIVE MODE`); err != nil {
			t.Fatal(err)
		}
		await.True(t, "the workers look for work", func() bool {
			return r.waitForGuard(t) >= workers
		})
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRestoreUnderARunningWorker(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	r.start(t)
	r.queueMany(t, 20)
	r.awaitAccepted(t, 20)
	r.Account.UndoWindow = time.Hour
	scheduled := r.queue(t, "020")
	r.Account.UndoWindow = 0
	r.exec(t, `UPDATE delivery_guard SET database_oid = database_oid + 1`)
	id := r.queue(t, "020")
	await.True(t, "delivery pauses", func() bool { g, err := queue.In(r.s).Guards.Current(t.Context()); return g.Paused && err == nil })
	await.True(t, "somebody is told", func() bool { return r.log.has("this is not the database that last delivered") })
	it := r.Item(t, r.s, id)
	if it.State == dispatch.StateQueued && it.Block != dispatch.BlockPaused || it.State == dispatch.StateAccepted {
		t.Errorf("got %s, hold %q", it.State, it.Block)
	}
	if it := r.Item(t, r.s, scheduled); !it.Restored || it.State != dispatch.StateUncertain {
		t.Errorf("what was to go later is %s, with the warning: %t", it.State, it.Restored)
	}
	later := r.queue(t, "020")
	r.looked(t, 1)
	if n := len(r.sim.Books()); n != 20 {
		t.Errorf("got %d messages sent after the restore", n-20)
	}
	if err := queue.In(r.s).Operations.ResumeDelivery(t.Context(), r.Actor); err != nil {
		t.Fatal(err)
	}
	r.awaitState(t, later, dispatch.StateAccepted)
}

func TestPauseAndStop(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	w := r.start(t)
	r.awaitState(t, r.queue(t, "020"), dispatch.StateAccepted)
	steps := []struct {
		name    string
		off, on func() error
	}{
		{"paused delivery", func() error { return queue.In(r.s).Operations.PauseDelivery(t.Context(), r.Actor, "Kari Nordmann") }, func() error { return queue.In(r.s).Operations.ResumeDelivery(t.Context(), r.Actor) }},
		{"a stopped integration", func() error {
			return queue.In(r.s).Operations.StopIntegration(t.Context(), r.Integration.ID, r.Actor, "Kari Nordmann")
		},
			func() error { return queue.In(r.s).Operations.OpenIntegration(t.Context(), r.Integration.ID, r.Actor) }},
	}
	for i, step := range steps {
		if err := step.off(); err != nil {
			t.Fatal(err)
		}
		id := r.queue(t, "020")
		r.looked(t, 1)
		if len(r.sim.Books()) != i+1 || r.Item(t, r.s, id).State != dispatch.StateQueued {
			t.Errorf("%s sends", step.name)
		}
		if err := step.on(); err != nil {
			t.Fatal(err)
		}
		w.Wake()
		r.awaitState(t, id, dispatch.StateAccepted)
	}
}

func TestThreeUncertainAnswersStopTheIntegration(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{})
	r.with(t, func(in *dispatch.Integration) { in.Parallelism = 1 })
	r.sim.SetChaos(func(string, string) simulator.Fault { return simulator.LostAfter })
	ids := r.queueMany(t, 20)
	r.start(t)
	await.True(t, "the integration is stopped", func() bool {
		return read[bool](t, r, `SELECT stopped_at IS NOT NULL FROM integrations WHERE id = $1`, r.Integration.ID)
	})
	await.True(t, "the log says so", func() bool { return r.log.has("nothing is handed over to an integration until somebody sees to it") })
	r.looked(t, 1)
	if n := len(r.sim.Books()); n != dispatch.UncertainLimit {
		t.Errorf("got %d messages in doubt, want %d", n, dispatch.UncertainLimit)
	}
	r.sim.SetChaos(nil)
	if err := queue.In(r.s).Operations.OpenIntegration(t.Context(), r.Integration.ID, r.Actor); err != nil {
		t.Fatal(err)
	}
	r.awaitAccepted(t, len(ids)-dispatch.UncertainLimit)
	r.wantOnce(t, ids)
}
