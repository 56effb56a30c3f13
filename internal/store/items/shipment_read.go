package items

import (
	"context"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// SentOver returns the integration by which a shipment was accepted; reads and reports about it use that one.
func (s Shipments) SentOver(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (dispatch.IntegrationID, error) {
	var over dispatch.IntegrationID
	err := s.Get(ctx, &over, `SELECT integration_id FROM items WHERE id = $1 AND account_id = $2 AND integration_id IS NOT NULL`, id, account)
	return over, store.NotFound(err)
}

// BeginMarkRead records in the event log that a user is about to report to the service that a shipment was read,
// before the call.
func (s Shipments) BeginMarkRead(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	return s.Record(ctx, store.Audit{Actor: by.User, Account: account, Action: "shipment.mark_read", Object: string(id), Origin: by.Origin})
}

// MarkedRead writes the report to the timeline, and schedules a read of the status.
func (s Shipments) MarkedRead(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, system string, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventMarkedRead, Detail: system}, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE items SET next_check_at = now() WHERE id = $1 AND account_id = $2 AND state = 'accepted'`, id, account))
	})
}
