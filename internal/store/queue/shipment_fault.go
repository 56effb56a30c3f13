package queue

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// keepFault seals the service's complaint about a shipment. An empty one leaves the former in place.
func (s Outcomes) keepFault(ctx context.Context, tx *sqlx.Tx, c *Claim, f dispatch.Fault) error {
	if f == (dispatch.Fault{}) {
		return nil
	}
	plain, err := json.Marshal(f)
	if err != nil {
		return err
	}
	sealed, err := s.Keys.Seal(plain, store.FaultPlace(c.Item))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE shipments SET fault = $3 WHERE item_id = $1 AND account_id = $2`, c.Item, c.Lane.Account, sealed)
	return err
}
