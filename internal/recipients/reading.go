package recipients

import (
	"slices"
	"strings"

	"utsending/internal/dispatch"
)

// Reading tells how the list is read. Its counts are complete after a pass.
func (l *List) Reading() dispatch.ListReading { return l.reading }

// describe records the columns, which of them are used, and which others hold numbers.
func (l *List) describe(sample []record, choice dispatch.ListChoice) {
	l.phones = map[int]bool{}
	r := &l.reading
	r.Columns = nil
	for i := range l.width(sample) {
		c := count(sample, i)
		word := i < len(l.Headings) && byWord(l.Headings[i:i+1], phoneWords) >= 0
		ids := i < len(l.Headings) && byWord(l.Headings[i:i+1], nationalIDWords) >= 0
		l.phones[i] = !ids && c.sure == 0 && (word || c.phones > 0) || i == choice.Phone-1 || i == choice.Spare-1
		r.Columns = append(r.Columns, dispatch.ListColumn{Name: l.ColumnName(i), At: i + 1, Numbers: (word || ids) && c.any() > 0 || 2*c.any() > filledIn(sample, i)})
	}
	r.Unusable = l.unusable()
	r.NationalID, r.Phone, r.Spare = l.Columns.NationalID+1, l.Columns.Phone+1, l.Columns.Spare+1
}

// unusable are the headings that no placeholder can name: used by two columns, or not writable.
func (l *List) unusable() (names []string) {
	for i, heading := range l.Headings {
		name := dispatch.PlaceholderKey(heading)
		if name != "" && !l.Columns.has(i) && (l.fields[name] == twice || !dispatch.Writable(name)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (l *List) width(sample []record) int {
	width := len(l.Headings)
	for _, rec := range sample {
		width = max(width, len(rec.cells))
	}
	return min(width, MaxColumns)
}

// filledIn counts the rows with a value in a column.
func filledIn(sample []record, column int) (n int) {
	for _, rec := range sample {
		n += one(strings.TrimSpace(rec.cell(column)) != "")
	}
	return n
}

// notes count skipped rows and columns, and collect the first strange values of a pass.
type notes struct {
	list    *List
	rows    int // hidden
	above   int
	title   string
	strange []dispatch.StrangeCell
	oddly   int
}

// hidden counts a hidden row.
func (n *notes) hidden() { n.rows++ }

// over counts a row above the headings.
func (n *notes) over(rec record) {
	if n.above++; n.above == 1 {
		n.title = strings.Join(slices.DeleteFunc(slices.Clone(rec.cells), func(cell string) bool { return strings.TrimSpace(cell) == "" }), " ")
		if runes := []rune(n.title); len(runes) > 80 {
			n.title = string(runes[:80]) + "…"
		}
	}
}

// look records the first strange cell of a row and returns its column; -1: none.
func (n *notes) look(rec record) int {
	for i, cell := range rec.cells {
		if n.list.Columns.has(i) || !strange(cell) && !(rec.stray && !plainASCII(cell)) {
			continue
		}
		if n.oddly++; len(n.strange) < dispatch.StrangeCellsMax {
			value := []rune(cell)
			n.strange = append(n.strange, dispatch.StrangeCell{Row: rec.line, Column: n.list.ColumnName(i), Value: string(value[:min(len(value), 60)])})
		}
		return i
	}
	return -1
}

// done writes the notes into the reading of the list.
func (n *notes) done(src source) {
	r := &n.list.reading
	r.HiddenRows, r.Above, r.Title, r.Strange, r.StrangeRows = n.rows, n.above, n.title, n.strange, n.oddly
	if s, ok := src.(interface{ hiddenColumns() int }); ok {
		r.HiddenColumns = s.hiddenColumns()
	}
}
