package store_test

import (
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// restored closes a rig's database and opens a copy of it, which is what a restored backup is.
func (r rig) restored(t *testing.T) rig {
	t.Helper()
	_, _ = r.s.Close(), r.db.Close()
	storetest.EndSessions(t, r.url) // a database with a session cannot be copied
	from, err := url.Parse(r.url)
	if err != nil {
		t.Fatal(err)
	}
	to := *from
	to.Path = from.Path + "_copy"
	onServer := *from
	onServer.Path = "/postgres"
	admin := storetest.DB(t, onServer.String())
	if _, err := admin.Exec(`CREATE DATABASE ` + pq.QuoteIdentifier(to.Path[1:]) + ` TEMPLATE ` + pq.QuoteIdentifier(from.Path[1:])); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = admin.Exec(`DROP DATABASE ` + pq.QuoteIdentifier(to.Path[1:]) + ` WITH (FORCE)`) })
	r.url, r.s, r.db = to.String(), storetest.Open(t, to.String()), storetest.DB(t, to.String())
	return r
}

func (r rig) checkGuard(t *testing.T) queue.Guard {
	t.Helper()
	g, err := queue.In(r.s).Guards.Check(t.Context(), queue.Witness{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (r rig) resume(t *testing.T) {
	t.Helper()
	if err := queue.In(r.s).Operations.ResumeDelivery(t.Context(), r.Actor); err != nil {
		t.Fatal(err)
	}
}

func TestGuardKnowsItsDatabase(t *testing.T) {
	t.Parallel()
	url := storetest.Database(t)
	s := storetest.Open(t, url)
	r := rig{Sample: storetest.NewSample(t, s, slug()), url: url, s: s, db: storetest.DB(t, url)}
	r.queued(t)
	if r.tryClaim(t, r.lane()) != nil {
		t.Error("claimed before the database was known")
	}
	for range 2 {
		if g := r.checkGuard(t); g != (queue.Guard{}) {
			t.Fatalf("got %+v, want the database that delivers", g)
		}
	}
	if r.tryClaim(t, r.lane()) == nil {
		t.Error("nothing to claim in the database that delivers")
	}
}

// Each component of the identity alone reveals a copy.
func TestGuardNoticesEachDifference(t *testing.T) {
	t.Parallel()
	for _, column := range []string{"system_identifier = system_identifier + 1", "timeline = '000000FF'", "database_oid = database_oid + 1", "table_oid = table_oid + 1"} {
		t.Run(column, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			id := r.queued(t)
			r.exec(t, `UPDATE delivery_guard SET `+column)
			if r.tryClaim(t, r.lane()) != nil {
				t.Error("claimed")
			}
			if g := r.checkGuard(t); !g.Restored || !g.Paused || r.state(t, id) != dispatch.StateUncertain {
				t.Errorf("got %+v and %s", g, r.state(t, id))
			}
		})
	}
}

func TestRestoredBackup(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ids := map[dispatch.State]dispatch.ItemID{}
	for _, state := range []dispatch.State{ // what is due comes last, else the next one would claim it
		dispatch.StateAccepted, dispatch.StateRejected, dispatch.StateFailed, dispatch.StateUncertain, dispatch.StateCancelled,
		dispatch.StateSending, dispatch.StateDraft, dispatch.StateQueued, overdue,
	} {
		ids[state] = r.in(t, state)
	}
	scheduled := r.queued(t)
	r.exec(t, `UPDATE items SET due_at = now() + interval '1 hour', due_since = now() + interval '1 hour' WHERE id = $1`, scheduled)
	untouched := r.row(t, ids[dispatch.StateAccepted])
	r = r.restored(t)

	t.Run("claims are refused by the SQL itself, even if nobody looks", func(t *testing.T) {
		if r.tryClaim(t, r.lane()) != nil || r.tryClaim(t, r.heldLane()) != nil {
			t.Fatal("claimed")
		}
	})
	t.Run("is noticed once, by whoever looks first", func(t *testing.T) {
		found := r.checkAtOnce(t, 4)
		if found == 0 || r.checkGuard(t) != (queue.Guard{Paused: true}) {
			t.Errorf("noticed by %d, then %+v", found, r.checkGuard(t))
		}
		if n := read[int](t, r, `SELECT count(*) FROM audit_events WHERE action = 'delivery.restored'`); n != 1 {
			t.Errorf("got %d lines in the event log, want 1", n)
		}
	})
	t.Run("what may have been sent since is uncertain", func(t *testing.T) {
		for _, state := range []dispatch.State{dispatch.StateQueued, dispatch.StateSending, overdue} {
			it := r.Item(t, r.s, ids[state])
			if it.State != dispatch.StateUncertain || it.Reason.Key != "reason.restored" || !it.Restored {
				t.Errorf("%s: got %s because of %q, restored %t", state, it.State, it.Reason.Key, it.Restored)
			}
			if n := read[int](t, r, `SELECT count(*) FROM events WHERE item_id = $1 AND kind = 'restored'`, it.ID); n != 1 {
				t.Errorf("%s: got %d events, want 1", state, n)
			}
			if n := read[int](t, r, `SELECT count(*) FROM attempts WHERE item_id = $1 AND outcome = 'uncertain' AND resolution = '' AND reason_key = 'reason.restored'`, it.ID); n != 1 {
				t.Errorf("%s: got %d uncertain attempts, want 1", state, n)
			}
		}
	})
	t.Run("so is what was to be sent later, and drafts carry the warning", func(t *testing.T) {
		for want, id := range map[dispatch.State]dispatch.ItemID{dispatch.StateDraft: ids[dispatch.StateDraft], dispatch.StateUncertain: scheduled} {
			if it := r.Item(t, r.s, id); it.State != want || !it.Restored {
				t.Errorf("got %s, restored %t; want %s with the warning", it.State, it.Restored, want)
			}
		}
	})
	t.Run("what has ended is left alone", func(t *testing.T) {
		for _, state := range []dispatch.State{dispatch.StateAccepted, dispatch.StateRejected, dispatch.StateFailed, dispatch.StateCancelled} {
			if it := r.Item(t, r.s, ids[state]); it.State != state || it.Restored {
				t.Errorf("%s became %s, restored %t", state, it.State, it.Restored)
			}
		}
		if r.row(t, ids[dispatch.StateAccepted]) != untouched {
			t.Error("the accepted row has changed")
		}
	})
	t.Run("nothing goes before a person says so, and then only what is new", func(t *testing.T) {
		fresh := r.queued(t)
		if hold := r.Item(t, r.s, fresh).Block; hold != dispatch.BlockPaused || r.tryClaim(t, r.lane()) != nil {
			t.Errorf("got hold %q, or a claim", hold)
		}
		r.resume(t)
		if g := r.checkGuard(t); g != (queue.Guard{}) {
			t.Errorf("got %+v after resuming", g)
		}
		if c := r.claim(t); c.Item != fresh || r.tryClaim(t, r.lane()) != nil {
			t.Error("got what may have been sent already")
		}
	})
}

// checkAtOnce runs n concurrent checks, and returns how many of them detected the restore.
func (r rig) checkAtOnce(t *testing.T, n int) int {
	t.Helper()
	guards := make([]queue.Guard, n)
	var all sync.WaitGroup
	for i := range guards {
		s := storetest.Open(t, r.url)
		all.Go(func() {
			var err error
			if guards[i], err = queue.In(s).Guards.Check(t.Context(), queue.Witness{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	found := 0
	for _, g := range guards {
		if !g.Paused {
			t.Error("a process found nothing wrong")
		}
		if g.Restored {
			found++
		}
	}
	return found
}

// In production the program is an ordinary role that owns its database, not a superuser.
func TestGuardOfAnOrdinaryRole(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	role := "web_" + strings.ReplaceAll(r.Account.Slug, "-", "_")
	r.exec(t, `DROP SCHEMA public CASCADE; CREATE ROLE `+role+` LOGIN; CREATE SCHEMA public AUTHORIZATION `+role)
	database := read[string](t, r, `SELECT current_database()`)
	r.exec(t, `ALTER DATABASE `+database+` OWNER TO `+role)
	t.Cleanup(func() {
		_, _ = r.db.Exec(`DROP SCHEMA public CASCADE; ALTER DATABASE ` + database + ` OWNER TO CURRENT_USER; DROP ROLE ` + role)
	})
	to, err := url.Parse(r.url)
	if err != nil {
		t.Fatal(err)
	}
	to.User = url.User(role)
	r.s = storetest.Open(t, to.String())
	if _, err := r.s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	r = r.other(t)
	r.queued(t)
	if g := r.checkGuard(t); g != (queue.Guard{}) || r.tryClaim(t, r.lane()) == nil {
		t.Errorf("got %+v, or nothing to claim", g)
	}
}
