package items

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// shipmentRow is a shipment as read from items and shipments.
type shipmentRow struct {
	store.ItemRow
	Title             string                   `db:"title"`
	RecipientName     string                   `db:"recipient_name"`
	ExternalReference string                   `db:"external_reference"`
	SentReference     string                   `db:"sent_reference"`
	DigitalOnly       bool                     `db:"digital_only"`
	SigningStatus     dispatch.SigningStatus   `db:"signing_status"`
	SigningAt         *time.Time               `db:"signing_at"`
	Content           []byte                   `db:"content"`
	SendAt            *time.Time               `db:"send_at"`
	ServiceStatusAt   *time.Time               `db:"service_status_at"`
	Fault             []byte                   `db:"fault"`
	Over              dispatch.IntegrationKind `db:"over"`
	Deleted           dispatch.Deletion        `db:"deleted_documents"`
	shipmentTemplateRow
}

// ByID returns one sent shipment of an account with everything known about it. Drafts are not found.
func (s Shipments) ByID(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (dispatch.ShipmentItem, error) {
	if !store.ValidID(id) {
		return dispatch.ShipmentItem{}, store.ErrNotFound
	}
	var row shipmentRow
	err := s.Get(ctx, &row, `
		SELECT `+store.ItemColumns+`, h.title, h.recipient_name, h.external_reference, h.digital_only, h.signing_status, h.signing_at, h.content, h.send_at, h.service_status_at, h.fault,
		       h.deleted_documents, coalesce(ov.kind, '') AS over, `+shipmentTemplateColumns+`,
		       coalesce((SELECT p.reference FROM attempts p WHERE p.item_id = it.id ORDER BY p.ordinal DESC LIMIT 1), '') AS sent_reference
		FROM items it JOIN shipments h ON h.item_id = it.id LEFT JOIN integrations ov ON ov.id = it.integration_id`+store.ItemJoins+shipmentTemplateJoin+`
		WHERE it.id = $1 AND it.account_id = $2 AND h.content IS NOT NULL`, id, account)
	if err != nil {
		return dispatch.ShipmentItem{}, store.NotFound(err)
	}
	it := dispatch.ShipmentItem{Item: row.Domain(), SigningStatus: row.SigningStatus, SigningAt: store.Deref(row.SigningAt)}
	if it.Purged = len(row.Content) == 0; it.Purged {
		it.Title, it.Recipient.Postal.Name, it.ExternalReference, it.DigitalOnly = row.Title, row.RecipientName, row.ExternalReference, row.DigitalOnly
		it.Documents, err = s.Documents(ctx, account, id)
	} else {
		it.Shipment, err = s.OpenShipment(ctx, account, id, row.Content)
	}
	if err != nil {
		return it, err
	}
	it.ServiceStatusAt, it.SentReference = store.Deref(row.ServiceStatusAt), row.SentReference
	it.SendAt, it.Template, it.TemplateName = store.Deref(row.SendAt), row.use(), row.TemplateName
	it.Over, it.Deleted = row.Over, row.Deleted
	if it.Fault, err = s.openFault(id, row.Fault); err != nil {
		return it, err
	}
	if it.Answer, err = s.AnswerOf(ctx, it.Item); err != nil {
		return it, err
	}
	return it, s.addReports(ctx, account, &it)
}

// addReports adds the service's reports.
func (s Shipments) addReports(ctx context.Context, account dispatch.AccountID, it *dispatch.ShipmentItem) error {
	var rows []struct {
		Source  dispatch.Source `db:"source"`
		Report  []byte          `db:"report"`
		ReadAt  *time.Time      `db:"read_at"`
		Key     string          `db:"error_key"`
		Status  int             `db:"error_status"`
		ErrorID string          `db:"error_id"`
		ErrorAt *time.Time      `db:"error_at"`
	}
	err := s.Select(ctx, &rows, `
		SELECT source, report, read_at, error_key, error_status, error_id, error_at
		FROM service_reports WHERE item_id = $1 AND account_id = $2`, it.ID, account)
	if err != nil {
		return err
	}
	it.Read = map[dispatch.Source]dispatch.Reading{}
	into := map[dispatch.Source]any{dispatch.SourceHistory: &it.Events, dispatch.SourceSigning: &it.SigningEvents, dispatch.SourceDocuments: &it.Files}
	for _, r := range rows {
		it.Read[r.Source] = dispatch.Reading{At: store.Deref(r.ReadAt), Failed: dispatch.Reason{Key: r.Key, HTTPStatus: r.Status, ErrorID: r.ErrorID, At: store.Deref(r.ErrorAt)}}
		if r.Report == nil {
			continue
		}
		plain, err := s.Keys.Open(r.Report, store.ReportPlace(it.ID, r.Source))
		if err != nil {
			return err
		}
		if err := json.Unmarshal(plain, into[r.Source]); err != nil {
			return fmt.Errorf("report %s: %w", r.Source, err)
		}
	}
	return nil
}

// openFault opens what keepFault sealed.
func (s Shipments) openFault(id dispatch.ItemID, sealed []byte) (f dispatch.Fault, err error) {
	if sealed == nil {
		return f, nil
	}
	plain, err := s.Keys.Open(sealed, store.FaultPlace(id))
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(plain, &f)
}
