package queue

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Ended is a call that has ended: its claim and its result.
type Ended struct {
	Claim  *Claim
	Result dispatch.Result
}

// Finish writes the results of calls, each for its item or for all items of its batch. One statement writes all
// acceptances, for little more than the cost of one; every other result is a transaction of its own. An attempt is
// completed even if the lease was lost meanwhile: an answer is proof. An item's new state follows from all its
// attempts. Finish is idempotent, so it may be repeated after an error.
func (s Outcomes) Finish(ctx context.Context, calls ...Ended) error {
	rest, err := s.accept(ctx, calls)
	for _, e := range rest {
		err = errors.Join(err, s.finish(ctx, e.Claim, e.Result))
	}
	return err
}

// finish writes a call's result in one transaction, and counts it for the integration once.
func (s Outcomes) finish(ctx context.Context, c *Claim, r dispatch.Result) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		items, err := lockForOutcome(ctx, tx, c)
		if err != nil {
			return err
		}
		if n, err := completeAttempt(ctx, tx, c, r); err != nil || n == 0 {
			return err // nil: written before, only the answer to the commit was lost
		}
		implied, err := impliedStates(ctx, tx, c)
		if err != nil {
			return err
		}
		for state, ids := range decided(items, implied, r) {
			if err := writeOutcome(ctx, tx, c, ids, r, state); err != nil {
				return err
			}
		}
		if err := s.keepFault(ctx, tx, c, r.Fault); err != nil {
			return err
		}
		if err := s.KeepAnswer(ctx, tx, c.Lane.Account, c.ids(), r.Answer); err != nil {
			return err
		}
		if err := noteOutcome(ctx, tx, c, r); err != nil {
			return err
		}
		return markIntegration(ctx, tx, c, r)
	})
}

// accept writes with one statement the acceptances of items that are still ours, and returns the other calls. It
// returns none if it failed.
func (s Outcomes) accept(ctx context.Context, calls []Ended) (rest []Ended, err error) {
	var accepted []Ended
	for _, e := range calls {
		if e.Result.Outcome == dispatch.OutcomeAccepted && e.Claim.Batch == nil {
			accepted = append(accepted, e)
		} else {
			rest = append(rest, e)
		}
	}
	if len(accepted) == 0 {
		return rest, nil
	}
	var rows []struct {
		ID   dispatch.AttemptID `db:"id"`
		News bool               `db:"news"`
	}
	if err := s.OfQueue.Select(ctx, &rows, acceptMany, columnsOf(accepted)...); err != nil {
		return nil, err
	}
	written, news := map[dispatch.AttemptID]bool{}, map[dispatch.AttemptID]bool{}
	for _, row := range rows {
		written[row.ID], news[row.ID] = true, row.News
	}
	working := map[Lane]bool{}
	for _, e := range accepted {
		switch c := e.Claim; {
		case !written[c.Attempt]:
			rest = append(rest, e)
		case news[c.Attempt] && !working[c.Lane]:
			working[c.Lane] = true
			err = errors.Join(err, s.InTx(ctx, func(tx *sqlx.Tx) error { return markWorking(ctx, tx, c) }))
		}
	}
	return rest, err
}

// columnsOf are the parameters of acceptMany.
func columnsOf(list []Ended) []any {
	columns := make([][]string, 8)
	for _, a := range list {
		c, r := a.Claim, a.Result
		for i, v := range []string{
			string(c.Attempt), string(c.Item), string(c.Lane.Account), c.Token, string(c.Lane.Integration), r.UpstreamID, timeText(r.NextCheck), timeText(r.Sent),
		} {
			columns[i] = append(columns[i], v)
		}
	}
	arguments := make([]any, len(columns))
	for i, column := range columns {
		arguments[i] = pq.Array(column)
	}
	return arguments
}

// timeText formats a time for PostgreSQL; empty: none.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// The writes at the end of a call are shared fragments: of an accepted item, of an attempt, and of the item's
// timeline. The id and first check of an acceptance are written only if the item has none yet: a second acceptance
// never hides the first.
func acceptedItem(upstream, integration, check string) string {
	return `state = 'accepted', lease_token = NULL, lease_until = NULL, recover_at = NULL,
	    reason_key = '', reason_status = 0, reason_error_id = '', reason_at = NULL, accepted_at = coalesce(it.accepted_at, now()),
	    upstream_id = coalesce(it.upstream_id, ` + upstream + `),
	    integration_id = coalesce(it.integration_id, CASE WHEN ` + upstream + ` IS NOT NULL THEN ` + integration + ` END),
	    next_check_at = coalesce(it.next_check_at, ` + check + `)`
}

