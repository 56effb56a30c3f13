package store_test

import (
	"errors"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/storetest"
)

// TestOwnSessions: connections that share sessions are found; the server itself, and PgBouncer in session mode, pass.
func TestOwnSessions(t *testing.T) {
	t.Parallel()
	t.Run("directly", func(t *testing.T) {
		t.Parallel()
		s, err := store.Open(store.Options{URL: storetest.Database(t), MaxOpenConns: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.OwnSessions(t.Context()); err != nil {
			t.Error(err)
		}
	})
	for mode, want := range map[string]error{"session": nil, "transaction": store.ErrSharedSession} {
		t.Run("PgBouncer in "+mode+" mode", func(t *testing.T) {
			t.Parallel()
			through := storetest.Bouncer(t, storetest.Database(t), mode)
			for range 20 {
				s := storetest.Open(t, through)
				if err := s.OwnSessions(t.Context()); !errors.Is(err, want) {
					t.Fatalf("got %v, want %v", err, want)
				}
				_ = s.Close()
			}
		})
	}
}

// TestThroughPgBouncer: claims, results and pages work through PgBouncer in session mode.
func TestThroughPgBouncer(t *testing.T) {
	t.Parallel()
	direct := newRig(t)
	through := storetest.Bouncer(t, direct.url, "session")
	r := direct
	r.s = storetest.Open(t, through)
	for range 20 {
		id := r.queued(t)
		c := r.claim(t)
		r.finish(t, c, accepted(string(id)))
		if got := r.state(t, id); got != dispatch.StateAccepted {
			t.Fatalf("it became %s", got)
		}
	}
}
