package store

import (
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
}

// Actor is who does something, from where, and why where that is asked for; every change takes one.
type Actor struct {
	User   dispatch.UserID
	Origin string
	Reason string
}

// Record writes an act to the event log.
func (s *Store) Record(ctx context.Context, a Audit) error { return record(ctx, s.db, a) }

func record(ctx context.Context, db sqlx.ExtContext, a Audit) error {
	details := []byte("{}")
	if len(a.Details) > 0 {
		var err error
		if details, err = json.Marshal(a.Details); err != nil {
			return fmt.Errorf("audit details: %w", err)
		}
	}
	_, err := db.ExecContext(ctx, `
		INSERT INTO audit_events (actor_id, account_id, action, object_id, details, origin)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		null(a.Actor), null(a.Account), a.Action, null(a.Object), string(details), a.Origin)
	return err
}
