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

// Choices are the values that occur in an account's lists and can be filtered by.
type Choices struct {
	Senders      []Sender
	BillingCodes []string
	Types        []string
	Statuses     map[dispatch.Kind][]dispatch.Status
}

// Sender is a user who has sent something from an account.
type Sender struct {
	ID   dispatch.UserID `db:"id"`
	Name string          `db:"name"`
}

// selectSenders selects who has sent something from the account $1, by name.
const selectSenders = `
	WITH RECURSIVE next (kind, sender) AS (
		SELECT k, (SELECT created_by FROM listed WHERE account_id = $1 AND kind = k ORDER BY created_by LIMIT 1)
		FROM unnest(ARRAY['sms', 'shipment']) k
		UNION ALL
		SELECT kind, (SELECT created_by FROM listed WHERE account_id = $1 AND kind = next.kind AND created_by > next.sender ORDER BY created_by LIMIT 1)
		FROM next WHERE sender IS NOT NULL)
	SELECT DISTINCT u.id, u.name FROM next JOIN users u ON u.id = next.sender ORDER BY u.name, u.id`

// selectValues selects the distinct values of a column of shipments.
func selectValues(column string) string {
	return strings.ReplaceAll(`
		WITH RECURSIVE next (value) AS (
			SELECT (SELECT COLUMN FROM shipments WHERE account_id = $1 AND COLUMN <> '' ORDER BY COLUMN LIMIT 1)
			UNION ALL
			SELECT (SELECT COLUMN FROM shipments WHERE account_id = $1 AND COLUMN <> '' AND COLUMN > next.value ORDER BY COLUMN LIMIT 1)
			FROM next WHERE value IS NOT NULL)
		SELECT value FROM next WHERE value IS NOT NULL LIMIT 200`, "COLUMN", column)
}

// Choices returns the values that an account's lists can be filtered by. It reads each distinct value once by a
// loose index scan, however many items have it.
func (s Items) Choices(ctx context.Context, account dispatch.AccountID) (c Choices, err error) {
	err = s.Select(ctx, &c.Senders, selectSenders+` LIMIT 500`, account)
	if err != nil {
		return c, err
	}
	if err = s.Select(ctx, &c.BillingCodes, selectValues("billing_code"), account); err != nil {
		return c, err
	}
	if err = s.Select(ctx, &c.Types, selectValues("shipment_type"), account); err != nil {
		return c, err
	}
	c.Statuses, err = s.statusChoices(ctx, account)
	return c, err
}

// statusChoices returns the statuses that the account's items have, by kind.
func (s Items) statusChoices(ctx context.Context, account dispatch.AccountID) (map[dispatch.Kind][]dispatch.Status, error) {
	var rows []struct {
		Kind   dispatch.Kind   `db:"kind"`
		Status dispatch.Status `db:"status"`
	}
	err := s.Select(ctx, &rows, `
		WITH RECURSIVE next (kind, value) AS (
			SELECT k, (SELECT status FROM listed WHERE account_id = $1 AND kind = k AND status <> '' ORDER BY status LIMIT 1)
			FROM unnest(ARRAY['sms', 'shipment']) k
			UNION ALL
			SELECT kind, (SELECT status FROM listed WHERE account_id = $1 AND kind = next.kind AND status <> '' AND status > next.value ORDER BY status LIMIT 1)
			FROM next WHERE value IS NOT NULL)
		SELECT kind, value AS status FROM next WHERE value IS NOT NULL LIMIT 200`, account)
	of := map[dispatch.Kind][]dispatch.Status{}
	for _, r := range rows {
		of[r.Kind] = append(of[r.Kind], r.Status)
	}
	return of, err
}

// SavedFilter is a filter with a name; the query is the structured part of an address.
type SavedFilter struct {
	ID    string `db:"id"`
	Name  string `db:"name"`
	Query string `db:"query"`
}

// filtersMost limits a user's filters on an account.
const filtersMost = 20

// KeptFilter is the result of saving a filter.
type KeptFilter string

// The results.
const (
	FilterSaved    KeptFilter = "saved"
	FilterReplaced KeptFilter = "replaced" // one with that name
	FilterNoRoom   KeptFilter = "no_room"
)

// SaveFilter saves a filter under a name, in place of one that has it.
func (s Items) SaveFilter(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, name, query string) (kept KeptFilter, err error) {
	id, err := store.NewID()
	if err != nil {
		return "", err
	}
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		// Locked, so that two concurrent saves cannot both take the last place.
		if _, err := tx.ExecContext(ctx, store.LockUser, user); err != nil {
			return err
		}
		err := tx.GetContext(ctx, &kept, `
			INSERT INTO saved_filters (id, account_id, user_id, name, query)
			SELECT $1, $2, $3, $4, $5
			WHERE (SELECT count(*) FROM saved_filters WHERE account_id = $2 AND user_id = $3 AND lower(name) <> lower($4)) < $6
			ON CONFLICT (account_id, user_id, lower(name)) DO UPDATE SET name = excluded.name, query = excluded.query
			RETURNING CASE WHEN id = $1 THEN 'saved' ELSE 'replaced' END`,
			id, account, user, name, query, filtersMost)
		if errors.Is(err, sql.ErrNoRows) {
			kept = FilterNoRoom
			return nil
		}
		return err
	})
	return kept, err
}

// DeleteFilter deletes one of a user's filters.
func (s Items) DeleteFilter(ctx context.Context, account dispatch.AccountID, user dispatch.UserID, id string) error {
	if !store.ValidID(id) {
		return store.ErrNotFound
	}
	n, err := store.Affected(s.DB.ExecContext(ctx, `DELETE FROM saved_filters WHERE id = $1 AND account_id = $2 AND user_id = $3`, id, account, user))
	if err == nil && n == 0 {
		return store.ErrNotFound
	}
	return err
}