func endedAttempt(outcome, key, status, errorID, upstream, sent, proven string) string {
	return `finished_at = now(), outcome = ` + outcome + `, reason_key = ` + key + `, http_status = ` + status + `, error_id = ` + errorID + `,
	    upstream_id = ` + upstream + `, sent_at = ` + sent + `, proven = ` + proven
}

const outcomeEvent = `INSERT INTO events (kind, account_id, item_id, detail, reason_key, reason_status, error_id) SELECT 'outcome', `

// acceptMany writes acceptances of items that are still ours: an acceptance overrules other attempts. Each item is
// looked up by its id: by its statistics PostgreSQL expects few items in state sending, where there are many, and
// would compare each with every call. An item with a lease is sending (items_lease_check). The result tells whether
// markWorking has anything to write: that is rare, and preparing it here each time would cost as much as two items.
var acceptMany = `
	WITH told AS (
		SELECT attempt, item, account, token, integration, nullif(upstream, '')::uuid AS upstream,
		       nullif(next_check, '')::timestamptz AS next_check, nullif(sent, '')::timestamptz AS sent
		FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[])
		     AS t(attempt, item, account, token, integration, upstream, next_check, sent)
	), taken AS (
		UPDATE items it SET ` + acceptedItem("t.upstream", "t.integration", "t.next_check") + `
		FROM told t
		WHERE it.id = t.item AND it.account_id = t.account AND it.lease_token = t.token AND it.lease_until IS NOT NULL
		RETURNING t.attempt, it.id, it.account_id, t.upstream, t.sent
	), ended AS (
		UPDATE attempts a SET ` + endedAttempt("'accepted'", "''", "0", "''", "t.upstream", "t.sent", "true") + `
		FROM taken t WHERE a.id = t.attempt AND a.account_id = t.account_id AND a.finished_at IS NULL
		RETURNING a.id, a.item_id, a.account_id, a.integration_id
	), noted AS (
		` + outcomeEvent + `account_id, item_id, 'accepted', '', 0, '' FROM ended
	), forgotten AS (
		DELETE FROM answers n USING taken t WHERE n.item_id = t.id AND n.account_id = t.account_id
	)
	SELECT e.id, EXISTS (SELECT FROM integrations i WHERE i.id = e.integration_id AND ` + notKnownToWork + `)
	          OR EXISTS (SELECT FROM account_refusals r WHERE r.account_id = e.account_id AND r.integration_id = e.integration_id) AS news
	FROM ended e`

// The effects of an acceptance on its integration, and when they are worth writing.
const (
	works = `refused_at = NULL, refused_key = '', refused_status = 0, refused_error_id = '', next_probe_at = NULL,
		    uncertain_streak = 0, last_used_at = now(), last_success_at = now()`
	notKnownToWork = `(unproven OR refused_at IS NOT NULL OR uncertain_streak > 0 OR last_success_at IS NULL OR last_success_at < now() - interval '10 seconds')`
)

// lockedItem is the part of a locked item that Finish needs.
type lockedItem struct {
	ID      dispatch.ItemID `db:"id"`
	State   dispatch.State  `db:"state"`
	Mine    bool            `db:"mine"`
	Overdue bool            `db:"overdue"`
}

func lockForOutcome(ctx context.Context, tx *sqlx.Tx, c *Claim) (items []lockedItem, err error) {
	err = tx.SelectContext(ctx, &items, `
		SELECT id, state, coalesce(lease_token = $3, false) AS mine, coalesce(due_since <= now() - max_wait(), false) AS overdue
		FROM items WHERE id = ANY($1::uuid[]) AND account_id = $2
		ORDER BY id
		FOR UPDATE`, pq.Array(c.ids()), c.Lane.Account, c.Token)
	if err == nil && len(items) == 0 {
		err = store.ErrNotFound
	}
	return items, err
}

