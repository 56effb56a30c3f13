package delivery_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

// TestMarkedAheadOfSilence: when a swift service falls silent, what was marked for the calls to come is put back, and only what
// was called is in doubt should we die.
func TestMarkedAheadOfSilence(t *testing.T) {
	t.Parallel()
	const parallelism, swift, more = 32, 200, 100
	d := newDoor("/send")
	var sent atomic.Int64
	silentLater := func(next http.Handler) http.Handler {
		held := d.wrap(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, d.suffix) && sent.Add(1) > swift {
				held.ServeHTTP(w, r)
			} else {
				next.ServeHTTP(w, r)
			}
		})
	}
	r := newRig(t, simulator.Options{}, silentLater)
	r.with(t, func(in *dispatch.Integration) { in.Parallelism = parallelism })
	r.start(t)
	ids := r.queueMany(t, swift+more)
	await.True(t, "as many calls run as may", func() bool { return len(d.arrived) == parallelism })
	const marked = `SELECT count(*) FROM attempts WHERE finished_at IS NULL`
	await.True(t, "no more are marked than are called", func() bool { return read[int](t, r, marked) == parallelism })
	r.looked(t, 1)
	await.True(t, "no more are marked than are called, when we have looked again", func() bool { return read[int](t, r, marked) == parallelism })
	if n := r.count(t, dispatch.StateUncertain); n != 0 || len(d.arrived) != parallelism {
		t.Errorf("%d are uncertain, %d were called", n, len(d.arrived))
	}
	close(d.opened)
	r.awaitAccepted(t, len(ids))
	r.wantOnce(t, ids)
	if n := read[int](t, r, `SELECT count(*) FROM attempts`); n != len(ids) {
		t.Errorf("got %d attempts, want %d", n, len(ids))
	}
}
