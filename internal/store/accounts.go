package store

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
)

// AccountRow is a row of accounts, with "" for NULL.
type AccountRow struct {
	ID                  dispatch.AccountID       `db:"id"`
	Slug                string                   `db:"slug"`
	Name                string                   `db:"name"`
	SMSAccountID        string                   `db:"sms_account_id"`
	ShipmentAccountID   string                   `db:"shipment_account_id"`
	SMSIntegration      dispatch.IntegrationID   `db:"sms_integration_id"`
	ShipmentIntegration dispatch.IntegrationID   `db:"shipment_integration_id"`
	SenderName          string                   `db:"sender_name"`
	SourceSystem        string                   `db:"source_system"`
	ShipmentKind        dispatch.IntegrationKind `db:"shipment_kind"`
	EncryptUntil        *time.Time               `db:"encrypt_until"`
	SMSEnvironment      dispatch.Environment     `db:"sms_environment"`
	ShipmentEnvironment dispatch.Environment     `db:"shipment_environment"`
	UndoSeconds         int                      `db:"undo_seconds"`
	OrganizationNumber  string                   `db:"organization_number"`
	BillingCode         string                   `db:"billing_code"`
	SingleSided         bool                     `db:"print_single_sided"`
	Color               bool                     `db:"print_color"`
	WatchWords          string                   `db:"watch_words"`
	DaytimeFrom         int                      `db:"daytime_from"`
	DaytimeTo           int                      `db:"daytime_to"`
	Workdays            bool                     `db:"workdays"`
	ReferencePattern    string                   `db:"reference_pattern"`
	ReferenceUnit       string                   `db:"reference_unit"`
	ReferenceFill       bool                     `db:"reference_fill"`
	SMSLimit            int                      `db:"sms_limit"`
	PriceSMS            *int                     `db:"price_sms"`
	PriceDigital        *int                     `db:"price_digital"`
	PricePrint          *int                     `db:"price_print"`
	PriceSheet          int                      `db:"price_sheet"`
	PriceColor          int                      `db:"price_color"`
	PriceGiro           int                      `db:"price_giro"`
	CoverSheet          bool                     `db:"price_cover_sheet"`
	Budget              int                      `db:"budget"`
	BudgetRule          dispatch.BudgetRule      `db:"budget_rule"`
	UnreadHours         int                      `db:"unread_hours"`
	HolidaysCount       bool                     `db:"holidays_count"`
	PrintRules          []byte                   `db:"print_rules"`
	Approval            ApprovalRule             `db:"approval_rule"`
	Defaults            shipmentDefaults         `db:"shipment_defaults"`
	DisabledAt          *time.Time               `db:"disabled_at"`
	Version             int                      `db:"version"`
}

// Domain converts the row.
func (r AccountRow) Domain() dispatch.Account {
	return dispatch.Account{
		ID: r.ID, Slug: r.Slug, Name: r.Name, SMSAccountID: r.SMSAccountID, ShipmentAccountID: r.ShipmentAccountID,
		SMSIntegration: r.SMSIntegration, ShipmentIntegration: r.ShipmentIntegration,
		SenderName: r.SenderName, SourceSystem: r.SourceSystem, UndoWindow: time.Duration(r.UndoSeconds) * time.Second,
		OrganizationNumber: dispatch.OrganizationNumber(r.OrganizationNumber), BillingCode: r.BillingCode,
		SingleSided: r.SingleSided, Color: r.Color, ShipmentKind: r.ShipmentKind, EncryptUntil: Deref(r.EncryptUntil), SMSEnvironment: r.SMSEnvironment, ShipmentEnvironment: r.ShipmentEnvironment,
		Test:       r.SMSEnvironment == dispatch.EnvironmentTest || r.ShipmentEnvironment == dispatch.EnvironmentTest,
		DisabledAt: Deref(r.DisabledAt), Version: r.Version,
		WatchWords: r.WatchWords, Daytime: dispatch.Daytime{From: r.DaytimeFrom, To: r.DaytimeTo, Workdays: r.Workdays}, SMSLimit: r.SMSLimit,
		Prices: dispatch.Prices{SMS: price(r.PriceSMS), Digital: price(r.PriceDigital), Print: price(r.PricePrint),
			Sheet: r.PriceSheet, Color: r.PriceColor, Giro: r.PriceGiro, CoverSheet: r.CoverSheet},
		Budget:      dispatch.Budget{Limit: r.Budget, Rule: r.BudgetRule},
		References:  dispatch.ReferenceRule{Pattern: r.ReferencePattern, Unit: r.ReferenceUnit, Fill: r.ReferenceFill},
		UnreadAfter: time.Duration(r.UnreadHours) * time.Hour, HolidaysCount: r.HolidaysCount,
		PrintRules: printRules(r.PrintRules),
		Approval:   dispatch.ApprovalRule(r.Approval),
		Reply:      r.Defaults.Reply.domain(), Archive: r.Defaults.Archive, Health: r.Defaults.Health,
	}
}

// price is a price of the table; NULL: none.
func price(ore *int) dispatch.Price {
	if ore == nil {
		return dispatch.Price{}
	}
	return dispatch.PriceOf(*ore)
}

