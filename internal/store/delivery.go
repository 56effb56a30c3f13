package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// Lane is where due items wait: one account on one integration. Claims go round the lanes, so that one account's
// thousands do not keep another waiting.
type Lane struct {
	Account     dispatch.AccountID       `db:"account_id"`
	ServiceID   string                   `db:"service_id"` // kontoId of the account at the service
	Integration dispatch.IntegrationID   `db:"integration_id"`
	Kind        dispatch.IntegrationKind `db:"kind"`
	Service     string                   `db:"service"`
	Parallelism int                      `db:"parallelism"`
	RatePerSec  float64                  `db:"rate_per_second"`
	Refused     bool                     `db:"refused"` // held by a refusal: only a probe may go
}

// Lanes returns the lanes that have something due.
func (s *Store) Lanes(ctx context.Context) ([]Lane, error) {
	var lanes []Lane
	err := s.list(ctx, &lanes, `
		SELECT a.id AS account_id, a.sms_account_id AS service_id, i.id AS integration_id, i.kind, i.service, i.parallelism, i.rate_per_second,
		       i.refused_at IS NOT NULL OR r.refused_at IS NOT NULL AS refused
		FROM accounts a
		JOIN integrations i ON i.id = a.sms_integration_id
		LEFT JOIN account_refusals r ON r.account_id = a.id AND r.integration_id = i.id
		WHERE i.stopped_at IS NULL AND a.sms_account_id IS NOT NULL
		  AND EXISTS (SELECT FROM items it WHERE it.account_id = a.id AND it.kind = 'sms' AND it.state = 'queued'
		              AND it.due_at <= now() AND it.due_since > now() - interval '24 hours')
		ORDER BY a.id`)
	return lanes, err
}

// Claim is one item taken for delivery: it is sending, has a lease and an attempt that has begun.
type Claim struct {
	Lane        Lane
	Attempt     dispatch.AttemptID
	Token       string // fences changes of state
	SMS         dispatch.SMSItem
	Unavailable int // attempts in a row before this one that found the service unavailable
}

// Claim takes the next due item of a lane and writes the attempt before anything is called; nil when there is none. The
// lease counts in the database's time.
func (s *Store) Claim(ctx context.Context, lane Lane, lease time.Duration) (*Claim, error) {
	if lane.Refused {
		ok, err := s.takeProbe(ctx, lane)
		if err != nil || !ok {
			return nil, err
		}
	}
	attempt, err := newID()
	if err != nil {
		return nil, err
	}
	token, err := newID()
	if err != nil {
		return nil, err
	}
	var row struct {
		ID           dispatch.ItemID `db:"id"`
		Unavailable  int             `db:"unavailable_count"`
		ByPhone      bool            `db:"by_phone"`
		Recipient    []byte          `db:"recipient"`
		Text         []byte          `db:"text"`
		HideInReport bool            `db:"hide_in_report"`
	}
	err = s.get(ctx, &row, claimSMS, lane.Account, lane.Integration, lane.Refused, token, lease.Seconds(), attempt)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	c := &Claim{Lane: lane, Attempt: dispatch.AttemptID(attempt), Token: token, Unavailable: row.Unavailable}
	c.SMS, err = s.openSMS(smsRow{
		itemRow: itemRow{ID: row.ID, AccountID: lane.Account, Kind: dispatch.KindSMS, State: dispatch.StateSending},
		ByPhone: row.ByPhone, Recipient: row.Recipient, Text: row.Text, HideInReport: row.HideInReport,
	})
	return c, err
}

// claimSMS marks one due item as sending and writes its attempt, in one statement.
const claimSMS = `
	WITH picked AS (
		SELECT it.id
		FROM items it
		JOIN accounts a ON a.id = it.account_id AND a.sms_integration_id = $2
		JOIN integrations i ON i.id = a.sms_integration_id
		LEFT JOIN account_refusals r ON r.account_id = a.id AND r.integration_id = i.id
		WHERE it.account_id = $1 AND it.kind = 'sms' AND it.state = 'queued' AND it.due_at <= now()
		  AND it.due_since > now() - interval '24 hours'
		  AND i.stopped_at IS NULL AND ($3 OR i.refused_at IS NULL AND r.refused_at IS NULL)
		  AND ` + guardHolds + `
		ORDER BY it.due_at
		LIMIT 1
		FOR UPDATE OF it SKIP LOCKED
	), claimed AS (
		UPDATE items it
		SET state = 'sending', lease_token = $4, lease_until = now() + $5 * interval '1 second'
		FROM picked
		WHERE it.id = picked.id
		RETURNING it.id, it.account_id, it.unavailable_count
	), attempt AS (
		INSERT INTO attempts (id, item_id, account_id, integration_id)
		SELECT $6, id, account_id, $2 FROM claimed
	)
	SELECT c.id, c.unavailable_count, m.by_phone, m.recipient, m.text, m.hide_in_report
	FROM claimed c
	JOIN sms m ON m.item_id = c.id`

