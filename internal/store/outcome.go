package store

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// Finish writes what an attempt came to. The attempt is completed unconditionally, also when the lease was lost
// meanwhile: an answer is proof. What becomes of the item follows from all its attempts.
func (s *Store) Finish(ctx context.Context, c *Claim, r dispatch.Result) error {
	if c.Part != nil {
		return s.finishPart(ctx, c, r)
	}
	return s.inTx(ctx, func(tx *sqlx.Tx) error {
		item, err := lockForOutcome(ctx, tx, c)
		if err != nil {
			return err
		}
		if n, err := completeAttempt(ctx, tx, c, r); err != nil || n == 0 {
			return err // or written before: only the word of the commit was lost
		}
		implied, err := impliedState(ctx, tx, c)
		if err != nil {
			return err
		}
		if item.overdue && implied == dispatch.StateQueued && r.Outcome == dispatch.OutcomeUnavailable {
			implied = dispatch.StateFailed
		}
		if dispatch.Overrules(implied, item.State, item.mine) {
			if err := applyOutcome(ctx, tx, c, r, implied); err != nil {
				return err
			}
		}
		if err := s.keepFault(ctx, tx, c, r.Fault); err != nil {
			return err
		}
		e := event{item: c.Item, account: c.Lane.Account, kind: dispatch.EventOutcome, detail: string(r.Outcome), reason: r.Reason}
		if err := addEvent(ctx, tx, e); err != nil {
			return err
		}
		return markIntegration(ctx, tx, c, r)
	})
}

// Accepted is a claim with what its attempt came to: the service took the item.
type Accepted struct {
	Claim  *Claim
	Result dispatch.Result
}

// FinishAccepted writes accepted attempts of single items with one statement, which costs less than one for each. It
// writes those whose claim still holds, and returns the others: Finish decides about them.
func (s *Store) FinishAccepted(ctx context.Context, list []Accepted) (rest []Accepted, err error) {
	var rows []struct {
		ID   dispatch.AttemptID `db:"id"`
		News bool               `db:"news"`
	}
	err = s.ofQueue.list(ctx, &rows, acceptMany, columnsOf(list)...)
	written, news := map[dispatch.AttemptID]bool{}, map[dispatch.AttemptID]bool{}
	for _, row := range rows {
		written[row.ID], news[row.ID] = true, row.News
	}
	working := map[Lane]bool{}
	for _, a := range list {
		switch c := a.Claim; {
		case !written[c.Attempt]:
			rest = append(rest, a)
		case news[c.Attempt] && !working[c.Lane]:
			working[c.Lane] = true
			err = errors.Join(err, s.inTx(ctx, func(tx *sqlx.Tx) error { return markWorking(ctx, tx, c) }))
		}
	}
	return rest, err
}

// columnsOf are the arguments of acceptMany.
func columnsOf(list []Accepted) []any {
	columns := make([][]string, 7)
	for _, a := range list {
		c, check := a.Claim, ""
		if !a.Result.NextCheck.IsZero() {
			check = a.Result.NextCheck.Format(time.RFC3339Nano)
		}
		for i, v := range []string{string(c.Attempt), string(c.Item), string(c.Lane.Account), c.Token, string(c.Lane.Integration), a.Result.UpstreamID, check} {
			columns[i] = append(columns[i], v)
		}
	}
	arguments := make([]any, len(columns))
	for i, column := range columns {
		arguments[i] = pq.Array(column)
	}
	return arguments
}

