package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// chained is a rig whose log has n lines, all in the chain.
func chained(t *testing.T, lines int) rig {
	t.Helper()
	r := newRig(t)
	for n := range lines {
		r.log(t, n)
	}
	r.chain(t)
	return r
}

func (r rig) log(t *testing.T, n int) {
	t.Helper()
	err := r.s.Record(t.Context(), store.Audit{Actor: r.User, Account: r.Account.ID, Action: "list.search", Details: map[string]any{"n": n, "person": true}, Origin: "10.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
}

func (r rig) chain(t *testing.T) int {
	t.Helper()
	n, err := registry.In(r.s).Audit.Chain(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (r rig) verify(t *testing.T, noted ...registry.Link) registry.Verification {
	t.Helper()
	v, err := registry.In(r.s).Audit.Verify(t.Context(), noted...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAuditChain(t *testing.T) {
	t.Parallel()
	r := chained(t, 5)
	if v := r.verify(t); !v.Whole() || v.Lines != 5 || v.First != 1 || v.Last.Position != 5 || v.Waiting != 0 {
		t.Errorf("got %+v", v)
	}
	r.log(t, 5)
	if v := r.verify(t); !v.Whole() || v.Waiting != 1 {
		t.Errorf("a new line does not wait: %+v", v)
	}
	if n := r.chain(t); n != 1 {
		t.Errorf("chained %d, want the new line", n)
	}
	if n := r.chain(t); n != 0 {
		t.Errorf("chained %d again", n)
	}
}

// TestAuditChainShows: the owner of the database can change anything, and it is detected.
func TestAuditChainShows(t *testing.T) {
	t.Parallel()
	const third = `(SELECT audit_id FROM audit_chain WHERE position = 3)`
	for _, tt := range []struct {
		name, harm string
		kind       registry.BreakKind
		position   int64
	}{
		{"another actor", `UPDATE audit_events SET actor_id = NULL WHERE id = ` + third, registry.BreakChanged, 3},
		{"another time", `UPDATE audit_events SET at = at - interval '1 microsecond' WHERE id = ` + third, registry.BreakChanged, 3},
		{"another name", `UPDATE audit_events SET actor_name = 'Ola' WHERE id = ` + third, registry.BreakChanged, 3},
		{"another login", `UPDATE audit_events SET sign_in_id = gen_random_uuid() WHERE id = ` + third, registry.BreakChanged, 3},
		{"names called older than names", `UPDATE audit_events SET actor_name = '' WHERE id = ` + third + `; UPDATE audit_chain SET form = 1 WHERE position = 3`, registry.BreakChanged, 3},
		{"another detail", `UPDATE audit_events SET details = '{"n": 2, "person": false}' WHERE id = ` + third, registry.BreakChanged, 3},
		{"a part moved into the next", `UPDATE audit_events SET action = 'list.search1', origin = '0.0.0.1' WHERE id = ` + third, registry.BreakChanged, 3},
		{"a line that is gone", `DELETE FROM audit_events WHERE id = ` + third, registry.BreakRemoved, 3},
		{"a line that is gone with its place", `WITH gone AS (DELETE FROM audit_chain WHERE position = 3 RETURNING audit_id) DELETE FROM audit_events USING gone WHERE id = audit_id`, registry.BreakGap, 3},
		{"the first line gone with its place", `WITH gone AS (DELETE FROM audit_chain WHERE position = 1 RETURNING audit_id) DELETE FROM audit_events USING gone WHERE id = audit_id`, registry.BreakGap, 1},
		{"two lines in another order", `UPDATE audit_chain c SET audit_id = -(SELECT audit_id FROM audit_chain o WHERE o.position = 7 - c.position) WHERE position IN (3, 4);
			UPDATE audit_chain SET audit_id = -audit_id WHERE audit_id < 0`, registry.BreakChanged, 3},
		{"two lines with each other's words", `UPDATE audit_events e SET details = o.details FROM audit_events o
			WHERE e.id IN (` + third + `, ` + third + ` + 1) AND o.id = 2 * ` + third + ` + 1 - e.id`, registry.BreakChanged, 3},
		{"a line that was put in long ago", `INSERT INTO audit_events (at, action) VALUES (now() - interval '1 day', 'sms.send')`, registry.BreakUnchained, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := chained(t, 6)
			r.exec(t, tt.harm)
			v := r.verify(t)
			if v.Whole() || v.Breaks[0].Kind != tt.kind || v.Breaks[0].Position != tt.position {
				t.Errorf("got %+v, want %s at %d", v.Breaks, tt.kind, tt.position)
			}
		})
	}
	t.Run("a line that was put in long ago, also when it has been chained", func(t *testing.T) {
		t.Parallel()
		r := chained(t, 6)
		r.exec(t, `INSERT INTO audit_events (at, action) VALUES (now() - interval '1 day', 'sms.send')`)
		r.chain(t)
		r.log(t, 7)
		r.chain(t)
		if v := r.verify(t); v.Whole() || v.Breaks[0].Kind != registry.BreakBackdated || v.Breaks[0].Position != 7 || len(v.Breaks) != 1 {
			t.Errorf("got %+v", v.Breaks)
		}
	})
	t.Run("the end cut off, by who wrote the end down", func(t *testing.T) {
		t.Parallel()
		r := chained(t, 6)
		end := r.verify(t).Last
		r.exec(t, `WITH gone AS (DELETE FROM audit_chain WHERE position > 4 RETURNING audit_id) DELETE FROM audit_events USING gone WHERE id = audit_id`)
		if v := r.verify(t); !v.Whole() {
			t.Errorf("got %+v: nothing in the database tells it", v.Breaks)
		}
		if v := r.verify(t, end); v.Whole() || v.Breaks[0].Kind != registry.BreakExpected {
			t.Errorf("got %+v", v.Breaks)
		}
	})
	t.Run("everything chained anew, by who wrote a place down", func(t *testing.T) {
		t.Parallel()
		r := chained(t, 6)
		end := r.verify(t).Last
		if again, err := registry.ParseLink(end.String()); err != nil || again.String() != end.String() {
			t.Fatalf("got %v, %v", again, err)
		}
		r.exec(t, `UPDATE audit_events SET origin = '10.0.0.2' WHERE id = `+third+`; DELETE FROM audit_chain`)
		r.chain(t)
		if v := r.verify(t, end); v.Whole() || v.Breaks[0].Kind != registry.BreakExpected || v.Breaks[0].Position != end.Position {
			t.Errorf("got %+v", v.Breaks)
		}
	})
	t.Run("everything taken away and called purged, by who wrote a place down", func(t *testing.T) {
		t.Parallel()
		r := chained(t, 6)
		r.exec(t, `INSERT INTO audit_anchors (position, hash) SELECT position, '\x00' FROM audit_chain WHERE position IN (2, 5);
			WITH gone AS (DELETE FROM audit_chain WHERE position <= 5 RETURNING audit_id) DELETE FROM audit_events USING gone WHERE id = audit_id;
			DELETE FROM audit_chain; DELETE FROM audit_events`)
		for position, kind := range map[int64]registry.BreakKind{2: registry.BreakExpected, 3: registry.BreakPurged, 5: registry.BreakExpected, 6: registry.BreakExpected} {
			if v := r.verify(t, registry.Link{Position: position, Hash: make([]byte, 32)}); v.Whole() || v.Breaks[0] != (registry.Break{Kind: kind, Position: position}) {
				t.Errorf("place %d: got %+v, want %s", position, v.Breaks, kind)
			}
		}
	})
}

// TestAuditChainTakesLateLines: a line committed after a later one is chained too.
func TestAuditChainTakesLateLines(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	tx, err := r.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `INSERT INTO audit_events (action) VALUES ('sms.send')`); err != nil {
		t.Fatal(err)
	}
	r.log(t, 1)
	if n := r.chain(t); n != 1 {
		t.Fatalf("chained %d, want what is committed", n)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if n := r.chain(t); n != 1 {
		t.Errorf("chained %d, want the late line", n)
	}
	if v := r.verify(t); !v.Whole() || v.Lines != 2 {
		t.Errorf("got %+v", v)
	}
}

func TestAuditLinesWrittenAtOnceAreOneChain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.exec(t, fmt.Sprintf(`INSERT INTO audit_events (action) SELECT 'sms.send' FROM generate_series(1, %d)`, 3500))
	two := storetest.Open(t, r.url)
	ended := make(chan error, 4)
	for _, s := range []*store.Store{r.s, two, r.s, two} {
		go func() {
			_, err := registry.In(s).Audit.Chain(context.WithoutCancel(t.Context()), time.Time{})
			ended <- err
		}()
	}
	for range 4 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	r.chain(t)
	if v := r.verify(t); !v.Whole() || v.Lines != 3500 {
		t.Errorf("got %d lines, breaks %+v", v.Lines, v.Breaks)
	}
}

// TestChainOfAnEarlierRelease: a chain from before lines had names still verifies.
func TestChainOfAnEarlierRelease(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.exec(t, `INSERT INTO audit_events (action, origin) VALUES ('sms.send', '10.0.0.1')`)
	r.chain(t)
	r.exec(t, `UPDATE audit_chain SET form = 1, hash = sha256(
		int8send(e.id) || int8send((extract(epoch FROM e.at) * 1000000)::bigint) || int8send(0) || int8send(0) || int8send(8) || 'sms.send'::bytea || int8send(0)
		|| int8send(length(e.details::text)) || convert_to(e.details::text, 'UTF8') || int8send(8) || '10.0.0.1'::bytea)
		FROM audit_events e WHERE e.id = audit_id`)
	r.log(t, 1)
	r.chain(t)
	if v := r.verify(t); !v.Whole() || v.Lines != 2 || v.Unproved != 1 {
		t.Errorf("got %+v", v)
	}
}
