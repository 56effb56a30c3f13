// Package recipients reads lists of recipients of SMS and shipments: pasted text, CSV and .xlsx. A list is streamed row by row, any
// number of times, in constant memory.
package recipients

import (
	"errors"
	"io"
	"slices"

	"utsending/internal/dispatch"
)

// Limits of a list. A larger one is refused with an explanation, before memory is spent on it.
const (
	MaxRows    = 50_000
	MaxColumns = 100

	maxRow      = 256 << 10 // bytes of one row of text, and of one element of a workbook's XML
	sampleRows  = 100       // rows by which headings and columns are found
	sampleBytes = 1 << 20   // and their maximum size in bytes
)

// Kind is the detected format of a list, whatever its file name.
type Kind string

// The kinds of lists.
const (
	KindText     Kind = "text" // CSV and pasted text
	KindWorkbook Kind = "workbook"
)

// Refused is the error of a list that cannot be used at all. Problem holds the explanation for people.
type Refused struct{ Problem dispatch.Problem }

// Error implements error. It names the key only.
func (r *Refused) Error() string { return "list refused: " + r.Problem.Key }

func refuse(key string, args dispatch.Args) error {
	return &Refused{dispatch.Problem{Field: FieldList, Key: key, Args: args}}
}

// FieldList is the field of problems of the whole list.
const FieldList = "liste"

// List is an opened list: its format and columns. It keeps no rows. It can be read any number of times, one pass
// after the other.
type List struct {
	Kind      Kind
	Sheet     string   // of a workbook
	Header    bool     // a row holds headings
	Headings  []string // as written, trimmed; empty if none
	Columns   Columns
	Separator rune // of text

	header  int            // line of the headings; 0: none
	fields  map[string]int // personal fields by normalised heading; twice when two columns have it
	phones  map[int]bool   // columns where phone numbers stand
	place   int            // of the sheet in the workbook
	open    func() (source, error)
	reading dispatch.ListReading
}

// twice marks a personal field of two columns.
const twice = -1

// source iterates over the rows of a list; io.EOF ends them.
type source interface{ next() (record, error) }

// record is one row as read. Its cells are valid until the next one is read.
type record struct {
	line, end int // first and last line; a quoted cell may hold line breaks
	cells     []string
	numeric   []bool   // cells that a workbook holds as numbers; nil in text
	raw       []string // the unformatted values of such cells
	broken    bool     // malformed quotes
	stray     bool     // it has bytes of another encoding than the rest
	hidden    bool     // a workbook does not show the row
}

// Open detects the format and the columns of a list. Of a workbook only the shared strings are kept. The error is
// *Refused when the list itself is at fault.
func Open(r io.ReaderAt, size int64) (*List, error) { return OpenAs(r, size, dispatch.ListChoice{}) }

// OpenAs opens a list with a person's choices.
func OpenAs(r io.ReaderAt, size int64, choice dispatch.ListChoice) (*List, error) {
	l, _, err := choose(r, size, choice, func(l *List) (*List, error) { return l, l.arrange(choice) })
	return l, err
}

// choose tries the sheets of a workbook, the active one first, and takes the first that holds a list. A text has one
// list only.
func choose[T any](r io.ReaderAt, size int64, choice dispatch.ListChoice, arrange func(*List) (T, error)) (*List, T, error) {
	var none, taken T
	candidates, err := recognise(r, size, choice)
	if err != nil {
		return nil, none, err
	}
	var found *List
	var names []string
	lists, first := 0, error(nil)
	for _, l := range candidates {
		name := l.Sheet
		one, err := arrange(l)
		switch {
		case err == nil:
			if lists++; found == nil {
				found, taken = l, one
			}
		case !another(err), choice.Sheet != "" && name == choice.Sheet:
			return nil, none, err
		case first == nil || isEmpty(first) && !isEmpty(err):
			first = err
		}
		if err == nil || !isEmpty(err) {
			names = append(names, name)
		}
	}
	if found == nil {
		return nil, none, first
	}
	found.reading.Lists, found.reading.Sheet = lists, found.Sheet
	if len(candidates) > 0 && found.Kind == KindWorkbook {
		found.reading.Sheets = inOrder(candidates, names)
	}
	return found, taken, nil
}

