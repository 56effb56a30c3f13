package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// batchMax is the largest batch of a fast job (SMS spec, Limits).
const batchMax = "1000"

// claimOfBatch marks many due items of a job as sending and begins their attempts, in one statement. Only one claimer
// of a job runs at a time (advisory lock), so that two do not split what could be one batch. A probe risks one item
// only.
var claimOfBatch = claimPicks(dispatch.KindSMS) + ` AND it.job_id = $5::uuid AND ` + jobRuns("$5") + `
		  AND (SELECT pg_try_advisory_xact_lock(hashtextextended($5::text, 0)))
		ORDER BY it.due_at
		LIMIT CASE WHEN $3 THEN 1 ELSE ` + batchMax + ` END
		FOR UPDATE OF it SKIP LOCKED
	), claimed AS (
		UPDATE items it
		SET state = 'sending', lease_token = $6, lease_until = now() + $4 * interval '1 second', restored_at = NULL
		FROM picked
		WHERE it.ctid = picked.ctid
		RETURNING it.id, it.account_id, it.unavailable_count
	), attempt AS (
		INSERT INTO attempts (id, item_id, account_id, integration_id, part_id)
		SELECT gen_random_uuid(), id, account_id, $2, $7::uuid FROM claimed
	)
	SELECT c.id, c.unavailable_count, m.by_phone, m.recipient, m.text, m.hide_in_report
	FROM claimed c JOIN sms m ON m.item_id = c.id`

// claimBatch claims a batch of due items of a fast job; nil when there are none.
func (s Claims) claimBatch(ctx context.Context, l Lane, lease time.Duration) (*Claim, error) {
	part, err := store.NewID()
	if err != nil {
		return nil, err
	}
	token, err := store.NewID()
	if err != nil {
		return nil, err
	}
	c := &Claim{Lane: l, Attempt: dispatch.AttemptID(part), Token: token, begun: time.Now()}
	var rows []claimRow
	err = s.Select(ctx, &rows, claimOfBatch, l.Account, l.Integration, l.Refused, lease.Seconds(), l.Job, token, part)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	c.Batch = make([]store.BatchItem, len(rows))
	for i, row := range rows {
		c.Batch[i].Item, c.Unavailable = row.ID, max(c.Unavailable, row.Unavailable)
	}
	for i, row := range rows {
		it, err := s.OpenSMS(store.SMSRow{ItemRow: store.ItemRow{ID: row.ID}, ByPhone: row.ByPhone.Bool, Recipient: row.Recipient, Text: row.Text, HideInReport: row.HideInReport.Bool})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("claim: %w", err), In(s.Store).Outcomes.putBack(ctx, c), s.requeueOthers(ctx, c, row.ID))
		}
		c.Batch[i].Phone = it.Recipient.Phone
		c.SMS.Text, c.SMS.HideInReport = it.Text, it.HideInReport // the same for all items of a fast job
	}
	return c, nil
}

// requeueOthers makes the items of a batch that was put back due at once, except the one that does not open, which waits
// alone.
func (s Claims) requeueOthers(ctx context.Context, c *Claim, shut dispatch.ItemID) error {
	_, err := s.DB.ExecContext(ctx, `
		UPDATE items SET due_at = now(), unavailable_count = greatest(unavailable_count - 1, 0)
		WHERE id = ANY($1::uuid[]) AND account_id = $2 AND id <> $3 AND state = 'queued'`, pq.Array(c.ids()), c.Lane.Account, shut)
	return err
}

func (s Claims) extendBatch(ctx context.Context, c *Claim, lease time.Duration) (bool, error) {
	n, err := store.Affected(s.DB.ExecContext(ctx, `
		UPDATE items SET lease_until = now() + $3 * interval '1 second'
		WHERE account_id = $1 AND state = 'sending' AND lease_token = $2 AND lease_until > now()`, c.Lane.Account, c.Token, lease.Seconds()))
	return n == int64(len(c.Batch)), err
}
