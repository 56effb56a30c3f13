package dispatch

import "slices"

// RecipientColumns are the columns of a list of shipments that hold the recipient. A title can name them as merge fields; it is filled
// with the recipient's value, so that a correction reaches both.
type RecipientColumns struct {
	Recipient map[string]string `json:"recipient,omitempty"` // fields of the recipient, by the names of their columns
	Names     []string          `json:"names,omitempty"`     // the columns of a name in parts; none: it is in one
}

// ColumnOf is the column of a field of the recipient; empty: it has none that a title can name.
func (c RecipientColumns) ColumnOf(field string) string {
	for name, of := range c.Recipient {
		if of == field {
			return name
		}
	}
	return ""
}

// Recipients is what a job keeps of the reading of its list after it is sent.
func (r ListReading) Recipients() ListReading {
	return ListReading{RecipientColumns: r.RecipientColumns}
}

// MergeValues are the values of a row that fill a title, in the order of the job's columns.
func (j Job) MergeValues(r JobRow) []string {
	if r.Shipment == nil || len(j.Reading.Recipient) == 0 {
		return r.Fields
	}
	values := slices.Clone(r.Fields)
	for i := range min(len(values), len(j.Columns)) {
		if at := r.Shipment.At(j.Reading.Recipient[j.Columns[i]]); at != nil {
			values[i] = *at
		}
	}
	return values
}

// At is a field of the recipient; nil: there is none with this name.
func (r *ShipmentRecipient) At(field string) *string {
	a := &r.Postal
	return map[string]*string{
		FieldRecipientNumber: &r.Number, FieldName: &a.Name, FieldLine1: &a.Line1, FieldLine2: &a.Line2, FieldLine3: &a.Line3,
		FieldPostalCode: &a.PostalCode, FieldCity: &a.City, FieldCountry: &a.Country,
	}[field]
}
