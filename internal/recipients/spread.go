package recipients

// sideBySide tells a list of nothing but recipients with several in a row, as people paste them: "912 34 567, 912 34 568".
// Each of them is a recipient then. One of each kind in a row is one person.
func sideBySide(sample []record) bool {
	several := false
	for _, rec := range sample {
		var c content
		for i := range rec.cells {
			n := read(rec.cells[i], false)
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

// spreadSource gives the cells of rows one by one.
type spreadSource struct {
	from source
	rec  record
	at   int
}

// next implements source.
func (s *spreadSource) next() (record, error) {
	for s.at >= len(s.rec.cells) {
		rec, err := s.from.next()
		if err != nil || rec.broken {
			return rec, err
		}
		s.rec, s.at = rec, 0
	}
	s.at++
	return record{line: s.rec.line, end: s.rec.end, cells: s.rec.cells[s.at-1 : s.at]}, nil
}
