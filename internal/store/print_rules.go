package store

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// printRules reads what an account has chosen; what it has not is as for all.
func printRules(stored []byte) *dispatch.PrintRules {
	if stored == nil {
		return nil
	}
	rules := dispatch.DefaultPrintRules()
	if err := json.Unmarshal(stored, &rules); err != nil {
		return nil // written by us, so it is not to be expected; the ordinary rules are the safe ones
	}
	return &rules
}

// SavePrintRules keeps what an account's PDFs are held against; nil is what holds for all. ErrStale when another
// administrator was faster.
func (s *Store) SavePrintRules(ctx context.Context, a dispatch.Account, rules *dispatch.PrintRules, by Actor) error {
	var stored any
	if rules != nil {
		text, err := json.Marshal(rules)
		if err != nil {
			return err
		}
		stored = string(text)
	}
	return s.operateAccount(ctx, a.ID, by, "account_setup.print_rules", nil, func(tx *sqlx.Tx) (int64, error) {
		return affected(tx.ExecContext(ctx, `
			UPDATE accounts SET print_rules = $3, version = version + 1 WHERE id = $1 AND version = $2`, a.ID, a.Version, stored))
	})
}
