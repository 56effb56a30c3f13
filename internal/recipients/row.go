package recipients

import (
	"strings"

	"utsending/internal/dispatch"
)

// Row is one row of a list: a recipient, or its problems. Cells are valid until the next row; all else may be kept.
type Row struct {
	Line      int      // in the file; headings and empty rows count
	Cells     []string // as they stand
	Recipient dispatch.SMSRecipient
	Phone     dispatch.Phone // of the row, also when the recipient is given by national id
	Text      string         // the message with the row's fields in place; empty when there was no template
	Problems  []Problem      // empty: the row can be sent
	Warnings  []Problem      // to be looked at; they stop nothing
	Duplicate int            // line of the row that has the same recipient and was first; 0: there is none
}

// OK tells whether the row can be sent.
func (r Row) OK() bool { return len(r.Problems) == 0 }

// Problem is what a person must correct or look at in a row.
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

// number is a cell as a number is read from it: a workbook may show it with decimals or a currency.
func (r record) number(i int) string {
	if r.isNumeric(i) && r.raw[i] != "" {
		return r.raw[i]
	}
	return r.cell(i)
}

func (r record) isNumeric(i int) bool { return i >= 0 && i < len(r.numeric) && r.numeric[i] }

// size is about how much memory the record takes.
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
