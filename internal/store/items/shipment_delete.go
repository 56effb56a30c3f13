package items

import (
	"context"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// BeginDeleteDocuments records in the event log that a person is about to have the service delete a shipment's files,
// before the call.
func (s Shipments) BeginDeleteDocuments(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, which dispatch.Deletion, by store.Actor) error {
	details := map[string]any{"which": which}
	if by.Reason != "" {
		details["reason"] = by.Reason
	}
	return s.Record(ctx, store.Audit{Actor: by.User, Account: account, Action: "shipment.delete_documents", Object: string(id), Details: details, Origin: by.Origin})
}

// DeletedDocuments records that the service has deleted a shipment's files, and schedules a read of its status. The
// service's metadata of the files is deleted, since its links are dead. ErrChanged when all were deleted before.
func (s Shipments) DeletedDocuments(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, which dispatch.Deletion, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventDeletedDocuments, Detail: string(which)}, func(tx *sqlx.Tx) (int64, error) {
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE shipments SET deleted_documents = $3
			WHERE item_id = $1 AND account_id = $2 AND deleted_documents <> 'all'`, id, account, which))
		if err != nil || n == 0 {
			return n, err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM service_reports WHERE item_id = $1 AND account_id = $2 AND source = 'documents'`, id, account); err != nil {
			return 0, err
		}
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE items SET next_check_at = now(), pulled_at = now() WHERE id = $1 AND account_id = $2 AND state = 'accepted'`, id, account))
	})
}
