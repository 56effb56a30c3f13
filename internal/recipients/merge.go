package recipients

import (
	"bytes"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// maxMerges is how many merged ranges of a sheet are kept; further ones are not filled in.
const maxMerges = 20_000

// merges are the merged ranges of a sheet that span rows and show one value (ECMA-376, 18.3.1.55).
type merges struct {
	to    map[place]int   // last row, by the first cell
	going map[int]carried // by column
}

type place struct{ row, column int }

// carried is the value of a range whose rows are being read.
type carried struct {
	text, raw string
	to        int
}

// fill fills empty cells from the ranges of earlier rows, and notes the values of ranges that begin in this row.
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

// readMerges reads the merged ranges. They are behind the rows, so the part is first searched for their element's
// name.
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

// rowOf parses the row of a cell's name: "AB12" is 12.
func rowOf(name string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ$")) // 0 if malformed
	return n
}

// holds tells whether a part contains a word, without parsing it.
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
