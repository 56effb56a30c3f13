package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Lanes returns the lanes with due items.
func (s Claims) Lanes(ctx context.Context) ([]Lane, error) {
	var lanes []Lane
	err := s.Select(ctx, &lanes, `
		WITH channels AS (
			SELECT id AS account_id, 'sms' AS channel, sms_account_id AS service_id, sms_integration_id AS integration_id, false AS pinned,
			       NULL::uuid AS job_id, false AS fast
			FROM accounts WHERE sms_account_id IS NOT NULL AND disabled_at IS NULL
			UNION ALL
			SELECT a.id, 'sms', a.sms_account_id, a.sms_integration_id, false, j.id, j.mode = 'fast'
			FROM jobs j JOIN accounts a ON a.id = j.account_id
			WHERE j.kind = 'sms' AND j.state = 'running' AND (j.mode = 'traceable' OR j.made_at IS NOT NULL) AND a.sms_account_id IS NOT NULL AND a.disabled_at IS NULL
			UNION ALL
			SELECT id, 'shipment', shipment_account_id, shipment_integration_id, false, NULL, false FROM accounts WHERE disabled_at IS NULL
			UNION ALL
			SELECT a.id, 'shipment', a.shipment_account_id, a.shipment_integration_id, false, j.id, false
			FROM jobs j JOIN accounts a ON a.id = j.account_id
			WHERE j.kind = 'shipment' AND j.state = 'running' AND a.disabled_at IS NULL
			UNION ALL
			SELECT DISTINCT it.account_id, 'shipment', a.shipment_account_id, it.pinned_integration_id, true, it.job_id, false
			FROM items it JOIN accounts a ON a.id = it.account_id
			LEFT JOIN jobs j ON j.id = it.job_id
			WHERE it.state = 'queued' AND it.pinned_integration_id IS NOT NULL AND it.pinned_integration_id IS DISTINCT FROM a.shipment_integration_id
			  AND a.disabled_at IS NULL AND (it.job_id IS NULL OR j.state = 'running')
		)
		SELECT c.account_id, c.channel, coalesce(c.service_id::text, '') AS service_id, i.id AS integration_id, i.kind, i.service,
		       i.parallelism, i.rate_per_second, i.reserve_ids, i.refused_at IS NOT NULL OR r.refused_at IS NOT NULL AS refused,
		       coalesce(c.job_id::text, '') AS job_id, c.fast, (SELECT count(*) FROM workers WHERE `+store.Living+`) AS workers
		FROM channels c
		JOIN integrations i ON i.id = c.integration_id
		LEFT JOIN account_refusals r ON r.account_id = c.account_id AND r.integration_id = i.id
		WHERE i.stopped_at IS NULL
		  AND CASE WHEN c.job_id IS NULL THEN EXISTS (SELECT FROM items it WHERE it.account_id = c.account_id AND it.kind = c.channel AND it.state = 'queued'
		              AND it.due_at <= now() AND it.due_since > now() - max_wait()
		              AND it.job_id IS NULL
		              AND CASE WHEN c.pinned THEN it.pinned_integration_id = i.id ELSE coalesce(it.pinned_integration_id, i.id) = i.id END)
		      ELSE EXISTS (SELECT FROM items it WHERE it.account_id = c.account_id AND it.kind = c.channel AND it.job_id = c.job_id
		                   AND it.state = 'queued' AND it.due_at <= now() AND it.due_since > now() - max_wait()
		                   AND CASE WHEN c.pinned THEN it.pinned_integration_id = i.id ELSE coalesce(it.pinned_integration_id, i.id) = i.id END) END
		ORDER BY c.account_id, c.channel, c.job_id`)
	return lanes, err
}

// Claim is an item claimed for delivery: its state is sending, it has a lease, and an attempt has begun. SMS or
// Shipment holds its content, depending on the lane's channel.
type Claim struct {
	Lane        Lane
	Item        dispatch.ItemID
	Attempt     dispatch.AttemptID
	Token       string // fencing token of changes of state
	SMS         dispatch.SMS
	Shipment    dispatch.Shipment
	Reserved    string            // id reserved at the service for this item; empty: none yet
	Reference   string            // external reference that is sent in place of the user's own; empty: the user's own
	Batch       []store.BatchItem // the items of a batch; Item and SMS.Recipient are empty then
	Unavailable int               // attempts in a row before this one that found the service unavailable
	begun       time.Time         // before the claim's query, by our clock
}

// Younger tells whether less than d has passed since before the claim, by both wall clock and monotonic clock: the
// monotonic one stands still while a machine sleeps, the wall clock can be set.
func (c *Claim) Younger(d time.Duration) bool {
	now := time.Now()
	wall := now.Round(0).Sub(c.begun.Round(0))
	return now.Sub(c.begun) < d && wall >= 0 && wall < d
}

