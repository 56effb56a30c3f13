package store

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// AccountRow is an account as it stands in the table, with ” for NULL.
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
	Test                bool                     `db:"test"`
	UndoSeconds         int                      `db:"undo_seconds"`
	OrganizationNumber  string                   `db:"organization_number"`
	BillingCode         string                   `db:"billing_code"`
	SingleSided         bool                     `db:"print_single_sided"`
	Color               bool                     `db:"print_color"`
	WatchWords          string                   `db:"watch_words"`
	DaytimeFrom         int                      `db:"daytime_from"`
	DaytimeTo           int                      `db:"daytime_to"`
	SMSLimit            int                      `db:"sms_limit"`
	PriceSMS            int                      `db:"price_sms"`
	PriceDigital        int                      `db:"price_digital"`
	PricePrint          int                      `db:"price_print"`
	UnreadHours         int                      `db:"unread_hours"`
	PrintRules          []byte                   `db:"print_rules"`
	Defaults            shipmentDefaults         `db:"shipment_defaults"`
	DisabledAt          *time.Time               `db:"disabled_at"`
	Version             int                      `db:"version"`
}

// Domain is the account of a row.
func (r AccountRow) Domain() dispatch.Account {
	return dispatch.Account{
		ID: r.ID, Slug: r.Slug, Name: r.Name, SMSAccountID: r.SMSAccountID, ShipmentAccountID: r.ShipmentAccountID,
		SMSIntegration: r.SMSIntegration, ShipmentIntegration: r.ShipmentIntegration,
		SenderName: r.SenderName, SourceSystem: r.SourceSystem, UndoWindow: time.Duration(r.UndoSeconds) * time.Second,
		OrganizationNumber: dispatch.OrganizationNumber(r.OrganizationNumber), BillingCode: r.BillingCode,
		SingleSided: r.SingleSided, Color: r.Color, ShipmentKind: r.ShipmentKind, EncryptUntil: Deref(r.EncryptUntil), Test: r.Test, DisabledAt: Deref(r.DisabledAt), Version: r.Version,
		WatchWords: r.WatchWords, Daytime: dispatch.Daytime{From: r.DaytimeFrom, To: r.DaytimeTo}, SMSLimit: r.SMSLimit,
		Prices:      dispatch.Prices{SMS: r.PriceSMS, Digital: r.PriceDigital, Print: r.PricePrint},
		UnreadAfter: time.Duration(r.UnreadHours) * time.Hour,
		PrintRules:  printRules(r.PrintRules),
		Reply:       r.Defaults.Reply.domain(), Archive: r.Defaults.Archive,
	}
}

// AccountColumns are an account's columns of the table a; there may be no row of it.
const AccountColumns = `
	coalesce(a.id::text, '') AS id, coalesce(a.slug, '') AS slug, coalesce(a.name, '') AS name,
	coalesce(a.sms_account_id::text, '') AS sms_account_id, coalesce(a.shipment_account_id::text, '') AS shipment_account_id,
	coalesce(a.sms_integration_id::text, '') AS sms_integration_id, coalesce(a.shipment_integration_id::text, '') AS shipment_integration_id,
	coalesce(a.sender_name, '') AS sender_name, coalesce(a.source_system, '') AS source_system, coalesce(a.undo_seconds, 0) AS undo_seconds,
	coalesce(a.organization_number, '') AS organization_number, coalesce(a.billing_code, '') AS billing_code,
	coalesce(a.print_single_sided, false) AS print_single_sided, coalesce(a.print_color, false) AS print_color, a.disabled_at,
	coalesce(a.watch_words, '') AS watch_words, coalesce(a.daytime_from, 0) AS daytime_from, coalesce(a.daytime_to, 0) AS daytime_to,
	coalesce(a.price_sms, 0) AS price_sms, coalesce(a.price_digital, 0) AS price_digital, coalesce(a.price_print, 0) AS price_print,
	coalesce(a.unread_hours, 0) AS unread_hours,
	coalesce(a.sms_limit, 0) AS sms_limit, coalesce(a.shipment_defaults, '{}') AS shipment_defaults, a.print_rules,
	coalesce((SELECT kind FROM integrations i WHERE i.id = a.shipment_integration_id), '') AS shipment_kind,
	(SELECT certificate_expires_at FROM integrations i WHERE i.id = a.shipment_integration_id) AS encrypt_until,
	EXISTS (SELECT FROM integrations i WHERE i.id IN (a.sms_integration_id, a.shipment_integration_id) AND i.environment = 'test') AS test, coalesce(a.version, 0) AS version`

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

