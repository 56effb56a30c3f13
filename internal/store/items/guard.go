package items

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ResolveRestored applies one decision to all restored items of an account, either those scheduled for after the
// restore or the others.
func (s Decisions) ResolveRestored(ctx context.Context, account dispatch.Account, planned bool, d dispatch.Decision, by store.Actor) (int, error) {
	var ids []dispatch.ItemID
	err := s.Select(ctx, &ids, `SELECT id FROM (`+store.ItemsRestored+`) r WHERE account_id = $1 AND planned = $2`, account.ID, planned)
	if err != nil {
		return 0, err
	}
	return s.Resolve(ctx, account, ids, d, by)
}
