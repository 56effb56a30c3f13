package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Recovery is an uncertain shipment to look up at the service.
type Recovery struct {
	Item        dispatch.ItemID
	Account     dispatch.AccountID
	Integration dispatch.IntegrationID
	Service     string
	ServiceID   string    // the account's kontoId at the service
	Since       time.Time // when the first uncertain submission began
	Reserved    string    // id under which it was submitted; empty: none
	References  []string  // external references that were sent
	WindowOver  bool      // a look-up that finds nothing is proof now
	Stale       bool      // the service could not be asked for a day after that
	Posts       int       // uncertain submissions
	Shipment    dispatch.Shipment

	claimed time.Time // fencing token: others may have looked it up and sent it since
}

// lookUpLease is the lease of a claimed look-up.
const lookUpLease = 2 * time.Minute

// lastCalled is the integration of an item's latest attempt, at which it is looked up.
const lastCalled = `(SELECT l.integration_id FROM attempts l WHERE l.item_id = it.id ORDER BY l.ordinal DESC LIMIT 1)`

// Due returns the integrations with look-ups that are due.
func (s Recoveries) Due(ctx context.Context) ([]dispatch.IntegrationID, error) {
	var due []dispatch.IntegrationID
	err := s.Select(ctx, &due, `
		SELECT DISTINCT f.integration_id FROM (SELECT `+lastCalled+` AS integration_id FROM items it WHERE it.state = 'uncertain' AND it.recover_at <= now()
			AND NOT `+store.SkippedNow(dispatch.QueueRecover, "it.id")+`) f
		WHERE f.integration_id IS NOT NULL`)
	return due, err
}

// Claim claims due look-ups at an integration. It returns an error beside the list when some do not open:
// those are set aside and do not delay the others.
func (s Recoveries) Claim(ctx context.Context, in dispatch.IntegrationID, limit int) ([]Recovery, error) {
	var rows []struct {
		Item        dispatch.ItemID        `db:"id"`
		Account     dispatch.AccountID     `db:"account_id"`
		Integration dispatch.IntegrationID `db:"integration_id"`
		Service     string                 `db:"service"`
		ServiceID   string                 `db:"service_id"`
		Since       time.Time              `db:"since"`
		Reserved    string                 `db:"reserved_id"`
		WindowOver  bool                   `db:"window_over"`
		Stale       bool                   `db:"stale"`
		Posts       int                    `db:"posts"`
		Content     []byte                 `db:"content"`
		Sent        pq.StringArray         `db:"sent"`
		Claimed     time.Time              `db:"recover_at"`
	}
	err := s.Select(ctx, &rows, `
		WITH due AS (
			SELECT it.id FROM items it WHERE it.state = 'uncertain' AND it.recover_at <= now() AND `+lastCalled+` = $3
			  AND NOT `+store.SkippedNow(dispatch.QueueRecover, "it.id")+`
			ORDER BY it.recover_at LIMIT $1 FOR UPDATE OF it SKIP LOCKED
		), taken AS (
			UPDATE items it SET recover_at = now() + $2 * interval '1 second' FROM due WHERE it.id = due.id
			RETURNING it.id, it.account_id, it.reserved_id, it.window_ends_at, it.recover_at
		)
		SELECT t.id, t.account_id, i.id AS integration_id, i.service, coalesce(service_id_at(t.account_id, 'shipment', coalesce(f.since, l.started_at))::text, '') AS service_id,
		       coalesce(f.since, now()) AS since,
		       coalesce(t.reserved_id::text, '') AS reserved_id,
		       coalesce(t.window_ends_at <= now(), true) AS window_over,
		       coalesce(t.window_ends_at <= now() - max_wait(), false) AS stale, h.content, t.recover_at,
		       f.posts, f.sent
		FROM taken t
		JOIN shipments h ON h.item_id = t.id
		JOIN LATERAL (SELECT min(p.started_at) AS since, count(*) AS posts, array_agg(DISTINCT coalesce(p.reference, '')) AS sent
			FROM attempts p WHERE p.item_id = t.id AND p.outcome = 'uncertain') f ON true
		JOIN LATERAL (SELECT integration_id, started_at FROM attempts l WHERE l.item_id = t.id ORDER BY l.ordinal DESC LIMIT 1) l ON true
		JOIN integrations i ON i.id = l.integration_id`, limit, lookUpLease.Seconds(), in)
	if err != nil {
		return nil, err
	}
	list := make([]Recovery, 0, len(rows))
	for _, r := range rows {
		rec := Recovery{
			Item: r.Item, Account: r.Account, Integration: r.Integration, Service: r.Service, ServiceID: r.ServiceID, Since: r.Since,
			Reserved: r.Reserved, WindowOver: r.WindowOver, Stale: r.Stale, Posts: r.Posts, claimed: r.Claimed,
		}
		var sealed error
		if rec.Shipment, sealed = s.OpenShipment(ctx, r.Account, r.Item, r.Content); sealed != nil {
			err = errors.Join(err, s.SetAside(ctx, dispatch.QueueRecover, string(r.Item), fmt.Errorf("look up %s: %w", r.Item, sealed)))
			continue
		}
		rec.References = references(r.Sent, r.Item, rec.Shipment)
		list = append(list, rec)
	}
	return list, err
}

