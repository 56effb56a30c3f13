package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"utsending/internal/dispatch"
)

// shipmentRow is a shipment as it stands in its two tables.
type shipmentRow struct {
	itemRow
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
	letterTemplateRow
}

// Shipment returns one shipment of an account that has been sent, with everything known of it. A draft is not found.
func (s *Store) Shipment(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) (dispatch.ShipmentItem, error) {
	if !validID(id) {
		return dispatch.ShipmentItem{}, ErrNotFound
	}
	var row shipmentRow
	err := s.get(ctx, &row, `
		SELECT `+itemColumns+`, h.title, h.recipient_name, h.external_reference, h.digital_only, h.signing_status, h.signing_at, h.content, h.send_at, h.service_status_at, h.fault,
		       h.deleted_documents, coalesce(ov.kind, '') AS over, `+letterTemplateColumns+`,
		       coalesce((SELECT p.reference FROM attempts p WHERE p.item_id = it.id ORDER BY p.started_at DESC LIMIT 1), '') AS sent_reference
		FROM items it JOIN shipments h ON h.item_id = it.id LEFT JOIN integrations ov ON ov.id = it.integration_id`+itemJoins+letterTemplateJoin+`
		WHERE it.id = $1 AND it.account_id = $2 AND h.content IS NOT NULL`, id, account)
	if err != nil {
		return dispatch.ShipmentItem{}, notFound(err)
	}
	it := dispatch.ShipmentItem{Item: row.domain(), SigningStatus: row.SigningStatus, SigningAt: deref(row.SigningAt)}
	if it.Purged = len(row.Content) == 0; it.Purged {
		it.Title, it.Recipient.Postal.Name, it.ExternalReference, it.DigitalOnly = row.Title, row.RecipientName, row.ExternalReference, row.DigitalOnly
		it.Documents, err = s.Documents(ctx, account, id)
	} else {
		it.Shipment, err = s.openShipment(ctx, account, id, row.Content)
	}
	if err != nil {
		return it, err
	}
	it.ServiceStatusAt, it.SentReference = deref(row.ServiceStatusAt), row.SentReference
	it.SendAt, it.Template, it.TemplateName = deref(row.SendAt), row.use(), row.TemplateName
	it.Over, it.Deleted = row.Over, row.Deleted
	if it.Fault, err = s.openFault(id, row.Fault); err != nil {
		return it, err
	}
	if it.Answer, err = s.answerOf(ctx, it.Item); err != nil {
		return it, err
	}
	return it, s.addReports(ctx, account, &it)
}

// openShipment reads the sealed content of a shipment and its files.
func (s *Store) openShipment(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID, sealed []byte) (dispatch.Shipment, error) {
	documents, err := s.Documents(ctx, account, id)
	if err != nil {
		return dispatch.Shipment{}, err
	}
	plain, err := s.keys.Open(sealed, contentPlace(id))
	if err != nil {
		return dispatch.Shipment{}, err
	}
	return unmarshalShipment(plain, documents)
}

func reportPlace(id dispatch.ItemID, source dispatch.Source) string {
	return "shipment/" + string(id) + "/" + string(source)
}

// addReports fills in what the service told beside the status.
func (s *Store) addReports(ctx context.Context, account dispatch.AccountID, it *dispatch.ShipmentItem) error {
	var rows []struct {
		Source  dispatch.Source `db:"source"`
		Report  []byte          `db:"report"`
		ReadAt  *time.Time      `db:"read_at"`
		Key     string          `db:"error_key"`
		Status  int             `db:"error_status"`
		ErrorID string          `db:"error_id"`
		ErrorAt *time.Time      `db:"error_at"`
	}
	err := s.list(ctx, &rows, `
		SELECT source, report, read_at, error_key, error_status, error_id, error_at
		FROM service_reports WHERE item_id = $1 AND account_id = $2`, it.ID, account)
	if err != nil {
		return err
	}
	it.Read = map[dispatch.Source]dispatch.Reading{}
	into := map[dispatch.Source]any{dispatch.SourceHistory: &it.Events, dispatch.SourceSigning: &it.SigningEvents, dispatch.SourceDocuments: &it.Files}
	for _, r := range rows {
		it.Read[r.Source] = dispatch.Reading{At: deref(r.ReadAt), Failed: dispatch.Reason{Key: r.Key, HTTPStatus: r.Status, ErrorID: r.ErrorID, At: deref(r.ErrorAt)}}
		if r.Report == nil {
			continue
		}
		plain, err := s.keys.Open(r.Report, reportPlace(it.ID, r.Source))
		if err != nil {
			return err
		}
		if err := json.Unmarshal(plain, into[r.Source]); err != nil {
			return fmt.Errorf("report %s: %w", r.Source, err)
		}
	}
	return nil
}
