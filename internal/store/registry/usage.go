package registry

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// LastSent tells on which day an account last had something to send of a kind.
type LastSent map[dispatch.AccountID]map[dispatch.Kind]time.Time

// LastSent reads it for every account, from the team lead's numbers: a day is found without reading items.
func (s *Store) LastSent(ctx context.Context) (LastSent, error) {
	var rows []struct {
		Account dispatch.AccountID `db:"account_id"`
		Kind    dispatch.Kind      `db:"kind"`
		Day     *time.Time         `db:"day"`
	}
	err := s.DB.SelectContext(ctx, &rows, `
		SELECT a.id AS account_id, k.kind, greatest(
			(SELECT st.day FROM stats st WHERE st.account_id = a.id AND st.dimension = 'outcome' AND st.kind = k.kind AND st.n > 0 ORDER BY st.day DESC LIMIT 1),
			(SELECT max(c.day) FROM stat_changes c WHERE c.account_id = a.id AND c.kind = k.kind AND c.n > 0)) AS day
		FROM accounts a CROSS JOIN (VALUES ('sms'), ('shipment')) k (kind)`)
	last := LastSent{}
	for _, r := range rows {
		if last[r.Account] == nil {
			last[r.Account] = map[dispatch.Kind]time.Time{}
		}
		last[r.Account][r.Kind] = store.Deref(r.Day)
	}
	return last, err
}
