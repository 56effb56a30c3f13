package items

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// recipientRow is a row of a list with its index in the list, from 1, which is the number of its slice.
type recipientRow struct {
	listRow
	Place int `db:"place"`
}

// shipmentCost is what one shipment of a job costs, and the month of the budget that it counts in.
type shipmentCost struct {
	Print   int    `db:"cost_print"`
	Digital int    `db:"cost_digital"`
	Month   string `db:"month"`
}

// pattern is the common part of all shipments of a job, opened to create them.
type pattern struct {
	content dispatch.Shipment
	form    []byte
	fields  dispatch.DraftFields // what the form contains
	cost    shipmentCost
	slices  []sliceCost // where costs differ
	divided int         // index of the divided file; -1: none

	references []string // of the rows in this batch, if each gets its own
}

// makeShipments creates the next shipments of a job. They share its files: each has its own recipient, and its own
// slice of a divided file.
func (s Maker) makeShipments(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, after int) (int, error) {
	var rows []recipientRow
	err := tx.SelectContext(ctx, &rows, `
		SELECT `+listColumns+`, r.place FROM (SELECT o.*, row_number() OVER (ORDER BY o.position) AS place FROM job_rows o WHERE o.job_id = $1) r
		WHERE r.position > $2 AND r.problem = ''
		ORDER BY r.position
		LIMIT $3`, j.ID, after, madeAtOnce)
	if err != nil {
		return 0, err
	}
	if len(rows) > 0 {
		after = rows[len(rows)-1].Position
		if err := s.makeShipmentsOf(ctx, tx, j, rows); err != nil {
			return 0, err
		}
	}
	if len(rows) < madeAtOnce { // slices of left out rows, and files that no row uses
		if _, err := tx.ExecContext(ctx, `DELETE FROM documents WHERE job_id = $1 AND account_id = $2 AND part <> 0`, j.ID, j.AccountID); err != nil {
			return 0, err
		}
	}
	return max(len(rows), 1), noteMade(ctx, tx, j.ID, len(rows), after)
}

func (s Maker) makeShipmentsOf(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, rows []recipientRow) error {
	p, err := In(s.Store).ShipmentJobs.openPattern(ctx, tx, j)
	if err != nil {
		return err
	}
	parts, err := sliceParts(ctx, tx, j, rows)
	if err != nil {
		return err
	}
	if p.references, err = s.referencesOf(ctx, tx, j, p, len(rows)); err != nil {
		return err
	}
	shipments, items := make([]madeShipment, len(rows)), make([]madeItem, len(rows))
	for i, r := range rows {
		own := p
		if len(p.references) > 0 {
			own.references = p.references[i : i+1]
		}
		own.cost = p.costOf(parts[r.Place])
		if shipments[i], err = s.makeShipment(j, r, own, parts[r.Place].ID); err != nil {
			return err
		}
		items[i] = shipments[i].madeItem
	}
	if err := copyBareItems(ctx, tx, j, items); err != nil {
		return err
	}
	if err := copyShipments(ctx, tx, j, p, shipments); err != nil {
		return err
	}
	if err := spendMade(ctx, tx, j.ID, shipments); err != nil {
		return err
	}
	return assignSlices(ctx, tx, j, shipments)
}

// referencesOf generates the references of a batch if each row gets its own; otherwise none.
func (s Maker) referencesOf(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, p pattern, n int) ([]string, error) {
	if !p.fields.ReferenceEach || strings.TrimSpace(p.fields.ExternalReference) != "" {
		return nil, nil
	}
	var rule dispatch.ReferenceRule // the account's rule, for a job sent by an earlier release
	err := tx.QueryRowxContext(ctx, `
		SELECT coalesce(j.reference_pattern, a.reference_pattern), coalesce(j.reference_unit, a.reference_unit)
		FROM jobs j JOIN accounts a ON a.id = j.account_id WHERE j.id = $1 AND j.account_id = $2`, j.ID, j.AccountID).Scan(&rule.Pattern, &rule.Unit)
	if err != nil || !rule.Makes() {
		return nil, err
	}
	return drawReferences(ctx, tx, j.AccountID, rule, n)
}

// slicePart is a slice that becomes a shipment's file.
type slicePart struct {
	ID    dispatch.DocumentID `db:"id"`
	Part  int                 `db:"part"`
	Pages int                 `db:"pages"`
	Giro  pq.Int64Array       `db:"giro_pages"`
}

