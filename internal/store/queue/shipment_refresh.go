package queue

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ShipmentCheck is a claimed status read of a shipment, with what else to read.
type ShipmentCheck struct {
	Check
	Looked  bool `db:"looked"`  // it is being viewed
	Unread  bool `db:"unread"`  // its history has not been read yet
	Signing bool `db:"signing"` // signing is in progress
}

// anyAccount are the kinds of integration whose status reads are about any account.
var anyAccount = func() string {
	kinds := []string{"''"}
	for _, k := range dispatch.KindsWithout(func(r dispatch.GenerationRow) bool { return r.AccountID }) {
		kinds = append(kinds, "'"+string(k)+"'")
	}
	return strings.Join(kinds, ", ")
}()

// ClaimShipments claims due status reads of an integration's shipments, since one call reads many: from V2
// on, those of one account. If the process dies, they are only delayed.
func (s Checks) ClaimShipments(ctx context.Context, in dispatch.IntegrationID, limit int) ([]ShipmentCheck, error) {
	var checks []ShipmentCheck
	err := s.Select(ctx, &checks, `
		WITH first AS (
			SELECT it.account_id, i.kind FROM items it JOIN integrations i ON i.id = it.integration_id
			WHERE it.integration_id = $3 AND it.next_check_at <= now() AND it.kind = 'shipment' AND NOT `+store.SkippedNow(dispatch.QueueRefresh, "it.id")+`
			ORDER BY it.next_check_at LIMIT 1
		), due AS (
			SELECT it.id FROM items it, first
			WHERE it.integration_id = $3 AND it.next_check_at <= now() AND it.kind = 'shipment' AND (first.kind IN (`+anyAccount+`) OR it.account_id = first.account_id)
			  AND NOT `+store.SkippedNow(dispatch.QueueRefresh, "it.id")+`
			ORDER BY it.next_check_at
			LIMIT $1
			FOR UPDATE OF it SKIP LOCKED
		), taken AS (
			UPDATE items it SET next_check_at = now() + $2 * interval '1 second'
			FROM due WHERE it.id = due.id
			RETURNING it.id, it.account_id, it.integration_id, it.upstream_id, it.status, it.accepted_at, it.settled_at, it.pulled_at, it.missing_reads
		)
		SELECT t.id, t.account_id, `+failedBefore+`, coalesce(service_id_at(t.account_id, 'shipment', l.started_at)::text, '') AS service_id, t.missing_reads, t.integration_id, i.service, i.rate_per_second, t.upstream_id, t.status, t.accepted_at, t.settled_at,
		       coalesce(t.pulled_at > now() - interval '1 minute', false) AS looked,
		       NOT EXISTS (SELECT FROM service_reports p WHERE p.item_id = t.id AND p.source = 'history' AND p.read_at IS NOT NULL) AS unread,
		       h.sign_by IS NOT NULL AND NOT EXISTS (SELECT FROM signing_statuses g WHERE g.status = h.signing_status AND g.settled)
		           AND h.sign_by > now() - interval '1 day' AS signing,
		       coalesce(h.sign_by, 'epoch') AS sign_by
		FROM taken t
		JOIN shipments h ON h.item_id = t.id
		JOIN LATERAL (
			SELECT coalesce(max(p.started_at) FILTER (WHERE p.outcome = 'accepted' AND p.sent_at IS NOT NULL),
			                min(p.started_at) FILTER (WHERE `+store.MayHaveArrived+`), t.accepted_at) AS started_at -- what was adopted went out before
			FROM attempts p WHERE p.item_id = t.id
		) l ON true
		JOIN integrations i ON i.id = t.integration_id`, limit, checkLease.Seconds(), in)
	return checks, err
}

// SaveStatusTime stores when a shipment's status changed, by the service's clock.
func (s Checks) SaveStatusTime(ctx context.Context, c Check, at time.Time) error {
	_, err := s.DB.ExecContext(ctx, `
		UPDATE shipments SET service_status_at = $3
		WHERE item_id = $1 AND account_id = $2 AND service_status_at IS DISTINCT FROM $3`, c.Item, c.Account, at)
	return err
}

// SaveReport seals and stores the report of a source.
func (s Checks) SaveReport(ctx context.Context, c Check, source dispatch.Source, report any) error {
	plain, err := json.Marshal(report)
	if err != nil {
		return err
	}
	sealed, err := s.Keys.Seal(plain, store.ReportPlace(c.Item, source))
	if err != nil {
		return err
	}
	_, err = s.DB.ExecContext(ctx, `
		INSERT INTO service_reports (item_id, account_id, source, report, read_at) VALUES ($1, $2, $3, $4, now())
		ON CONFLICT (item_id, source) DO UPDATE SET report = excluded.report, read_at = now(),
		    error_key = '', error_status = 0, error_id = '', error_at = NULL`, c.Item, c.Account, source, sealed)
	return err
}

// SaveReportError records that a source could not be read; its last report stays.
func (s Checks) SaveReportError(ctx context.Context, c Check, source dispatch.Source, r dispatch.Reason) error {
	_, err := s.DB.ExecContext(ctx, `
		INSERT INTO service_reports (item_id, account_id, source, error_key, error_status, error_id, error_at) VALUES ($1, $2, $3, $4, $5, $6, now())
		ON CONFLICT (item_id, source) DO UPDATE SET error_key = excluded.error_key, error_status = excluded.error_status,
		    error_id = excluded.error_id, error_at = now()`, c.Item, c.Account, source, r.Key, r.HTTPStatus, r.ErrorID)
	return err
}

// SaveSigning stores a shipment's signing status, with an event if it changed.
func (s Checks) SaveSigning(ctx context.Context, c Check, status dispatch.SigningStatus) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Lock the item first, as everywhere, to prevent deadlocks: triggers of its content lock it too.
		if _, err := tx.ExecContext(ctx, `SELECT FROM items WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`, c.Item, c.Account); err != nil {
			return err
		}
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE shipments SET signing_status = $3, signing_at = now() WHERE item_id = $1 AND account_id = $2 AND signing_status <> $3`,
			c.Item, c.Account, status))
		if err != nil || n == 0 {
			return err
		}
		return store.AddEvent(ctx, tx, store.Event{Item: c.Item, Account: c.Account, Kind: dispatch.EventSigning, Detail: string(status)})
	})
}
