package recipients

import (
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
)

// sheetSource reads the rows of a sheet as they come.
type sheetSource struct {
	book   *workbook
	part   *part
	rec    record
	cell   cell
	all    bool // hidden rows and columns too
	merges merges
	unseen []span       // hidden columns
	lost   map[int]bool // those of them that hold something
}

// span is a run of columns.
type span struct{ from, to int }

// cell is the current cell.
type cell struct {
	column int
	kind   string
	style  int
	value  []byte
	taking bool // in <v>, or in <t> of a text that stands in the cell
	spoken int
}

// hiddenColumns counts the columns that were left out with something in them.
func (s *sheetSource) hiddenColumns() int { return len(s.lost) }

// next implements source.
func (s *sheetSource) next() (record, error) {
	for {
		token, err := s.part.token()
		if err != nil { // also the end: that of the sheet must have come before
			return record{}, brokenUnless(err)
		}
		done := false
		switch e := token.(type) {
		case xml.StartElement:
			s.start(e)
		case xml.CharData:
			if s.cell.taking && s.cell.spoken == 0 {
				s.cell.value = append(s.cell.value, e...)
			}
			if len(s.cell.value) > maxRow {
				err = refuse("problem.list.long_row", dispatch.Args{"N": s.rec.line})
			}
		case xml.EndElement:
			done, err = s.end(e.Name.Local)
		}
		if done {
			s.merges.fill(&s.rec)
		}
		if done || err != nil {
			return s.rec, err
		}
	}
}

func (s *sheetSource) start(e xml.StartElement) {
	switch e.Name.Local {
	case "col":
		s.startColumns(e)
	case "row":
		s.startRow(e)
	case "c":
		s.startCell(e)
	case "v", "t":
		s.cell.taking = true
	case "rPh":
		s.cell.spoken++
	}
}

func (s *sheetSource) startRow(e xml.StartElement) {
	line, err := strconv.Atoi(attribute(e, "r"))
	if err != nil || line <= s.rec.line {
		line = s.rec.line + 1
	}
	s.rec = record{line: line, end: line, cells: s.rec.cells[:0], numeric: s.rec.numeric[:0], raw: s.rec.raw[:0], hidden: !s.all && (yes(e, "hidden") || none(e, "ht"))}
	s.cell = cell{column: -1, value: s.cell.value[:0]}
}

// startColumns notes columns that are hidden or have no width (ECMA-376, 18.3.1.13).
func (s *sheetSource) startColumns(e xml.StartElement) {
	if s.all || !yes(e, "hidden") && !none(e, "width") || len(s.unseen) > MaxColumns {
		return
	}
	from, err := strconv.Atoi(attribute(e, "min"))
	to, wrong := strconv.Atoi(attribute(e, "max"))
	if err == nil && wrong == nil {
		s.unseen = append(s.unseen, span{from - 1, to - 1})
	}
}

// yes reads an attribute that is true or false.
func yes(e xml.StartElement, name string) bool {
	return attribute(e, name) == "1" || attribute(e, name) == "true"
}

// none reads a measure that is given as nothing.
func none(e xml.StartElement, name string) bool {
	n, err := strconv.ParseFloat(attribute(e, name), 64)
	return err == nil && n == 0
}

// shown tells whether a column is shown.
func (s *sheetSource) shown(column int) bool {
	for _, hidden := range s.unseen {
		if column >= hidden.from && column <= hidden.to {
			return false
		}
	}
	return true
}

func (s *sheetSource) startCell(e xml.StartElement) {
	column, ok := columnOf(attribute(e, "r"))
	if !ok {
		column = s.cell.column + 1
	}
	style, _ := strconv.Atoi(attribute(e, "s")) // none is style 0
	s.cell = cell{column: column, kind: attribute(e, "t"), style: style, value: s.cell.value[:0]}
}

// columnOf reads the letters of a cell's name: "AB12" is 27.
func columnOf(name string) (int, bool) {
	n := 0
	for i := range min(len(name), 4) {
		if c := name[i]; c >= 'A' && c <= 'Z' {
			n = n*26 + int(c-'A') + 1
			continue
		}
		break
	}
	return n - 1, n > 0
}

// end closes an element and tells whether a row is complete. The end of the sheet's rows is not waited for: what stands
// behind them has no rows.
func (s *sheetSource) end(name string) (row bool, err error) {
	switch name {
	case "v", "t":
		s.cell.taking = false
	case "rPh":
		s.cell.spoken--
	case "c":
		return false, s.endCell()
	case "row":
		return true, nil
	case "worksheet":
		return false, s.drain()
	}
	return false, nil
}

// drain reads to the end of the part, where its checksum is compared.
func (s *sheetSource) drain() error {
	for {
		switch _, err := s.part.token(); {
		case err == io.EOF:
			return err
		case err != nil:
			return brokenUnless(err)
		}
	}
}

func (s *sheetSource) endCell() error {
	text, raw, ok := s.text()
	text = unguard(clean(text)) // a spreadsheet keeps the guards of our own files when it opens one
	switch {
	case !ok:
		return refuse("problem.list.broken", nil)
	case strings.TrimSpace(text) == "":
		return nil
	case !s.shown(s.cell.column):
		if !s.rec.hidden {
			s.lost[s.cell.column] = true
		}
		return nil
	case s.cell.column >= MaxColumns:
		return refuse("problem.list.columns", dispatch.Args{"N": MaxColumns})
	}
	s.rec.set(s.cell.column, text, raw)
	return nil
}

// set puts a value into its cell. raw is the unformatted number; empty for others.
func (r *record) set(column int, text, raw string) {
	for len(r.cells) <= column {
		r.cells, r.numeric, r.raw = append(r.cells, ""), append(r.numeric, false), append(r.raw, "")
	}
	r.cells[column], r.numeric[column], r.raw[column] = text, raw != "", raw
}

// text is what the cell shows, and the number behind it.
func (s *sheetSource) text() (text, raw string, ok bool) {
	value := string(s.cell.value)
	switch s.cell.kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if value == "" {
			return "", "", true
		}
		text, ok = s.book.texts.at(i)
		return s.book.styles.text(unescape(text), s.cell.style), "", ok && err == nil
	case "str", "inlineStr":
		return s.book.styles.text(unescape(value), s.cell.style), "", true
	case "e":
		return unescape(value), "", true
	case "d":
		text, _ = s.book.styles.written(strings.TrimSpace(value), s.cell.style)
		return text, "", true
	case "b":
		return truth(strings.TrimSpace(value)), "", true
	}
	text, raw = s.book.styles.show(strings.TrimSpace(value), s.cell.style)
	return text, raw, true
}

// truth is a truth value as a Norwegian spreadsheet shows it.
func truth(value string) string {
	switch value {
	case "1", "true":
		return "SANN"
	case "0", "false":
		return "USANN"
	}
	return value
}

// escaped is how a workbook writes a character that XML cannot hold, and a text that looks like one so written (ECMA-376,
// ST_Xstring).
var escaped = regexp.MustCompile(`_x([0-9A-Fa-f]{4})_`)

// unescape puts such characters in place. Carriage returns go: they stand before a line feed.
func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escaped.ReplaceAllStringFunc(text, func(s string) string {
		n, _ := strconv.ParseUint(s[2:6], 16, 16) // four hexadecimal digits
		if n == '\r' {
			return ""
		}
		return string(rune(n))
	})
}
