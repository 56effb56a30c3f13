package items

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrBudget means that the account's budget for this month does not suffice. Nothing was changed.
var ErrBudget = errors.New("the account's budget is used up")

// selectSpent is what an account has spent this month by its prices: SMS by segments, shipments by their channel, or by the higher
// price until that is known (shipment_cost). Items that were not handed over cost nothing.
const selectSpent = `
	SELECT ($2::bigint * ((SELECT coalesce(sum(parts), 0) FROM sms_usage u WHERE u.account_id = $1 AND u.month = ` + thisMonth + `)
	            + (SELECT coalesce(sum(parts::bigint * greatest(recipients - made, 0) / greatest(recipients, 1)), 0) FROM jobs WHERE account_id = $1 AND kind = 'sms' AND sent_at IS NOT NULL AND made_at IS NULL AND stopped_at IS NULL)))::bigint
	     + (SELECT coalesce(sum(ore), 0)::bigint FROM shipment_usage u WHERE u.account_id = $1 AND u.month = ` + thisMonth + `)
	     + (SELECT coalesce(sum(cost_left), 0)::bigint FROM jobs
	        WHERE account_id = $1 AND kind = 'shipment' AND sent_at IS NOT NULL AND made_at IS NULL AND stopped_at IS NULL)`

// Of returns an account's budget and spending; without a budget nothing is read.
func (s Budgets) Of(ctx context.Context, account dispatch.Account) (dispatch.Budget, error) {
	b := account.Budget
	if b.Limit == 0 {
		return b, nil
	}
	err := s.Get(ctx, &b.Spent, selectSpent, account.ID, account.Prices.SMS.Ore)
	return b, err
}

// spend returns ErrBudget if the amount exceeds the budget. It serializes the account's sending, like checkQuota.
func spend(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, by store.Actor, ore int) error {
	b := account.Budget
	if b.Limit == 0 || b.Allows(b.Limit+1, by.Lead) {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, account.ID); err != nil {
		return err
	}
	if err := tx.GetContext(ctx, &b.Spent, selectSpent, account.ID, account.Prices.SMS.Ore); err != nil {
		return err
	}
	return when(!b.Allows(ore, by.Lead), ErrBudget)
}

// spendSMS is spend for a draft.
func spendSMS(ctx context.Context, tx *sqlx.Tx, account dispatch.Account, by store.Actor, id dispatch.ItemID) error {
	var segments int
	err := tx.GetContext(ctx, &segments, `SELECT parts FROM sms WHERE item_id = $1 AND account_id = $2`, id, account.ID)
	return errors.Join(store.NotFound(err), spend(ctx, tx, account, by, account.Prices.SMS.Times(segments).Ore))
}

// spendAgain is spend for an item that was not sent and has just been queued again: it costs in this month what it cost when it was
// queued first.
func spendAgain(ctx context.Context, tx *sqlx.Tx, id dispatch.AccountID, by store.Actor, item dispatch.ItemID) error {
	account, err := accountNow(ctx, tx, id)
	if err != nil {
		return err
	}
	var costs struct {
		Kind     dispatch.Kind `db:"kind"`
		Shipment int           `db:"shipment"`
	}
	err = tx.GetContext(ctx, &costs, `
		WITH uncounted AS (UPDATE shipments SET cost_month = NULL WHERE item_id = $1 AND account_id = $2 RETURNING greatest(cost_print, cost_digital) AS ore)
		SELECT kind, coalesce((SELECT ore FROM uncounted), 0) AS shipment FROM items WHERE id = $1 AND account_id = $2`, item, id)
	if err != nil {
		return store.NotFound(err)
	}
	if costs.Kind == dispatch.KindSMS {
		return spendSMS(ctx, tx, account, by, item)
	}
	if err := spend(ctx, tx, account, by, costs.Shipment); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE shipments SET cost_month = `+thisMonth+` WHERE item_id = $1 AND account_id = $2`, item, id)
	return err
}

// countAgain counts items in this month that were uncertain since an earlier one and have just been queued again. Of SMS, the
// earlier month keeps its count: they may have been sent then too.
//
// Assumption: quota and budget stop none of them, since they passed once and a caseworker has decided that they must arrive.
func countAgain(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, ids []dispatch.ItemID) error {
	for _, statement := range []string{
		`UPDATE shipments SET cost_month = ` + thisMonth + ` WHERE item_id = ANY($2::uuid[]) AND account_id = $1 AND cost_month < ` + thisMonth,
		`UPDATE sms SET counted_month = NULL WHERE item_id = ANY($2::uuid[]) AND account_id = $1 AND counted_month < ` + thisMonth,
	} {
		if _, err := tx.ExecContext(ctx, statement, account, pq.Array(ids)); err != nil {
			return err
		}
	}
	return countMade(ctx, tx, account, ids)
}

// accountNow reads an account within the transaction.
func accountNow(ctx context.Context, tx *sqlx.Tx, id dispatch.AccountID) (dispatch.Account, error) {
	var row store.AccountRow
	err := tx.GetContext(ctx, &row, `SELECT `+store.AccountColumns+` FROM accounts a WHERE a.id = $1`, id)
	return row.Domain(), store.NotFound(err)
}