// takeProbe takes the right to try a refused integration or account once; one caller gets it every ProbeInterval.
func (s *Store) takeProbe(ctx context.Context, lane Lane) (bool, error) {
	wait := dispatch.ProbeInterval.Seconds()
	for _, q := range []string{`
		WITH taken AS (
			UPDATE integrations SET next_probe_at = now() + $3 * interval '1 second'
			WHERE id = $2 AND refused_at IS NOT NULL AND next_probe_at <= now() RETURNING id)
		SELECT EXISTS (SELECT FROM taken) OR EXISTS (SELECT FROM integrations WHERE id = $2 AND refused_at IS NULL) AND $1::uuid IS NOT NULL`, `
		WITH taken AS (
			UPDATE account_refusals SET next_probe_at = now() + $3 * interval '1 second'
			WHERE account_id = $1 AND integration_id = $2 AND next_probe_at <= now() RETURNING account_id)
		SELECT EXISTS (SELECT FROM taken) OR NOT EXISTS (SELECT FROM account_refusals WHERE account_id = $1 AND integration_id = $2)`} {
		var ok bool
		if err := s.get(ctx, &ok, q, lane.Account, lane.Integration, wait); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// Extend prolongs the lease of a claim and tells whether it is still ours.
func (s *Store) Extend(ctx context.Context, c *Claim, lease time.Duration) (bool, error) {
	n, err := affected(s.db.ExecContext(ctx, `
		UPDATE items SET lease_until = now() + $4 * interval '1 second'
		WHERE id = $1 AND account_id = $2 AND state = 'sending' AND lease_token = $3 AND lease_until > now()`,
		c.SMS.ID, c.Lane.Account, c.Token, lease.Seconds()))
	return n == 1, err
}

// RecoverDead makes items uncertain whose lease ran out: whoever held them died in mid-call, and nobody knows whether
// the call came through. It returns how many there were.
func (s *Store) RecoverDead(ctx context.Context) (int, error) {
	n := 0
	err := s.inTx(ctx, func(tx *sqlx.Tx) error {
		return tx.GetContext(ctx, &n, `
			WITH dead AS (
				SELECT id FROM items WHERE state = 'sending' AND lease_until < now() LIMIT 100 FOR UPDATE SKIP LOCKED
			), ended AS (
				UPDATE attempts t SET finished_at = now(), outcome = 'uncertain', reason_key = 'reason.died'
				FROM dead WHERE t.item_id = dead.id AND t.finished_at IS NULL
			), marked AS (
				UPDATE items it SET state = 'uncertain', lease_token = NULL, lease_until = NULL,
				       reason_key = 'reason.died', reason_status = 0, reason_error_id = '', reason_at = now()
				FROM dead WHERE it.id = dead.id
				RETURNING it.id, it.account_id
			), noted AS (
				INSERT INTO events (item_id, account_id, kind, detail, reason_key)
				SELECT id, account_id, 'outcome', 'uncertain', 'reason.died' FROM marked
			)
			SELECT count(*) FROM marked`)
	})
	return n, err
}

// GiveUp ends items that found the service unavailable for a whole day: surely not sent, a person may try again.
func (s *Store) GiveUp(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `
		WITH over AS (
			UPDATE items SET state = 'failed', reason_at = now()
			WHERE state = 'queued' AND unavailable_count > 0 AND due_since <= now() - interval '24 hours'
			RETURNING id, account_id)
		INSERT INTO events (item_id, account_id, kind) SELECT id, account_id, 'gave_up' FROM over`)
	return err
}

// Seen says that a delivering process is alive, and returns how many are: each takes its share of the integrations'
// parallelism and rate.
func (s *Store) Seen(ctx context.Context, worker string) (int, error) {
	n := 0
	err := s.db.GetContext(ctx, &n, `
		WITH me AS (
			INSERT INTO workers (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen_at = now() RETURNING id
		), gone AS (
			DELETE FROM workers WHERE seen_at < now() - interval '1 hour' AND id <> $1
		)
		SELECT count(*) + 1 FROM workers WHERE seen_at > now() - interval '15 seconds' AND id <> $1`, worker)
	return n, err
}

// Gone says that a delivering process has stopped.
func (s *Store) Gone(ctx context.Context, worker string) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM workers WHERE id = $1`, worker)
	return err
}
