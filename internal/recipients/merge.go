package recipients

import (
	"bytes"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// maxMerges is how many merged ranges are kept of a sheet; further ones are not filled in.
const maxMerges = 20_000

// merges are the ranges of a sheet that go over several rows and show one value (ECMA-376, 18.3.1.55).
type merges struct {
	to    map[place]int   // last row, by the first cell
	going map[int]carried // by column
}

type place struct{ row, column int }

// carried is the value of a range while its rows are read.
type carried struct {
	text, raw string
	to        int
}

// fill keeps the values that ranges begin with in this row, and puts those of earlier rows into its empty cells.
func (m *merges) fill(r *record) {
	if len(m.to) == 0 {
		return
	}
	blank := r.blank()
	for column, c := range m.going {
		switch {
		case r.line > c.to:
			delete(m.going, column)
		case !blank && strings.TrimSpace(r.cell(column)) == "":
			r.set(column, c.text, c.raw)
		}
	}
	for column := range r.cells {
		if to, ok := m.to[place{r.line, column}]; ok {
			m.going[column] = carried{r.cells[column], r.raw[column], to}
		}
	}
}

// readMerges reads the ranges, which stand behind the rows: the part is gone through for their name first.
func (b *workbook) readMerges(sheet string) (merges, error) {
	m := merges{to: map[place]int{}, going: map[int]carried{}}
	if found, err := b.holds(sheet, "mergeCell"); !found || err != nil {
		return m, err
	}
	err := b.each(sheet, func(_ *part, token xml.Token) error {
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "mergeCell" && len(m.to) < maxMerges {
			m.add(attribute(e, "ref"))
		}
		return nil
	})
	return m, err
}

func (m *merges) add(ref string) {
	from, to, _ := strings.Cut(ref, ":")
	column, ok := columnOf(from)
	first, last := rowOf(from), rowOf(to)
	if ok && column < MaxColumns && last > first && first > 0 {
		m.to[place{first, column}] = last
	}
}

// rowOf reads the digits of a cell's name: "AB12" is 12.
func rowOf(name string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ$")) // none is 0
	return n
}

// holds tells whether a word stands in a part, without taking it apart.
func (b *workbook) holds(name, word string) (bool, error) {
	r, err := b.reader(name)
	if err != nil {
		return false, err
	}
	buf, rest := make([]byte, 64<<10), 0
	for {
		n, err := r.Read(buf[rest:])
		piece := buf[:rest+n]
		if bytes.Contains(piece, []byte(word)) {
			return true, nil
		}
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		rest = copy(buf, piece[max(0, len(piece)-len(word)):])
	}
}