// Claim claims the next due item of a lane and writes its attempt before any call; nil when there is none. The lease
// uses the database's clock.
func (s Claims) Claim(ctx context.Context, lane Lane, lease time.Duration) (*Claim, error) {
	if !lane.Refused {
		return s.claim(ctx, lane, lease)
	}
	ok, err := s.takeProbe(ctx, lane)
	if err != nil || !ok {
		return nil, err
	}
	c, err := s.claim(ctx, lane, lease)
	if c == nil {
		err = errors.Join(err, s.giveBackProbe(ctx, lane))
	}
	return c, err
}

func (s Claims) claim(ctx context.Context, lane Lane, lease time.Duration) (*Claim, error) {
	if lane.Fast {
		return s.claimBatch(ctx, lane, lease)
	}
	claims, err := s.ClaimMany(ctx, lane, lease, 1)
	if len(claims) == 0 {
		return nil, err
	}
	return claims[0], nil
}

// ClaimsMany tells whether one statement may claim several items of the lane: a shipment takes long, and a probe risks
// one item only.
func (l Lane) ClaimsMany() bool { return l.Channel == dispatch.KindSMS && !l.Fast && !l.Refused }

// ClaimMany is Claim for several callers of one lane, if the lane is ClaimsMany: at most one item for each caller, and
// at most ClaimAtMost. Items that do not open are put back and reported by the error, beside the others.
func (s Claims) ClaimMany(ctx context.Context, lane Lane, lease time.Duration, callers int) (claims []*Claim, err error) {
	begun := time.Now()
	var rows []claimRow
	arguments := []any{lane.Account, lane.Integration, lane.Refused, lease.Seconds(), callers}
	if lane.Job != "" {
		arguments = append(arguments, lane.Job)
	}
	if err := s.OfQueue.Select(ctx, &rows, claimStatement(lane), arguments...); err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	for _, row := range rows {
		c := &Claim{Lane: lane, Attempt: row.Attempt, Token: row.Token, begun: begun}
		if shut := s.openClaim(ctx, c, row); shut != nil {
			err = errors.Join(err, fmt.Errorf("claim: %w", shut), In(s.Store).Outcomes.putBack(ctx, c))
			continue
		}
		claims = append(claims, c)
	}
	return claims, err
}

// claimRow is the result of a claim: the item and, by its kind, the content of an SMS or a shipment.
type claimRow struct {
	ID           dispatch.ItemID    `db:"id"`
	Attempt      dispatch.AttemptID `db:"attempt"`
	Token        string             `db:"token"`
	Unavailable  int                `db:"unavailable_count"`
	Reserved     string             `db:"reserved_id"`
	Reference    string             `db:"reference"`
	ByPhone      sql.NullBool       `db:"by_phone"`
	Recipient    []byte             `db:"recipient"`
	Text         []byte             `db:"text"`
	HideInReport sql.NullBool       `db:"hide_in_report"`
	Content      []byte             `db:"content"`
}

func (s Claims) openClaim(ctx context.Context, c *Claim, row claimRow) (err error) {
	c.Item, c.Unavailable, c.Reserved, c.Reference = row.ID, row.Unavailable, row.Reserved, row.Reference
	if c.Lane.Channel == dispatch.KindShipment {
		c.Shipment, err = s.OpenShipment(ctx, c.Lane.Account, row.ID, row.Content)
		return err
	}
	it, err := s.OpenSMS(store.SMSRow{ItemRow: store.ItemRow{ID: row.ID}, ByPhone: row.ByPhone.Bool, Recipient: row.Recipient, Text: row.Text, HideInReport: row.HideInReport.Bool})
	c.SMS = it.SMS
	return err
}

// takeProbe takes the right to one probe of a refused integration or account, which one caller gets every
// ProbeInterval. When both are refused it takes both rights or none: a right taken and not used is lost for
// everybody.
func (s Claims) takeProbe(ctx context.Context, lane Lane) (bool, error) {
	err := s.InTx(ctx, func(tx *sqlx.Tx) error {
		for _, q := range probes {
			var ok bool
			if err := tx.GetContext(ctx, &ok, q, lane.Account, lane.Integration, dispatch.ProbeInterval.Seconds()); err != nil {
				return err
			}
			if !ok {
				return errNoProbe
			}
		}
		return nil
	})
	if errors.Is(err, errNoProbe) {
		return false, nil
	}
	return err == nil, err
}

// giveBackProbe lets the next caller probe, since this one found no item: another transaction may have locked it for
// a moment.
func (s Claims) giveBackProbe(ctx context.Context, lane Lane) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE integrations SET next_probe_at = now() WHERE id = $1 AND refused_at IS NOT NULL`, lane.Integration); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE account_refusals SET next_probe_at = now() WHERE account_id = $1 AND integration_id = $2`, lane.Account, lane.Integration)
		return err
	})
}

var errNoProbe = errors.New("no probe is due")

