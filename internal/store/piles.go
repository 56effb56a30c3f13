package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// Full says that a pile has reached its limit.
type Full struct{ Of dispatch.Pile }

// Error names the pile.
func (f Full) Error() string { return "no room for more of the kind " + string(f.Of) }

// A pile is counted after the insert, so that a repeated form (same idempotency key) succeeds even at the limit. The
// owner's row is locked, so that two concurrent inserts cannot both take the last place.

// LockUser locks a user while their pile is counted.
const LockUser = `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`

// RoomForDraft returns Full when the user has too many drafts.
func RoomForDraft(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, user dispatch.UserID, kind dispatch.Kind) error {
	pile := dispatch.PileSMS
	if kind == dispatch.KindShipment {
		pile = dispatch.PileShipments
	}
	return Room(ctx, tx, pile, LockUser, user,
		`SELECT FROM items WHERE account_id = $1 AND created_by = $2 AND kind = $3 AND state = 'draft' LIMIT $4`, account, user, kind)
}

// RoomForList returns Full when the user has too many drafts of SMS jobs.
func RoomForList(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, user dispatch.UserID) error {
	return Room(ctx, tx, dispatch.PileLists, LockUser, user,
		`SELECT FROM jobs WHERE account_id = $1 AND created_by = $2 AND kind = 'sms' AND state = 'draft' LIMIT $3`, account, user)
}

// RoomForTemplate returns Full when the account has too many templates.
func RoomForTemplate(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, kind dispatch.Kind) error {
	return Room(ctx, tx, dispatch.PileTemplate, `SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, account,
		`SELECT FROM templates WHERE account_id = $1 AND kind = $2 LIMIT $3`, account, kind)
}

// Room locks the pile's owner and returns Full when the pile is over its limit. The last parameter of rows is a
// LIMIT, which bounds the counting.
func Room(ctx context.Context, tx *sqlx.Tx, pile dispatch.Pile, lock string, of any, rows string, args ...any) error {
	if _, err := tx.ExecContext(ctx, lock, of); err != nil {
		return err
	}
	var n int
	if err := tx.GetContext(ctx, &n, `SELECT count(*) FROM (`+rows+`) q`, append(args, pile.Most()+1)...); err != nil {
		return err
	}
	if n > pile.Most() {
		return Full{pile}
	}
	return nil
}