// completeAttempt writes the result of an attempt, or of all attempts of a batch, and returns 0 when it is already
// written. The attempt of a single item may be missing: after a failover or a restore the database may be older than
// the call.
func completeAttempt(ctx context.Context, tx *sqlx.Tx, c *Claim, r dispatch.Result) (int64, error) {
	which := `id`
	if c.Batch != nil {
		which = `part_id`
	}
	end := func() (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE attempts SET `+endedAttempt("$3", "$4", "$5", "$6", "$7", "$8", "$9")+`
			WHERE `+which+` = $1 AND account_id = $2
			  AND (finished_at IS NULL OR (outcome, reason_key, http_status, error_id, upstream_id) IS DISTINCT FROM ($3, $4, $5::integer, $6, $7::uuid))`,
			c.Attempt, c.Lane.Account, r.Outcome, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID, store.Null(r.UpstreamID), store.NullTime(r.Sent), !r.MayHaveArrived()))
	}
	n, err := end()
	if err != nil || n > 0 || c.Batch != nil {
		return n, err
	}
	n, err = store.Affected(tx.ExecContext(ctx, `
		INSERT INTO attempts (id, account_id, item_id, integration_id) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING`,
		c.Attempt, c.Lane.Account, c.Item, c.Lane.Integration))
	if err != nil || n == 0 {
		return 0, err
	}
	return end()
}

// impliedStates are the states that follow from each item's attempts.
func impliedStates(ctx context.Context, tx *sqlx.Tx, c *Claim) (map[dispatch.ItemID]dispatch.State, error) {
	var rows []struct {
		Item       dispatch.ItemID     `db:"item_id"`
		Outcome    dispatch.Outcome    `db:"outcome"`
		Resolution dispatch.Resolution `db:"resolution"`
	}
	err := tx.SelectContext(ctx, &rows, `
		SELECT item_id, outcome, resolution FROM attempts WHERE item_id = ANY($1::uuid[]) AND account_id = $2
		ORDER BY item_id, ordinal`, pq.Array(c.ids()), c.Lane.Account)
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

// decided groups items by their new state, without those that keep theirs.
func decided(items []lockedItem, implied map[dispatch.ItemID]dispatch.State, r dispatch.Result) map[dispatch.State][]string {
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
	return by
}

// writeOutcome changes the items' state. An item that stays uncertain because of another attempt keeps that one's
// look-ups and window, and a window never gets shorter.
func writeOutcome(ctx context.Context, tx *sqlx.Tx, c *Claim, ids []string, r dispatch.Result, to dispatch.State) error {
	if to == dispatch.StateAccepted {
		_, err := tx.ExecContext(ctx, `UPDATE items it SET `+acceptedItem("$3::uuid", "$4::uuid", "$5::timestamptz")+` WHERE it.id = ANY($1::uuid[]) AND it.account_id = $2`,
			pq.Array(ids), c.Lane.Account, store.Null(r.UpstreamID), c.Lane.Integration, store.NullTime(r.NextCheck))
		return err
	}
	unavailable := 0
	if r.Outcome == dispatch.OutcomeUnavailable {
		unavailable = 1
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE items SET state = $3, lease_token = NULL, lease_until = NULL, accepted_at = NULL, next_check_at = NULL,
		    due_at = CASE WHEN $3 = 'queued' THEN now() + $4 * interval '1 second' ELSE due_at END,
		    unavailable_count = unavailable_count + $5,
		    reason_key = $6, reason_status = $7, reason_error_id = $8, reason_at = now(),
		    pinned_integration_id = CASE WHEN kind = 'shipment' AND $12 THEN coalesce(pinned_integration_id, $9) ELSE pinned_integration_id END,
		    recover_at = CASE WHEN $3 <> 'uncertain' OR kind <> 'shipment' THEN NULL
		                      WHEN $12 THEN now() + $10 * interval '1 second' ELSE recover_at END,
		    window_ends_at = CASE WHEN $3 = 'uncertain' AND kind = 'shipment' AND $12
		                          THEN greatest(window_ends_at, now() + $11 * interval '1 second') ELSE window_ends_at END
		WHERE id = ANY($1::uuid[]) AND account_id = $2`,
		pq.Array(ids), c.Lane.Account, to, r.Wait.Seconds(), unavailable, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID,
		c.Lane.Integration, r.LookUpAfter.Seconds(), r.Window.Seconds(), r.MayHaveArrived())
	return err
}

// noteOutcome writes a call's result to its items' timelines.
func noteOutcome(ctx context.Context, tx *sqlx.Tx, c *Claim, r dispatch.Result) error {
	_, err := tx.ExecContext(ctx, outcomeEvent+`$2, unnest($1::uuid[]), $3, $4, $5, $6`,
		pq.Array(c.ids()), c.Lane.Account, r.Outcome, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID)
	return err
}

// markIntegration records the result for the integration: refused, working, or another uncertain one in a row.
func markIntegration(ctx context.Context, tx *sqlx.Tx, c *Claim, r dispatch.Result) error {
	switch r.Outcome {
	case dispatch.OutcomeRefused:
		return markRefused(ctx, tx, c, r)
	case dispatch.OutcomeUncertain:
		if r.Scope != "" {
			return markRefused(ctx, tx, c, r) // it is known what blocks the other items
		}
		if r.Died {
			return nil // our own end says nothing of the integration
		}
		return markUncertain(ctx, tx, c.Lane.Integration)
	case dispatch.OutcomeRejected:
		if r.Reason.HTTPStatus == 0 {
			return nil // our own validation: no call was made
		}
		return markWorking(ctx, tx, c)
	case dispatch.OutcomeAccepted:
		return markWorking(ctx, tx, c)
	}
	return nil
}