// acceptMany is completeAttempt, applyOutcome and addEvent for many items that are still ours: one that is
// accepted overrules whatever other attempts came to. Each is looked up by its id: the items that are sending are few in
// PostgreSQL's books and many in fact, and it would hold every one of them against every one told. Who has a lease is
// sending (items_lease_check). It tells whether markWorking has something to write: seldom, and made ready for that each time
// it would cost as much as two items.
const acceptMany = `
	WITH told AS (
		SELECT attempt, item, account, token, integration, nullif(upstream, '')::uuid AS upstream,
		       nullif(next_check, '')::timestamptz AS next_check
		FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[])
		     AS t(attempt, item, account, token, integration, upstream, next_check)
	), taken AS (
		UPDATE items it SET state = 'accepted', lease_token = NULL, lease_until = NULL, reason_key = '', reason_status = 0,
		    reason_error_id = '', reason_at = NULL, accepted_at = coalesce(accepted_at, now()),
		    upstream_id = coalesce(it.upstream_id, t.upstream),
		    integration_id = coalesce(it.integration_id, CASE WHEN t.upstream IS NOT NULL THEN t.integration END),
		    next_check_at = coalesce(it.next_check_at, t.next_check), recover_at = NULL
		FROM told t
		WHERE it.id = t.item AND it.account_id = t.account AND it.lease_token = t.token AND it.lease_until IS NOT NULL
		RETURNING t.attempt, it.account_id, t.upstream
	), ended AS (
		UPDATE attempts a SET finished_at = now(), outcome = 'accepted', upstream_id = t.upstream
		FROM taken t WHERE a.id = t.attempt AND a.account_id = t.account_id AND a.finished_at IS NULL
		RETURNING a.id, a.item_id, a.account_id, a.integration_id
	), noted AS (
		INSERT INTO events (item_id, account_id, kind, detail) SELECT item_id, account_id, 'outcome', 'accepted' FROM ended
	)
	SELECT e.id, EXISTS (SELECT FROM integrations i WHERE i.id = e.integration_id AND ` + notKnownToWork + `)
	          OR EXISTS (SELECT FROM account_refusals r WHERE r.account_id = e.account_id AND r.integration_id = e.integration_id) AS news
	FROM ended e`

// What an accepted call tells of its integration, and when that is worth writing.
const (
	works = `refused_at = NULL, refused_key = '', refused_status = 0, refused_error_id = '', next_probe_at = NULL,
		    uncertain_streak = 0, last_used_at = now(), last_success_at = now()`
	notKnownToWork = `(refused_at IS NOT NULL OR uncertain_streak > 0 OR last_success_at IS NULL OR last_success_at < now() - interval '10 seconds')`
)

// lockedItem is what Finish needs to know of the item it locked.
type lockedItem struct {
	State dispatch.State `db:"state"`
	Token string         `db:"token"`
	Since *time.Time     `db:"due_since"`
	Over  bool           `db:"overdue"`

	mine, overdue bool
}

func lockForOutcome(ctx context.Context, tx *sqlx.Tx, c *Claim) (lockedItem, error) {
	var it lockedItem
	err := tx.GetContext(ctx, &it, `
		SELECT state, coalesce(lease_token::text, '') AS token, due_since, coalesce(due_since <= now() - interval '24 hours', false) AS overdue
		FROM items WHERE id = $1 AND account_id = $2 FOR UPDATE`, c.Item, c.Lane.Account)
	it.mine, it.overdue = it.Token == c.Token, it.Over
	return it, notFound(err)
}

// completeAttempt writes what an attempt came to, and returns 0 when exactly that stands there already. The attempt
// itself may be missing: after a failover or a restore its row can be younger than the database.
func completeAttempt(ctx context.Context, tx *sqlx.Tx, c *Claim, r dispatch.Result) (int64, error) {
	return affected(tx.ExecContext(ctx, `
		INSERT INTO attempts (id, account_id, item_id, integration_id, finished_at, outcome, reason_key, http_status, error_id, upstream_id, sent_at, proven)
		VALUES ($1, $2, $8, $9, now(), $3, $4, $5, $6, $7, $10, $11)
		ON CONFLICT (id) DO UPDATE SET finished_at = excluded.finished_at, outcome = excluded.outcome, reason_key = excluded.reason_key,
		    sent_at = excluded.sent_at, proven = excluded.proven, http_status = excluded.http_status, error_id = excluded.error_id, upstream_id = excluded.upstream_id
		WHERE attempts.account_id = $2 AND (attempts.finished_at IS NULL
		    OR (attempts.outcome, attempts.reason_key, attempts.http_status, attempts.error_id, attempts.upstream_id)
		       IS DISTINCT FROM (excluded.outcome, excluded.reason_key, excluded.http_status, excluded.error_id, excluded.upstream_id))`,
		c.Attempt, c.Lane.Account, r.Outcome, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID, null(r.UpstreamID),
		c.Item, c.Lane.Integration, nullTime(r.Sent), !r.MayHaveArrived()))
}