// sliceParts returns the slices that the rows need, by number.
func sliceParts(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, rows []recipientRow) (map[int]slicePart, error) {
	by := map[int]slicePart{}
	if j.Division.Document == "" {
		return by, nil
	}
	places := make([]int, len(rows))
	for i, r := range rows {
		places[i] = r.Place
	}
	var found []slicePart
	err := tx.SelectContext(ctx, &found, `SELECT id, part, pages, giro_pages FROM documents WHERE job_id = $1 AND part = ANY($2) AND complete`, j.ID, pq.Array(places))
	for _, f := range found {
		by[f.Part] = f
	}
	if err == nil && (len(by) != len(rows) || len(found) != len(rows)) { // two slices for one row: which is right is unknown
		err = fmt.Errorf("make shipments of job %s: %w", j.ID, store.ErrSlice)
	}
	return by, err
}

// madeShipment is a new shipment of a job as columns.
type madeShipment struct {
	madeItem
	name                  string
	title, reference      string
	content, hash, formed []byte
	part                  dispatch.DocumentID
	cost                  shipmentCost
}

func (s Maker) makeShipment(j dispatch.Job, r recipientRow, p pattern, part dispatch.DocumentID) (m madeShipment, err error) {
	row, err := s.openRow(j.ID, r.listRow)
	if err != nil {
		return m, err
	}
	if m.madeItem, err = newMadeItem(r.Position); err != nil {
		return m, err
	}
	content := p.content
	var wrong *dispatch.Problem
	if content.Recipient, wrong = row.Shipment.Address(); wrong != nil {
		return m, fmt.Errorf("make a shipment of job %s: %s", j.ID, wrong.Key)
	}
	m.cost = p.cost
	if m.part = part; part != "" {
		content.Documents = append([]dispatch.Document(nil), content.Documents...)
		content.Documents[p.divided].ID = part
	}
	form := p.form
	if len(p.fields.Placeholders()) > 0 || p.fields.BothTitles() || j.Division.Giro != "" {
		own, missing := p.fields.Fill(j.Columns, j.MergeValues(row))
		if missing != "" {
			return m, fmt.Errorf("make a shipment of job %s: row %d has an empty field", j.ID, r.Position)
		}
		content.Title, content.ExternalReference = strings.TrimSpace(own.OwnTitle()), strings.TrimSpace(own.ExternalReference)
		if form, err = json.Marshal(j.Division.RowForm(own, j.Columns, row.Fields)); err != nil {
			return m, err
		}
	}
	if len(p.references) > 0 {
		content.ExternalReference = p.references[0]
	}
	m.name, m.title, m.reference = content.Recipient.Postal.Name, content.Title, content.ExternalReference
	if m.content, m.hash, err = s.sealShipment(m.id, content); err != nil {
		return m, err
	}
	m.formed, err = s.Keys.Seal(form, store.FormPlace(m.id))
	return m, err
}

func copyShipments(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, p pattern, shipments []madeShipment) error {
	c := p.content
	template, version := columnsOf(j.Template)
	return copyIn(ctx, tx, shipments, func(m madeShipment) []any {
		return []any{string(m.id), string(j.AccountID), m.title, m.name, c.SourceSystem, c.BillingCode, m.reference, c.DigitalOnly,
			store.NullBytes(m.hash), m.formed, m.content, store.NullTime(c.SignBy), store.NullTime(j.SendAt), c.Type, c.CorrelationID,
			m.cost.Print, m.cost.Digital, m.cost.Month, template, version}
	}, "shipments", "item_id", "account_id", "title", "recipient_name", "source_system", "billing_code", "external_reference", "digital_only",
		"number_hash", "form", "content", "sign_by", "send_at", "shipment_type", "correlation_id", "cost_print", "cost_digital", "cost_month",
		"template_id", "template_version")
}

// assignSlices attaches each slice to its shipment.
func assignSlices(ctx context.Context, tx *sqlx.Tx, j dispatch.Job, shipments []madeShipment) error {
	if j.Division.Document == "" {
		return nil
	}
	ids, parts := make([]string, len(shipments)), make([]string, len(shipments))
	for i, m := range shipments {
		ids[i], parts[i] = string(m.id), string(m.part)
	}
	_, err := tx.ExecContext(ctx, `
		UPDATE documents d SET item_id = g.item, job_id = NULL
		FROM unnest($2::uuid[], $3::uuid[]) AS g (item, part)
		WHERE d.id = g.part AND d.job_id = $1`, j.ID, pq.Array(ids), pq.Array(parts))
	return err
}
