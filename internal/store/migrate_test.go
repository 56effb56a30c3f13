package store_test

import (
	"context"
	"database/sql"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

func TestMigrate(t *testing.T) {
	t.Parallel()
	url := storetest.Database(t)
	db := storetest.DB(t, url)
	if _, err := db.Exec(`DROP SCHEMA public CASCADE; CREATE SCHEMA public`); err != nil {
		t.Fatal(err)
	}
	url = storetest.Owner(url)
	stores := make([]*store.Store, 3)
	for i := range stores {
		stores[i] = storetest.Open(t, url)
	}
	if ok, err := stores[0].Migrated(t.Context()); ok || err != nil {
		t.Fatalf("an empty database counts as migrated: %t, %v", ok, err)
	}
	t.Run("several processes at once apply each migration once", func(t *testing.T) {
		counts, errs := make([]int, len(stores)), make([]error, len(stores))
		var all sync.WaitGroup
		for i, s := range stores {
			all.Go(func() { counts[i], errs[i] = s.Migrate(t.Context()) })
		}
		all.Wait()
		sum := 0
		for i := range stores {
			if errs[i] != nil {
				t.Errorf("process %d: %v", i, errs[i])
			}
			sum += counts[i]
		}
		if want := applied(t, db); sum != want || want == 0 {
			t.Errorf("got %d migrations applied together, want %d", sum, want)
		}
	})
	t.Run("a migrated database is known as one and left alone", func(t *testing.T) {
		if ok, err := stores[1].Migrated(t.Context()); !ok || err != nil {
			t.Errorf("got %t, %v", ok, err)
		}
		if _, err := db.Exec(`UPDATE goose_db_version SET is_applied = false WHERE version_id = 203`); err != nil {
			t.Fatal(err)
		}
		if ok, err := stores[1].Migrated(t.Context()); ok || err != nil {
			t.Errorf("without one in the middle: got %t, %v", ok, err)
		}
		if _, err := db.Exec(`UPDATE goose_db_version SET is_applied = true`); err != nil {
			t.Fatal(err)
		}
		if n, err := stores[1].Migrate(t.Context()); n != 0 || err != nil {
			t.Errorf("got %d migrations, %v; want none", n, err)
		}
	})
	t.Run("the tables can be used", func(t *testing.T) {
		storetest.NewSample(t, stores[2], slug())
	})
}

// applied counts the migrations in goose's table, without its first row.
func applied(t *testing.T, db *sql.DB) int {
	t.Helper()
	var n int
	if err := db.QueryRow(`SELECT count(DISTINCT version_id) FROM goose_db_version WHERE version_id > 0`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// formerDatabase creates a database with the migrations from before the baseline, and its owner.
func formerDatabase(t *testing.T) (url string, db *sql.DB) {
	t.Helper()
	url = storetest.Database(t)
	db = storetest.DB(t, url)
	text, err := os.ReadFile("../../migrations/testdata/0102.sql")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, statement := range []string{`DROP SCHEMA public CASCADE; CREATE SCHEMA public; SET check_function_bodies = off`, string(text), `RESET check_function_bodies`} {
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return url, db
}

// schemaOf is a database's schema, in the form of the snapshot.
func schemaOf(t *testing.T, db *sql.DB) (schema string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), schemaQuery).Scan(&schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// formerItems are one account's items in a former database: an SMS that arrived, a shipment that waits to be read, and a draft.
const formerItems = `
	INSERT INTO users (id, issuer, subject, name) VALUES ('00000000-0000-7000-8000-000000000001', 'x', 'kari', 'Kari Nordmann');
	INSERT INTO accounts (id, slug, name) VALUES ('00000000-0000-7000-8000-000000000002', 'oppvekst', 'Oppvekst');
	INSERT INTO items (id, account_id, kind, state, created_by, form_key, upstream_id, accepted_at, status, status_at)
	SELECT ('00000000-0000-7000-8000-00000000001' || n)::uuid, '00000000-0000-7000-8000-000000000002', kind, state, '00000000-0000-7000-8000-000000000001',
	       gen_random_uuid(), CASE state WHEN 'accepted' THEN gen_random_uuid() END, now(), status, now()
	FROM (VALUES (1, 'sms', 'accepted', 'LEVERT'), (2, 'shipment', 'accepted', 'VARSLET'), (3, 'shipment', 'draft', '')) v (n, kind, state, status);
	INSERT INTO sms (item_id, account_id, by_phone, recipient_hash, hide_in_report, encoding, parts)
	VALUES ('00000000-0000-7000-8000-000000000011', '00000000-0000-7000-8000-000000000002', true, '', false, 'GSM-7', 1);
	INSERT INTO shipments (item_id, account_id, form, content) SELECT id, account_id, '', CASE state WHEN 'accepted' THEN 'x'::bytea END FROM items WHERE kind = 'shipment';
	SELECT fold_stats(1000)`

// TestCarryOver: a database of the migrations before the baseline gets exactly the schema of a new one, keeps its
// data, and works. No item is created again.
func TestCarryOver(t *testing.T) {
	t.Parallel()
	fresh := schemaOf(t, storetest.DB(t, storetest.Database(t)))
	url, db := formerDatabase(t)
	if _, err := db.ExecContext(t.Context(), formerItems); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `GRANT EXECUTE ON FUNCTION write_audit TO utsending_server; GRANT SELECT ON stat_news TO utsending_server`); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, storetest.Owner(url))
	if ok, err := s.Migrated(t.Context()); ok || err != nil {
		t.Errorf("a former database counts as migrated: %t, %v", ok, err)
	}
	if n, err := s.Migrate(t.Context()); n != 1 || err != nil {
		t.Fatalf("got %d steps, %v; want one", n, err)
	}
	if diff := cmp.Diff(strings.Split(fresh, "\n"), strings.Split(schemaOf(t, db), "\n")); diff != "" {
		t.Errorf("the schema is not that of a new database (-new +carried over): %s", diff)
	}
	if ok, err := s.Migrated(t.Context()); !ok || err != nil {
		t.Errorf("got %t, %v", ok, err)
	}
	if n, err := s.Migrate(t.Context()); n != 0 || err != nil {
		t.Errorf("again: got %d steps, %v; want none", n, err)
	}
	r := rig{url: url, s: s, db: db}
	r.serverHasCode(t)
	if got := read[string](t, r, `SELECT string_agg(list_group || ' ' || route, ', ' ORDER BY item_id) FROM listed`); got != "arrived sms, working digital, draft " {
		t.Errorf("got %s", got)
	}
	// A new status is grouped by the new functions.
	r.exec(t, `UPDATE items SET status = 'LEVERT_ALTINN', status_at = now() WHERE status = 'VARSLET'`)
	if got := read[string](t, r, `SELECT string_agg(list_group || ' ' || route, ', ' ORDER BY item_id) FROM listed`); got != "arrived sms, arrived digital, draft " {
		t.Errorf("got %s", got)
	}
	r.counted(t)
	r.agree(t)
	r.Sample = storetest.NewSample(t, s, slug())
	if st, err := lists.In(s).Statistics.OfAccount(t.Context(), "00000000-0000-7000-8000-000000000002", time.Now().Add(-48*time.Hour), time.Now().Add(24*time.Hour)); err != nil ||
		st.By(func(dispatch.OfOutcome) bool { return true }) != (dispatch.Tally{N: 2, Arrived: 2, Segments: 1}) {
		t.Errorf("got %+v, %v", st, err)
	}
}

// TestCarryOverRefused: a database in the middle of the former migrations stays unchanged, and the error tells what
// to do.
func TestCarryOverRefused(t *testing.T) {
	t.Parallel()
	url, db := formerDatabase(t)
	s := storetest.Open(t, storetest.Owner(url))
	for name, change := range map[string]string{
		"an earlier end":   `DELETE FROM goose_db_version WHERE version_id > 47`,
		"one is missing":   `DELETE FROM goose_db_version WHERE version_id = 31`,
		"one is not whole": `UPDATE goose_db_version SET is_applied = false WHERE version_id = 31`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := db.Exec(`BEGIN; CREATE TABLE kept AS SELECT * FROM goose_db_version; ` + change + `; COMMIT`); err != nil {
				t.Fatal(err)
			}
			before := schemaOf(t, db)
			n, err := s.Migrate(t.Context())
			if n != 0 || err == nil || !strings.Contains(err.Error(), "can only be carried over from number 102: migrate it with that version first") {
				t.Errorf("got %d, %v", n, err)
			}
			if diff := cmp.Diff(before, schemaOf(t, db)); diff != "" {
				t.Errorf("the schema changed: %s", diff)
			}
			if _, err := db.Exec(`BEGIN; DELETE FROM goose_db_version; INSERT INTO goose_db_version OVERRIDING USER VALUE SELECT * FROM kept; DROP TABLE kept; COMMIT`); err != nil {
				t.Fatal(err)
			}
		})
	}
	if n, err := s.Migrate(t.Context()); n != 1 || err != nil {
		t.Errorf("whole again: got %d, %v", n, err)
	}
}