func impliedState(ctx context.Context, tx *sqlx.Tx, c *Claim) (dispatch.State, error) {
	var rows []struct {
		Outcome    dispatch.Outcome    `db:"outcome"`
		Resolution dispatch.Resolution `db:"resolution"`
	}
	err := tx.SelectContext(ctx, &rows, `
		SELECT outcome, resolution FROM attempts WHERE item_id = $1 AND account_id = $2 ORDER BY started_at, id`, c.Item, c.Lane.Account)
	attempts := make([]dispatch.Attempt, len(rows))
	for i, r := range rows {
		attempts[i] = dispatch.Attempt{Outcome: r.Outcome, Resolution: r.Resolution}
	}
	return dispatch.StateAfter(attempts), err
}

// applyOutcome gives the item its new state. What an accepted call told (id, first check) is only written when the
// item has none yet: a second acceptance never hides the first. An item that stays uncertain because of another attempt
// keeps the look-ups and the window of that one, and no window ever gets shorter.
func applyOutcome(ctx context.Context, tx *sqlx.Tx, c *Claim, r dispatch.Result, to dispatch.State) error {
	return writeOutcome(ctx, tx, outcomeOfOne, c.Item, c, r, to)
}

// writeOutcome runs one of the two statements below; which is the item, or the items, that it is about.
func writeOutcome(ctx context.Context, tx *sqlx.Tx, statement string, which any, c *Claim, r dispatch.Result, to dispatch.State) error {
	unavailable := 0
	if r.Outcome == dispatch.OutcomeUnavailable {
		unavailable = 1
	}
	_, err := tx.ExecContext(ctx, statement,
		which, c.Lane.Account, to, r.Wait.Seconds(), unavailable, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID,
		null(r.UpstreamID), c.Lane.Integration, nullTime(r.NextCheck), r.LookUpAfter.Seconds(), r.Window.Seconds(),
		r.MayHaveArrived())
	return err
}

// The statements that give one item, or all items of a part, their new state.
const (
	outcomeOfOne  = outcomeColumns + ` WHERE id = $1 AND account_id = $2`
	outcomeOfMany = outcomeColumns + ` WHERE id = ANY($1::uuid[]) AND account_id = $2`
)

const outcomeColumns = `
		UPDATE items SET state = $3, lease_token = NULL, lease_until = NULL,
		    due_at = CASE WHEN $3 = 'queued' THEN now() + $4 * interval '1 second' ELSE due_at END,
		    unavailable_count = unavailable_count + $5,
		    reason_key = CASE WHEN $3 = 'accepted' THEN '' ELSE $6 END,
		    reason_status = CASE WHEN $3 = 'accepted' THEN 0 ELSE $7 END,
		    reason_error_id = CASE WHEN $3 = 'accepted' THEN '' ELSE $8 END,
		    reason_at = CASE WHEN $3 = 'accepted' THEN NULL ELSE now() END,
		    accepted_at = CASE WHEN $3 = 'accepted' THEN coalesce(accepted_at, now()) END,
		    upstream_id = coalesce(upstream_id, $9), integration_id = coalesce(integration_id, CASE WHEN $9::uuid IS NOT NULL THEN $10::uuid END),
		    next_check_at = CASE WHEN $3 = 'accepted' THEN coalesce(next_check_at, $11) END,
		    pinned_integration_id = CASE WHEN kind = 'shipment' AND $14 THEN coalesce(pinned_integration_id, $10) ELSE pinned_integration_id END,
		    recover_at = CASE WHEN $3 <> 'uncertain' OR kind <> 'shipment' THEN NULL
		                      WHEN $14 THEN now() + $12 * interval '1 second' ELSE recover_at END,
		    window_ends_at = CASE WHEN $3 = 'uncertain' AND kind = 'shipment' AND $14
		                          THEN greatest(window_ends_at, now() + $13 * interval '1 second') ELSE window_ends_at END`

