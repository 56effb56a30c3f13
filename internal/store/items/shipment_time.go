package items

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Reschedule changes the time of a queued shipment that is not due yet; ErrChanged when it is too late. The
// zero time makes it due as if it were sent now.
func (s Shipments) Reschedule(ctx context.Context, account dispatch.Account, id dispatch.ItemID, at time.Time, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account.ID, ID: id, By: by, Kind: dispatch.EventRescheduled}, func(tx *sqlx.Tx) (int64, error) {
		n, err := store.Affected(tx.ExecContext(ctx, `
			SELECT FROM items WHERE id = $1 AND account_id = $2 AND kind = 'shipment' AND state = 'queued' AND due_since > now() FOR UPDATE`, id, account.ID))
		if n == 0 || err != nil {
			return n, err
		}
		_, err = tx.ExecContext(ctx, `UPDATE shipments SET send_at = $3 WHERE item_id = $1 AND account_id = $2`, id, account.ID, store.NullTime(at))
		if err != nil {
			return 0, err
		}
		return queueShipment(ctx, tx, account, id, dispatch.StateQueued, at)
	})
}

// queueShipment makes a shipment due after the account's undo window, or at its own time if that is later. An
// account's daytime is for SMS only.
func queueShipment(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, id dispatch.ItemID, from dispatch.State, at time.Time) (int64, error) {
	var now time.Time
	if err := tx.GetContext(ctx, &now, `SELECT now()`); err != nil {
		return 0, err
	}
	due := account.Planned(dispatch.Timing{SendAt: at, Urgent: true}, now)
	return store.Queue(ctx, tx, account.ID, id, from, due.Sub(now))
}
