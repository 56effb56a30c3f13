package delivery_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
)

// TestOnlyWhatIsCalledIsInDoubt: when a fast service falls silent, no more items are claimed than called, and only
// those are uncertain after a crash.
func TestOnlyWhatIsCalledIsInDoubt(t *testing.T) {
	t.Parallel()
	const parallelism, swift, more = 16, 64, 40
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
	ids := r.queueMany(t, swift+more)
	w := r.start(t, func(o *delivery.Options) { o.Grace = time.Millisecond })
	await.True(t, "as many calls run as may, and what was answered is written", func() bool {
		return len(d.arrived) == parallelism && r.count(t, dispatch.StateAccepted) == swift
	})
	r.looked(t, 1)
	if n := r.count(t, dispatch.StateSending); n != parallelism {
		t.Errorf("%d are claimed, and %d are called", n, parallelism)
	}
	if n := read[int](t, r, `SELECT count(*) FROM attempts WHERE finished_at IS NULL`); n != parallelism {
		t.Errorf("%d attempts are begun, and %d are called", n, parallelism)
	}
	w.stop() // past the grace time, as a death but for the wait until the leases have run out
	if uncertain, queued := r.count(t, dispatch.StateUncertain), r.count(t, dispatch.StateQueued); uncertain != parallelism || queued != more-parallelism {
		t.Errorf("%d are in doubt and %d wait, want %d and %d", uncertain, queued, parallelism, more-parallelism)
	}
	close(d.opened)
	r.start(t)
	r.awaitAccepted(t, len(ids)-parallelism)
	r.wantOnce(t, ids)
	if n := read[int](t, r, `SELECT count(*) FROM attempts`); n != len(ids) {
		t.Errorf("got %d attempts, want %d", n, len(ids))
	}
}
