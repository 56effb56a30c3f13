package dispatch

import "slices"

// giroWords are the words of a heading above giro pages, the most certain first.
var giroWords = []string{"giroark", "girosider", "giroside", "girosidene", "girosidar", "giro"}

// GiroColumn returns the column of a list that seems to name the giro pages of each row's own slice; empty: none does. A person
// chooses: a heading such as "giro" may stand over account numbers too.
func GiroColumn(columns []string) string {
	if i := columnOf(columns, giroWords); i >= 0 {
		return columns[i]
	}
	return ""
}

// MissingColumn returns the chosen column that a list does not have; empty: it has those that were chosen.
func (d Division) MissingColumn(columns []string) string {
	names := []string{d.Giro}
	if d.By == DivideByFiles {
		names = []string{d.Column, d.Giro}
	}
	for _, name := range names {
		if name != "" && !slices.Contains(columns, name) {
			return name
		}
	}
	return ""
}

// RowForm is the form as the row of a list gets it: with the giro pages of its own slice, where the list names them. A row that
// names none has none.
func (d Division) RowForm(f DraftFields, columns, values []string) DraftFields {
	if d.Giro == "" || d.Document == "" {
		return f
	}
	documents := map[DocumentID]DocumentFields{}
	for id, chosen := range f.Documents {
		documents[id] = chosen
	}
	own := documents[d.Document]
	own.Giro = ""
	if i := slices.Index(columns, d.Giro); i >= 0 && i < len(values) {
		own.Giro = values[i]
	}
	documents[d.Document] = own
	f.Documents = documents
	return f
}
