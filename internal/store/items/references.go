package items

import (
	"context"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// nextNumbers takes the account's next numbers of this year and locks the counter until the transaction ends: concurrent
// transactions get different numbers, and a rollback returns them.
const nextNumbers = `
	INSERT INTO reference_numbers AS r (account_id, year, last) VALUES ($1, extract(year FROM now() AT TIME ZONE 'Europe/Oslo'), $2)
	ON CONFLICT ON CONSTRAINT reference_numbers_pkey DO UPDATE SET last = r.last + $2
	RETURNING year, last`

// drawReferences makes that many references, skipping any that a shipment of the account has already. The counter is the last lock
// of a transaction.
func drawReferences(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, rule dispatch.ReferenceRule, n int) ([]string, error) {
	list := make([]string, 0, n)
	for len(list) < n {
		var row struct {
			Year int   `db:"year"`
			Last int64 `db:"last"`
		}
		missing := n - len(list)
		if err := tx.GetContext(ctx, &row, nextNumbers, account, missing); err != nil {
			return nil, fmt.Errorf("draw a reference: %w", err)
		}
		drawn := make([]string, missing)
		for i := range drawn {
			drawn[i] = rule.Reference(row.Year, row.Last-int64(missing)+1+int64(i))
		}
		var taken []string
		err := tx.SelectContext(ctx, &taken, `
			SELECT DISTINCT external_reference FROM shipments WHERE account_id = $1 AND external_reference <> '' AND external_reference = ANY($2)`, account, pq.Array(drawn))
		if err != nil {
			return nil, err
		}
		has := map[string]bool{}
		for _, t := range taken {
			has[t] = true
		}
		for _, reference := range drawn {
			if !has[reference] {
				list = append(list, reference)
			}
		}
	}
	return list, nil
}

// fillReference is the reference of a shipment that is sent: as typed, or the next one if the account's rule says so.
func fillReference(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, typed string) (string, error) {
	if !account.References.Makes() || !account.References.Fill || strings.TrimSpace(typed) != "" {
		return typed, nil
	}
	drawn, err := drawReferences(ctx, tx, account.ID, account.References, 1)
	if err != nil {
		return "", err
	}
	return drawn[0], nil
}
