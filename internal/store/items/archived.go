package items

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Archived returns where an item is archived; zero if that is not recorded.
func (s Archives) Archived(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (dispatch.Archived, error) {
	var row struct {
		Case string    `db:"case_name"`
		By   string    `db:"by_name"`
		At   time.Time `db:"archived_at"`
	}
	err := store.NotFound(s.Get(ctx, &row, `
		SELECT a.case_name, u.name AS by_name, a.archived_at FROM archived_items a JOIN users u ON u.id = a.archived_by
		WHERE a.item_id = $1 AND a.account_id = $2`, id, account))
	if errors.Is(err, store.ErrNotFound) {
		return dispatch.Archived{}, nil
	}
	return dispatch.Archived{Case: row.Case, By: row.By, At: row.At}, err
}

// Archive records the case in which an item is archived; ErrChanged when that was recorded before, or the item is a draft.
func (s Archives) Archive(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, name string, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventArchived, Detail: name}, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			INSERT INTO archived_items (item_id, account_id, case_name, archived_by)
			SELECT id, account_id, $3, $4 FROM items WHERE id = $1 AND account_id = $2 AND state <> 'draft'
			ON CONFLICT (item_id) DO NOTHING`, id, account, name, by.User))
	})
}

// Unarchive removes the record; ErrChanged when there is none.
func (s Archives) Unarchive(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventUnarchived}, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `DELETE FROM archived_items WHERE item_id = $1 AND account_id = $2`, id, account))
	})
}

// NotePackage logs that a user made an archive package of an item, with the reason if the item is a colleague's.
func (s Archives) NotePackage(ctx context.Context, account dispatch.AccountID, it dispatch.Item, by store.Actor) error {
	a := store.Audit{Actor: by.User, Account: account, Action: "item.packed", Object: string(it.ID), Details: map[string]any{}, Origin: by.Origin}
	if it.CreatedBy != by.User {
		a.Details["reason"] = by.Reason
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if it.CreatedBy != by.User {
			if err := store.AddEvent(ctx, tx, store.Event{Item: it.ID, Account: account, Kind: dispatch.EventOpened, Actor: by.User}); err != nil {
				return err
			}
		}
		return store.Record(ctx, tx, a)
	})
}
