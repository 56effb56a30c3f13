package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

const person, firm, found = "02813299990", "974760673", "+4790999020"

// lookupOf is a look-up of a person and an organisation that has been answered.
func lookupOf(t *testing.T) dispatch.Lookup {
	t.Helper()
	l, ps := dispatch.ParseLookup(person+"\n"+firm, "Varsle om stengt skole")
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	l.Key, l.At, l.Strange = "k", time.Now().UTC().Truncate(time.Second), 1
	l.Take([]dispatch.LookupCall{{Asked: l.Unanswered(), Contacts: []dispatch.Contact{
		{Number: person, Status: dispatch.ContactNotFound}, {Number: firm, Phone: found, Status: dispatch.ContactValid},
	}}})
	return l
}

// numbersAlike compare what would be redacted in a difference.
var numbersAlike = cmp.Options{
	cmp.Comparer(func(a, b dispatch.LookupNumber) bool { return a == b }), cmp.Comparer(func(a, b dispatch.Phone) bool { return a == b }),
}

func TestLookupsAreKept(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	sessions, account, now := registry.In(r.s).Sessions, r.Account.ID, time.Now()
	commit := func(t *testing.T, token string) {
		t.Helper()
		if err := sessions.Commit(token, []byte("x"), now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	keep := func(t *testing.T, token string, l dispatch.Lookup) {
		t.Helper()
		if err := sessions.KeepLookup(t.Context(), token, account, l); err != nil {
			t.Fatal(err)
		}
	}
	gone := func(t *testing.T, token string, account dispatch.AccountID, now time.Time) {
		t.Helper()
		if l, err := sessions.Lookup(t.Context(), token, account, now); !errors.Is(err, store.ErrNotFound) || len(l.Entries) > 0 {
			t.Errorf("got %d entries and %v, want none", len(l.Entries), err)
		}
	}
	commit(t, "a")
	commit(t, "b")
	l := lookupOf(t)
	keep(t, "a", l)
	t.Run("and come back as they were", func(t *testing.T) {
		got, err := sessions.Lookup(t.Context(), "a", account, now)
		if diff := cmp.Diff(got, l, numbersAlike); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	})
	t.Run("for their session and account alone", func(t *testing.T) {
		gone(t, "b", account, now)
		gone(t, "a", r.other(t).Account.ID, now)
	})
	t.Run("and open nowhere else", func(t *testing.T) {
		r.exec(t, `INSERT INTO session_lookups (token_hash, account_id, data, expires_at) SELECT 'b', account_id, data, expires_at FROM session_lookups`)
		gone(t, "b", account, now)
	})
	t.Run("sealed", func(t *testing.T) {
		all := read[string](t, r, `SELECT string_agg(s::text, ' ') || coalesce((SELECT string_agg(encode(data, 'escape'), ' ') FROM session_lookups), '') FROM session_lookups s`)
		for _, secret := range []string{person, firm, found[3:], "stengt skole", "GYLDIG"} {
			if strings.Contains(all, secret) {
				t.Errorf("the row holds %q", secret)
			}
		}
	})
	t.Run("for a quarter of an hour", func(t *testing.T) {
		if _, err := sessions.Lookup(t.Context(), "a", account, l.At.Add(15*time.Minute-time.Second)); err != nil {
			t.Error(err)
		}
		gone(t, "a", account, l.At.Add(15*time.Minute))
	})
	t.Run("and are cleared away after it", func(t *testing.T) {
		old := l
		old.At = now.Add(-16 * time.Minute)
		keep(t, "a", old)
		keep(t, "b", l)
		if err := registry.In(r.s).Sessions.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := read[string](t, r, `SELECT string_agg(token_hash, ' ') FROM session_lookups`); got != "b" {
			t.Errorf("got %q left", got)
		}
	})
	t.Run("until they are forgotten", func(t *testing.T) {
		keep(t, "a", l)
		if err := sessions.ForgetLookup(t.Context(), "a", account); err != nil {
			t.Fatal(err)
		}
		gone(t, "a", account, now)
	})
	t.Run("until the session ends", func(t *testing.T) {
		if err := sessions.Delete("b"); err != nil {
			t.Fatal(err)
		}
		if n := read[int](t, r, `SELECT count(*) FROM session_lookups`); n != 0 {
			t.Errorf("got %d rows without a session", n)
		}
		if err := sessions.KeepLookup(t.Context(), "b", account, l); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("got %v for a session that has ended", err)
		}
	})
}

// asking is a look-up of so many people.
func asking(n int) dispatch.Lookup {
	l := dispatch.Lookup{Purpose: "Varsle om stengt skole"}
	for range n {
		l.Entries = append(l.Entries, dispatch.LookupEntry{Number: person})
	}
	return l
}

func TestBeginLookup(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	begin := func(ctx context.Context, l dispatch.Lookup) string {
		p, err := registry.In(r.s).Lookups.Begin(ctx, r.Account.ID, r.Actor, l, false)
		switch {
		case err != nil:
			return err.Error()
		case p != nil:
			return p.Key
		}
		return ""
	}
	t.Run("says in the event log who asks, for how many, for what and from where", func(t *testing.T) {
		l := asking(2)
		l.Entries = append(l.Entries, dispatch.LookupEntry{Number: firm}, dispatch.LookupEntry{Number: person, Answer: dispatch.AnswerGiven})
		if got := begin(t.Context(), l); got != "" {
			t.Fatal(got)
		}
		got := read[string](t, r, `SELECT concat_ws(' ', actor_id, account_id, action, origin, details->>'asked', details->>'persons', details->>'purpose', details->>'again') FROM audit_events WHERE action LIKE 'lookup%'`)
		want := string(r.User) + " " + string(r.Account.ID) + " lookup 127.0.0.1 3 2 Varsle om stengt skole false"
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if row := read[string](t, r, `SELECT e::text FROM audit_events e WHERE action = 'lookup'`); strings.Contains(row, person) || strings.Contains(row, firm) {
			t.Errorf("the event log holds a number: %s", row)
		}
	})
	t.Run("refuses more numbers than an hour has room for, and writes nothing", func(t *testing.T) {
		if got := begin(t.Context(), asking(4998)); got != "problem.lookup.much" {
			t.Errorf("got %q", got)
		}
		if n := read[int](t, r, `SELECT count(*) FROM audit_events WHERE action = 'lookup'`); n != 1 {
			t.Errorf("got %d rows, want 1", n)
		}
		if got := begin(t.Context(), asking(4997)); got != "" {
			t.Errorf("got %q for what just fits", got)
		}
	})
	t.Run("has room again after an hour", func(t *testing.T) {
		r.exec(t, `UPDATE audit_events SET at = now() - interval '61 minutes' WHERE action = 'lookup'`)
		if got := begin(t.Context(), asking(5000)); got != "" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("counts each person alone", func(t *testing.T) {
		two := r.other(t)
		if p, err := registry.In(r.s).Lookups.Begin(t.Context(), r.Account.ID, two.Actor, asking(1), false); p != nil || err != nil {
			t.Errorf("got %v, %v", p, err)
		}
	})
	t.Run("lets no more than twenty pass, however many come at once", func(t *testing.T) {
		r.exec(t, `DELETE FROM audit_events WHERE action = 'lookup'`)
		var all sync.WaitGroup
		for range 30 {
			all.Go(func() {
				if got := begin(t.Context(), asking(1)); got != "" && got != "problem.lookup.often" {
					t.Error(got)
				}
			})
		}
		all.Wait()
		if n := read[int](t, r, `SELECT count(*) FROM audit_events WHERE action = 'lookup'`); n != dispatch.LookupsPerHour {
			t.Errorf("%d passed, want %d", n, dispatch.LookupsPerHour)
		}
	})
}