// AuditLine is one line of the event log as it is read.
type AuditLine struct {
	ID          int64
	At          time.Time
	Actor       dispatch.UserID
	ActorName   string // as it was then; empty: the program itself, or an operator at a terminal
	Account     dispatch.AccountID
	AccountName string
	AccountSlug string
	Action      string
	Object      string
	Kind        dispatch.Kind // of the item that the object is, if it is one
	Details     map[string]any
	Origin      string
}

// AuditRow is a line of the log as it stands in the tables.
type AuditRow struct {
	ID          int64              `db:"id"`
	At          time.Time          `db:"at"`
	Actor       dispatch.UserID    `db:"actor_id"`
	ActorName   string             `db:"actor_name"`
	Account     dispatch.AccountID `db:"account_id"`
	AccountName string             `db:"account_name"`
	AccountSlug string             `db:"account_slug"`
	Action      string             `db:"action"`
	Object      string             `db:"object_id"`
	Kind        dispatch.Kind      `db:"kind"`
	Details     []byte             `db:"details"`
	Origin      string             `db:"origin"`
}

// Line is the line of a row, with its details read.
func (r AuditRow) Line() (AuditLine, error) {
	l := AuditLine{ID: r.ID, At: r.At, Actor: r.Actor, ActorName: r.ActorName, Account: r.Account, AccountName: r.AccountName, AccountSlug: r.AccountSlug,
		Action: r.Action, Object: r.Object, Kind: r.Kind, Origin: r.Origin}
	if err := json.Unmarshal(r.Details, &l.Details); err != nil {
		return l, fmt.Errorf("details of line %d: %w", r.ID, err)
	}
	return l, nil
}

// SelectAudit reads lines of the event log with the names of who acted; conditions follow.
const SelectAudit = `
	SELECT e.id, e.at, coalesce(e.actor_id::text, '') AS actor_id, coalesce(nullif(e.actor_name, ''), u.name, '') AS actor_name,
	       coalesce(e.account_id::text, '') AS account_id, coalesce(nullif(e.account_name, ''), a.name, '') AS account_name, coalesce(a.slug, '') AS account_slug,
	       e.action, coalesce(e.object_id::text, '') AS object_id, coalesce(it.kind, '') AS kind, e.details, e.origin
	FROM audit_events e
	LEFT JOIN users u ON u.id = e.actor_id
	LEFT JOIN accounts a ON a.id = e.account_id
	LEFT JOIN items it ON it.id = e.object_id AND it.account_id = e.account_id`

// DocumentRow is a document as it stands in the table.
type DocumentRow struct {
	ID        dispatch.DocumentID      `db:"id"`
	Position  int                      `db:"position"`
	FileName  string                   `db:"file_name"`
	Renamed   string                   `db:"renamed_from"`
	MimeType  string                   `db:"mime_type"`
	Size      int64                    `db:"size"`
	SHA256    string                   `db:"sha256"`
	Pages     int                      `db:"pages"`
	Found     dispatch.DocumentProblem `db:"found"`
	GiroPages pq.Int64Array            `db:"giro_pages"`
	Exclude   bool                     `db:"exclude_from_print"`
	Sensitive bool                     `db:"sensitive"`
	Type      string                   `db:"document_type"`
	Reading   []byte                   `db:"reading"`
	Part      int                      `db:"part"`
}

