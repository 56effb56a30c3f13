package recipients

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"

	"utsending/internal/table"
)

// BadRows writes the unusable rows as CSV for Norwegian spreadsheets: UTF-8 with a byte order mark, semicolons, CRLF.
// When corrected, it can be read as a list again.
type BadRows struct {
	csv   *csv.Writer
	width int
}

// NewBadRows writes the list's headings, with one more for the problem.
func NewBadRows(w io.Writer, l *List, heading string) (*BadRows, error) {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return nil, err
	}
	b := &BadRows{csv: csv.NewWriter(w), width: max(len(l.Headings), l.Columns.NationalID+1, l.Columns.Phone+1)}
	b.csv.Comma, b.csv.UseCRLF = ';', true
	return b, b.Add(l.Headings, heading)
}

// Add writes the cells of a row verbatim, and the problem.
func (b *BadRows) Add(cells []string, sentence string) error {
	line := make([]string, 0, b.width+1)
	for _, cell := range cells {
		line = append(line, Safe(cell))
	}
	for len(line) < b.width {
		line = append(line, "")
	}
	return b.csv.Write(append(line, Safe(sentence)))
}

// Close flushes. It does not close the underlying writer.
func (b *BadRows) Close() error {
	b.csv.Flush()
	return b.csv.Error()
}

// Safe puts an apostrophe before a cell that a spreadsheet would take for a formula (CSV injection) or convert: a
// long number, one with a leading zero or a plus, a date. A cell that looks guarded gets another apostrophe, so that
// unguard restores the original.
func Safe(cell string) string { return guard(table.GuardWithin(cell)) }

func guard(cell string) string {
	if risky(cell) || strings.HasPrefix(cell, "'") && risky(strings.TrimLeft(cell, "'")) {
		return "'" + cell
	}
	return cell
}

// turned matches what a Norwegian spreadsheet converts to a date or a power of ten.
var turned = regexp.MustCompile(`^(?:\d{1,4}[./-]\d{1,2}|\d+[eE]\d+)$`)

// longest is how many digits of a number a spreadsheet shows before it writes 1,23457E+11.
const longest = 11

func risky(cell string) bool {
	return table.Formula(cell) || digits(cell) && (len(cell) > longest || cell[0] == '0' && len(cell) > 1) || turned.MatchString(cell)
}

// unguard removes the apostrophes added by Safe.
func unguard(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && guard(rest) == cell {
		cell = rest
	}
	return table.UnguardWithin(cell)
}
