package recipients

import (
	"strings"

	"utsending/internal/dispatch"
)

// Row is one row of a list: a recipient, or its problems. Cells are valid until the next row; everything else may be
// kept.
type Row struct {
	Line      int      // in the file; headings and empty rows count
	Cells     []string // verbatim
	Recipient dispatch.SMSRecipient
	Phone     dispatch.Phone // even if the recipient is given by national id
	Text      string         // with the row's fields filled in; empty without a template
	Problems  []Problem      // empty: the row can be sent
	Warnings  []Problem      // they stop nothing
	Duplicate int            // line of the earlier row with the same recipient; 0: none
}

// OK tells whether the row can be sent.
func (r Row) OK() bool { return len(r.Problems) == 0 }

// Problem is something that a person must correct or check in a row.
type Problem struct {
	Column int    // counted from 0; -1: the row as a whole
	Name   string // heading of the column or its letter; empty: the row as a whole
	dispatch.Problem
}

func (r record) cell(i int) string {
	if i < 0 || i >= len(r.cells) {
		return ""
	}
	return r.cells[i]
}

// number is the cell for reading a number from it: unformatted, since a workbook may show it with decimals or a
// currency.
func (r record) number(i int) string {
	if r.isNumeric(i) && r.raw[i] != "" {
		return r.raw[i]
	}
	return r.cell(i)
}

func (r record) isNumeric(i int) bool { return i >= 0 && i < len(r.numeric) && r.numeric[i] }

// size estimates the record's memory.
func (r record) size() (n int) {
	for _, cell := range r.cells {
		n += len(cell) + 16
	}
	return n
}

func (r record) blank() bool {
	for _, cell := range r.cells {
		if strings.TrimSpace(cell) != "" {
			return false
		}
	}
	return !r.broken
}

// problem makes a problem of a column, or of the whole row.
func (l *List) problem(column int, key string, args dispatch.Args) Problem {
	p := Problem{Column: column, Problem: dispatch.Problem{Field: dispatch.FieldRecipient, Key: key, Args: args}}
	if column >= 0 {
		p.Name = l.ColumnName(column)
	}
	return p
}
