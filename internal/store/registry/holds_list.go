package registry

import (
	"context"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// HeldItem is an item under legal hold.
type HeldItem struct {
	LegalHold
	ID          dispatch.ItemID    `db:"id"`
	Account     dispatch.AccountID `db:"account_id"`
	AccountName string             `db:"account_name"`
	AccountSlug string             `db:"account_slug"`
	Kind        dispatch.Kind      `db:"kind"`
	CreatedAt   time.Time          `db:"created_at"`
	Shown       bool               `db:"shown"` // false: it goes to a protected person whom the viewer may not see, and has no reason here
}

// heldMost is the most legal holds that are listed.
const heldMost = 500

// List lists the items of the accounts that are under legal hold, the newest hold first, and counts all of them.
func (s Holds) List(ctx context.Context, accounts []dispatch.AccountID, viewer dispatch.UserID) (list []HeldItem, n int, err error) {
	var rows []struct {
		HeldItem
		Sealed []byte `db:"sealed"`
		N      int    `db:"n"`
	}
	err = s.Select(ctx, &rows, `
		SELECT it.id, it.account_id, a.name AS account_name, a.slug AS account_slug, it.kind, it.created_at, h.reason, h.sealed, u.name, h.set_at,
		       `+store.ShownTo("it.id", "$2::uuid")+` AS shown, count(*) OVER () AS n
		FROM holds h
		JOIN items it ON it.id = h.item_id AND it.account_id = h.account_id
		JOIN accounts a ON a.id = h.account_id
		JOIN users u ON u.id = h.set_by
		WHERE h.account_id = ANY($1)
		ORDER BY h.set_at DESC, h.item_id
		LIMIT $3`, pq.Array(accounts), viewer, heldMost)
	for _, r := range rows {
		switch {
		case !r.Shown:
			r.Reason = ""
		case r.Sealed != nil:
			if r.Reason, err = s.OpenText(r.Sealed, store.HoldPlace(r.ID)); err != nil {
				return nil, 0, err
			}
		}
		list, n = append(list, r.HeldItem), r.N
	}
	return list, n, err
}