func (r DocumentRow) domain() dispatch.Document {
	d := dispatch.Document{ID: r.ID, FileName: r.FileName, Renamed: r.Renamed, MimeType: r.MimeType, Size: r.Size, SHA256: r.SHA256, Pages: r.Pages,
		Found: r.Found, ExcludeFromPrint: r.Exclude, Sensitive: r.Sensitive, Type: r.Type, Part: r.Part}
	for _, page := range r.GiroPages {
		d.GiroPages = append(d.GiroPages, int(page))
	}
	return d
}

// DocumentColumns are the columns of a DocumentRow.
const DocumentColumns = `d.id, d.position, normalize(d.file_name, NFC) AS file_name, d.mime_type, d.size, d.sha256, d.pages, d.found, d.giro_pages, d.exclude_from_print, d.sensitive, d.document_type,
	d.reading, d.part, d.renamed_from`

// Documents returns the files of a shipment in their order: its own, and those that all letters of its job share.
func (s *Store) Documents(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) ([]dispatch.Document, error) {
	var rows []DocumentRow
	err := s.SelectForList(ctx, &rows, `
		SELECT `+DocumentColumns+` FROM documents d
		WHERE d.item_id = $1 AND d.account_id = $2 AND d.complete
		UNION ALL
		SELECT `+DocumentColumns+` FROM documents d
		WHERE d.job_id = (SELECT job_id FROM items WHERE id = $1 AND account_id = $2) AND d.account_id = $2 AND d.part = 0 AND d.complete
		ORDER BY position, id`, id, account)
	return s.OpenDocuments(rows, err)
}

// OpenDocuments opens what is sealed of documents that were read; an error is passed on.
func (s *Store) OpenDocuments(rows []DocumentRow, err error) ([]dispatch.Document, error) {
	documents := make([]dispatch.Document, len(rows))
	for i, r := range rows {
		documents[i] = r.domain()
		if err == nil {
			documents[i].Reading, err = s.openReading(r)
		}
	}
	return documents, err
}

// ReadingPlace is where the reading of a document is sealed for.
func ReadingPlace(id dispatch.DocumentID) string { return "document/" + string(id) + "/reading" }

// openReading opens what the check read: words out of letters stand in it.
func (s *Store) openReading(r DocumentRow) (*dispatch.FileReading, error) {
	if r.Reading == nil {
		return nil, nil
	}
	plain, err := s.Keys.Open(r.Reading, ReadingPlace(r.ID))
	if err != nil {
		return nil, err
	}
	reading := &dispatch.FileReading{}
	if err := json.Unmarshal(plain, reading); err != nil {
		return nil, fmt.Errorf("reading of a document: %w", err)
	}
	return reading, nil
}

// ItemRow is an item as it stands in the table, joined with what holds it back.
type ItemRow struct {
	ID               dispatch.ItemID    `db:"id"`
	AccountID        dispatch.AccountID `db:"account_id"`
	Kind             dispatch.Kind      `db:"kind"`
	State            dispatch.State     `db:"state"`
	CreatedAt        time.Time          `db:"created_at"`
	CreatedBy        dispatch.UserID    `db:"created_by"`
	Creator          string             `db:"creator"`
	Restored         bool               `db:"restored"`
	DueAt            *time.Time         `db:"due_at"`
	DueSince         *time.Time         `db:"due_since"`
	Hold             dispatch.Hold      `db:"hold"`
	ReasonKey        string             `db:"reason_key"`
	ReasonStatus     int                `db:"reason_status"`
	ReasonErrorID    string             `db:"reason_error_id"`
	ReasonAt         *time.Time         `db:"reason_at"`
	RecoverAt        *time.Time         `db:"recover_at"`
	UpstreamID       string             `db:"upstream_id"`
	AcceptedAt       *time.Time         `db:"accepted_at"`
	Status           dispatch.Status    `db:"status"`
	StatusAt         *time.Time         `db:"status_at"`
	CheckedAt        *time.Time         `db:"checked_at"`
	NextCheckAt      *time.Time         `db:"next_check_at"`
	CheckErrorKey    string             `db:"check_error_key"`
	CheckErrorStatus int                `db:"check_error_status"`
	CheckErrorID     string             `db:"check_error_id"`
	CheckErrorAt     *time.Time         `db:"check_error_at"`
	MissingReads     int                `db:"missing_reads"`
	JobID            dispatch.JobID     `db:"job_id"`
	MayBeThere       bool               `db:"may_be_there"`
}

