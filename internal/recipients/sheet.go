package recipients

import (
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
)

// sheetSource streams the rows of a sheet.
type sheetSource struct {
	book   *workbook
	part   *part
	rec    record
	cell   cell
	all    bool // include hidden rows and columns
	merges merges
	unseen []span       // hidden columns
	lost   map[int]bool // hidden columns that are not empty
}

// span is a range of columns.
type span struct{ from, to int }

// cell is the current cell.
type cell struct {
	column int
	kind   string
	style  int
	value  []byte
	taking bool // in <v>, or in <t> of an inline text
	spoken int
}

// hiddenColumns counts the skipped columns that were not empty.
func (s *sheetSource) hiddenColumns() int { return len(s.lost) }

// next implements source.
func (s *sheetSource) next() (record, error) {
	for {
		token, err := s.part.token()
		if err != nil { // also EOF: the end of the sheet must come first
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

// startColumns notes columns that are hidden or of width 0 (ECMA-376, 18.3.1.13).
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

// yes parses a boolean attribute.
func yes(e xml.StartElement, name string) bool {
	return attribute(e, name) == "1" || attribute(e, name) == "true"
}

// none tells whether a measure is given as zero.
func none(e xml.StartElement, name string) bool {
	n, err := strconv.ParseFloat(attribute(e, name), 64)
	return err == nil && n == 0
}

// shown tells whether a column is visible.
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
	style, _ := strconv.Atoi(attribute(e, "s")) // 0 if absent
	s.cell = cell{column: column, kind: attribute(e, "t"), style: style, value: s.cell.value[:0]}
}

// columnOf parses the letters of a cell's name: "AB12" is 27.
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

// end closes an element and tells whether a row is complete. The end of the rows needs no handling: the elements
// behind them contain none.
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

// drain reads to the end of the part, where the archive verifies its checksum.
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

// set sets the value of a cell. raw is the unformatted number, empty for other values.
func (r *record) set(column int, text, raw string) {
	for len(r.cells) <= column {
		r.cells, r.numeric, r.raw = append(r.cells, ""), append(r.numeric, false), append(r.raw, "")
	}
	r.cells[column], r.numeric[column], r.raw[column] = text, raw != "", raw
}

// text returns the cell's text as shown, and its unformatted number.
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

// truth renders a boolean as a Norwegian spreadsheet does.
func truth(value string) string {
	switch value {
	case "1", "true":
		return "SANN"
	case "0", "false":
		return "USANN"
	}
	return value
}

// escaped matches the escape of a character that XML cannot contain, or of a text that looks like such an escape
// (ECMA-376, ST_Xstring).
var escaped = regexp.MustCompile(`_x([0-9A-Fa-f]{4})_`)

// unescape decodes these escapes. Carriage returns are dropped: a line feed follows them.
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
