package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

const selectAccounts = `SELECT ` + store.AccountColumns + ` FROM accounts a`

const insertAccount = `
	INSERT INTO accounts (id, slug, name, sms_account_id, shipment_account_id, sms_integration_id, shipment_integration_id, sender_name,
	                      source_system, undo_seconds, organization_number, billing_code, print_single_sided, print_color,
	                      watch_words, daytime_from, daytime_to, sms_limit, shipment_defaults, price_sms, price_digital, price_print, unread_hours,
	                      price_sheet, price_color, price_giro, price_cover_sheet, budget, budget_rule, approval_rule, workdays,
	                      reference_pattern, reference_unit, reference_fill, holidays_count)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35)`

func accountValues(id string, a dispatch.Account) []any {
	return []any{
		id, a.Slug, a.Name, store.Null(a.SMSAccountID), store.Null(a.ShipmentAccountID), store.Null(a.SMSIntegration), store.Null(a.ShipmentIntegration), a.SenderName,
		a.SourceSystem, int(a.UndoWindow / time.Second), string(a.OrganizationNumber), a.BillingCode, a.SingleSided, a.Color,
		a.WatchWords, a.Daytime.From, a.Daytime.To, a.SMSLimit, store.DefaultsOf(a),
		store.NullPrice(a.Prices.SMS), store.NullPrice(a.Prices.Digital), store.NullPrice(a.Prices.Print), int(a.UnreadAfter / time.Hour),
		a.Prices.Sheet, a.Prices.Color, a.Prices.Giro, a.Prices.CoverSheet, a.Budget.Limit, a.Budget.Rule, store.ApprovalRule(a.Approval), a.Daytime.Workdays,
		a.References.Pattern, a.References.Unit, a.References.Fill, a.HolidaysCount,
	}
}

// Save creates an account, or changes the one with the same short name, and returns its id.
func (s Accounts) Save(ctx context.Context, a dispatch.Account) (dispatch.AccountID, error) {
	fresh, err := store.NewID()
	if err != nil {
		return "", err
	}
	var id dispatch.AccountID
	err = s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := keepServiceIDs(ctx, tx, `slug = $1`, a.Slug, a); err != nil {
			return err
		}
		return tx.GetContext(ctx, &id, insertAccount+`
		ON CONFLICT ON CONSTRAINT accounts_slug_key DO UPDATE SET
		    name = excluded.name, sms_account_id = excluded.sms_account_id, shipment_account_id = excluded.shipment_account_id,
		    sms_integration_id = excluded.sms_integration_id, shipment_integration_id = excluded.shipment_integration_id,
		    sender_name = excluded.sender_name, source_system = excluded.source_system, undo_seconds = excluded.undo_seconds,
		    organization_number = excluded.organization_number, billing_code = excluded.billing_code,
		    print_single_sided = excluded.print_single_sided, print_color = excluded.print_color,
		    watch_words = excluded.watch_words, daytime_from = excluded.daytime_from, daytime_to = excluded.daytime_to,
		    sms_limit = excluded.sms_limit, shipment_defaults = excluded.shipment_defaults, price_sms = excluded.price_sms,
		    price_digital = excluded.price_digital, price_print = excluded.price_print, unread_hours = excluded.unread_hours,
		    price_sheet = excluded.price_sheet, price_color = excluded.price_color, price_giro = excluded.price_giro,
		    price_cover_sheet = excluded.price_cover_sheet, budget = excluded.budget, budget_rule = excluded.budget_rule,
		    approval_rule = excluded.approval_rule, workdays = excluded.workdays,
		    reference_pattern = excluded.reference_pattern, reference_unit = excluded.reference_unit, reference_fill = excluded.reference_fill,
		    holidays_count = excluded.holidays_count
		RETURNING id`, accountValues(fresh, a)...)
	})
	if err != nil {
		return "", fmt.Errorf("save account %s: %w", a.Slug, err)
	}
	return id, nil
}

