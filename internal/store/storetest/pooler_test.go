package storetest_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"utsending/internal/await"
	"utsending/internal/store/storetest"
)

// The tests here do not run in parallel: each looks at what the next test on the same database gets.

// use runs a test on a database, as its owner, and returns the database's name.
func use(t *testing.T, test func(t *testing.T, db *sql.DB)) (database string) {
	t.Helper()
	t.Run("test", func(t *testing.T) {
		address, err := url.Parse(storetest.Database(t))
		if err != nil {
			t.Fatal(err)
		}
		database = address.Path
		db, err := sql.Open("postgres", storetest.Owner(address.String()))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		test(t, db)
	})
	return database
}

func read[T any](t *testing.T, db *sql.DB, query string) (v T) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

const (
	process = `SELECT pg_backend_pid()`
	asleep  = `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep')`
	insert  = `INSERT INTO workers (id) VALUES (gen_random_uuid())`
	rows    = `SELECT count(*) FROM workers`
	next    = `SELECT nextval('events_id_seq')`
	// left is what a session may leave to the next one.
	left = `SELECT (SELECT count(*) FROM pg_prepared_statements WHERE name = 'mine') + (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 77)
		+ (SELECT count(*) FROM pg_cursors WHERE name = 'mine') + (current_setting('work_mem') = '77MB')::int + (SELECT count(*) FROM pg_listening_channels())`
)

func TestNextTestGetsTheProcessAndNothingElse(t *testing.T) {
	var served, number int
	first := use(t, func(t *testing.T, db *sql.DB) {
		exec(t, db, insert)
		number = read[int](t, db, next)
		for _, statement := range []string{`SET work_mem = '77MB'`, `PREPARE mine AS SELECT 1`, `LISTEN mine`, `SELECT pg_advisory_lock(77)`,
			`DECLARE mine CURSOR WITH HOLD FOR SELECT 1`} {
			exec(t, db, statement)
		}
		if n := read[int](t, db, left); n != 5 {
			t.Fatalf("%d things would be left, want 5", n)
		}
		served = read[int](t, db, process)
	})
	second := use(t, func(t *testing.T, db *sql.DB) {
		if pid := read[int](t, db, process); pid != served {
			t.Errorf("got process %d, want the one of the earlier test: %d", pid, served)
		}
		if got := read[int](t, db, rows); got != 0 {
			t.Errorf("got %d rows of the earlier test", got)
		}
		if got := read[int](t, db, next); got != number {
			t.Errorf("the sequence gives %d, want %d", got, number)
		}
		if n := read[int](t, db, left); n != 0 {
			t.Errorf("%d things are left of the earlier session", n)
		}
	})
	if second != first {
		t.Errorf("got the database %s, want %s", second, first)
	}
}

func TestAlteredDatabaseIsNotGivenAgain(t *testing.T) {
	for _, statement := range []string{`CREATE TABLE more (n int)`, `GRANT SELECT ON workers TO public`, `ANALYZE workers`,
		`DO $$ BEGIN EXECUTE 'DROP VIEW stat_all'; END $$`, `UPDATE causes SET place = -place`, `DELETE FROM signing_statuses`} {
		first := use(t, func(t *testing.T, db *sql.DB) { exec(t, db, statement) })
		second := use(t, func(*testing.T, *sql.DB) {})
		if first == second {
			t.Errorf("given again after %s", statement)
		}
	}
}

// TestUnfinishedSessionIsNotKept: what a session had not finished is undone, and its process is ended.
func TestUnfinishedSessionIsNotKept(t *testing.T) {
	unfinished := map[string]func(t *testing.T, db *sql.DB){
		"a transaction": func(t *testing.T, db *sql.DB) {
			exec(t, db, `BEGIN`)
			exec(t, db, insert)
		},
		"a cancelled statement": func(t *testing.T, db *sql.DB) {
			ctx, cancel := context.WithCancel(t.Context())
			conn, err := db.Conn(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			db.SetMaxOpenConns(2)
			go func() {
				await.True(t, "the statement runs", func() bool { return read[bool](t, db, asleep) })
				cancel()
			}()
			if _, err := conn.ExecContext(ctx, `SELECT pg_sleep(3600)`); err == nil {
				t.Error("the statement was not cancelled")
			}
		},
	}
	for name, test := range unfinished {
		t.Run(name, func(t *testing.T) {
			var served int
			use(t, func(t *testing.T, db *sql.DB) {
				served = read[int](t, db, process)
				test(t, db)
			})
			use(t, func(t *testing.T, db *sql.DB) {
				if read[bool](t, db, fmt.Sprintf(`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = %d AND datname = current_database())`, served)) {
					t.Error("its process is still there")
				}
				if got := read[int](t, db, rows); got != 0 {
					t.Errorf("got %d rows of the earlier test", got)
				}
			})
		})
	}
}

// TestStatementsAreShared: a client that prepares the same text as an earlier client uses its prepared statement. Statements that the
// server refused, or that a client deallocated, are not shared.
func TestStatementsAreShared(t *testing.T) {
	const byTask = `SELECT count(*) FROM workers WHERE id = $1::uuid`
	const none = "00000000-0000-0000-0000-000000000000"
	count := func(t *testing.T, db *sql.DB) {
		t.Helper()
		var n int
		if err := db.QueryRowContext(t.Context(), byTask, none).Scan(&n); err != nil || n != 0 {
			t.Errorf("got %d, %v", n, err)
		}
	}
	const served = `SELECT coalesce(sum(generic_plans + custom_plans), 0) FROM pg_prepared_statements WHERE statement = '` + byTask + `'`
	var before int
	use(t, func(t *testing.T, db *sql.DB) {
		count(t, db)
		before = read[int](t, db, served)
		for range 2 {
			if _, err := db.PrepareContext(t.Context(), `SELECT FROM nowhere`); err == nil || !strings.Contains(err.Error(), "nowhere") {
				t.Errorf("a statement on a missing table: %v", err)
			}
		}
	})
	use(t, func(t *testing.T, db *sql.DB) {
		count(t, db)
		if n := read[int](t, db, served); n != before+1 {
			t.Errorf("the statement was used %d times, want %d", n, before+1)
		}
		exec(t, db, `DEALLOCATE ALL`)
		count(t, db)
	})
	use(t, func(t *testing.T, db *sql.DB) {
		count(t, db)
		if n := read[int](t, db, served); n != 1 {
			t.Errorf("after one who deallocated all, the statement was used %d times, want 1", n)
		}
	})
}
