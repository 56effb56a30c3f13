package registry

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// LastUse tells when an account last had something handed over to a service, and over what.
type LastUse struct {
	SentAt time.Time              // when it was handed over; zero: none of the latest that the account made was
	Over   dispatch.IntegrationID // empty: not known
	Whole  bool                   // the latest are all that the account has
}

// LastUses are those of all accounts, by kind of item.
type LastUses map[dispatch.AccountID]map[dispatch.Kind]LastUse

// LastUses reads, for each account and kind, the last item that was handed over, of the latest that it made.
func (s Accounts) LastUses(ctx context.Context) (LastUses, error) {
	var rows []struct {
		Account dispatch.AccountID     `db:"account_id"`
		Kind    dispatch.Kind          `db:"kind"`
		SentAt  *time.Time             `db:"sent_at"`
		Over    dispatch.IntegrationID `db:"integration_id"`
		Looked  int                    `db:"looked"`
	}
	const latest = 100
	err := s.DB.SelectContext(ctx, &rows, `
		SELECT a.id AS account_id, k.kind, newest.looked, last.accepted_at AS sent_at, coalesce(last.integration_id::text, '') AS integration_id
		FROM accounts a CROSS JOIN (VALUES ('sms'), ('shipment')) k (kind)
		CROSS JOIN LATERAL (
			SELECT array_agg(l.item_id) AS ids, count(*) AS looked
			FROM (SELECT item_id FROM listed WHERE account_id = a.id AND kind = k.kind ORDER BY created_at DESC, item_id DESC LIMIT $1) l
		) newest
		LEFT JOIN LATERAL (
			SELECT accepted_at, integration_id FROM items WHERE account_id = a.id AND id = ANY(newest.ids) AND accepted_at IS NOT NULL ORDER BY accepted_at DESC LIMIT 1
		) last ON true`, latest)
	uses := LastUses{}
	for _, r := range rows {
		if uses[r.Account] == nil {
			uses[r.Account] = map[dispatch.Kind]LastUse{}
		}
		uses[r.Account][r.Kind] = LastUse{store.Deref(r.SentAt), r.Over, r.Looked < latest}
	}
	return uses, err
}
