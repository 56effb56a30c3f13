package recipients

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/transform"

	"utsending/internal/dispatch"
)

// recognise detects the format by the first bytes of a list, never by its name. A workbook has one list per sheet,
// most likely first.
func recognise(r io.ReaderAt, size int64, choice dispatch.ListChoice) ([]*List, error) {
	start := make([]byte, min(size, 512))
	if n, err := r.ReadAt(start, 0); err != nil && (err != io.EOF || n < len(start)) {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(start, []byte("PK\x03\x04")), bytes.HasPrefix(start, []byte("PK\x05\x06")):
		return openWorkbook(r, size, choice)
	case bytes.HasPrefix(start, []byte("\xd0\xcf\x11\xe0")): // .xls, and .xlsx with a password
		return nil, refuse("problem.list.xls", nil)
	case foreign(start):
		return nil, refuse("problem.list.kind", nil)
	}
	l, err := openText(r, size, start)
	return []*List{l}, err
}

// foreign recognizes a file that begins like text and is of another format.
func foreign(start []byte) bool {
	start = bytes.ToLower(bytes.TrimLeft(start, "\ufeff \t\r\n"))
	for _, other := range []string{"%pdf-", "{\\rtf", "<html", "<!doctype", "<?xml", "<table"} {
		if bytes.HasPrefix(start, []byte(other)) {
			return true
		}
	}
	return bytes.HasPrefix(start, []byte("\xff\xfe\x00\x00")) // UTF-32
}

