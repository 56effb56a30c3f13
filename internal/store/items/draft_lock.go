package items

import (
	"context"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrWaiting: the draft awaits approval, and cannot be changed until that is decided or withdrawn.
var ErrWaiting = fmt.Errorf("it waits for approval: %w", store.ErrChanged)

// ErrMany: the draft has a list.
var ErrMany = errors.New("the draft has a list of recipients")

// waitsForApproval tells whether the draft of an item ($1), or its list, awaits approval.
const waitsForApproval = `SELECT EXISTS (SELECT FROM approvals a WHERE a.state = 'waiting'
	AND (a.item_id = $1 OR a.job_id IN (SELECT j.id FROM jobs j WHERE j.draft_id = $1)))`

// jobWaitsForApproval is the same for a list ($1).
const jobWaitsForApproval = `SELECT EXISTS (SELECT FROM approvals WHERE job_id = $1 AND state = 'waiting')`

// notWaiting makes sure that a locked draft does not await approval. It is a statement of its own after the lock: a statement that
// waited for the lock would not see what was committed meanwhile.
func notWaiting(ctx context.Context, tx *sqlx.Tx, query string, id any) error {
	var waiting bool
	err := tx.GetContext(ctx, &waiting, query, id)
	return errors.Join(err, when(waiting, ErrWaiting))
}

// lockOwn locks the user's own draft. ErrNotFound when it is not the user's, or of another kind, ErrChanged when it is no longer a
// draft, ErrWaiting when it awaits approval.
func lockOwn(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, user dispatch.UserID, kind dispatch.Kind) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	var state dispatch.State
	err := tx.GetContext(ctx, &state, `
		SELECT state FROM items WHERE id = $1 AND account_id = $2 AND created_by = $3 AND kind = $4 FOR UPDATE`, id, account, user, kind)
	if err != nil {
		return store.NotFound(err)
	}
	if state != dispatch.StateDraft {
		return store.ErrChanged
	}
	return notWaiting(ctx, tx, waitsForApproval, id)
}

// seenSMS makes sure that a locked draft still has the revision; otherwise ErrStale.
func seenSMS(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, seen string) error {
	var now string
	err := tx.GetContext(ctx, &now, `SELECT revision::text FROM sms WHERE item_id = $1 AND account_id = $2`, id, account)
	return errors.Join(store.NotFound(err), when(err == nil && now != seen, store.ErrStale))
}

// lockShipmentJob locks a draft's job, if there is one, before the draft: this order is the same everywhere, which
// prevents deadlocks.
func lockShipmentJob(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, draft dispatch.ItemID) error {
	_, err := tx.ExecContext(ctx, `SELECT FROM jobs WHERE draft_id = $1 AND account_id = $2 FOR UPDATE`, draft, account)
	return err
}

// lockShipmentDraft locks a user's draft to one recipient in the reviewed version.
func lockShipmentDraft(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, user dispatch.UserID, version int) error {
	if err := lockShipmentJob(ctx, tx, account, id); err != nil {
		return err
	}
	if err := lockOwn(ctx, tx, account, id, user, dispatch.KindShipment); err != nil {
		return err
	}
	var row struct {
		Many  bool `db:"many"`
		Stale bool `db:"stale"`
	}
	err := tx.GetContext(ctx, &row, `
		SELECT EXISTS (SELECT FROM jobs WHERE draft_id = $1 AND account_id = $2 AND rows_read > 0) AS many,
		       NOT EXISTS (SELECT FROM shipments WHERE item_id = $1 AND account_id = $2 AND version = $3) AS stale`, id, account, version)
	switch {
	case err != nil:
		return err
	case row.Many:
		return ErrMany
	case row.Stale:
		return store.ErrStale
	}
	return nil
}