// Domain is the item of a row.
func (r ItemRow) Domain() dispatch.Item {
	return dispatch.Item{
		ID: r.ID, AccountID: r.AccountID, Kind: r.Kind, State: r.State, CreatedAt: r.CreatedAt, CreatedBy: r.CreatedBy,
		Creator: r.Creator, Restored: r.Restored, DueAt: Deref(r.DueAt), DueSince: Deref(r.DueSince), Hold: r.Hold,
		Reason:    dispatch.Reason{Key: r.ReasonKey, HTTPStatus: r.ReasonStatus, ErrorID: r.ReasonErrorID, At: Deref(r.ReasonAt)},
		RecoverAt: Deref(r.RecoverAt), UpstreamID: r.UpstreamID, AcceptedAt: Deref(r.AcceptedAt), Status: r.Status, StatusAt: Deref(r.StatusAt),
		CheckedAt: Deref(r.CheckedAt), NextCheck: Deref(r.NextCheckAt),
		CheckError: dispatch.Reason{Key: r.CheckErrorKey, HTTPStatus: r.CheckErrorStatus, ErrorID: r.CheckErrorID, At: Deref(r.CheckErrorAt)},
		Missing:    r.MissingReads, JobID: r.JobID, MayBeThere: r.MayBeThere,
	}
}

// ItemColumns and ItemJoins read an ItemRow; the items table is named it.
const (
	ItemColumns = `
	it.id, it.account_id, it.kind, it.state, it.created_at, it.created_by, u.name AS creator, it.restored_at IS NOT NULL AS restored,
	it.due_at, it.due_since, it.recover_at, it.reason_key, it.reason_status, it.reason_error_id, it.reason_at,
	coalesce(it.upstream_id::text, '') AS upstream_id, it.accepted_at, it.status, it.status_at, it.checked_at, it.next_check_at,
	it.check_error_key, it.check_error_status, it.check_error_id, it.check_error_at, it.missing_reads,
	coalesce(it.job_id::text, '') AS job_id,
	it.state IN ('failed', 'cancelled') AND EXISTS (SELECT FROM attempts p WHERE p.item_id = it.id AND ` + doubted + ` AND p.http_status = 503) AS may_be_there,
	` + heldBack + ` AS hold`
	ItemJoins = `
	JOIN users u ON u.id = it.created_by
	` + heldBackJoins
)

// heldBack is what keeps an item from being sent now, the widest first (dispatch.Hold); the items table is named it, and
// heldBackJoins bring what stands in the way: of its job, and of where it would go.
const (
	heldBack = `CASE WHEN it.state <> 'queued' THEN ''
	     WHEN g.paused_at IS NOT NULL THEN 'paused'
	     WHEN j.state = 'paused' THEN 'job'
	     WHEN a.disabled_at IS NOT NULL THEN 'disabled'
	     WHEN i.id IS NULL THEN 'missing'
	     WHEN i.stopped_at IS NOT NULL THEN 'stopped'
	     WHEN i.refused_at IS NOT NULL THEN 'refused'
	     WHEN r.refused_at IS NOT NULL THEN 'account'
	     ELSE '' END`
	heldBackJoins = `
	JOIN accounts a ON a.id = it.account_id
	LEFT JOIN integrations i ON i.id = coalesce(it.pinned_integration_id,
	    CASE it.kind WHEN 'sms' THEN CASE WHEN a.sms_account_id IS NOT NULL THEN a.sms_integration_id END ELSE a.shipment_integration_id END)
	LEFT JOIN account_refusals r ON r.account_id = a.id AND r.integration_id = i.id
	LEFT JOIN delivery_guard g ON g.single
	LEFT JOIN jobs j ON j.id = it.job_id`
)