func openText(r io.ReaderAt, size int64, start []byte) (*List, error) {
	enc, guess, err := findEncoding(io.NewSectionReader(r, 0, size), start)
	if err != nil {
		return nil, err
	}
	decoded := func() io.Reader {
		return evenText(transform.NewReader(bufio.NewReaderSize(io.NewSectionReader(r, 0, size), 64<<10), enc.NewDecoder()))
	}
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(decoded(), head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	separator, skip := findSeparator(strings.ReplaceAll(string(head[:n]), string(stray), ""))
	l := &List{Kind: KindText, Separator: separator}
	l.reading.Encoding = guess
	l.open = func() (source, error) { return newTextSource(decoded(), separator, skip) }
	return l, nil
}

// evenLines turns CR and CRLF into LF.
type evenLines struct {
	r  io.Reader
	cr bool // the last byte was CR, and LF was returned for it
}

// Read implements io.Reader.
func (e *evenLines) Read(p []byte) (int, error) {
	for {
		n, err := e.r.Read(p)
		if n = e.even(p[:n]); n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

func (e *evenLines) even(p []byte) int {
	if !e.cr && bytes.IndexByte(p, '\r') < 0 {
		return len(p)
	}
	n := 0
	for _, b := range p {
		after := e.cr
		e.cr = b == '\r'
		if after && b == '\n' {
			continue
		}
		if p[n] = b; e.cr {
			p[n] = '\n'
		}
		n++
	}
	return n
}

// separators are the separators of cells, most likely first.
var separators = []rune{';', '\t', ',', '|'}

// naming matches a first line that only names the separator, as spreadsheets write it: sep=;
var naming = regexp.MustCompile(`^(?i:"?sep=\s*"?([;,\t|])[;,\t|"\s]*)$`)

// findSeparator takes the separator that splits one of the first lines into words of headings, else the one whose
// number per line is most constant. skip is the number of lines that only name it.
func findSeparator(head string) (separator rune, skip int) {
	first, rest, _ := strings.Cut(head, "\n")
	if m := naming.FindStringSubmatch(first); m != nil {
		named, _ := utf8.DecodeRuneInString(m[1])
		if found := parting(rest); evenness(rest, named) > 0 || evenness(rest, found) == 0 {
			return named, 1
		}
		return parting(rest), 1
	}
	return parting(head), 0
}

func parting(head string) rune {
	best, most := ';', 0
	lines := strings.SplitN(head, "\n", headingRows+1)
	for _, line := range lines[:min(len(lines), headingRows)] {
		for _, candidate := range separators {
			if n := knownCells(line, candidate); n > most {
				best, most = candidate, n
			}
		}
	}
	if most > 0 {
		return best
	}
	for _, candidate := range separators {
		if n := evenness(head, candidate); n > most {
			best, most = candidate, n
		}
	}
	return best
}

// knownCells counts the cells of a line that are certainly headings, if a separator splits it.
func knownCells(line string, separator rune) (n int) {
	cells := strings.Split(line, string(separator))
	if len(cells) < 2 {
		return 0
	}
	for _, cell := range cells {
		if holdsNumber(cell) {
			return 0
		}
		n += one(isHeading(strings.Trim(cell, "\" ")) == 2)
	}
	return n
}

// evenness counts the lines with the most common number of a separator.
func evenness(head string, separator rune) int {
	counts := map[int]int{}
	n, lines, quoted, filled := 0, 0, false, false
	end := func() {
		if n > 0 {
			counts[n]++
		}
		if filled {
			lines++
		}
		n, filled = 0, false
	}
	for _, r := range head {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '\n':
			end()
		case r == separator:
			n++
		}
		if filled = filled || r != '\n'; lines == sampleRows {
			break
		}
	}
	end()
	most := 0
	for _, lines := range counts {
		most = max(most, lines)
	}
	return most
}

// textSource reads CSV.
type textSource struct {
	csv     *csv.Reader
	budget  *budget
	skip    int
	line    int     // last line of the previous row
	pending *record // read ahead, to detect an unclosed quote
	err     error
}

func newTextSource(r io.Reader, separator rune, skip int) (source, error) {
	b := &budget{r: r}
	c := csv.NewReader(b)
	c.Comma, c.FieldsPerRecord, c.ReuseRecord = separator, -1, true
	return &textSource{csv: c, budget: b, skip: skip}, nil
}

// next implements source.
func (s *textSource) next() (record, error) {
	if s.pending != nil {
		rec := *s.pending
		s.pending = nil
		return rec, nil
	}
	if s.err != nil {
		return record{}, s.err
	}
	for {
		rec, err := s.read()
		if err == nil && rec.end <= s.skip {
			continue
		}
		return rec, err
	}
}

func (s *textSource) read() (record, error) {
	s.budget.left = maxRow
	cells, err := s.csv.Read()
	var parse *csv.ParseError
	switch {
	case errors.Is(err, errBudget):
		return record{}, refuse("problem.list.long_row", dispatch.Args{"N": s.line + 1})
	case errors.As(err, &parse):
		return s.broken(cells, parse)
	case err != nil:
		return record{}, err
	}
	rec := s.record(cells)
	s.line = rec.end
	return rec, nil
}

func (s *textSource) record(cells []string) record {
	first, _ := s.csv.FieldPos(0)
	last, _ := s.csv.FieldPos(len(cells) - 1)
	rec := record{line: first, end: last + strings.Count(cells[len(cells)-1], "\n"), cells: cells}
	rec.tidy()
	return rec
}

// tidy normalizes the cells of a row of text, and removes the guards of our own files.
func (r *record) tidy() {
	for i, cell := range r.cells {
		r.stray = r.stray || strings.ContainsRune(cell, stray)
		r.cells[i] = unguard(clean(cell))
	}
}

// broken returns a malformed row. An unclosed quote refuses the whole list: it has swallowed the rows behind it.
func (s *textSource) broken(cells []string, parse *csv.ParseError) (record, error) {
	rec := record{line: parse.StartLine, end: parse.Line, cells: append([]string(nil), cells...), broken: true}
	rec.tidy()
	if !errors.Is(parse.Err, csv.ErrQuote) || parse.Line == parse.StartLine {
		return rec, nil
	}
	next, err := s.read()
	if err == io.EOF {
		return record{}, refuse("problem.list.quote", dispatch.Args{"N": parse.StartLine})
	}
	if s.err = err; err == nil {
		s.pending = &next
	}
	return rec, nil
}

// budget refuses to read more than is left: one row must not fill the memory.
type budget struct {
	r    io.Reader
	left int
}

var errBudget = errors.New("one piece is too long")

// Read implements io.Reader.
func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errBudget
	}
	n, err := b.r.Read(p)
	b.left -= n
	return n, err
}
