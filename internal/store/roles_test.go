package store_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// TestServerMayNotTouchTheLog: an attacker with the server's role cannot cover the tracks.
func TestServerMayNotTouchTheLog(t *testing.T) {
	t.Parallel()
	r := chained(t, 3)
	server, err := sql.Open("postgres", storetest.Owner(r.url))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	server.SetMaxOpenConns(1)
	if _, err := server.ExecContext(t.Context(), `SET SESSION AUTHORIZATION utsending_server`); err != nil {
		t.Fatal(err)
	}
	r.exec(t, `
		INSERT INTO users (id, issuer, subject, name) VALUES ('01890000-0000-7000-8000-000000000001', 'https://login.example', 'tor', 'Tor Haugen');
		INSERT INTO sign_ins (id, user_id, session_hash, started_at, seen_at) VALUES (gen_random_uuid(), '01890000-0000-7000-8000-000000000001', 'theirs', now(), now())`)
	for _, statement := range []string{
		`UPDATE audit_events SET origin = ''`, `DELETE FROM audit_events`, `TRUNCATE audit_events`, `SELECT FROM audit_events FOR UPDATE`,
		`UPDATE audit_chain SET hash = ''`, `DELETE FROM audit_chain`, `TRUNCATE audit_chain`, `TRUNCATE audit_events, audit_chain CASCADE`,
		`INSERT INTO audit_anchors (position, hash) VALUES (3, '')`, `DELETE FROM audit_anchors`,
		`ALTER TABLE audit_events DISABLE TRIGGER ALL`, `DROP TABLE audit_chain`, `CREATE TABLE mine ()`, `SET ROLE postgres`,
		`UPDATE goose_db_version SET version_id = 0`,
		`INSERT INTO audit_events (actor_id, account_id, action, object_id, details, origin) SELECT id, NULL, 'x', NULL, '{}', '' FROM users`,
		`INSERT INTO audit_events (at, action) VALUES (now() - interval '1 day', 'x')`, `INSERT INTO audit_events (action, actor_name) VALUES ('x', 'Ola')`,
		`INSERT INTO audit_events (action, sign_in_id) SELECT 'x', id FROM sign_ins`, `INSERT INTO audit_events (action, sign_in_id) VALUES ('x', gen_random_uuid())`,
		`SELECT write_audit('no session', NULL, NULL, 'x', NULL, '{}', '')`,
		`SELECT write_audit('theirs', (SELECT id FROM users WHERE name <> 'Tor Haugen' LIMIT 1), NULL, 'x', NULL, '{}', '')`,
		`INSERT INTO audit_events (action) VALUES ('x') ON CONFLICT (id) DO UPDATE SET origin = ''`,
	} {
		if _, err := server.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s: it may", statement)
		}
	}
	if protected, err := r.s.AuditProtected(t.Context()); err != nil || !protected {
		t.Errorf("got %t, %v of the server", protected, err)
	}
	owner := storetest.Open(t, storetest.Owner(r.url))
	if protected, err := owner.AuditProtected(t.Context()); err != nil || protected {
		t.Errorf("got %t, %v of the owner", protected, err)
	}
	found, err := queue.In(r.s).Examinations.Examine(t.Context())
	if err != nil || len(found.Missing) > 0 {
		t.Errorf("the server lacks %q, %v", found.Missing, err)
	}
	if v := r.verify(t); !v.Whole() || v.Lines != 3 {
		t.Errorf("got %+v", v)
	}
}

func TestGrantServer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	owner := storetest.Open(t, storetest.Owner(r.url))
	const password = "pass'ord"
	role := store.ServerRole{Name: "grant-" + strings.ToLower(r.Account.Slug), Password: password}
	for range 2 { // each migration gives them again
		if err := owner.GrantServer(t.Context(), role); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		_, _ = r.db.Exec(`DROP OWNED BY ` + pq.QuoteIdentifier(role.Name) + `; DROP ROLE ` + pq.QuoteIdentifier(role.Name))
	})
	s := storetest.Open(t, strings.Replace(r.url, "utsending_server", role.Name, 1))
	id := r.Queue(t, s, storetest.ToPhone("90000123", "Hei der"))
	if it := r.Item(t, s, id); it.State != dispatch.StateQueued {
		t.Errorf("got %s", it.State)
	}
	if err := r.s.GrantServer(t.Context(), role); err == nil {
		t.Error("the server can give rights")
	}
	if err := r.s.GrantServer(t.Context(), store.ServerRole{Name: "nobody-yet"}); err == nil {
		t.Error("the server can make roles")
	}
	for address, want := range map[string]store.ServerRole{
		"postgres://web:p%40ss@db/utsending": {Name: "web", Password: "p@ss"}, "host=db user=web dbname=utsending": {Name: "web"},
		"postgres://db/utsending": {}, "host=db": {},
	} {
		if got, err := store.ServerRoleOf(address); got != want || (err == nil) != (want.Name != "") {
			t.Errorf("%s: got %v, %v", address, got, err)
		}
	}
}
