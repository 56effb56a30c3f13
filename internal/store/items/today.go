package items

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// SentToday is something that the recipient of a draft was sent on the same day, or will be later that day.
type SentToday struct {
	ID        dispatch.ItemID `db:"id"`
	Kind      dispatch.Kind   `db:"kind"`
	CreatedBy dispatch.UserID `db:"created_by"`
	Creator   string          `db:"creator"`
	At        time.Time       `db:"at"`    // in the future: it is planned
	Title     string          `db:"title"` // of a shipment
}

// sentTodayMost is how many of them are told.
const sentTodayMost = 3

// SentToday returns what an account has sent to a number today in either channel, newest first, but for the draft itself. It
// counts as a search for the number, unless the same user sends to it: else drafts would reveal whom colleagues have sent
// to. Who has searched for too many gets a problem back.
func (s *Store) SentToday(ctx context.Context, account dispatch.AccountID, wanted dispatch.Search, draft dispatch.ItemID, by store.Actor) (list []SentToday, refused *dispatch.Problem, err error) {
	if !wanted.Person() {
		return nil, nil, nil
	}
	hashes, err := s.NumberHashes(wanted)
	if err != nil {
		return nil, nil, err
	}
	a := store.Audit{Actor: by.User, Account: account, Action: store.ActToday, Object: string(draft), Details: map[string]any{}, Origin: by.Origin}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if refused, err = store.SearchNumbers(ctx, tx, []dispatch.AccountID{account}, hashes, a); err != nil || refused != nil {
			return err
		}
		return tx.SelectContext(ctx, &list, `
			SELECT it.id, it.kind, it.created_by, u.name AS creator, coalesce(it.accepted_at, it.due_since, it.created_at) AS at, f.title
			FROM (SELECT m.item_id, '' AS title FROM sms m WHERE m.account_id = $1 AND m.recipient_hash = ANY($2)
			      UNION ALL
			      SELECT h.item_id, h.title FROM shipments h WHERE h.account_id = $1 AND h.number_hash = ANY($2)) f
			JOIN items it ON it.id = f.item_id
			JOIN users u ON u.id = it.created_by
			WHERE it.id <> $3 AND it.state IN ('queued', 'sending', 'accepted', 'uncertain')
			  AND (coalesce(it.accepted_at, it.due_since, it.created_at) AT TIME ZONE 'Europe/Oslo')::date = (now() AT TIME ZONE 'Europe/Oslo')::date
			ORDER BY at DESC, it.id DESC
			LIMIT $4`, account, pq.ByteaArray(hashes), draft, sentTodayMost)
	})
	return list, refused, err
}
