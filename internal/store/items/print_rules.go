package items

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Save stores an account's print rules; nil: the defaults. ErrStale when another administrator was faster.
func (s PrintRules) Save(ctx context.Context, a dispatch.Account, rules *dispatch.PrintRules, by store.Actor, changed ...dispatch.SettingChange) error {
	var stored any
	if rules != nil {
		text, err := json.Marshal(rules)
		if err != nil {
			return err
		}
		stored = string(text)
	}
	return s.OperateAccount(ctx, a.ID, by, "account_setup.print_rules", by.Details("values", changed), func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE accounts SET print_rules = $3, version = version + 1 WHERE id = $1 AND version = $2`, a.ID, a.Version, stored))
	})
}
