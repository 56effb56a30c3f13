package recipients

import "utsending/internal/dispatch"

// AddressFields tells whether the personal columns of a list for SMS hold names, and addresses, as a list for shipments has them.
func AddressFields(columns []string) (name, address bool) {
	c := shipmentColumns(&List{Headings: columns})
	return len(c.names) > 0, len(c.lines) > 0 && c.postalCode >= 0
}

// Letter is the row of a shipment to the recipient of an SMS: name and address are read from the list's personal columns.
func Letter(columns []string, r dispatch.JobRow) dispatch.JobRow {
	c := shipmentColumns(&List{Headings: columns})
	row := c.row(record{line: r.Position, cells: r.Fields}, -1)
	row.Shipment.Number, row.Fields = r.Recipient.NationalID.Reveal(), r.Fields
	return row
}

// LetterReading is how the list of such rows is read: its columns can be named in the title of the shipment.
func LetterReading(columns []string) dispatch.ListReading {
	c := shipmentColumns(&List{Headings: columns, fields: fields(columns, Columns{-1, -1, -1})})
	return dispatch.ListReading{RecipientColumns: c.columns()}
}
