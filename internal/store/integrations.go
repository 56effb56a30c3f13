package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// Operate runs one change of an integration's row with its line in the event log. Nothing touched is ErrNotFound, or
// ErrChanged when somebody else was faster.
func (s *Store) Operate(ctx context.Context, id dispatch.IntegrationID, a Audit, change func(tx *sqlx.Tx) (int64, error)) error {
	if !ValidID(id) {
		return ErrNotFound
	}
	a.Object = string(id)
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := change(tx)
		switch {
		case err != nil:
			return err
		case n == 0:
			return integrationMissingOrChanged(ctx, tx, id)
		}
		return Record(ctx, tx, a)
	})
}

func integrationMissingOrChanged(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID) error {
	var exists bool
	err := tx.GetContext(ctx, &exists, `SELECT EXISTS (SELECT FROM integrations WHERE id = $1)`, id)
	switch {
	case err != nil:
		return err
	case !exists:
		return ErrNotFound
	}
	return ErrChanged
}

// CredentialsChanged is when the sets of the integration $1 last changed: what was refused before that says nothing of them now.
const CredentialsChanged = `(SELECT max(greatest(created_at, replaced_at)) FROM credentials WHERE integration_id = $1)`
