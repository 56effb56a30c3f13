package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// Audit is one act in the event log: who did what to which object, from where. Nothing personal of recipients.
type Audit struct {
	Actor   dispatch.UserID
	Account dispatch.AccountID
	Action  string
	Object  string // id of an item, integration or account; empty if none
	Details map[string]any
	Origin  string // address that the request came from
	Session string // hash of the session that shows whose act it is; empty: that of the context
}

type sessionKey struct{}

// WithSession returns a context whose acts are those of the session with that hash.
func WithSession(ctx context.Context, hash string) context.Context {
	return context.WithValue(ctx, sessionKey{}, hash)
}

// session is the hash of the session that shows whose act it is; empty: nobody's.
func (a Audit) session(ctx context.Context) string {
	own, _ := ctx.Value(sessionKey{}).(string)
	return cmp.Or(a.Session, own)
}

// Actor is who does something, from where, and why where that is asked for; every change takes one.
type Actor struct {
	User   dispatch.UserID
	Origin string
	Reason string
}

// Record writes an act to the event log.
func (s *Store) Record(ctx context.Context, a Audit) error { return Record(ctx, s.DB, a) }

// Record writes a line to the event log, in the caller's transaction where there is one.
func Record(ctx context.Context, db sqlx.ExtContext, a Audit) error {
	_, err := RecordLine(ctx, db, a)
	return err
}

// RecordLine writes an act and returns the number of its line.
func RecordLine(ctx context.Context, db sqlx.ExtContext, a Audit) (line int64, err error) {
	details := []byte("{}")
	if len(a.Details) > 0 {
		if details, err = json.Marshal(a.Details); err != nil {
			return 0, fmt.Errorf("audit details: %w", err)
		}
	}
	session := a.session(ctx)
	if a.Actor == "" {
		session = "" // the program's own
	}
	err = db.QueryRowxContext(ctx, `SELECT write_audit($1, $2, $3, $4, $5, $6, $7)`,
		session, Null(a.Actor), Null(a.Account), a.Action, Null(a.Object), string(details), a.Origin).Scan(&line)
	return line, err
}
