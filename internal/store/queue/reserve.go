package queue

import (
	"context"
	"database/sql"
	"time"

	"github.com/lib/pq"

	"utsending/internal/store"
)

// Reserve stores the id that the service reserved for a claimed item, before anything is sent under it; from then on
// the item is pinned to that integration. ErrChanged when the lease was lost.
func (s Claims) Reserve(ctx context.Context, c *Claim, id string) error {
	n, err := store.Affected(s.DB.ExecContext(ctx, `
		WITH item AS (
			UPDATE items SET reserved_id = $4, pinned_integration_id = $6
			WHERE id = $1 AND account_id = $2 AND state = 'sending' AND lease_token = $3 RETURNING id
		)
		UPDATE attempts t SET reserved_id = $4 FROM item WHERE t.id = $5 AND t.item_id = item.id`,
		c.Item, c.Lane.Account, c.Token, id, c.Attempt, c.Lane.Integration))
	if err == nil && n == 0 {
		return store.ErrChanged
	}
	return err
}

// Unreserve removes a claimed item's id that the service does not know: the next attempt reserves another. ErrChanged
// when the lease was lost, or an earlier call under the id may have arrived.
func (s Claims) Unreserve(ctx context.Context, c *Claim) error {
	n, err := store.Affected(s.DB.ExecContext(ctx, `
		UPDATE items SET reserved_id = NULL
		WHERE id = $1 AND account_id = $2 AND state = 'sending' AND lease_token = $3
		  AND NOT EXISTS (SELECT FROM attempts p WHERE p.item_id = $1 AND `+store.MayHaveArrived+`)`, c.Item, c.Lane.Account, c.Token))
	if err == nil && n == 0 {
		return store.ErrChanged
	}
	return err
}

// EarlierCalls describes the earlier calls that may have sent an item.
type EarlierCalls struct {
	Since     time.Time // when the first began; zero: none
	ServiceID string    // the account's kontoId at the service then
	Decided   bool      // a person has decided about each of them
	Sent      []string  // external references that were sent
}

// EarlierCalls returns the calls of a claimed item before this one.
func (s Claims) EarlierCalls(ctx context.Context, c *Claim) (EarlierCalls, error) {
	var known struct {
		Since     sql.NullTime   `db:"since"`
		ServiceID string         `db:"service_id"`
		Decided   bool           `db:"decided"`
		Sent      pq.StringArray `db:"sent"`
	}
	err := s.DB.GetContext(ctx, &known, `
		SELECT c.since, c.sent, coalesce(service_id_at($2, 'shipment', c.since)::text, '') AS service_id, coalesce(c.decided, false) AS decided
		FROM (
			-- What a backup does not know of was sent at any time since the item was made.
			SELECT min(CASE WHEN p.reason_key = 'reason.restored' THEN it.created_at ELSE p.started_at END) AS since,
			       bool_and(p.outcome = 'uncertain' AND p.resolved_by IS NOT NULL) AS decided,
			       array_agg(DISTINCT coalesce(p.reference, '')) AS sent
			FROM attempts p JOIN items it ON it.id = p.item_id
			WHERE p.item_id = $1 AND p.account_id = $2 AND p.id <> $3 AND `+store.MayHaveArrived+`) c`,
		c.Item, c.Lane.Account, c.Attempt)
	return EarlierCalls{known.Since.Time, known.ServiceID, known.Decided, references(known.Sent, c.Item, c.Shipment)}, err
}