var probes = []string{`
		WITH taken AS (
			UPDATE integrations SET next_probe_at = now() + $3 * interval '1 second'
			WHERE id = $2 AND refused_at IS NOT NULL AND next_probe_at <= now() RETURNING id)
		SELECT EXISTS (SELECT FROM taken) OR EXISTS (SELECT FROM integrations WHERE id = $2 AND refused_at IS NULL) AND $1::uuid IS NOT NULL`, `
		WITH taken AS (
			UPDATE account_refusals SET next_probe_at = now() + $3 * interval '1 second'
			WHERE account_id = $1 AND integration_id = $2 AND next_probe_at <= now() RETURNING account_id)
		SELECT EXISTS (SELECT FROM taken) OR NOT EXISTS (SELECT FROM account_refusals WHERE account_id = $1 AND integration_id = $2)`}

// Extend renews a claim's lease and tells whether it is still ours.
func (s Claims) Extend(ctx context.Context, c *Claim, lease time.Duration) (bool, error) {
	if c.Batch != nil {
		return s.extendBatch(ctx, c, lease)
	}
	n, err := store.Affected(s.DB.ExecContext(ctx, `
		UPDATE items SET lease_until = now() + $4 * interval '1 second'
		WHERE id = $1 AND account_id = $2 AND state = 'sending' AND lease_token = $3 AND lease_until > now()`,
		c.Item, c.Lane.Account, c.Token, lease.Seconds()))
	return n == 1, err
}

// Dead counts items whose lease expired.
type Dead struct {
	Uncertain int `db:"uncertain"` // during their call
	Queued    int `db:"queued"`    // before their call: queued again
}

// RecoverDead recovers items with an expired lease: their process died. During the call they become uncertain, since
// they may or may not have been sent, and shipments are looked up; within window, a look-up that finds nothing proves
// nothing. If the process died before the attempt began, or before its id was reserved, the item was certainly not
// sent and is queued again.
func (s Claims) RecoverDead(ctx context.Context, window time.Duration) (Dead, error) {
	var d Dead
	err := s.InTx(ctx, func(tx *sqlx.Tx) error {
		return tx.GetContext(ctx, &d, `
			WITH dead AS (
				SELECT it.id, fate.* FROM items it CROSS JOIN LATERAL (
					SELECT CASE WHEN unsent THEN 'unavailable' ELSE 'uncertain' END AS outcome,
					       CASE WHEN unsent THEN 'queued' ELSE 'uncertain' END AS state,
					       CASE WHEN unsent THEN 'reason.lease_lost' ELSE 'reason.died' END AS reason
					FROM (SELECT coalesce(bool_and(t.finished_at IS NULL AND t.reserves AND it.reserved_id IS NULL), true) AS unsent
						FROM attempts t WHERE t.item_id = it.id AND (t.finished_at IS NULL OR t.outcome = 'uncertain' AND t.resolution = '')) known
				) fate
				WHERE it.state = 'sending' AND it.lease_until < now() LIMIT 1000 FOR UPDATE OF it SKIP LOCKED
			), ended AS (
				UPDATE attempts t SET finished_at = now(), outcome = dead.outcome, reason_key = dead.reason
				FROM dead WHERE t.item_id = dead.id AND t.finished_at IS NULL
			), marked AS (
				UPDATE items it SET state = dead.state, lease_token = NULL, lease_until = NULL,
				       reason_key = dead.reason, reason_status = 0, reason_error_id = '', reason_at = now(),
				       recover_at = CASE WHEN it.kind = 'shipment' AND dead.state = 'uncertain' THEN now() END,
				       window_ends_at = CASE WHEN it.kind = 'shipment' AND dead.state = 'uncertain' THEN now() + $1 * interval '1 second' END,
				       pinned_integration_id = CASE WHEN it.kind = 'shipment' AND dead.state = 'uncertain' THEN coalesce(it.pinned_integration_id,
				           (SELECT t.integration_id FROM attempts t WHERE t.item_id = it.id ORDER BY t.ordinal DESC LIMIT 1))
				           ELSE it.pinned_integration_id END
				FROM dead WHERE it.id = dead.id
				RETURNING it.id, it.account_id, it.state
			), noted AS (
				INSERT INTO events (item_id, account_id, kind, detail, reason_key)
				SELECT m.id, m.account_id, 'outcome', dead.outcome, dead.reason FROM marked m JOIN dead USING (id)
			)
			SELECT count(*) FILTER (WHERE state = 'uncertain') AS uncertain, count(*) FILTER (WHERE state = 'queued') AS queued FROM marked`, window.Seconds())
	})
	return d, err
}

// GiveUp fails items for which the service was unavailable for a whole day: certainly not sent, a person may try
// again. Only if the guard holds: after a restore they may have been sent since the backup.
func (s Claims) GiveUp(ctx context.Context) error {
	_, err := s.DB.ExecContext(ctx, `
		WITH over AS (
			UPDATE items SET state = 'failed', reason_at = now()
			WHERE state = 'queued' AND unavailable_count > 0 AND due_since <= now() - max_wait()
			  AND `+store.GuardHolds+`
			RETURNING id, account_id)
		INSERT INTO events (item_id, account_id, kind) SELECT id, account_id, 'gave_up' FROM over`)
	return err
}