// Hold returns what would keep a new item of a kind, of no job, from being sent from an account now.
func (s *Store) Hold(ctx context.Context, account dispatch.AccountID, kind dispatch.Kind) (dispatch.Hold, error) {
	var hold dispatch.Hold
	err := s.Get(ctx, &hold, `
		SELECT `+heldBack+`
		FROM (SELECT $1::uuid AS account_id, $2::text AS kind, 'queued' AS state, NULL::uuid AS pinned_integration_id, NULL::uuid AS job_id) it`+
		heldBackJoins, account, kind)
	return hold, NotFound(err)
}

// HeldItems returns what keeps items of an account from being sent; items that are not held back are missing.
func (s *Store) HeldItems(ctx context.Context, account dispatch.AccountID, ids []string) (map[dispatch.ItemID]dispatch.Hold, error) {
	var rows []struct {
		ID   dispatch.ItemID `db:"id"`
		Hold dispatch.Hold   `db:"hold"`
	}
	err := s.SelectForList(ctx, &rows, `
		SELECT it.id, `+heldBack+` AS hold FROM items it`+heldBackJoins+`
		WHERE it.account_id = $1 AND it.id = ANY($2)`, account, pq.Array(ids))
	held := map[dispatch.ItemID]dispatch.Hold{}
	for _, row := range rows {
		held[row.ID] = row.Hold
	}
	return held, err
}

// Event is one line to write to an item's timeline.
type Event struct {
	Item    dispatch.ItemID
	Account dispatch.AccountID
	Kind    dispatch.EventKind
	Actor   dispatch.UserID
	Detail  string
	Reason  dispatch.Reason
}

// AddEvent writes an event to an item's timeline.
func AddEvent(ctx context.Context, tx sqlx.ExtContext, e Event) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO events (item_id, account_id, kind, actor_id, detail, reason_key, reason_status, error_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		e.Item, e.Account, e.Kind, Null(e.Actor), e.Detail, e.Reason.Key, e.Reason.HTTPStatus, e.Reason.ErrorID)
	return err
}

// Events returns the timeline of an item, newest first.
func (s *Store) Events(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) ([]dispatch.Event, error) {
	var rows []struct {
		At           time.Time          `db:"at"`
		Kind         dispatch.EventKind `db:"kind"`
		Actor        string             `db:"actor"`
		Detail       string             `db:"detail"`
		ReasonKey    string             `db:"reason_key"`
		ReasonStatus int                `db:"reason_status"`
		ErrorID      string             `db:"error_id"`
	}
	err := s.SelectForList(ctx, &rows, `
		SELECT CASE WHEN e.kind = 'handed_over' THEN coalesce((SELECT t.name FROM users t WHERE t.id::text = e.detail), '') ELSE e.detail END AS detail,
		       e.at, e.kind, coalesce(u.name, '') AS actor, e.reason_key, e.reason_status, e.error_id
		FROM events e
		LEFT JOIN users u ON u.id = e.actor_id
		WHERE e.item_id = $1 AND e.account_id = $2
		ORDER BY e.id DESC
		LIMIT 200`, id, account)
	if err != nil {
		return nil, err
	}
	events := make([]dispatch.Event, len(rows))
	for i, r := range rows {
		events[i] = dispatch.Event{At: r.At, Kind: r.Kind, Actor: r.Actor, Detail: r.Detail,
			Reason: dispatch.Reason{Key: r.ReasonKey, HTTPStatus: r.ReasonStatus, ErrorID: r.ErrorID, At: r.At}}
	}
	return events, nil
}

// JobPlace is where the text of a job is sealed for.
func JobPlace(id dispatch.JobID) string { return "job/" + string(id) + "/content" }

// GroupClause chooses the items of a group, as dispatch.JobGroupOf does; the items table is named it. Empty for no group.
func GroupClause(kind dispatch.Kind, g dispatch.JobGroup) string {
	if clause, ok := stateClauses[g]; ok {
		return clause
	}
	switch {
	case g == "":
		return ""
	case g == dispatch.JobUntracked && kind == dispatch.KindShipment:
		return `false`
	case g == dispatch.JobUntracked:
		return `it.state = 'accepted' AND it.upstream_id IS NULL`
	case kind == dispatch.KindShipment:
		return `it.state = 'accepted' AND ` + statusClause(kind, g)
	}
	return `it.state = 'accepted' AND it.upstream_id IS NOT NULL AND ` + statusClause(kind, g)
}

