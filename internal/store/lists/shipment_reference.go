package lists

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// ShipmentsByReference returns an account's shipments with a reference, newest first: as external reference, as
// correlation id, or as the item's id, which is sent as a reference too.
func (s References) ShipmentsByReference(ctx context.Context, account dispatch.AccountID, reference string) ([]dispatch.ListRow, error) {
	own := reference
	if !store.ValidID(own) {
		own = ""
	}
	q := newListQuery(account)
	q.window.Limit = 100
	of, id := q.add(reference), q.add(store.Null(own))
	where := `it.state <> 'draft' AND (h.account_id = $1 AND h.external_reference = ` + of + ` AND h.external_reference <> ''
		OR h.account_id = $1 AND h.correlation_id = ` + of + ` AND h.correlation_id <> '' OR it.id = ` + id + `)`
	items, _, _, err := s.listed(ctx, account, q, []string{q.shipments(where)})
	return items, err
}

// BeginReferenceSearch records in the event log that a user searches by an external reference, before the call, and
// tells whether the service may be asked: only if no other account sends, or has ever sent, over the account's
// integration. The reference is not recorded: it may name a person.
func (s References) BeginReferenceSearch(ctx context.Context, account dispatch.AccountID, by store.Actor) (bool, error) {
	var alone bool
	err := s.Get(ctx, &alone, `
		SELECT NOT EXISTS (SELECT FROM accounts o WHERE o.id <> a.id AND o.shipment_integration_id = i.id)
		   AND NOT EXISTS (SELECT FROM items it WHERE it.kind = 'shipment' AND it.integration_id = i.id AND it.account_id < a.id)
		   AND NOT EXISTS (SELECT FROM items it WHERE it.kind = 'shipment' AND it.integration_id = i.id AND it.account_id > a.id)
		   AND NOT EXISTS (SELECT FROM items it WHERE it.state = 'queued' AND it.pinned_integration_id = i.id AND it.account_id <> a.id)
		FROM accounts a JOIN integrations i ON i.id = a.shipment_integration_id
		WHERE a.id = $1 AND a.disabled_at IS NULL`, account)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	return alone, s.Record(ctx, store.Audit{Actor: by.User, Account: account, Action: "shipment.search_reference", Details: map[string]any{"service": alone}, Origin: by.Origin})
}

// Strangers returns the service's shipments that no account has sent from here, and records in the event log that
// they were shown.
func (s References) Strangers(ctx context.Context, account dispatch.AccountID, matches []dispatch.ReferenceMatch, by store.Actor) ([]dispatch.ReferenceMatch, error) {
	var ids []string
	for _, m := range matches {
		if store.ValidID(strings.ToLower(m.ID)) {
			ids = append(ids, strings.ToLower(m.ID))
		}
	}
	unknown, err := s.UnknownUpstream(ctx, ids)
	if err != nil || len(unknown) == 0 {
		return nil, err
	}
	isUnknown := map[string]bool{}
	for _, id := range unknown {
		isUnknown[id] = true
	}
	var strangers []dispatch.ReferenceMatch
	for _, m := range matches {
		if isUnknown[strings.ToLower(m.ID)] {
			strangers = append(strangers, m)
		}
	}
	return strangers, s.Record(ctx, store.Audit{Actor: by.User, Account: account, Action: "shipment.show_strangers", Details: map[string]any{"ids": unknown}, Origin: by.Origin})
}

// SentOver returns the integration by which a shipment was accepted; reads and reports about it use that one.
func (s References) SentOver(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (dispatch.IntegrationID, error) {
	var over dispatch.IntegrationID
	err := s.Get(ctx, &over, `SELECT integration_id FROM items WHERE id = $1 AND account_id = $2 AND integration_id IS NOT NULL`, id, account)
	return over, store.NotFound(err)
}

// BeginMarkRead records in the event log that a user is about to report to the service that a shipment was read,
// before the call.
func (s References) BeginMarkRead(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, by store.Actor) error {
	return s.Record(ctx, store.Audit{Actor: by.User, Account: account, Action: "shipment.mark_read", Object: string(id), Origin: by.Origin})
}

// MarkedRead writes the report to the timeline, and schedules a read of the status.
func (s References) MarkedRead(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, system string, by store.Actor) error {
	return s.Act(ctx, store.Act{Account: account, ID: id, By: by, Kind: dispatch.EventMarkedRead, Detail: system}, func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE items SET next_check_at = now() WHERE id = $1 AND account_id = $2 AND state = 'accepted'`, id, account))
	})
}
