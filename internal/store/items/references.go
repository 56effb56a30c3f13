package items

import (
	"context"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// nextNumbers gives the account's next numbers of this year and holds the counter until the transaction ends: two at once never get
// the same, and one that fails gives its numbers back.
const nextNumbers = `
	INSERT INTO reference_numbers AS r (account_id, year, last) VALUES ($1, extract(year FROM now() AT TIME ZONE 'Europe/Oslo'), $2)
	ON CONFLICT ON CONSTRAINT reference_numbers_pkey DO UPDATE SET last = r.last + $2
	RETURNING year, last`

// drawReferences makes so many references of an account that none of its shipments has. What people have typed by hand is passed
// over. The counter is locked last in a transaction.
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

// drawnReference tells whether a reference is one of an account's own running numbers, and returns the account as it stands.
//
// Assumption: one by a pattern that the account has no more is taken for typed.
func (s *Store) drawnReference(ctx context.Context, id dispatch.AccountID, reference string) (account dispatch.Account, drawn bool, err error) {
	var row store.AccountRow
	if err := s.Get(ctx, &row, `SELECT `+store.AccountColumns+` FROM accounts a WHERE a.id = $1`, id); err != nil {
		return account, false, store.NotFound(err)
	}
	account = row.Domain()
	year, number, ok := account.References.Number(strings.TrimSpace(reference))
	if !ok {
		return account, false, nil
	}
	err = s.Get(ctx, &drawn, `SELECT EXISTS (SELECT FROM reference_numbers WHERE account_id = $1 AND year = $2 AND last >= $3)`, id, year, number)
	return account, drawn, err
}

// saveCopy stores the form of a copy. Where the original's reference, of, is one of the account's running numbers, the copy has its
// own: the next one, unless it gets one when it is sent.
func (s *Store) saveCopy(ctx context.Context, id dispatch.AccountID, d dispatch.Draft, by store.Actor, of string) error {
	account, drawn, err := s.drawnReference(ctx, id, of)
	switch {
	case err != nil:
		return err
	case drawn:
		d.Fields.ExternalReference = ""
	}
	if drawn && !account.References.Fill && !d.Fields.ReferenceEach {
		return s.ReferenceDraft(ctx, account, &d, by)
	}
	return s.SaveShipmentDraft(ctx, id, d, by)
}

// fillReference is the reference of a shipment that is sent: its own, or the next one if the account fills it in.
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

// ReferenceDraft stores the form of one's own draft as SaveShipmentDraft does, with a reference by the account's pattern unless one
// is typed. The number is drawn with it: a draft that is discarded later leaves a gap.
func (s *Store) ReferenceDraft(ctx context.Context, account dispatch.Account, d *dispatch.Draft, by store.Actor) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := lockOwn(ctx, tx, account.ID, d.Item.ID, by.User, dispatch.KindShipment); err != nil {
			return err
		}
		if account.References.Makes() && strings.TrimSpace(d.Fields.ExternalReference) == "" {
			drawn, err := drawReferences(ctx, tx, account.ID, account.References, 1)
			if err != nil {
				return err
			}
			d.Fields.ExternalReference = drawn[0]
		}
		return s.saveShipmentDraft(ctx, tx, account.ID, *d)
	})
}