// markIntegration keeps what the outcome says about the integration: refused, working, or uncertain again.
func markIntegration(ctx context.Context, tx *sqlx.Tx, c *Claim, r dispatch.Result) error {
	switch r.Outcome {
	case dispatch.OutcomeRefused:
		return markRefused(ctx, tx, c, r)
	case dispatch.OutcomeUncertain:
		if r.Scope != "" {
			return markRefused(ctx, tx, c, r) // what holds the others back is known
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE integrations SET uncertain_streak = uncertain_streak + 1,
			    stopped_at = CASE WHEN uncertain_streak + 1 >= $2 THEN coalesce(stopped_at, now()) ELSE stopped_at END
			WHERE id = $1 AND NOT $3`, c.Lane.Integration, dispatch.UncertainLimit, r.Died)
		return err
	case dispatch.OutcomeRejected:
		if r.Reason.HTTPStatus == 0 {
			return nil // our own validation: the service was not asked
		}
		return markWorking(ctx, tx, c)
	case dispatch.OutcomeAccepted:
		return markWorking(ctx, tx, c)
	}
	return nil
}

// notOutdated holds for the attempt $6 on the integration $1 unless what it was refused for has changed since it began: its
// credentials, or a person has said that it is mended.
const notOutdated = `NOT EXISTS (
	SELECT FROM attempts t JOIN integrations i ON i.id = $1
	WHERE t.id = $6 AND t.started_at < greatest(i.refusal_cleared_at, ` + credentialsChanged + `))`

func markRefused(ctx context.Context, tx *sqlx.Tx, c *Claim, r dispatch.Result) error {
	wait := dispatch.ProbeInterval.Seconds()
	if r.Scope == dispatch.ScopeAccount {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO account_refusals (account_id, integration_id, refused_key, refused_status, refused_error_id, next_probe_at)
			SELECT $2, $1, $3, $4, $5, now() + $7 * interval '1 second' WHERE `+notOutdated+`
			ON CONFLICT (account_id, integration_id) DO UPDATE SET refused_key = excluded.refused_key,
			    refused_status = excluded.refused_status, refused_error_id = excluded.refused_error_id`,
			c.Lane.Integration, c.Lane.Account, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID, c.Attempt, wait)
		return err
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE integrations SET refused_at = coalesce(refused_at, now()), refused_key = $2, refused_status = $3, refused_error_id = $4,
		    next_probe_at = CASE WHEN refused_at IS NULL THEN now() + $5 * interval '1 second' ELSE next_probe_at END
		WHERE id = $1 AND `+notOutdated,
		c.Lane.Integration, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID, wait, c.Attempt)
	return err
}

// markWorking clears a refusal: the service has answered. The row is only written when something changes, or every ten
// seconds, since all deliveries of an integration meet here.
func markWorking(ctx context.Context, tx *sqlx.Tx, c *Claim) error {
	_, err := tx.ExecContext(ctx, `UPDATE integrations SET `+works+` WHERE id = $1 AND `+notKnownToWork, c.Lane.Integration)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM account_refusals WHERE account_id = $1 AND integration_id = $2`, c.Lane.Account, c.Lane.Integration)
	return err
}

func nullTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
