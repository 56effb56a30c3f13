package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"utsending/migrations"
)

// Migrate brings the database to the schema of this program and returns how many migrations it applied. Several
// processes may call it at once: one works, the others wait.
func (s *Store) Migrate(ctx context.Context) (int, error) {
	p, err := s.migrator()
	if err != nil {
		return 0, err
	}
	results, err := p.Up(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	return len(results), s.inTx(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtext('migrate'))`); err != nil {
			return err
		}
		return fillStatuses(ctx, tx)
	})
}

// Migrated tells whether the database has the schema of this program. It asks by itself: goose takes several queries,
// and makes its table when it is missing.
func (s *Store) Migrated(ctx context.Context) (bool, error) {
	wanted, err := versions()
	if err != nil {
		return false, err
	}
	var pending bool
	err = s.db.GetContext(ctx, &pending, `
		SELECT EXISTS (SELECT unnest($1::bigint[]) EXCEPT SELECT version_id FROM goose_db_version WHERE is_applied)`, pq.Array(wanted))
	var e *pq.Error
	if errors.As(err, &e) && e.Code.Name() == "undefined_table" {
		return false, nil
	}
	return err == nil && !pending, err
}

// versions are the numbers of our migrations.
func versions() ([]int64, error) {
	names, err := fs.Glob(migrations.FS, "*.sql")
	numbers := make([]int64, len(names))
	for i, name := range names {
		if err == nil {
			numbers[i], err = goose.NumericComponent(name)
		}
	}
	return numbers, err
}

func (s *Store) migrator() (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // ask every second, for five minutes
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, s.db.DB, migrations.FS, goose.WithSessionLocker(locker), goose.WithLogger(goose.NopLogger()))
}