// markUncertain counts an uncertain result, and stops the integration at dispatch.UncertainLimit of them in a row. The event log has a
// line of the stop, as of one by a person.
func markUncertain(ctx context.Context, tx *sqlx.Tx, id dispatch.IntegrationID) error {
	var stops bool
	err := tx.GetContext(ctx, &stops, `
		UPDATE integrations i SET uncertain_streak = i.uncertain_streak + 1,
		    stopped_at = CASE WHEN i.uncertain_streak + 1 >= $2 THEN coalesce(i.stopped_at, now()) ELSE i.stopped_at END
		FROM (SELECT id, stopped_at FROM integrations WHERE id = $1 FOR UPDATE) was WHERE i.id = was.id
		RETURNING was.stopped_at IS NULL AND i.stopped_at IS NOT NULL`, id, dispatch.UncertainLimit)
	switch {
	case errors.Is(err, sql.ErrNoRows): // it is deleted
		return nil
	case err != nil, !stops:
		return err
	}
	return store.Record(ctx, tx, store.Audit{Action: "integration.stop", Object: string(id), Details: map[string]any{"uncertain": dispatch.UncertainLimit}})
}

// notOutdated is the condition that the cause of attempt $6's refusal by integration $1 has not changed since the
// attempt began: no new credentials, and no person has said that it is mended.
const notOutdated = `NOT EXISTS (
	SELECT FROM attempts t JOIN integrations i ON i.id = $1
	WHERE t.id = $6 AND t.started_at < greatest(i.refusal_cleared_at, ` + store.CredentialsChanged + `))`

// refusedSince is when the integration began to refuse items $7 of account $8 for the reason $2, if nothing has gone well since: a new
// attempt in vain goes on with the same refusal.
const refusedSince = `least(now(), (SELECT min(t.finished_at) FROM attempts t
	WHERE t.item_id = ANY($7::uuid[]) AND t.account_id = $8 AND t.integration_id = integrations.id AND t.outcome = 'refused' AND t.reason_key = $2
	  AND t.finished_at > coalesce(greatest(last_success_at, (SELECT max(c.tried_at) FROM credentials c WHERE c.integration_id = integrations.id AND c.tried_failed = '')), '-infinity')))`

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
		UPDATE integrations SET refused_at = coalesce(refused_at, `+refusedSince+`), refused_key = $2, refused_status = $3, refused_error_id = $4,
		    next_probe_at = CASE WHEN refused_at IS NULL THEN now() + $5 * interval '1 second' ELSE next_probe_at END
		WHERE id = $1 AND `+notOutdated,
		c.Lane.Integration, r.Reason.Key, r.Reason.HTTPStatus, r.Reason.ErrorID, wait, c.Attempt, pq.Array(c.ids()), c.Lane.Account)
	return err
}

// markWorking clears a refusal: the service has answered. The row is written only on a change, or every ten seconds,
// since all deliveries of an integration would contend for it.
func markWorking(ctx context.Context, tx *sqlx.Tx, c *Claim) error {
	known, err := store.Affected(tx.ExecContext(ctx, `UPDATE integrations SET `+works+` WHERE id = $1 AND `+notKnownToWork, c.Lane.Integration))
	if err != nil {
		return err
	}
	if known > 0 {
		if err := markProven(ctx, tx, c); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM account_refusals WHERE account_id = $1 AND integration_id = $2`, c.Lane.Account, c.Lane.Integration)
	return err
}

// markProven notes that the service has accepted something with the set of credentials in use: only an attempt that began after the last
// change of the sets was made with it.
func markProven(ctx context.Context, tx *sqlx.Tx, c *Claim) error {
	n, err := store.Affected(tx.ExecContext(ctx, `
		UPDATE credentials SET worked_at = now(), denied_at = NULL WHERE integration_id = $1 AND id = `+store.UsedSet+`
		  AND EXISTS (SELECT FROM attempts t WHERE t.id = $2 AND t.started_at >= `+store.CredentialsChanged+`)`, c.Lane.Integration, c.Attempt))
	if err == nil && n > 0 {
		_, err = tx.ExecContext(ctx, `UPDATE integrations SET unproven = false WHERE id = $1 AND unproven`, c.Lane.Integration)
	}
	return err
}

// putBack ends a claim whose content does not open: no call was made, so it was certainly not sent.
func (s Outcomes) putBack(ctx context.Context, c *Claim) error {
	return s.finish(ctx, c, dispatch.Result{
		Outcome: dispatch.OutcomeUnavailable, Reason: dispatch.Reason{Key: "reason.sealed"},
		Wait: dispatch.RetryWait(c.Unavailable+1, rand.Float64()),
	})
}

// ids are the claimed items.
func (c *Claim) ids() []string {
	if c.Batch == nil {
		return []string{string(c.Item)}
	}
	ids := make([]string, len(c.Batch))
	for i, p := range c.Batch {
		ids[i] = string(p.Item)
	}
	return ids
}
