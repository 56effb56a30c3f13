package recipients

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
)

// BadRows writes the rows that could not be used as CSV that a Norwegian spreadsheet opens: UTF-8 with a byte order mark,
// semicolons, CRLF. When it is corrected it can be read as a list again.
type BadRows struct {
	csv   *csv.Writer
	width int
}

// NewBadRows writes the headings of the list, with one more for the problem.
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

// Safe puts an apostrophe before a cell that a spreadsheet would take for a formula, and before what it would make something
// else of: a long number, one with a leading zero or a plus, a day. A cell that looks guarded gets another one, so that
// unguard gives back what stood there.
func Safe(cell string) string {
	if risky(cell) || strings.HasPrefix(cell, "'") && risky(strings.TrimLeft(cell, "'")) {
		return "'" + cell
	}
	return cell
}

// turned finds what a Norwegian spreadsheet makes a day or a power of ten of.
var turned = regexp.MustCompile(`^\d{1,4}[./-]\d{1,2}$|^\d+[eE]\d+$`)

// longest is how many digits a spreadsheet shows of a number before it writes 1,23457E+11.
const longest = 11

func risky(cell string) bool {
	if cell == "" {
		return false
	}
	return strings.IndexByte("=+-@\t\r\n", cell[0]) >= 0 || digits(cell) && (len(cell) > longest || cell[0] == '0' && len(cell) > 1) || turned.MatchString(cell)
}

// unguard takes away the apostrophe that Safe has put before a cell.
func unguard(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && Safe(rest) == cell {
		return rest
	}
	return cell
}