// NullPrice is a price as it stands in the table.
func NullPrice(p dispatch.Price) *int {
	if !p.Known {
		return nil
	}
	return &p.Ore
}

// AccountColumns are the columns of an AccountRow, of the table a, which may be outer-joined.
const AccountColumns = `
	coalesce(a.id::text, '') AS id, coalesce(a.slug, '') AS slug, coalesce(a.name, '') AS name,
	coalesce(a.sms_account_id::text, '') AS sms_account_id, coalesce(a.shipment_account_id::text, '') AS shipment_account_id,
	coalesce(a.sms_integration_id::text, '') AS sms_integration_id, coalesce(a.shipment_integration_id::text, '') AS shipment_integration_id,
	coalesce(a.sender_name, '') AS sender_name, coalesce(a.source_system, '') AS source_system, coalesce(a.undo_seconds, 0) AS undo_seconds,
	coalesce(a.organization_number, '') AS organization_number, coalesce(a.billing_code, '') AS billing_code,
	coalesce(a.print_single_sided, false) AS print_single_sided, coalesce(a.print_color, false) AS print_color, a.disabled_at,
	coalesce(a.watch_words, '') AS watch_words, coalesce(a.daytime_from, 0) AS daytime_from, coalesce(a.daytime_to, 0) AS daytime_to,
	coalesce(a.workdays, false) AS workdays, coalesce(a.reference_pattern, '') AS reference_pattern,
	coalesce(a.reference_unit, '') AS reference_unit, coalesce(a.reference_fill, false) AS reference_fill,
	a.price_sms, a.price_digital, a.price_print, coalesce(a.price_sheet, 0) AS price_sheet, coalesce(a.price_color, 0) AS price_color,
	coalesce(a.price_giro, 0) AS price_giro, coalesce(a.price_cover_sheet, false) AS price_cover_sheet, coalesce(a.budget, 0) AS budget,
	coalesce(a.budget_rule, '') AS budget_rule,
	coalesce(a.unread_hours, 0) AS unread_hours, coalesce(a.holidays_count, false) AS holidays_count,
	coalesce(a.sms_limit, 0) AS sms_limit, coalesce(a.shipment_defaults, '{}') AS shipment_defaults, a.print_rules,
	coalesce(a.approval_rule, '{}') AS approval_rule,
	coalesce((SELECT kind FROM integrations i WHERE i.id = a.shipment_integration_id), '') AS shipment_kind,
	(SELECT certificate_expires_at FROM integrations i WHERE i.id = a.shipment_integration_id) AS encrypt_until,
	coalesce((SELECT environment FROM integrations i WHERE i.id = a.sms_integration_id), '') AS sms_environment,
	coalesce((SELECT environment FROM integrations i WHERE i.id = a.shipment_integration_id), '') AS shipment_environment, coalesce(a.version, 0) AS version`

// OperateAccount runs one change of an account's row with its line in the event log, as Operate does.
func (s *Store) OperateAccount(ctx context.Context, id dispatch.AccountID, by Actor, action string, details map[string]any, change func(tx *sqlx.Tx) (int64, error)) error {
	return s.InTx(ctx, func(tx *sqlx.Tx) error {
		n, err := change(tx)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrStale
		}
		return Record(ctx, tx, Audit{Actor: by.User, Account: id, Action: action, Object: string(id), Details: details, Origin: by.Origin})
	})
}

// printRules decodes the account's choices; what is not chosen is the default.
func printRules(stored []byte) *dispatch.PrintRules {
	if stored == nil {
		return nil
	}
	rules := dispatch.DefaultPrintRules()
	if err := json.Unmarshal(stored, &rules); err != nil {
		return nil // we wrote it, so this is not expected; the defaults are the safe choice
	}
	return &rules
}

// shipmentDefaults are an account's defaults for shipments, as stored.
type shipmentDefaults struct {
	Reply   storedAddress
	Archive dispatch.ArchiveDefaults
	Health  bool `json:",omitempty"`
}

// Value implements driver.Valuer.
func (d shipmentDefaults) Value() (driver.Value, error) {
	data, err := json.Marshal(d)
	return string(data), err
}

// Scan implements sql.Scanner.
func (d *shipmentDefaults) Scan(from any) error {
	data, ok := from.([]byte)
	if !ok {
		return fmt.Errorf("shipment defaults: cannot read %T", from)
	}
	return json.Unmarshal(data, d)
}

// DefaultsOf converts an account's defaults for storage.
func DefaultsOf(a dispatch.Account) shipmentDefaults {
	return shipmentDefaults{toStoredAddress(a.Reply), a.Archive, a.Health}
}

// ApprovalRule is when an account demands approval, as a column.
type ApprovalRule dispatch.ApprovalRule

// Value implements driver.Valuer.
func (r ApprovalRule) Value() (driver.Value, error) {
	data, err := json.Marshal(r)
	return string(data), err
}

// Scan implements sql.Scanner.
func (r *ApprovalRule) Scan(from any) error {
	data, ok := from.([]byte)
	if !ok {
		return fmt.Errorf("approval rule: cannot read %T", from)
	}
	return json.Unmarshal(data, r)
}
