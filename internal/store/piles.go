package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// Full says that there is no room for one more of a kind.
type Full struct{ Of dispatch.Pile }

// Error says of which kind there is no more room.
func (f Full) Error() string { return "no room for more of the kind " + string(f.Of) }

// A pile is counted once the new one stands in it: a form that is posted again finds what it made, also where there is no room
// for another. Who is counted for is locked, so that two at once do not both find room for one.

// LockUser locks a person for as long as something of theirs is counted.
const LockUser = `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`

// RoomForDraft refuses a person's draft that there is no room for.
func RoomForDraft(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, user dispatch.UserID, kind dispatch.Kind) error {
	pile := dispatch.PileSMS
	if kind == dispatch.KindShipment {
		pile = dispatch.PileShipments
	}
	return Room(ctx, tx, pile, LockUser, user,
		`SELECT FROM items WHERE account_id = $1 AND created_by = $2 AND kind = $3 AND state = 'draft' LIMIT $4`, account, user, kind)
}

// RoomForList refuses a person's draft of an SMS to many that there is no room for.
func RoomForList(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, user dispatch.UserID) error {
	return Room(ctx, tx, dispatch.PileLists, LockUser, user,
		`SELECT FROM jobs WHERE account_id = $1 AND created_by = $2 AND kind = 'sms' AND state = 'draft' LIMIT $3`, account, user)
}

// RoomForTemplate refuses a template that there is no room for.
func RoomForTemplate(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, kind dispatch.Kind) error {
	return Room(ctx, tx, dispatch.PileTemplate, `SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, account,
		`SELECT FROM templates WHERE account_id = $1 AND kind = $2 LIMIT $3`, account, kind)
}

// Room locks whose pile it is, and refuses where more lies in it than may. The last argument of the rows is where counting
// stops.
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
