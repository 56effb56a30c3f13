package recipients

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"
)

// BadRows writes the rows that could not be used as CSV that a Norwegian spreadsheet opens: UTF-8 with a byte order mark,
// semicolons, CRLF. When it is corrected it can be read as a list again.
type BadRows struct {
	csv   *csv.Writer
	width int
}

// NewBadRows writes the headings of the list, with one more for what is wrong.
func NewBadRows(w io.Writer, l *List, heading string) (*BadRows, error) {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return nil, err
	}
	b := &BadRows{csv: csv.NewWriter(w), width: max(len(l.Headings), l.Columns.NationalID+1, l.Columns.Phone+1)}
	b.csv.Comma, b.csv.UseCRLF = ';', true
	return b, b.Add(l.Headings, heading)
}

// Add writes the cells of a row as they stood, and the sentence that tells what is wrong.
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

// Close writes what is left. It does not close the writer below.
func (b *BadRows) Close() error {
	b.csv.Flush()
	return b.csv.Error()
}

// Safe puts an apostrophe before a cell that a spreadsheet would take for a formula, and before a long number with a
// leading zero or a plus, which it would take away. Open takes no notice of it in numbers.
func Safe(cell string) string {
	risky := strings.HasPrefix(cell, "0") && len(cell) >= 8 && digits(cell)
	if cell != "" && (risky || slices.Contains([]byte("=+-@\t\r\n"), cell[0])) {
		return "'" + cell
	}
	return cell
}
