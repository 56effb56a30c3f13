package registry

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// LegalHold keeps retention from purging an item.
type LegalHold struct {
	Reason string    `db:"reason"`
	By     string    `db:"name"`
	At     time.Time `db:"set_at"`
}

// Held returns an item's legal hold; nil without one.
func (s Holds) Held(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (*LegalHold, error) {
	var holds []struct {
		LegalHold
		Sealed []byte `db:"sealed"`
	}
	err := s.Select(ctx, &holds, `
		SELECT h.reason, h.sealed, u.name, h.set_at FROM holds h JOIN users u ON u.id = h.set_by WHERE h.item_id = $1 AND h.account_id = $2`, id, account)
	if err != nil || len(holds) == 0 {
		return nil, err
	}
	h := holds[0]
	if h.Sealed != nil {
		h.Reason, err = s.OpenText(h.Sealed, store.HoldPlace(id))
	}
	return &h.LegalHold, err
}

// Retain puts a legal hold on a sent item. ErrChanged when it has one already, or is a draft.
func (s Holds) Retain(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, reason string, by store.Actor) error {
	sealed, err := s.SealText(reason, store.HoldPlace(id))
	if err != nil {
		return err
	}
	return s.changeHold(ctx, store.Audit{Actor: by.User, Account: account, Action: "item.hold", Object: string(id), Origin: by.Origin, Details: map[string]any{"reason": reason}}, `
		INSERT INTO holds (item_id, account_id, sealed, set_by)
		SELECT it.id, it.account_id, $3, $4 FROM items it WHERE it.id = $1 AND it.account_id = $2 AND it.state <> 'draft'
		ON CONFLICT (item_id) DO NOTHING`, id, account, sealed, by.User)
}

// Release removes a legal hold: what is past its retention is purged the next night. ErrChanged when there is none.
func (s Holds) Release(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, reason string, by store.Actor) error {
	return s.changeHold(ctx, store.Audit{Actor: by.User, Account: account, Action: "item.release", Object: string(id), Origin: by.Origin, Details: map[string]any{"reason": reason}}, `
		DELETE FROM holds WHERE item_id = $1 AND account_id = $2`, id, account)
}

func (s Holds) changeHold(ctx context.Context, a store.Audit, statement string, args ...any) error {
	if !store.ValidID(a.Object) {
		return store.ErrNotFound
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Serialized with a purge of the item.
		if _, err := tx.ExecContext(ctx, `SELECT FROM items WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`, a.Object, a.Account); err != nil {
			return err
		}
		n, err := store.Affected(tx.ExecContext(ctx, statement, args...))
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrChanged
		}
		return store.Record(ctx, tx, a)
	})
}

// Seal seals the reasons that an earlier release stored in plaintext, and returns how many.
func (s Holds) Seal(ctx context.Context) (n int, err error) {
	var clear []struct {
		Item   dispatch.ItemID `db:"item_id"`
		Reason string          `db:"reason"`
	}
	if err := s.Select(ctx, &clear, `SELECT item_id, reason FROM holds WHERE reason <> ''`); err != nil {
		return 0, err
	}
	for _, h := range clear {
		sealed, err := s.SealText(h.Reason, store.HoldPlace(h.Item))
		if err != nil {
			return n, err
		}
		_, err = s.DB.ExecContext(ctx, `UPDATE holds SET sealed = $2, reason = '' WHERE item_id = $1 AND reason = $3`, h.Item, sealed, h.Reason)
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
