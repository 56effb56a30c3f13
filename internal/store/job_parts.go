package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// PartMax is how many items one call of a fast job hands over (SMS spec, Limits).
const PartMax = 1000

// PartItem is one item of a part.
type PartItem struct {
	Item  dispatch.ItemID
	Phone dispatch.Phone
}

// claimOfPart marks many due items of a job as sending and writes their attempts, in one statement. One takes a part of a
// job at a time, so that two do not share what would have been one. A probe risks one item.
var claimOfPart = claimPicks(dispatch.KindSMS) + ` AND it.job_id = $5::uuid AND ` + jobRuns("$5") + `
		  AND (SELECT pg_try_advisory_xact_lock(hashtextextended($5::text, 0)))
		ORDER BY it.due_at
		LIMIT CASE WHEN $3 THEN 1 ELSE 1000 END
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

// claimPart takes as many due items of a fast job as one call may hand over; nil when there are none.
func (s *Store) claimPart(ctx context.Context, l Lane, lease time.Duration) (*Claim, error) {
	part, err := newID()
	if err != nil {
		return nil, err
	}
	token, err := newID()
	if err != nil {
		return nil, err
	}
	c := &Claim{Lane: l, Attempt: dispatch.AttemptID(part), Token: token, begun: time.Now()}
	var rows []claimRow
	err = s.list(ctx, &rows, claimOfPart, l.Account, l.Integration, l.Refused, lease.Seconds(), l.Job, token, part)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	c.Part = make([]PartItem, len(rows))
	for i, row := range rows {
		c.Part[i].Item, c.Unavailable = row.ID, max(c.Unavailable, row.Unavailable)
	}
	for i, row := range rows {
		it, err := s.openSMS(smsRow{itemRow: itemRow{ID: row.ID}, ByPhone: row.ByPhone.Bool, Recipient: row.Recipient, Text: row.Text, HideInReport: row.HideInReport.Bool})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("claim: %w", err), s.putBack(ctx, c), s.goWithout(ctx, c, row.ID))
		}
		c.Part[i].Phone = it.Recipient.Phone
		c.SMS.Text, c.SMS.HideInReport = it.Text, it.HideInReport // the same for all of a fast job
	}
	return c, nil
}

// goWithout lets the items of a part that was put back go at once, but for the one that does not open: it waits alone.
func (s *Store) goWithout(ctx context.Context, c *Claim, shut dispatch.ItemID) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE items SET due_at = now(), unavailable_count = greatest(unavailable_count - 1, 0)
		WHERE id = ANY($1::uuid[]) AND account_id = $2 AND id <> $3 AND state = 'queued'`, pq.Array(c.ids()), c.Lane.Account, shut)
	return err
}

func (s *Store) extendPart(ctx context.Context, c *Claim, lease time.Duration) (bool, error) {
	n, err := affected(s.db.ExecContext(ctx, `
		UPDATE items SET lease_until = now() + $3 * interval '1 second'
		WHERE account_id = $1 AND state = 'sending' AND lease_token = $2 AND lease_until > now()`, c.Lane.Account, c.Token, lease.Seconds()))
	return n == int64(len(c.Part)), err
}