// statusClause chooses the accepted items of a group: one without a status has just been handed over, one with a status
// that is not known is on its way.
func statusClause(kind dispatch.Kind, g dispatch.JobGroup) string {
	known := `ARRAY(SELECT s.status FROM statuses s WHERE s.kind = '` + string(kind) + `' AND s.job_group `
	switch g {
	case dispatch.JobHandedOver:
		return `(it.status = '' OR it.status = ANY(` + known + `= '` + string(g) + `')))`
	case dispatch.JobOnItsWay:
		return `it.status <> '' AND it.status <> ALL(` + known + `<> '` + string(g) + `'))`
	}
	return `it.status = ANY(` + known + `= '` + string(g) + `'))`
}

// stateClauses are the groups that depend on our state only.
var stateClauses = map[dispatch.JobGroup]string{
	dispatch.JobWaiting:   `it.state IN ('draft', 'queued')`,
	dispatch.JobSending:   `it.state = 'sending'`,
	dispatch.JobNotSent:   `it.state IN ('rejected', 'failed')`,
	dispatch.JobUncertain: `it.state = 'uncertain'`,
	dispatch.JobCancelled: `it.state = 'cancelled'`,
}

// printRules reads what an account has chosen; what it has not is as for all.
func printRules(stored []byte) *dispatch.PrintRules {
	if stored == nil {
		return nil
	}
	rules := dispatch.DefaultPrintRules()
	if err := json.Unmarshal(stored, &rules); err != nil {
		return nil // written by us, so it is not to be expected; the ordinary rules are the safe ones
	}
	return &rules
}

// storedShipment is the plain form of the sealed column. Numbers are strings in it, because the domain's types refuse
// to be marshalled; files are rows of their own.
type storedShipment struct {
	Recipient         storedAddress
	SourceSystem      string
	Title             string
	BillingCode       string
	DigitalOnly       bool
	Encrypted         bool
	Print             dispatch.PrintOptions
	RequireLevel4     bool
	Case              *dispatch.CaseMetadata   `json:",omitempty"`
	Import            *dispatch.ImportMetadata `json:",omitempty"`
	ReplyTo           *storedAddress           `json:",omitempty"`
	InReplyTo         string                   `json:",omitempty"`
	Links             []dispatch.Link          `json:",omitempty"`
	Type              string                   `json:",omitempty"`
	ExternalReference string                   `json:",omitempty"`
	CorrelationID     string                   `json:",omitempty"`
	SourceActor       string                   `json:",omitempty"`
	ReplyLink         bool
	SignBy            time.Time
	SignatureType     dispatch.SignatureType `json:",omitempty"`
	SignDocument      dispatch.DocumentID    `json:",omitempty"`
	SharedWith        []storedNumber         `json:",omitempty"`
	Confidential      bool
	Extra             map[dispatch.DocumentID][]dispatch.Entry `json:",omitempty"` // of the files: people write what they like in it
}

type storedNumber struct {
	NationalID         string `json:",omitempty"`
	OrganizationNumber string `json:",omitempty"`
}

type storedAddress struct {
	Postal  StoredPostal
	Digital storedNumber
}

// StoredPostal has the same fields as the domain's address, which prints as redacted.
type StoredPostal dispatch.PostalAddress

func toStoredNumber(d dispatch.DigitalAddress) storedNumber {
	return storedNumber{d.NationalID.Reveal(), string(d.OrganizationNumber)}
}

func (n storedNumber) domain() dispatch.DigitalAddress {
	return dispatch.DigitalAddress{NationalID: dispatch.NationalID(n.NationalID), OrganizationNumber: dispatch.OrganizationNumber(n.OrganizationNumber)}
}

func toStoredAddress(a dispatch.Address) storedAddress {
	return storedAddress{StoredPostal(a.Postal), toStoredNumber(a.Digital)}
}

func (a storedAddress) domain() dispatch.Address {
	return dispatch.Address{Postal: dispatch.PostalAddress(a.Postal), Digital: a.Digital.domain()}
}

