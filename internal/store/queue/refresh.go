package queue

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Check is a claimed status read.
type Check struct {
	Item        dispatch.ItemID        `db:"id"`
	Account     dispatch.AccountID     `db:"account_id"`
	ServiceID   string                 `db:"service_id"`    // the account's kontoId at the service when the item was sent
	Missing     int                    `db:"missing_reads"` // reads in a row answered 404
	Integration dispatch.IntegrationID `db:"integration_id"`
	Service     string                 `db:"service"`
	RatePerSec  float64                `db:"rate_per_second"`
	UpstreamID  string                 `db:"upstream_id"`
	Status      dispatch.Status        `db:"status"`
	AcceptedAt  time.Time              `db:"accepted_at"`
	SettledAt   *time.Time             `db:"settled_at"`
	SignBy      time.Time              `db:"sign_by"` // deadline for signing; else long ago
	Kind        dispatch.Kind          `db:"-"`
	Failed      bool                   `db:"failed"` // an earlier read could not be stored
	Open        bool                   `db:"-"`      // more than the status is awaited: it does not settle
}

// checkLease is the lease of a claimed check; a read ends within ten seconds.
const checkLease = 2 * time.Minute

// Due returns the integrations, with their kinds, that have status reads due.
func (s Checks) Due(ctx context.Context) (map[dispatch.IntegrationID]dispatch.IntegrationKind, error) {
	var rows []struct {
		ID   dispatch.IntegrationID   `db:"id"`
		Kind dispatch.IntegrationKind `db:"kind"`
	}
	err := s.Select(ctx, &rows, `
		SELECT i.id, i.kind FROM integrations i WHERE EXISTS (SELECT FROM items it WHERE it.integration_id = i.id AND it.next_check_at <= now())`)
	due := make(map[dispatch.IntegrationID]dispatch.IntegrationKind, len(rows))
	for _, r := range rows {
		due[r.ID] = r.Kind
	}
	return due, err
}

// Claim claims due status reads of an integration's SMS, oldest first. If the process dies, they are only
// delayed.
func (s Checks) Claim(ctx context.Context, in dispatch.IntegrationID, limit int) ([]Check, error) {
	var checks []Check
	err := s.Select(ctx, &checks, `
		WITH due AS (
			SELECT it.id FROM items it
			WHERE it.integration_id = $3 AND it.next_check_at <= now() AND it.kind = 'sms' AND NOT `+store.SkippedNow(dispatch.QueueRefresh, "it.id")+`
			ORDER BY it.next_check_at
			LIMIT $1
			FOR UPDATE SKIP LOCKED
		), taken AS (
			UPDATE items it SET next_check_at = now() + $2 * interval '1 second'
			FROM due WHERE it.id = due.id
			RETURNING it.id, it.account_id, it.integration_id, it.upstream_id, it.status, it.accepted_at, it.settled_at, it.missing_reads
		)
		SELECT t.id, t.account_id, `+failedBefore+`, service_id_at(t.account_id, 'sms', t.accepted_at) AS service_id, t.missing_reads, t.integration_id, i.service, i.rate_per_second, t.upstream_id,
		       t.status, t.accepted_at, t.settled_at
		FROM taken t
		JOIN integrations i ON i.id = t.integration_id
		WHERE service_id_at(t.account_id, 'sms', t.accepted_at) IS NOT NULL`, limit, checkLease.Seconds(), in)
	for i := range checks {
		checks[i].Kind = dispatch.KindSMS
	}
	return checks, err
}

// failedBefore tells, of a claimed check t, whether an earlier read could not be stored.
const failedBefore = `EXISTS (SELECT FROM set_aside o WHERE o.queue = 'refresh' AND o.key = t.id::text) AS failed`

// SaveStatus writes a status, with an event if it changed. A status that cannot be stored sets the item aside.
func (s Checks) SaveStatus(ctx context.Context, c Check, status dispatch.Status, now time.Time, plan dispatch.RefreshPlan) error {
	err := s.saveStatus(ctx, c, status, now, plan)
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return s.SetAside(ctx, dispatch.QueueRefresh, string(c.Item), err)
	case err == nil && c.Failed:
		return s.ClearSetAside(ctx, dispatch.QueueRefresh, string(c.Item))
	}
	return err
}

func (s Checks) saveStatus(ctx context.Context, c Check, status dispatch.Status, now time.Time, plan dispatch.RefreshPlan) error {
	settledAt := store.Deref(c.SettledAt)
	switch {
	case !status.Settled(c.Kind) || c.Open:
		settledAt = time.Time{}
	case settledAt.IsZero() || status != c.Status:
		settledAt = now
	}
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE items SET status = $3, status_at = CASE WHEN status = $3 THEN status_at ELSE now() END, settled_at = $4,
			    checked_at = now(), next_check_at = $5, missing_reads = 0,
			    check_error_key = '', check_error_status = 0, check_error_id = '', check_error_at = NULL
			WHERE id = $1 AND account_id = $2`,
			c.Item, c.Account, status, store.NullTime(settledAt), store.NullTime(plan.Signing(c.AcceptedAt, c.SignBy).Next(now, c.AcceptedAt, settledAt))))
		switch {
		case err != nil:
			return err
		case n == 0:
			return store.ErrNotFound
		case status == c.Status:
			return nil
		}
		return store.AddEvent(ctx, tx, store.Event{Item: c.Item, Account: c.Account, Kind: dispatch.EventStatus, Detail: string(status)})
	})
}

// SaveError records a failed status read: the old status stays, with its age and the error. The third 404 in a
// row is an event.
func (s Checks) SaveError(ctx context.Context, c Check, r dispatch.Reason, said dispatch.Answer, missing bool, next time.Time) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		var reads int
		err := tx.GetContext(ctx, &reads, `
			UPDATE items SET check_error_key = $3, check_error_status = $4, check_error_id = $5, check_error_at = now(),
			    missing_reads = CASE WHEN $6 THEN missing_reads + 1 ELSE missing_reads END, next_check_at = $7
			WHERE id = $1 AND account_id = $2
			RETURNING missing_reads`,
			c.Item, c.Account, r.Key, r.HTTPStatus, r.ErrorID, missing, store.NullTime(next))
		if err != nil {
			return store.NotFound(err)
		}
		if err := s.KeepAnswer(ctx, tx, c.Account, []string{string(c.Item)}, said); err != nil || !missing || reads != 3 {
			return err
		}
		return store.AddEvent(ctx, tx, store.Event{Item: c.Item, Account: c.Account, Kind: dispatch.EventMissing, Reason: r})
	})
}

// Pull makes an item's status read due now because the item is viewed, at most once in every; within 90 days
// even if no more reads were planned. It tells whether it did.
func (s Checks) Pull(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, every time.Duration) (bool, error) {
	n, err := store.Affected(s.DB.ExecContext(ctx, `
		UPDATE items SET next_check_at = now(), pulled_at = now()
		WHERE id = $1 AND account_id = $2 AND (next_check_at > now()
		       OR next_check_at IS NULL AND state = 'accepted' AND upstream_id IS NOT NULL AND accepted_at > now() - interval '90 days')
		  AND (pulled_at IS NULL OR pulled_at <= now() - $3 * interval '1 second')
		  AND (checked_at IS NULL OR checked_at <= now() - $3 * interval '1 second')`, id, account, every.Seconds()))
	return n == 1, err
}