// references are the external references that were sent with a shipment. Attempts of earlier releases did not record
// them: they sent the user's own, else our id.
func references(sent []string, id dispatch.ItemID, s dispatch.Shipment) []string {
	if len(sent) == 0 {
		sent = []string{""}
	}
	var all []string
	for _, reference := range sent {
		all = append(all, cmp.Or(reference, s.ExternalReference, string(id)))
	}
	return all
}

// References are the external references that are sent with a claimed shipment.
func (c *Claim) References() []string { return references([]string{c.Reference}, c.Item, c.Shipment) }

// Postpone schedules the next look-up of an uncertain shipment; zero leaves it to a person. It does nothing when the
// look-up's claim was lost.
func (s Recoveries) Postpone(ctx context.Context, r Recovery, after time.Duration) error {
	_, err := s.DB.ExecContext(ctx, `
		UPDATE items SET recover_at = CASE WHEN $3::double precision > 0 THEN now() + $3::double precision * interval '1 second' END
		WHERE id = $1 AND account_id = $2 AND state = 'uncertain' AND recover_at = $4`, r.Item, r.Account, after.Seconds(), r.claimed)
	return err
}

// LookedUp ends a look-up. If it failed for a reason of the shipment's own, the shipment is set aside; the error is
// returned.
func (s Recoveries) LookedUp(ctx context.Context, r Recovery, failed error) error {
	if failed != nil {
		return s.SetAside(ctx, dispatch.QueueRecover, string(r.Item), failed)
	}
	return s.ClearSetAside(ctx, dispatch.QueueRecover, string(r.Item))
}

// Found marks an uncertain shipment as accepted: the service has it under the id.
func (s Recoveries) Found(ctx context.Context, r Recovery, id string, check time.Time) error {
	return s.recovered(ctx, r, dispatch.ResolutionSent, dispatch.OutcomeAccepted, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE items it SET `+acceptedItem("$3::uuid", "$4::uuid", "$5::timestamptz")+`
			WHERE it.id = $1 AND it.account_id = $2 AND it.state = 'uncertain'`, r.Item, r.Account, id, r.Integration, check))
	})
}

// SendOnceMore queues an uncertain shipment that the service certainly does not have, under the same id. It does
// nothing when the look-up's claim was lost: the shipment may have been sent since.
func (s Recoveries) SendOnceMore(ctx context.Context, r Recovery) error {
	return s.recovered(ctx, r, dispatch.ResolutionNotSent, dispatch.OutcomeUnavailable, func(tx *sqlx.Tx) (int64, error) {
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE items SET recover_at = NULL
			WHERE id = $1 AND account_id = $2 AND state = 'uncertain' AND recover_at = $3`, r.Item, r.Account, r.claimed))
		if err != nil || n == 0 {
			return n, err
		}
		return store.Queue(ctx, tx, r.Account, r.Item, dispatch.StateUncertain, 0)
	})
}

// recovered writes what a look-up proved: the resolution of the uncertain attempts, and an event.
func (s Recoveries) recovered(ctx context.Context, r Recovery, res dispatch.Resolution, outcome dispatch.Outcome, change func(tx *sqlx.Tx) (int64, error)) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := change(tx)
		if err != nil || n == 0 {
			return err // nil: a person or another look-up was faster
		}
		_, err = tx.ExecContext(ctx, `
			UPDATE attempts SET resolution = $3, resolved_at = now()
			WHERE item_id = $1 AND account_id = $2 AND outcome = 'uncertain' AND resolution = ''`, r.Item, r.Account, res)
		if err != nil {
			return err
		}
		return store.AddEvent(ctx, tx, store.Event{Item: r.Item, Account: r.Account, Kind: dispatch.EventLookedUp, Detail: string(outcome)})
	})
}
