package registry

import (
	"context"
	"time"

	"utsending/internal/dispatch"
)

// LastUse tells when an account last had something handed over to a service, and over what.
type LastUse struct {
	SentAt time.Time              // when it was handed over; zero: none of the latest that the account made was
	Over   dispatch.IntegrationID // empty: not known
}

// LastUses are those of all accounts, by kind of item.
type LastUses map[dispatch.AccountID]map[dispatch.Kind]LastUse

// LastUses reads, for each account and kind, the last item that was handed over, of the latest that it made.
func (s *Store) LastUses(ctx context.Context) (LastUses, error) {
	var rows []struct {
		Account dispatch.AccountID     `db:"account_id"`
		Kind    dispatch.Kind          `db:"kind"`
		SentAt  time.Time              `db:"sent_at"`
		Over    dispatch.IntegrationID `db:"integration_id"`
	}
	err := s.DB.SelectContext(ctx, &rows, `
		SELECT a.id AS account_id, k.kind, last.accepted_at AS sent_at, last.integration_id
		FROM accounts a CROSS JOIN (VALUES ('sms'), ('shipment')) k (kind)
		CROSS JOIN LATERAL (
			SELECT it.accepted_at, coalesce(it.integration_id::text, '') AS integration_id
			FROM (SELECT l.item_id FROM listed l WHERE l.account_id = a.id AND l.kind = k.kind ORDER BY l.created_at DESC, l.item_id DESC LIMIT 100) newest
			JOIN items it ON it.id = newest.item_id
			WHERE it.accepted_at IS NOT NULL
			ORDER BY it.accepted_at DESC LIMIT 1
		) last`)
	uses := LastUses{}
	for _, r := range rows {
		if uses[r.Account] == nil {
			uses[r.Account] = map[dispatch.Kind]LastUse{}
		}
		uses[r.Account][r.Kind] = LastUse{r.SentAt, r.Over}
	}
	return uses, err
}