// keepServiceIDs records an account's former ids at the services when it gets others: what was sent is known there
// only under those.
func keepServiceIDs(ctx context.Context, tx *sqlx.Tx, which string, key any, a dispatch.Account) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO former_service_ids (account_id, kind, service_id)
		SELECT was.id, f.kind, f.service_id
		FROM (SELECT id, sms_account_id, shipment_account_id FROM accounts WHERE `+which+` FOR NO KEY UPDATE) was
		CROSS JOIN LATERAL (VALUES ('sms', was.sms_account_id, $2::uuid), ('shipment', was.shipment_account_id, $3::uuid)) f (kind, service_id, now)
		WHERE f.service_id IS DISTINCT FROM f.now AND f.service_id IS NOT NULL`, key, store.Null(a.SMSAccountID), store.Null(a.ShipmentAccountID))
	return err
}

// Create creates an account. ErrTaken when another has its short name, ErrNameTaken when another has its name.
func (s Accounts) Create(ctx context.Context, a dispatch.Account, by store.Actor) error {
	id, err := store.NewID()
	if err != nil {
		return err
	}
	return store.Taken(s.InTx(ctx, func(tx *sqlx.Tx) error {
		if err := takeAccountName(ctx, tx, dispatch.AccountID(id), a.Name); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, insertAccount, accountValues(id, a)...); err != nil {
			return err
		}
		return store.Record(ctx, tx, store.Audit{Actor: by.User, Account: dispatch.AccountID(id), Action: "account_setup.create", Object: id, Origin: by.Origin})
	}), "accounts_slug_key")
}

// ErrNameTaken says that another account has the name.
var ErrNameTaken = errors.New("another account has the name")

// NameTaken tells whether another account than id has a name, ignoring case. It is false for the name that id has already.
func (s Accounts) NameTaken(ctx context.Context, id dispatch.AccountID, name string) (bool, error) {
	return accountNameTaken(ctx, s.DB, id, name)
}

func accountNameTaken(ctx context.Context, q sqlx.QueryerContext, id dispatch.AccountID, name string) (bool, error) {
	var all []struct {
		ID   dispatch.AccountID `db:"id"`
		Name string             `db:"name"`
	}
	if err := sqlx.SelectContext(ctx, q, &all, `SELECT id, name FROM accounts`); err != nil {
		return false, err
	}
	taken := false
	for _, a := range all {
		if a.ID == id && a.Name == name {
			return false, nil
		}
		taken = taken || a.ID != id && strings.EqualFold(a.Name, name)
	}
	return taken, nil
}

// takeAccountName gives an account a name, one transaction at a time. ErrNameTaken: another has it.
func takeAccountName(ctx context.Context, tx *sqlx.Tx, id dispatch.AccountID, name string) error {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtext('account_names'))`); err != nil {
		return err
	}
	taken, err := accountNameTaken(ctx, tx, id, name)
	if err == nil && taken {
		err = ErrNameTaken
	}
	return err
}