// inOrder sorts names in the workbook's order of sheets.
func inOrder(candidates []*List, names []string) []string {
	sorted := slices.Clone(candidates)
	slices.SortStableFunc(sorted, func(a, b *List) int { return a.place - b.place })
	var list []string
	for _, l := range sorted {
		if slices.Contains(names, l.Sheet) {
			list = append(list, l.Sheet)
		}
	}
	return list
}

// another tells that a sheet holds no list, so that the next one is tried.
func another(err error) bool {
	var refused *Refused
	return errors.As(err, &refused) && slices.Contains([]string{"problem.list.empty", "problem.list.no_column", "problem.list.no_name", "problem.list.all_hidden"}, refused.Problem.Key)
}

func isEmpty(err error) bool {
	var refused *Refused
	return errors.As(err, &refused) && refused.Problem.Key == "problem.list.empty"
}

// arrange finds the headings and the columns of a list.
func (l *List) arrange(choice dispatch.ListChoice) error {
	sample, err := l.begin(choice)
	if err != nil {
		return err
	}
	at := l.headingRow(sample, choice)
	if at < 0 && l.Kind == KindText && choice.Phone <= 1 && choice.NationalID <= 1 && choice.Spare <= 0 && sideBySide(sample) {
		l.spread()
		if sample, err = l.sample(); err != nil {
			return err
		}
	}
	if sample = l.behead(sample, at); len(sample) == 0 {
		return refuse("problem.list.empty", nil)
	}
	if len(sample[0].cells) > MaxColumns {
		return refuse("problem.list.columns", dispatch.Args{"N": MaxColumns})
	}
	l.Columns = findColumns(l.Headings, sample)
	l.Columns.change(choice)
	if l.Columns.none() {
		return refuse("problem.list.no_column", nil)
	}
	l.fields = fields(l.Headings, l.Columns)
	l.describe(sample, choice)
	return nil
}

// begin reads the first rows of a list, splitting rows that are in one cell each.
func (l *List) begin(choice dispatch.ListChoice) ([]record, error) {
	l.reading.Choice = choice
	sample, err := l.sample()
	if err == nil && len(sample) > 0 && l.unwrap(sample) {
		sample, err = l.sample()
	}
	if err == nil && len(sample) == 0 {
		err = refuse("problem.list.empty", nil)
	}
	if err == nil {
		l.reading.First = sample[0].line
	}
	return sample, err
}

// headingRow is the row of the sample that holds the headings; -1: none.
func (l *List) headingRow(sample []record, choice dispatch.ListChoice) int {
	switch {
	case choice.Header == 0:
		return findHeadings(sample)
	case choice.Header > 0:
		return slices.IndexFunc(sample, func(r record) bool { return r.line == choice.Header })
	}
	return -1
}

// behead takes the headings from a row of the sample, and returns the rows below.
func (l *List) behead(sample []record, at int) []record {
	if at < 0 {
		return sample
	}
	l.Header, l.header, l.Headings = true, sample[at].line, headings(sample[at].cells)
	l.reading.Header = l.header
	return sample[at+1:]
}

// sample returns the first rows that are not empty, with cells of their own.
func (l *List) sample() ([]record, error) {
	src, err := l.open()
	if err != nil {
		return nil, err
	}
	var sample []record
	hidden := false
	for size := 0; len(sample) < sampleRows && size < sampleBytes; {
		rec, err := src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		hidden = hidden || rec.hidden && !rec.blank()
		if !rec.blank() && !rec.hidden {
			rec.cells, rec.numeric, rec.raw = slices.Clone(rec.cells), slices.Clone(rec.numeric), slices.Clone(rec.raw)
			sample = append(sample, rec)
			size += rec.size()
		}
	}
	if hidden && len(sample) == 0 {
		return nil, refuse("problem.list.all_hidden", nil)
	}
	return sample, nil
}
