package store

import (
	"context"
	"fmt"
	"time"

	"utsending/internal/dispatch"
)

// accountRow is an account as it stands in the table, with ” for NULL.
type accountRow struct {
	ID                  dispatch.AccountID     `db:"id"`
	Slug                string                 `db:"slug"`
	Name                string                 `db:"name"`
	SMSAccountID        string                 `db:"sms_account_id"`
	ShipmentAccountID   string                 `db:"shipment_account_id"`
	SMSIntegration      dispatch.IntegrationID `db:"sms_integration_id"`
	ShipmentIntegration dispatch.IntegrationID `db:"shipment_integration_id"`
	SenderName          string                 `db:"sender_name"`
	SourceSystem        string                 `db:"source_system"`
	UndoSeconds         int                    `db:"undo_seconds"`
}

func (r accountRow) domain() dispatch.Account {
	return dispatch.Account{
		ID: r.ID, Slug: r.Slug, Name: r.Name, SMSAccountID: r.SMSAccountID, ShipmentAccountID: r.ShipmentAccountID,
		SMSIntegration: r.SMSIntegration, ShipmentIntegration: r.ShipmentIntegration,
		SenderName: r.SenderName, SourceSystem: r.SourceSystem, UndoWindow: time.Duration(r.UndoSeconds) * time.Second,
	}
}

const selectAccounts = `
	SELECT id, slug, name, coalesce(sms_account_id::text, '') AS sms_account_id,
	       coalesce(shipment_account_id::text, '') AS shipment_account_id,
	       coalesce(sms_integration_id::text, '') AS sms_integration_id,
	       coalesce(shipment_integration_id::text, '') AS shipment_integration_id,
	       sender_name, source_system, undo_seconds
	FROM accounts`

// SaveAccount makes an account, or changes the one with the same short name, and returns its id.
func (s *Store) SaveAccount(ctx context.Context, a dispatch.Account) (dispatch.AccountID, error) {
	fresh, err := newID()
	if err != nil {
		return "", err
	}
	var id dispatch.AccountID
	err = s.db.GetContext(ctx, &id, `
		INSERT INTO accounts (id, slug, name, sms_account_id, shipment_account_id, sms_integration_id, shipment_integration_id,
		                      sender_name, source_system, undo_seconds)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT ON CONSTRAINT accounts_slug_key DO UPDATE SET
		    name = excluded.name, sms_account_id = excluded.sms_account_id, shipment_account_id = excluded.shipment_account_id,
		    sms_integration_id = excluded.sms_integration_id, shipment_integration_id = excluded.shipment_integration_id,
		    sender_name = excluded.sender_name, source_system = excluded.source_system, undo_seconds = excluded.undo_seconds
		RETURNING id`,
		fresh, a.Slug, a.Name, null(a.SMSAccountID), null(a.ShipmentAccountID), null(a.SMSIntegration), null(a.ShipmentIntegration),
		a.SenderName, a.SourceSystem, int(a.UndoWindow/time.Second))
	if err != nil {
		return "", fmt.Errorf("save account %s: %w", a.Slug, err)
	}
	return id, nil
}

// Accounts returns all accounts by name.
func (s *Store) Accounts(ctx context.Context) ([]dispatch.Account, error) {
	var rows []accountRow
	if err := s.list(ctx, &rows, selectAccounts+` ORDER BY name, id`); err != nil {
		return nil, err
	}
	accounts := make([]dispatch.Account, len(rows))
	for i, r := range rows {
		accounts[i] = r.domain()
	}
	return accounts, nil
}