// MarshalShipment writes the content of a shipment without its files.
func MarshalShipment(s dispatch.Shipment) ([]byte, error) {
	st := storedShipment{
		Recipient: toStoredAddress(s.Recipient), SourceSystem: s.SourceSystem, Title: s.Title, BillingCode: s.BillingCode,
		DigitalOnly: s.DigitalOnly, Encrypted: s.Encrypted, Print: s.Print, RequireLevel4: s.RequireLevel4, Case: s.Case, Import: s.Import,
		InReplyTo: s.InReplyTo, Links: s.Links, Type: s.Type, ExternalReference: s.ExternalReference, ReplyLink: s.ReplyLink,
		SignBy: s.SignBy, SignatureType: s.SignatureType, Confidential: s.Confidential,
		CorrelationID: s.CorrelationID, SourceActor: s.SourceActor,
	}
	if s.ReplyTo != nil {
		a := toStoredAddress(*s.ReplyTo)
		st.ReplyTo = &a
	}
	for _, d := range s.SharedWith {
		st.SharedWith = append(st.SharedWith, toStoredNumber(d))
	}
	for _, d := range s.Documents {
		if d.Sign {
			st.SignDocument = d.ID
		}
		if len(d.Extra) > 0 {
			if st.Extra == nil {
				st.Extra = map[dispatch.DocumentID][]dispatch.Entry{}
			}
			st.Extra[d.ID] = d.Extra
		}
	}
	return json.Marshal(st)
}

// UnmarshalShipment reads the content of a shipment and puts its files in.
func UnmarshalShipment(plain []byte, documents []dispatch.Document) (dispatch.Shipment, error) {
	var st storedShipment
	if err := json.Unmarshal(plain, &st); err != nil {
		return dispatch.Shipment{}, fmt.Errorf("shipment content: %w", err)
	}
	s := dispatch.Shipment{
		Recipient: st.Recipient.domain(), SourceSystem: st.SourceSystem, Title: st.Title, BillingCode: st.BillingCode,
		DigitalOnly: st.DigitalOnly, Encrypted: st.Encrypted, Print: st.Print, RequireLevel4: st.RequireLevel4, Case: st.Case, Import: st.Import,
		InReplyTo: st.InReplyTo, Links: st.Links, Type: st.Type, ExternalReference: st.ExternalReference, ReplyLink: st.ReplyLink,
		SignBy: st.SignBy, SignatureType: st.SignatureType, Confidential: st.Confidential, Documents: documents,
		CorrelationID: st.CorrelationID, SourceActor: st.SourceActor,
	}
	if st.ReplyTo != nil {
		a := st.ReplyTo.domain()
		s.ReplyTo = &a
	}
	for _, n := range st.SharedWith {
		s.SharedWith = append(s.SharedWith, n.domain())
	}
	for i := range s.Documents {
		s.Documents[i].Sign = s.Documents[i].ID == st.SignDocument
		s.Documents[i].Extra = st.Extra[s.Documents[i].ID]
	}
	return s, nil
}

