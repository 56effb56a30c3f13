package store_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

func TestDescribeKeepsWhatPostgreSQLQuotes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, tt := range []struct{ name, statement, want string }{
		{"a detail quotes a row", `INSERT INTO users (id, issuer, subject, name) VALUES (gen_random_uuid(), 'https://login.example', $1, 'Kari 90000123')`, "23505"},
		{"a detail quotes a failing row", `UPDATE accounts SET undo_seconds = -1 WHERE name = $1 OR true`, "23514"},
		{"a message quotes a parameter", `SELECT id FROM items WHERE id = $1::text::uuid`, "22P02"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			subject := "90000123"
			if tt.want == "23505" {
				subject = r.Account.Slug
			}
			_, err := r.db.Exec(tt.statement, subject)
			var e *pq.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an error of PostgreSQL", err)
			}
			got := store.Describe(fmt.Errorf("save: %w", err))
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want code %s", got, tt.want)
			}
			for _, quoted := range []string{"90000123", "Kari", e.Detail, e.Message, r.Account.Slug, r.Account.Name} {
				if quoted != "" && strings.Contains(got, quoted) {
					t.Errorf("got %q, which holds %q", got, quoted)
				}
			}
		})
	}
	t.Run("other errors keep their words", func(t *testing.T) {
		if got := store.Describe(fmt.Errorf("save: %w", store.ErrChanged)); got != "save: changed meanwhile" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("an address that cannot be read keeps its password", func(t *testing.T) {
		for _, address := range []string{"postgres://web:hemmelig@db:x/utsending", "postgres://web:hemmelig@[db/utsending", "host=db password='hemmelig"} {
			if _, err := store.Open(store.Options{URL: address}); err == nil || strings.Contains(err.Error(), "hemmelig") {
				t.Errorf("%s: got %v", address, err)
			}
		}
	})
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	away, err := store.Open(store.Options{URL: "postgres://web:hemmelig@127.0.0.1:1/utsending?sslmode=disable"})
	if err != nil {
		t.Fatal(err)
	}
	defer away.Close()
	_, refused := queue.In(away).Guards.Current(t.Context())
	if refused == nil || strings.Contains(store.Describe(refused), "hemmelig") {
		t.Errorf("got %v", refused)
	}
	for _, tt := range []struct {
		name string
		err  error
		want bool
	}{
		{"a refused connection", refused, true},
		{"a broken connection", driver.ErrBadConn, true},
		{"an answer cut short", fmt.Errorf("read: %w", io.ErrUnexpectedEOF), true},
		{"an address that does not resolve", &net.DNSError{}, true},
		{"a server that shuts down", &pq.Error{Code: "57P01"}, true},
		{"a server that starts up", &pq.Error{Code: "57P03"}, true},
		{"a row that breaks a rule", &pq.Error{Code: "23505"}, false},
		{"a thing that is not there", store.ErrNotFound, false},
		{"somebody who went away", context.Canceled, false},
		{"nothing", nil, false},
	} {
		if got := store.Unreachable(tt.err); got != tt.want {
			t.Errorf("%s: got %t, want %t", tt.name, got, tt.want)
		}
	}
}

func TestAuditHoldsNothingPersonal(t *testing.T) {
	t.Parallel()
	r := secretive(t)
	id := r.Queue(t, r.s, storetest.ToPhone(phone, text))
	for _, do := range []func() error{
		func() error { return stop(r.s, t.Context(), r.Account.ID, id, r.Actor) },
		func() error { return queue.In(r.s).Operations.PauseDelivery(t.Context(), r.Actor, "Kari Nordmann") },
		func() error { return queue.In(r.s).Operations.ResumeDelivery(t.Context(), r.Actor) },
		func() error {
			return queue.In(r.s).Operations.StopIntegration(t.Context(), r.Integration.ID, r.Actor, "Kari Nordmann")
		},
		func() error { return queue.In(r.s).Operations.OpenIntegration(t.Context(), r.Integration.ID, r.Actor) },
		func() error {
			return r.s.Record(t.Context(), store.Audit{Actor: r.User, Action: "login", Details: map[string]any{"accounts": 2}, Origin: "127.0.0.1"})
		},
		func() error { return r.s.Record(t.Context(), store.Audit{Action: "nobody"}) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	const want = "sms.send item.revealed sms.send item.cancelled delivery.pause delivery.resume integration.stop integration.open login nobody"
	if got := read[string](t, r, `SELECT string_agg(action, ' ' ORDER BY id) FROM audit_events`); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := read[int](t, r, `SELECT count(*) FROM audit_events WHERE actor_id = $1 AND origin = '127.0.0.1'`, r.User); n != 9 {
		t.Errorf("got %d lines with who and from where, want 9", n)
	}
	all := read[string](t, r, `SELECT string_agg(a::text, E'\n') FROM (SELECT id, details, origin, action, object_id FROM audit_events) a`)
	for _, personal := range []string{phone, nationalID, nationalID[:6], text, "Kari", dispatch.Phone(phone).Masked()} {
		if strings.Contains(all, personal) {
			t.Errorf("found %q", personal)
		}
	}
}
