package items

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// MadeFrom is the source of a new draft, as far as the event log records it. The line is written in the draft's own
// transaction: there is no draft without it.
type MadeFrom struct {
	Source  dispatch.ItemID     // item whose content it copies; empty: none
	Job     dispatch.JobID      // job whose shipment and recipients it copies; empty: none
	Origin  dispatch.OriginKind // relation to the source; empty: none that is stored
	Reveals bool                // its form shows a masked number in full: a phone from the contact register
}

// noteFrom records the source of one's own draft.
func noteFrom(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, by store.Actor, from MadeFrom) error {
	if from.Origin != "" {
		if err := store.SetOrigin(ctx, tx, account, id, by, dispatch.Origin{Item: from.Source, Kind: from.Origin}); err != nil {
			return err
		}
	}
	if from.Source != "" && by.Reason != "" { // a colleague's
		if err := store.NoteAct(ctx, tx, store.Act{Account: account, ID: from.Source, By: by, Kind: dispatch.EventOpened}); err != nil {
			return err
		}
	}
	if from.Source != "" {
		a := store.Audit{Actor: by.User, Account: account, Action: "item.copied", Object: string(from.Source), Details: map[string]any{"made": id}, Origin: by.Origin}
		if err := store.Record(ctx, tx, a); err != nil {
			return err
		}
	}
	if from.Job != "" {
		if err := store.Record(ctx, tx, jobCopied(account, from.Job, by, string(id))); err != nil {
			return err
		}
	}
	if !from.Reveals {
		return nil
	}
	return store.NoteAct(ctx, tx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventRevealed})
}

// Replaced returns the item that a draft was made to replace; empty: it replaces none.
func (s *Store) Replaced(ctx context.Context, account dispatch.AccountID, draft dispatch.ItemID) (id dispatch.ItemID, err error) {
	err = s.Get(ctx, &id, `SELECT origin_id FROM items WHERE id = $1 AND account_id = $2 AND origin_kind = $3 AND origin_id IS NOT NULL`, draft, account, dispatch.OriginReplaces)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// AlreadyReplaced returns the item that was last sent in place of the one that a draft is to replace; zero if nothing was. If the draft is
// sent as well, the recipient gets two.
func (s *Store) AlreadyReplaced(ctx context.Context, account dispatch.AccountID, draft dispatch.ItemID) (dispatch.Item, error) {
	var other struct {
		ID   dispatch.ItemID `db:"id"`
		Kind dispatch.Kind   `db:"kind"`
	}
	err := s.Get(ctx, &other, `
		SELECT r.id, r.kind FROM items d JOIN items it ON it.id = d.origin_id AND it.account_id = d.account_id
		JOIN LATERAL (SELECT n.id, n.kind, n.created_at `+store.FromReplacing+`) r ON r.id <> d.id
		WHERE d.id = $1 AND d.account_id = $2 AND d.origin_kind = $3 ORDER BY r.created_at DESC LIMIT 1`, draft, account, dispatch.OriginReplaces)
	if errors.Is(err, sql.ErrNoRows) {
		return dispatch.Item{}, nil
	}
	return dispatch.Item{ID: other.ID, Kind: other.Kind}, err
}
