package lists

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// Shipments returns an account's shipments with a reference, newest first: as external reference, as
// correlation id, or as the item's id, which is sent as a reference too.
func (s References) Shipments(ctx context.Context, account dispatch.AccountID, reference string) ([]dispatch.ListRow, error) {
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

// BeginSearch records in the event log that a user searches by an external reference, before the call, and
// tells whether the service may be asked: only if no other account sends, or has ever sent, over the account's
// integration. The reference is not recorded: it may name a person.
func (s References) BeginSearch(ctx context.Context, account dispatch.AccountID, by store.Actor) (bool, error) {
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