// finishPart writes what one call came to for all items of a part: it is one attempt, so it is written whole or not at
// all, and the integration hears of it once.
func (s *Store) finishPart(ctx context.Context, c *Claim, r dispatch.Result) error {
	return s.inTx(ctx, func(tx *sqlx.Tx) error {
		items, err := lockPart(ctx, tx, c)
		if err != nil {
			return err
		}
		if n, err := completePart(ctx, tx, c, r); err != nil || n == 0 {
			return err // or written before: only the word of the commit was lost
		}
		implied, err := impliedStates(ctx, tx, c)
		if err != nil {
			return err
		}
		for state, ids := range decided(items, implied, r) {
			if err := writeOutcome(ctx, tx, outcomeOfMany, pq.Array(ids), c, r, state); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO events (item_id, account_id, kind, detail, reason_key, reason_status, error_id)
			SELECT unnest($1::uuid[]), $2, 'outcome', $3, $4, $5, $6`,
			pq.Array(c.ids()), c.Lane.Account, r.Outcome, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID)
		if err != nil {
			return err
		}
		return markIntegration(ctx, tx, c, r)
	})
}

func (c *Claim) ids() []string {
	ids := make([]string, len(c.Part))
	for i, p := range c.Part {
		ids[i] = string(p.Item)
	}
	return ids
}

// partItem is what finishPart needs to know of an item it locked.
type partItem struct {
	ID      dispatch.ItemID `db:"id"`
	State   dispatch.State  `db:"state"`
	Mine    bool            `db:"mine"`
	Overdue bool            `db:"overdue"`
}

func lockPart(ctx context.Context, tx *sqlx.Tx, c *Claim) (items []partItem, err error) {
	err = tx.SelectContext(ctx, &items, `
		SELECT id, state, coalesce(lease_token = $3, false) AS mine, coalesce(due_since <= now() - interval '24 hours', false) AS overdue
		FROM items WHERE id = ANY($1::uuid[]) AND account_id = $2
		ORDER BY id
		FOR UPDATE`, pq.Array(c.ids()), c.Lane.Account, c.Token)
	if err == nil && len(items) == 0 {
		err = ErrNotFound
	}
	return items, err
}

func completePart(ctx context.Context, tx *sqlx.Tx, c *Claim, r dispatch.Result) (int64, error) {
	return affected(tx.ExecContext(ctx, `
		UPDATE attempts SET finished_at = now(), outcome = $3, reason_key = $4, http_status = $5, error_id = $6, proven = $7
		WHERE part_id = $1 AND account_id = $2
		  AND (finished_at IS NULL OR (outcome, reason_key, http_status, error_id) IS DISTINCT FROM ($3, $4, $5::integer, $6))`,
		c.Attempt, c.Lane.Account, r.Outcome, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID, !r.MayHaveArrived()))
}

// impliedStates is what the attempts of each item of a part imply.
func impliedStates(ctx context.Context, tx *sqlx.Tx, c *Claim) (map[dispatch.ItemID]dispatch.State, error) {
	var rows []struct {
		Item       dispatch.ItemID     `db:"item_id"`
		Outcome    dispatch.Outcome    `db:"outcome"`
		Resolution dispatch.Resolution `db:"resolution"`
	}
	err := tx.SelectContext(ctx, &rows, `
		SELECT item_id, outcome, resolution FROM attempts WHERE item_id = ANY($1::uuid[]) AND account_id = $2
		ORDER BY item_id, started_at, id`, pq.Array(c.ids()), c.Lane.Account)
	attempts := map[dispatch.ItemID][]dispatch.Attempt{}
	for _, r := range rows {
		attempts[r.Item] = append(attempts[r.Item], dispatch.Attempt{Outcome: r.Outcome, Resolution: r.Resolution})
	}
	states := map[dispatch.ItemID]dispatch.State{}
	for id, list := range attempts {
		states[id] = dispatch.StateAfter(list)
	}
	return states, err
}

// decided gathers the items of a part by the state that they get now; those that keep theirs are in none.
func decided(items []partItem, implied map[dispatch.ItemID]dispatch.State, r dispatch.Result) map[dispatch.State][]string {
	by := map[dispatch.State][]string{}
	for _, it := range items {
		to := implied[it.ID]
		if it.Overdue && to == dispatch.StateQueued && r.Outcome == dispatch.OutcomeUnavailable {
			to = dispatch.StateFailed
		}
		if dispatch.Overrules(to, it.State, it.Mine) {
			by[to] = append(by[to], string(it.ID))
		}
	}
	for _, ids := range by {
		slices.Sort(ids)
	}
	return by
}
