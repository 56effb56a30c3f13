package store

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
)

// ErrSharedSession says that a pooler stands before the database and gives its sessions to one transaction after another.
// Settings of a connection and prepared statements are then another caller's.
var ErrSharedSession = errors.New("connections share sessions of PostgreSQL: the pooler in front must give each connection one of its own (PgBouncer: pool_mode = session)")

// session names the session of PostgreSQL that answers: a process, and when it began.
const session = `SELECT pid || ' since ' || backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()`

// sessionTries is how often the check is made: other callers of a busy pooler may be given the session in between.
const sessionTries = 3

// OwnSessions returns ErrSharedSession if two connections were given the same session. It can miss a pooler that is busy or
// gives its oldest session first, and is never wrong when it finds one. No statement here is prepared.
func (s *Store) OwnSessions(ctx context.Context) error {
	one, err := s.DB.Connx(ctx)
	if err != nil {
		return err
	}
	defer one.Close()
	other, err := s.Bulk.Connx(ctx) // of another pool: each may have one connection only
	if err != nil {
		return err
	}
	defer other.Close()
	known := ""
	for range sessionTries {
		mine, theirs := "", ""
		if err := one.GetContext(ctx, &mine, session); err != nil {
			return err
		}
		if known != "" && mine != known {
			return ErrSharedSession
		}
		known = mine
		if err := inside(ctx, other, &theirs); err != nil {
			return err
		}
		if mine == theirs {
			return ErrSharedSession
		}
	}
	return nil
}

// inside reads the session of a connection while a transaction keeps it.
func inside(ctx context.Context, conn *sqlx.Conn, to *string) error {
	tx, err := conn.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	return errors.Join(tx.GetContext(ctx, to, session), tx.Rollback())
}