// shipmentDefaults is what an account fills in in its shipments, as it stands in the table.
type shipmentDefaults struct {
	Reply   storedAddress
	Archive dispatch.ArchiveDefaults
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

// DefaultsOf is how an account's defaults for shipments are stored.
func DefaultsOf(a dispatch.Account) shipmentDefaults {
	return shipmentDefaults{toStoredAddress(a.Reply), a.Archive}
}

// OpenShipment reads the sealed content of a shipment and its files.
func (s *Store) OpenShipment(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, sealed []byte) (dispatch.Shipment, error) {
	documents, err := s.Documents(ctx, account, id)
	if err != nil {
		return dispatch.Shipment{}, err
	}
	plain, err := s.Keys.Open(sealed, ContentPlace(id))
	if err != nil {
		return dispatch.Shipment{}, err
	}
	return UnmarshalShipment(plain, documents)
}

// ReportPlace is where what the service told of a shipment is sealed for.
func ReportPlace(id dispatch.ItemID, source dispatch.Source) string {
	return "shipment/" + string(id) + "/" + string(source)
}

// SMSRow is an SMS as it stands in its two tables.
type SMSRow struct {
	ItemRow
	ByPhone      bool              `db:"by_phone"`
	Recipient    []byte            `db:"recipient"`
	Text         []byte            `db:"text"`
	HideInReport bool              `db:"hide_in_report"`
	Encoding     dispatch.Encoding `db:"encoding"`
	Parts        int               `db:"parts"`
	SendAt       *time.Time        `db:"send_at"`
	Urgent       bool              `db:"urgent"`
	Revision     string            `db:"revision"`
	TemplateUseRow
}

// RecipientPlace is where the recipient of an SMS is sealed for.
func RecipientPlace(id dispatch.ItemID) string { return "sms/" + string(id) + "/recipient" }

// TextPlace is where the text of an SMS is sealed for.
func TextPlace(id dispatch.ItemID) string { return "sms/" + string(id) + "/text" }

// OpenSMS opens what is sealed of an SMS.
func (s *Store) OpenSMS(r SMSRow) (dispatch.SMSItem, error) {
	it := dispatch.SMSItem{Item: r.Domain(), Segments: dispatch.Segmentation{Encoding: r.Encoding, Parts: r.Parts}}
	it.HideInReport, it.Template = r.HideInReport, r.Use()
	it.SendAt, it.Urgent, it.Revision = Deref(r.SendAt), r.Urgent, r.Revision
	var err error
	it.Recipient, it.Text, err = s.OpenMessage(r.ID, r.ByPhone, r.Recipient, r.Text)
	return it, err
}

// OpenMessage opens what is sealed of an SMS.
func (s *Store) OpenMessage(id dispatch.ItemID, byPhone bool, recipient, text []byte) (to dispatch.SMSRecipient, plain string, err error) {
	if recipient != nil { // else it has been purged
		number, err := s.Keys.Open(recipient, RecipientPlace(id))
		if err != nil {
			return to, "", err
		}
		if byPhone {
			to.Phone = dispatch.Phone(number)
		} else {
			to.NationalID = dispatch.NationalID(number)
		}
	}
	if text == nil {
		return to, "", nil
	}
	open, err := s.Keys.Open(text, TextPlace(id))
	return to, string(open), err
}

// Queue makes an item due after a while, if it is in the given state, and returns whether it was (1) or not (0).
func Queue(ctx context.Context, tx *sqlx.Tx, account dispatch.AccountID, id dispatch.ItemID, from dispatch.State, after time.Duration) (int64, error) {
	if err := reopenJobOf(ctx, tx, account, id); err != nil {
		return 0, err
	}
	return Affected(tx.ExecContext(ctx, `
		UPDATE items
		SET state = 'queued', due_at = now() + $4 * interval '1 second', due_since = now() + $4 * interval '1 second',
		    unavailable_count = 0, reason_key = '', reason_status = 0, reason_error_id = '', reason_at = NULL
		WHERE id = $1 AND account_id = $2 AND state = $3
		  AND NOT EXISTS (SELECT FROM sms m WHERE m.item_id = items.id AND m.text IS NULL) -- what was purged cannot go again
		  AND NOT EXISTS (SELECT FROM shipments h WHERE h.item_id = items.id AND h.content = '')`, id, account, from, after.Seconds()))
}

// ChoicesPlace is where the choices of a template's version are sealed for.
func ChoicesPlace(id dispatch.TemplateID, version int) string {
	return "template/" + string(id) + "/" + strconv.Itoa(version)
}

// TemplateUseRow is what an SMS was written from, as it stands in its table.
type TemplateUseRow struct {
	TemplateID      dispatch.TemplateID  `db:"template_id"`
	TemplateVersion int                  `db:"template_version"`
	WrittenForm     dispatch.WrittenForm `db:"template_form"`
}

// Use is which template was used, if any.
func (r TemplateUseRow) Use() dispatch.TemplateUse {
	return dispatch.TemplateUse{ID: r.TemplateID, Version: r.TemplateVersion, Form: r.WrittenForm}
}
