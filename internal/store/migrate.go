package store

import (
	"context"
	"fmt"

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
	return len(results), nil
}

// Migrated tells whether the database has the schema of this program.
func (s *Store) Migrated(ctx context.Context) (bool, error) {
	p, err := s.migrator()
	if err != nil {
		return false, err
	}
	pending, err := p.HasPending(ctx)
	return !pending, err
}

func (s *Store) migrator() (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // ask every second, for five minutes
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, s.db.DB, migrations.FS, goose.WithSessionLocker(locker), goose.WithLogger(goose.NopLogger()))
}
