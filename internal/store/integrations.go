package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// Operate runs one change of an integration's row with its line in the event log. With no row changed the error is
// ErrNotFound, or ErrChanged when another change came first.
func (s *Store) Operate(ctx context.Context, id dispatch.IntegrationID, a Audit, change func(tx *sqlx.Tx) (int64, error)) error {
	if !ValidID(id) {
		return ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error { return OperateIn(ctx, tx, id, a, change) })
}

// OperateIn is Operate in a transaction of the caller's.
func OperateIn(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID, a Audit, change func(tx *sqlx.Tx) (int64, error)) error {
	a.Object = string(id)
	n, err := change(tx)
	switch {
	case err != nil:
		return err
	case n == 0:
		return missingOrChanged(ctx, tx, `integrations WHERE id = $1`, id)
	}
	return Record(ctx, tx, a)
}

// CredentialsChanged is when the credential sets of integration $1 last changed: an earlier refusal says nothing
// about them.
const CredentialsChanged = `(SELECT max(greatest(created_at, replaced_at)) FROM credentials WHERE integration_id = $1)`

// ByUse orders the sets of an integration, as dispatch.UsedSet does: refused ones last, the set whose time has come first, and one
// whose time has not is still better than none.
const ByUse = ` ORDER BY refused_at IS NOT NULL,
	         CASE WHEN state = 'next' AND switch_at <= now() THEN 0 WHEN state = 'active' THEN 1 WHEN state = 'retiring' THEN 2 ELSE 3 END,
	         created_at DESC
	LIMIT 1`

// UsedSet is the credential set that integration $1 uses now; NULL: all are refused.
const UsedSet = `(SELECT id FROM credentials WHERE integration_id = $1 AND state <> 'wiped' AND refused_at IS NULL` + ByUse + `)`

// ItemIntegration is the integration that sends item it of account a: the one that a call was made to, or else the account's.
const ItemIntegration = `coalesce(it.pinned_integration_id, CASE it.kind WHEN 'sms' THEN a.sms_integration_id ELSE a.shipment_integration_id END)`
