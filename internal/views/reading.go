package views

import (
	"context"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// Fields of the form that reads a list with other choices.
const (
	FieldReading     = "lesing"
	FieldSheet       = "ark"
	FieldSheetWas    = "ark-var"
	FieldHeader      = "overskrift"
	FieldPhoneColumn = "mobilkolonne"
	FieldSpareColumn = "reservekolonne"
	FieldIDColumn    = "fnr-kolonne"
	FieldHidden      = "skjulte"
)

// ReadingPanel tells how a list was read, with the form to read it with other choices.
type ReadingPanel struct {
	Page
	Job    dispatch.Job
	Action string // empty: no form
}

func (p ReadingPanel) reading() dispatch.ListReading { return p.Job.Reading }

// sentence tells which columns were used, how many rows were read, and what is left out and why.
func (p ReadingPanel) sentence(ctx context.Context) string {
	r := p.reading()
	from := i18n.T(ctx, "reading.rows", "N", p.Job.List.Read)
	if r.Sheet != "" {
		from = i18n.T(ctx, "reading.sheet", "Rows", from, "Sheet", r.Sheet)
	}
	told := []string{i18n.T(ctx, "reading.sentence", "Rows", from, "Columns", ClaimsMany(ctx, p.columns(ctx)))}
	if r.Header == 0 && !p.plain() {
		told = append(told, i18n.T(ctx, "reading.no_headings"))
	}
	if left := p.left(ctx); len(left) > 0 {
		told = append(told, i18n.T(ctx, "reading.left", "What", ClaimsMany(ctx, left)))
	}
	return strings.Join(told, " ")
}

// plain tells whether the list was pasted as one number a line, without headings.
func (p ReadingPanel) plain() bool {
	r := p.reading()
	return !p.Job.Shipments() && r.Sheet == "" && r.Header == 0 && len(r.Columns) == 1
}

// columns describes the columns that were used.
func (p ReadingPanel) columns(ctx context.Context) (words []string) {
	r := p.reading()
	if p.plain() {
		return []string{i18n.T(ctx, "reading.plain")}
	}
	name := func(at int) string { return r.Column(at).Name }
	switch {
	case p.Job.Shipments():
		var names []string
		for _, at := range r.Shipment {
			names = append(names, i18n.T(ctx, "reading.quoted", "Name", name(at)))
		}
		words = append(words, i18n.T(ctx, "reading.shipment", "Columns", ClaimsMany(ctx, names)))
	case r.Phone == r.NationalID && r.Phone > 0:
		words = append(words, i18n.T(ctx, "reading.mixed", "Column", name(r.Phone)))
	default:
		if r.NationalID > 0 {
			words = append(words, i18n.T(ctx, "reading.id", "Column", name(r.NationalID)))
		}
		if r.Phone > 0 {
			words = append(words, i18n.T(ctx, "reading.phone", "Column", name(r.Phone)))
		}
		if r.Spare > 0 {
			words = append(words, i18n.T(ctx, "reading.spare", "Column", name(r.Spare)))
		}
	}
	if r.Header > 0 {
		return append(words, i18n.T(ctx, "reading.headings", "Row", r.Header))
	}
	return words
}

// left lists what was not read, and of the letters to a list those that a person left out. Hidden rows come last.
func (p ReadingPanel) left(ctx context.Context) []string {
	r := p.reading()
	var person int
	if p.Job.Shipments() { // their faults are to be corrected before any letter is sent
		person = p.Job.List.LeftOut
	}
	return counted(ctx, []countedRows{
		{"reading.left.person", person}, {"reading.left.above", r.Above}, {"reading.left.columns", r.HiddenColumns}, {"reading.left.hidden", r.HiddenRows},
	})
}

// RowsLeftOut lists the rows of a list of messages that are not sent to, by why.
func RowsLeftOut(ctx context.Context, l dispatch.JobList) string {
	return ClaimsMany(ctx, counted(ctx, []countedRows{
		{"reading.left.faulty", l.Invalid()}, {"reading.left.duplicate", l.Duplicate}, {"reading.left.unfit", l.Unfit}, {"reading.left.person", l.LeftOut},
	}))
}

// countedRows are rows that have something in common; the catalogue key says what.
type countedRows struct {
	key string
	n   int
}

func counted(ctx context.Context, kinds []countedRows) (words []string) {
	for _, k := range kinds {
		if k.n > 0 {
			words = append(words, i18n.T(ctx, k.key, "N", k.n))
		}
	}
	return words
}

// ClaimsMany joins words to a list: "a, b og c".
func ClaimsMany(ctx context.Context, words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return i18n.T(ctx, "reading.and", "First", strings.Join(words[:last], ", "), "Last", words[last])
}

// notes are what a person must check before sending.
func (p ReadingPanel) notes(ctx context.Context) (notes []string) {
	r := p.reading()
	if !p.Job.Shipments() {
		for _, c := range r.Others() {
			notes = append(notes, i18n.T(ctx, "reading.other", "Column", c.Name))
		}
	}
	if r.Lists > 1 {
		notes = append(notes, i18n.T(ctx, "reading.lists", "Sheets", strings.Join(r.Sheets, ", "), "Sheet", r.Sheet))
	}
	if r.Title != "" {
		notes = append(notes, i18n.T(ctx, "reading.title", "Title", r.Title))
	}
	if r.Encoding != "" {
		notes = append(notes, i18n.T(ctx, "reading.encoding."+string(r.Encoding)))
	}
	if len(r.Unusable) > 0 && !p.Job.Shipments() {
		notes = append(notes, i18n.T(ctx, "reading.unusable", "Names", strings.Join(r.Unusable, ", ")))
	}
	return notes
}

// strange lists values with lost characters, as they would be sent.
func (p ReadingPanel) strange(ctx context.Context) (lines []string) {
	for _, c := range p.reading().Strange {
		lines = append(lines, i18n.T(ctx, "reading.strange.cell", "Row", c.Row, "Column", c.Column, "Value", c.Value))
	}
	return lines
}

// headingRows are the rows that may be the headings.
func (p ReadingPanel) headingRows() (rows []int) {
	r := p.reading()
	for at := r.First; at < r.First+10; at++ {
		rows = append(rows, at)
	}
	if r.Header >= r.First+10 {
		rows = append(rows, r.Header)
	}
	return rows
}

// columnChoice is a select element of the list's columns.
type columnChoice struct {
	name, label string
	at          int
}

func (p ReadingPanel) choices() []columnChoice {
	r := p.reading()
	return []columnChoice{{FieldPhoneColumn, "reading.choose.phone", r.Phone}, {FieldSpareColumn, "reading.choose.spare", r.Spare}, {FieldIDColumn, "reading.choose.id", r.NationalID}}
}

func columnValue(at int) string { return strconv.Itoa(at) }
