package items

import (
	"encoding/json"
	"fmt"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// rowContent is the plaintext of a sealed row.
type rowContent struct {
	Phone      string        `json:"p,omitempty"`
	NationalID string        `json:"n,omitempty"`
	Typed      string        `json:"t,omitempty"`
	Fields     []string      `json:"f,omitempty"`
	Column     string        `json:"c,omitempty"`
	Args       dispatch.Args `json:"a,omitempty"`

	Warnings []dispatch.RowWarning `json:"w,omitempty"`
	Shipment *shipmentContent      `json:"l,omitempty"`
}

// shipmentContent is the plaintext of a recipient in a sealed row: the domain's type refuses to be marshalled, so that it is not
// logged.
type shipmentContent struct {
	Number string             `json:"n,omitempty"`
	Postal store.StoredPostal `json:"p"`
	Twice  bool               `json:"t,omitempty"`
}

func toShipmentContent(r *dispatch.ShipmentRecipient) *shipmentContent {
	if r == nil {
		return nil
	}
	return &shipmentContent{r.Number, store.StoredPostal(r.Postal), r.Twice}
}

// sealedRow is a row of a list as columns.
type sealedRow struct {
	position                  int
	content, recipient, phone []byte
	number                    []byte // of a shipment's recipient
	foreign, warned           bool
	problem                   string
	replaces                  dispatch.ItemID
}

func (s contents) sealRow(job dispatch.JobID, r dispatch.JobRow) (sealed sealedRow, err error) {
	clear, err := json.Marshal(rowContent{
		Phone: r.Phone.Reveal(), NationalID: r.Recipient.NationalID.Reveal(), Typed: r.Typed, Fields: r.Fields, Column: r.Column, Args: r.Problem.Args, Warnings: r.Warnings,
		Shipment: toShipmentContent(r.Shipment),
	})
	if err != nil {
		return sealed, fmt.Errorf("row of a list: %w", err)
	}
	sealed.position, sealed.problem, sealed.warned, sealed.replaces = r.Position, r.Problem.Key, len(r.Warnings) > 0, r.Replaces
	if sealed.content, err = s.Keys.Seal(clear, store.RowPlace(job, r.Position)); err != nil {
		return sealed, err
	}
	sealed.foreign = r.Phone != "" && r.Phone.Foreign() && r.Recipient.ByPhone()
	if sealed.recipient, sealed.phone, err = s.hashRow(r); err != nil || r.Shipment == nil {
		return sealed, err
	}
	if to, wrong := r.Shipment.Address(); wrong == nil {
		sealed.number, err = s.hashNumber(to)
	}
	return sealed, err
}

// hashRow identifies a row's recipient, and its phone number.
func (s contents) hashRow(r dispatch.JobRow) (recipient, phone []byte, err error) {
	if r.Phone != "" {
		if phone, err = s.Keys.Hash("phone", r.Phone.Comparable()); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case r.Shipment != nil:
		recipient, err = s.hashShipment(*r.Shipment)
	case r.Recipient.ByPhone():
		recipient = phone
	case r.Recipient.NationalID != "":
		recipient, err = s.Keys.Hash("national_id", r.Recipient.NationalID.Reveal())
	}
	return recipient, phone, err
}

// hashShipment identifies a recipient, for comparing a job's list with another's.
func (s contents) hashShipment(r dispatch.ShipmentRecipient) ([]byte, error) {
	return s.Keys.Hash("shipment", r.Number+"\x00"+r.Place())
}

// listRow is a row of job_rows.
type listRow struct {
	Position int    `db:"position"`
	Content  []byte `db:"content"`
	Problem  string `db:"problem"`
	Unfit    bool   `db:"unfit"`

	Replaces dispatch.ItemID `db:"replaces"`
}

const listColumns = `r.position, r.content, r.problem, r.unfit, coalesce(r.replaces::text, '') AS replaces`

// openRows opens rows of a job.
func (s contents) openRows(job dispatch.JobID, list []listRow) (rows []dispatch.JobRow, err error) {
	rows = make([]dispatch.JobRow, len(list))
	for i, r := range list {
		if rows[i], err = s.openRow(job, r); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (s contents) openRow(job dispatch.JobID, r listRow) (dispatch.JobRow, error) {
	row := dispatch.JobRow{Position: r.Position, Unfit: r.Unfit, Replaces: r.Replaces}
	clear, err := s.Keys.Open(r.Content, store.RowPlace(job, r.Position))
	if err != nil {
		return row, err
	}
	var c rowContent
	if err := json.Unmarshal(clear, &c); err != nil {
		return row, fmt.Errorf("row %d of job %s: %w", r.Position, job, err)
	}
	row.Phone, row.Typed, row.Fields, row.Column, row.Warnings = dispatch.Phone(c.Phone), c.Typed, c.Fields, c.Column, c.Warnings
	row.Shipment = c.Shipment.domain()
	row.Problem = dispatch.Problem{Field: dispatch.FieldRecipient, Key: r.Problem, Args: c.Args}
	if row.Shipment != nil {
		row.Problem.Field = c.Column
		return row, nil
	}
	if row.Recipient.NationalID = dispatch.NationalID(c.NationalID); c.NationalID == "" {
		row.Recipient.Phone = row.Phone
	}
	return row, nil
}

func (c *shipmentContent) domain() *dispatch.ShipmentRecipient {
	if c == nil {
		return nil
	}
	return &dispatch.ShipmentRecipient{Number: c.Number, Postal: dispatch.PostalAddress(c.Postal), Twice: c.Twice}
}
