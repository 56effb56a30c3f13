package compose

import (
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// JobFault is a faulty row, as its form shows it.
type JobFault struct {
	dispatch.JobRow
	Problems dispatch.Problems
	Number   string   // masked, of a row that is left out
	Measured Measured // analysis of the row's own text; zero: there is none
}

// countedFields are the names of the fields that the live analysis of this row needs.
func (f JobFault) countedFields(columns []string) string {
	names := []string{"rad"}
	for i := range columns {
		names = append(names, f.FieldName(i))
	}
	return strings.Join(names, " ")
}

// LeftOut tells whether a person has left the row out. It is not wrong, and can be taken in again.
func (f JobFault) LeftOut() bool { return f.Problem.Key == dispatch.ProblemLeftOut }

// TakeInName is the name of the form field that takes the row in again.
func (f JobFault) TakeInName() string { return "med-" + strconv.Itoa(f.Position) }

// RecipientName is the name of the form field with the row's recipient.
func (f JobFault) RecipientName() string { return "mottaker-" + strconv.Itoa(f.Position) }

// FieldName is the name of the form field for a column of the row.
func (f JobFault) FieldName(i int) string {
	return "felt-" + strconv.Itoa(f.Position) + "-" + strconv.Itoa(i)
}

// value is a column of the row; empty if the row is too short.
func (f JobFault) value(i int) string {
	if i >= len(f.Fields) {
		return ""
	}
	return f.Fields[i]
}

// others are the row's filled-in fields with their columns: "fornavn: Åse, rom: 12".
func (f JobFault) others(columns []string) string {
	var parts []string
	for i, name := range columns {
		if v := f.value(i); views.Filled(v) {
			parts = append(parts, name+": "+v)
		}
	}
	return views.Excerpt(strings.Join(parts, ", "), 200)
}

// JobFaultsPage lists faulty rows, to be corrected.
type JobFaultsPage struct {
	views.Page
	Job    dispatch.Job
	Faults []JobFault
	More   string // address of the next page; empty: there is none
}
