package recipients

import (
	"encoding/csv"
	"strings"
)

// sideBySide recognizes a list of recipients only, with several in a row, as people paste them: "912 34 567, 912 34
// 568". Then each of them is a recipient. One of each kind in a row is one person.
func sideBySide(sample []record) bool {
	several := false
	for _, rec := range sample {
		var c content
		for i := range rec.cells {
			n := written{cell: rec.cells[i]}.read()
			if n.problem == "problem.row.number" {
				return false
			}
			c.ids += one(n.id != "")
			c.phones += one(n.phone != "")
		}
		several = several || c.ids > 1 || c.phones > 1
	}
	return several
}

// spread makes a row of every cell from now on.
func (l *List) spread() {
	open := l.open
	l.open = func() (source, error) {
		src, err := open()
		return &spreadSource{from: src}, err
	}
}

// spreadSource returns the cells of rows one by one.
type spreadSource struct {
	from source
	rec  record
	at   int
}

// next implements source.
func (s *spreadSource) next() (record, error) {
	for s.at >= len(s.rec.cells) {
		rec, err := s.from.next()
		if err != nil || rec.broken || rec.hidden {
			return rec, err
		}
		s.rec, s.at = rec, 0
	}
	s.at++
	return record{line: s.rec.line, end: s.rec.end, cells: s.rec.cells[s.at-1 : s.at]}, nil
}

// unwrap tells whether whole rows are in one cell each, as in "Fornavn;Mobil", and splits them from now on.
func (l *List) unwrap(sample []record) bool {
	for _, separator := range separators {
		if l.Kind == KindText && separator != l.Separator || 2*wrapped(sample, separator) < len(sample) {
			continue
		}
		open := l.open
		l.open = func() (source, error) {
			src, err := open()
			return &unwrapSource{from: src, separator: separator}, err
		}
		l.Separator = separator
		return true
	}
	return false
}

func wrapped(sample []record, separator rune) (n int) {
	for _, rec := range sample {
		n += one(rec.wrapped(separator))
	}
	return n
}

// wrapped tells whether a row has one cell only, with a separator in it.
func (r record) wrapped(separator rune) bool {
	return !r.broken && r.filled() == 1 && r.cells[0] != "" && strings.ContainsRune(r.cells[0], separator)
}

// unwrapSource splits rows that are in one cell.
type unwrapSource struct {
	from      source
	separator rune
}

// next implements source.
func (s *unwrapSource) next() (record, error) {
	rec, err := s.from.next()
	if err != nil || !rec.wrapped(s.separator) {
		return rec, err
	}
	r := csv.NewReader(strings.NewReader(rec.cells[0]))
	r.Comma, r.LazyQuotes = s.separator, true
	cells, failed := r.Read()
	if rec.broken = failed != nil; failed == nil {
		rec.cells, rec.numeric, rec.raw = cells, nil, nil
		rec.tidy()
	}
	return rec, nil
}

func (s *unwrapSource) hiddenColumns() int {
	if from, ok := s.from.(interface{ hiddenColumns() int }); ok {
		return from.hiddenColumns()
	}
	return 0
}
