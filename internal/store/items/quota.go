package items

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ErrQuota says that the account's SMS segments for this month do not suffice. Nothing was changed.
var ErrQuota = errors.New("the account's quota is used up")

// thisMonth is the first day of the current month in Oslo.
const thisMonth = `date_trunc('month', now() AT TIME ZONE 'Europe/Oslo')::date`

const selectQuota = `
	SELECT a.sms_limit, coalesce((SELECT sum(parts) FROM sms_usage u WHERE u.account_id = a.id AND u.month = ` + thisMonth + `), 0) AS used
	FROM accounts a WHERE a.id = $1`

type quotaRow struct {
	Limit int `db:"sms_limit"`
	Used  int `db:"used"`
}

// SMSQuota returns an account's use of SMS segments this month.
func (s Budgets) SMSQuota(ctx context.Context, account dispatch.AccountID) (dispatch.Quota, error) {
	var row quotaRow
	err := s.Get(ctx, &row, selectQuota, account)
	return dispatch.Quota{Used: max(row.Used, 0), Limit: row.Limit}, store.NotFound(err)
}

// countSegments counts the segments of SMS that have just been queued in this month; ErrQuota when they exceed the
// quota.
func countSegments(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, ids []dispatch.ItemID) error {
	parts, err := markCounted(ctx, tx, account, ids)
	if err != nil || parts == 0 {
		return err
	}
	if err := checkQuota(ctx, tx, account, parts); err != nil {
		return err
	}
	return addSegments(ctx, tx, account, parts)
}

// countMade counts the segments of a job's new items. The quota was checked when the job was sent.
func countMade(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, ids []dispatch.ItemID) error {
	parts, err := markCounted(ctx, tx, account, ids)
	if err != nil || parts == 0 {
		return err
	}
	return addSegments(ctx, tx, account, parts)
}

// markCounted marks SMS as counted in this month and returns their segments. SMS that are counted already, such as
// uncertain ones, are not counted twice. A trigger subtracts them when they turn out unsent.
func markCounted(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, ids []dispatch.ItemID) (int, error) {
	var parts int
	err := tx.GetContext(ctx, &parts, `
		WITH counted AS (
			UPDATE sms SET counted_month = `+thisMonth+`
			WHERE item_id = ANY($2::uuid[]) AND account_id = $1 AND counted_month IS NULL
			RETURNING parts)
		SELECT coalesce(sum(parts), 0) FROM counted`, account, pq.Array(ids))
	return parts, err
}

func addSegments(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, parts int) error {
	_, err := tx.ExecContext(ctx, `
		WITH free AS (
			SELECT id FROM sms_usage WHERE account_id = $1 AND month = `+thisMonth+` FOR UPDATE SKIP LOCKED
		), gone AS (
			DELETE FROM sms_usage u USING free WHERE u.id = free.id RETURNING u.parts
		)
		INSERT INTO sms_usage (account_id, month, parts) SELECT $1, `+thisMonth+`, $2 + coalesce(sum(parts), 0) FROM gone`, account, parts)
	return err
}

// checkJobQuota checks that a job's segments fit, beside those of jobs whose items are still being created.
func checkJobQuota(ctx context.Context, tx *sqlx.Tx, j dispatch.Job) error {
	var pending int
	err := tx.GetContext(ctx, &pending, `
		SELECT coalesce(sum(parts), 0) FROM jobs WHERE account_id = $1 AND sent_at IS NOT NULL AND made_at IS NULL AND stopped_at IS NULL`, j.AccountID)
	if err != nil {
		return err
	}
	return checkQuota(ctx, tx, j.AccountID, int(j.Segments)+pending)
}

// checkQuota checks that so many segments more fit. Where there is a limit, it serializes the account's sending: two
// that fit alone must not both get the last segment.
func checkQuota(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, parts int) error {
	var limited bool
	err := tx.GetContext(ctx, &limited, `SELECT sms_limit > 0 FROM accounts WHERE id = $1`, account)
	if err != nil || !limited {
		return err
	}
	if _, err := tx.ExecContext(ctx, `SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, account); err != nil {
		return err
	}
	var row quotaRow
	if err := tx.GetContext(ctx, &row, selectQuota, account); err != nil {
		return err
	}
	if q := (dispatch.Quota{Used: row.Used, Limit: row.Limit}); !q.Fits(parts) {
		return ErrQuota
	}
	return nil
}
