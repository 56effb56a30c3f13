package registry

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// checkedAtMost is how many queued shipments of an account are opened before a move. What is not checked stays where
// it is.
const checkedAtMost = 5000

// MoveEffect tells what a move to another generation means for an account's queued shipments.
type MoveEffect struct {
	Stay   int      // they do not fit the other generation, or were not checked
	Fields []string // that the other generation would refuse, by their names in the table of fields
}

// MoveEffect reads an account's queued shipments that no attempt has pinned yet.
func (s Accounts) MoveEffect(ctx context.Context, account dispatch.AccountID, g dispatch.Generation) (MoveEffect, error) {
	var e MoveEffect
	seen := map[string]bool{}
	stay, err := s.unfit(ctx, s.DB, account, g, func(field string) {
		if !seen[field] {
			seen[field] = true
			e.Fields = append(e.Fields, field)
		}
	})
	e.Stay = len(stay)
	return e, err
}

// unfit returns the queued shipments that a generation does not take as they are. lost gets the names of fields that
// it has not.
func (s Accounts) unfit(ctx context.Context, q sqlx.QueryerContext, account dispatch.AccountID, g dispatch.Generation, lost func(field string)) ([]dispatch.ItemID, error) {
	var queued []struct {
		ID      dispatch.ItemID `db:"id"`
		Content []byte          `db:"content"`
	}
	err := sqlx.SelectContext(ctx, q, &queued, `
		SELECT it.id, CASE WHEN row_number() OVER (ORDER BY it.due_at, it.id) <= $2 THEN h.content END AS content
		FROM items it JOIN shipments h ON h.item_id = it.id
		WHERE it.account_id = $1 AND it.kind = 'shipment' AND it.state = 'queued' AND it.pinned_integration_id IS NULL`, account, checkedAtMost)
	if err != nil {
		return nil, err
	}
	var stay []dispatch.ItemID
	for _, one := range queued {
		if one.Content == nil {
			stay = append(stay, one.ID)
			continue
		}
		content, err := s.OpenShipmentIn(ctx, q, account, one.ID, one.Content)
		if err != nil {
			return nil, err
		}
		if len(content.Validate(time.Now(), g)) > 0 {
			stay = append(stay, one.ID)
		}
		for _, field := range content.Lost(g) {
			lost(field)
		}
	}
	return stay, nil
}

// keepUnfit pins the queued shipments that the new generation does not take to the integration that they were written
// for: they are sent as they are, where they were to be sent.
func (s Accounts) keepUnfit(ctx context.Context, tx *sqlx.Tx, a dispatch.Account, to dispatch.IntegrationID) error {
	var kind dispatch.IntegrationKind
	if err := tx.GetContext(ctx, &kind, `SELECT kind FROM integrations WHERE id = $1`, to); err != nil {
		return err
	}
	if a.ShipmentIntegration == "" || kind == a.ShipmentKind {
		return nil
	}
	stay, err := s.unfit(ctx, tx, a.ID, kind.Row().Generation, func(string) {})
	if err != nil {
		return err
	}
	for _, id := range stay {
		_, err := tx.ExecContext(ctx, `
			UPDATE items SET pinned_integration_id = $3
			WHERE id = $1 AND account_id = $2 AND state = 'queued' AND pinned_integration_id IS NULL`, id, a.ID, a.ShipmentIntegration)
		if err != nil {
			return err
		}
	}
	return nil
}
