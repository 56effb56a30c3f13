package store

import (
	"context"
	"database/sql"
	"sync"

	"github.com/jmoiron/sqlx"
)

// statements caches prepared statements: preparing takes most of a short query's time.
type statements struct {
	db *sqlx.DB
	mu sync.Mutex
	by map[string]*sqlx.Stmt
}

func newStatements(db *sqlx.DB) *statements {
	return &statements{db: db, by: map[string]*sqlx.Stmt{}}
}

func (s *statements) Prepare(ctx context.Context, query string) (*sqlx.Stmt, error) {
	s.mu.Lock()
	stmt, ok := s.by[query]
	s.mu.Unlock()
	if ok {
		return stmt, nil
	}
	stmt, err := s.db.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if other, ok := s.by[query]; ok {
		_ = stmt.Close() // another goroutine was faster
		return other, nil
	}
	s.by[query] = stmt
	return stmt, nil
}

// Get reads one row into dest with a prepared statement.
func (s *Store) Get(ctx context.Context, dest any, query string, args ...any) error {
	stmt, err := s.Statements.Prepare(ctx, query)
	if err != nil {
		return err
	}
	return stmt.GetContext(ctx, dest, args...)
}

// Select reads all rows into dest with a prepared statement.
func (s *Store) Select(ctx context.Context, dest any, query string, args ...any) error {
	return s.Statements.Select(ctx, dest, query, args...)
}

// Select reads all rows into dest with a prepared statement.
func (s *statements) Select(ctx context.Context, dest any, query string, args ...any) error {
	stmt, err := s.Prepare(ctx, query)
	if err != nil {
		return err
	}
	return stmt.SelectContext(ctx, dest, args...)
}

// Exec runs a prepared statement and returns the number of changed rows.
func (s *statements) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	stmt, err := s.Prepare(ctx, query)
	if err != nil {
		return 0, err
	}
	return Affected(stmt.ExecContext(ctx, args...))
}

// Affected returns the number of rows that a statement changed.
func Affected(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}