// TestCarryOverBroken: a failure during the migration leaves the former database unchanged.
func TestCarryOverBroken(t *testing.T) {
	t.Parallel()
	url, db := formerDatabase(t)
	if _, err := db.Exec(`CREATE TABLE applied_code (hash integer)`); err != nil { // the last thing that is written does not fit
		t.Fatal(err)
	}
	before := schemaOf(t, db)
	s := storetest.Open(t, storetest.Owner(url))
	if n, err := s.Migrate(t.Context()); err == nil {
		t.Errorf("got %d and no error", n)
	}
	if diff := cmp.Diff(before, schemaOf(t, db)); diff != "" {
		t.Errorf("the schema changed: %s", diff)
	}
}

// TestCodeIsRenewed: functions of another version are dropped, even those without a successor; grants, and objects of
// other owners, stay.
func TestCodeIsRenewed(t *testing.T) {
	t.Parallel()
	url := storetest.Database(t)
	db := storetest.DB(t, url)
	want := schemaOf(t, db)
	exec := func(statement string) {
		t.Helper()
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Fatal(err)
		}
	}
	exec(`
		CREATE FUNCTION dead(item uuid) RETURNS integer LANGUAGE sql AS 'SELECT 1';
		CREATE OR REPLACE FUNCTION max_wait() RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT interval '1 hour' $$;
		DROP VIEW stat_all; CREATE VIEW stat_all AS SELECT 1 AS one;
		DROP TRIGGER items_group ON items;
		UPDATE applied_code SET hash = 'of another version'`)
	s := storetest.Open(t, storetest.Owner(url))
	if ok, err := s.Migrated(t.Context()); ok || err != nil {
		t.Errorf("got %t, %v", ok, err)
	}
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(schemaOf(t, db), "\n")); diff != "" {
		t.Error(diff)
	}
	r := rig{db: db}
	r.serverHasCode(t)
	if read[bool](t, r, `SELECT EXISTS (SELECT FROM pg_proc p, aclexplode(p.proacl) a WHERE p.proname = 'write_audit' AND a.grantee = 0)`) {
		t.Error("everybody may write the event log")
	}
}

// serverHasCode checks that the server still has its rights on functions and views.
func (r rig) serverHasCode(t *testing.T) {
	t.Helper()
	if !read[bool](t, r, `SELECT has_function_privilege('utsending_server', 'write_audit(text, uuid, uuid, text, uuid, jsonb, text)', 'EXECUTE')`) ||
		!read[bool](t, r, `SELECT has_table_privilege('utsending_server', 'stat_news', 'SELECT')`) {
		t.Error("the server has lost its rights")
	}
}