// Update changes an account, except its short name, which is in addresses, and its shipment integration, see
// Switch. The event log holds the given changes. ErrStale when another administrator was faster, ErrNameTaken when another
// account has its name.
func (s Accounts) Update(ctx context.Context, a dispatch.Account, by store.Actor, changed ...dispatch.SettingChange) error {
	return s.OperateAccount(ctx, a.ID, by, "account_setup.update", by.Details("values", changed), func(tx *sqlx.Tx) (int64, error) {
		if err := takeAccountName(ctx, tx, a.ID, a.Name); err != nil {
			return 0, err
		}
		if err := keepServiceIDs(ctx, tx, `id = $1`, a.ID, a); err != nil {
			return 0, err
		}
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE accounts SET name = $3, sms_account_id = $4, shipment_account_id = $5, sms_integration_id = $6, sender_name = $7,
			    source_system = $8, undo_seconds = $9, organization_number = $10, billing_code = $11, print_single_sided = $12, print_color = $13,
			    watch_words = $14, daytime_from = $15, daytime_to = $16, sms_limit = $17, shipment_defaults = $18,
			    price_sms = $19, price_digital = $20, price_print = $21, unread_hours = $22,
			    price_sheet = $23, price_color = $24, price_giro = $25, price_cover_sheet = $26, budget = $27, budget_rule = $28,
			    approval_rule = $29, workdays = $30,
			    reference_pattern = $31, reference_unit = $32, reference_fill = $33, holidays_count = $34, version = version + 1
			WHERE id = $1 AND version = $2`,
			a.ID, a.Version, a.Name, store.Null(a.SMSAccountID), store.Null(a.ShipmentAccountID), store.Null(a.SMSIntegration), a.SenderName, a.SourceSystem,
			int(a.UndoWindow/time.Second), string(a.OrganizationNumber), a.BillingCode, a.SingleSided, a.Color,
			a.WatchWords, a.Daytime.From, a.Daytime.To, a.SMSLimit, store.DefaultsOf(a),
			store.NullPrice(a.Prices.SMS), store.NullPrice(a.Prices.Digital), store.NullPrice(a.Prices.Print), int(a.UnreadAfter/time.Hour),
			a.Prices.Sheet, a.Prices.Color, a.Prices.Giro, a.Prices.CoverSheet, a.Budget.Limit, a.Budget.Rule, store.ApprovalRule(a.Approval), a.Daytime.Workdays,
			a.References.Pattern, a.References.Unit, a.References.Fill, a.HolidaysCount))
	})
}

// Switch moves an account's shipments to another integration, or none, from now on. Shipments pinned to the
// old one stay there, and so do those that the new one does not take as they are; the others never attempted go to the new
// one. ErrStale when another administrator was faster.
func (s Accounts) Switch(ctx context.Context, a dispatch.Account, to dispatch.IntegrationID, by store.Actor) error {
	details := map[string]any{"from": a.ShipmentIntegration, "to": to}
	return s.OperateAccount(ctx, a.ID, by, "account_setup.switch_shipments", details, func(tx *sqlx.Tx) (int64, error) {
		n, err := store.Affected(tx.ExecContext(ctx, `
			UPDATE accounts SET shipment_integration_id = $3, version = version + 1 WHERE id = $1 AND version = $2`, a.ID, a.Version, store.Null(to)))
		if err == nil && n > 0 && to != "" {
			err = s.keepUnfit(ctx, tx, a, to)
		}
		return n, err
	})
}

// SetDisabled disables sending from an account, or enables it again; queued items wait.
func (s Accounts) SetDisabled(ctx context.Context, a dispatch.Account, disabled bool, by store.Actor) error {
	action := "account_setup.enable"
	if disabled {
		action = "account_setup.disable"
	}
	return s.OperateAccount(ctx, a.ID, by, action, by.Details(), func(tx *sqlx.Tx) (int64, error) {
		return store.Affected(tx.ExecContext(ctx, `
			UPDATE accounts SET disabled_at = CASE WHEN $3 THEN now() END, version = version + 1 WHERE id = $1 AND version = $2`, a.ID, a.Version, disabled))
	})
}

// SwitchEffect tells what a switch means for shipments that are queued or uncertain.
type SwitchEffect struct {
	Pinned    int `db:"pinned"`    // queued and pinned: they stay
	Free      int `db:"free"`      // queued and never attempted: they move
	Uncertain int `db:"uncertain"` // looked up where they were sent
}

// SwitchEffect counts an account's queued and uncertain shipments.
func (s Accounts) SwitchEffect(ctx context.Context, account dispatch.AccountID) (SwitchEffect, error) {
	var e SwitchEffect
	err := s.Get(ctx, &e, `
		SELECT count(*) FILTER (WHERE it.state IN ('queued', 'sending') AND it.pinned_integration_id IS NOT NULL) AS pinned,
		       count(*) FILTER (WHERE it.state = 'queued' AND it.pinned_integration_id IS NULL) AS free,
		       count(*) FILTER (WHERE it.state = 'uncertain') AS uncertain
		FROM listed l JOIN items it ON it.id = l.item_id
		WHERE l.account_id = $1 AND l.kind = 'shipment' AND l.list_group IN ('working', 'uncertain')`, account)
	return e, err
}

// QueuedOn counts what waits to be sent from an account, up to 10 000.
func (s Accounts) QueuedOn(ctx context.Context, account dispatch.AccountID) (n int, err error) {
	err = s.Get(ctx, &n, `
		SELECT count(*) FROM (
			SELECT FROM listed l JOIN items it ON it.id = l.item_id
			WHERE l.account_id = $1 AND l.list_group = 'working' AND it.state = 'queued' LIMIT 10000) q`, account)
	return n, err
}

// ByID returns an account.
func (s Accounts) ByID(ctx context.Context, id dispatch.AccountID) (dispatch.Account, error) {
	var r store.AccountRow
	err := s.Get(ctx, &r, selectAccounts+` WHERE a.id = $1`, id)
	return r.Domain(), store.NotFound(err)
}

// List returns all accounts by name.
func (s Accounts) List(ctx context.Context) ([]dispatch.Account, error) {
	var rows []store.AccountRow
	if err := s.Select(ctx, &rows, selectAccounts+` ORDER BY a.name, a.id`); err != nil {
		return nil, err
	}
	accounts := make([]dispatch.Account, len(rows))
	for i, r := range rows {
		accounts[i] = r.Domain()
	}
	return accounts, nil
}
