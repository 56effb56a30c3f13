package store_test

import (
	"database/sql"
	"sync"
	"testing"

	"utsending/internal/store"
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
		if _, err := db.Exec(`UPDATE goose_db_version SET is_applied = false WHERE version_id = 3`); err != nil {
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

// applied counts what goose has noted, without its own first line.
func applied(t *testing.T, db *sql.DB) int {
	t.Helper()
	var n int
	if err := db.QueryRow(`SELECT count(DISTINCT version_id) FROM goose_db_version WHERE version_id > 0`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
