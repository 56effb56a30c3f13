// Package recipients reads lists of recipients of SMS and letters: pasted text, CSV and .xlsx. A list is gone through row by row, as
// often as wanted, with memory that does not grow with it.
package recipients

import (
	"io"
	"slices"

	"utsending/internal/dispatch"
)

// Limits of a list. What is beyond them is refused with a sentence, before memory is spent on it.
const (
	MaxRows    = 50_000
	MaxColumns = 100

	maxRow      = 256 << 10 // bytes of one row of text, and of one piece of a workbook's XML
	sampleRows  = 100       // rows that headings and columns are found by
	sampleBytes = 1 << 20   // and what they may come to
)

// Kind is what a list turned out to be, whatever its name says.
type Kind string

// The kinds of lists.
const (
	KindText     Kind = "text" // CSV and pasted text
	KindWorkbook Kind = "workbook"
)

// Refused is the error of a list that cannot be used as a whole. The sentence for people is in Problem.
type Refused struct{ Problem dispatch.Problem }

// Error implements error. It names the key only.
func (r *Refused) Error() string { return "list refused: " + r.Problem.Key }

func refuse(key string, args dispatch.Args) error {
	return &Refused{dispatch.Problem{Field: FieldList, Key: key, Args: args}}
}

// FieldList is the field that problems of the whole list belong to.
const FieldList = "liste"

// List is a list that was recognised: what it is, and which column holds what. It keeps no rows and may be gone through
// any number of times, by several at once where the reader behind it allows it.
type List struct {
	Kind      Kind
	Sheet     string   // the sheet that is read, of a workbook
	Header    bool     // the first row holds headings
	Headings  []string // as written, trimmed; empty strings where there is none
	Columns   Columns
	Separator rune // of text

	fields map[string]int // personal fields by normalised heading; twice when two columns have it
	open   func() (source, error)
}

// twice marks a personal field that two columns have.
const twice = -1

// source gives the rows of a list one by one; io.EOF ends them.
type source interface{ next() (record, error) }

// record is one row as it stands. Its cells are valid until the next one is read.
type record struct {
	line, end int // first and last line; a quoted cell may hold line breaks
	cells     []string
	numeric   []bool // cells that a workbook holds as numbers; nil in text
	broken    bool   // quotes that cannot be understood
}

// Open finds out what a list is and where its columns are. Nothing of it is kept but a workbook's shared texts. The error
// is *Refused when the list itself is at fault.
func Open(r io.ReaderAt, size int64) (*List, error) {
	l, err := recognise(r, size)
	if err != nil {
		return nil, err
	}
	sample, err := l.sample()
	if err != nil {
		return nil, err
	}
	if len(sample) == 0 {
		return nil, refuse("problem.list.empty", nil)
	}
	if l.Header = !anyNumber(sample[0].cells); !l.Header && l.Kind == KindText && sideBySide(sample) {
		l.spread()
		if sample, err = l.sample(); err != nil {
			return nil, err
		}
	}
	if l.Header {
		l.Headings = headings(sample[0].cells)
		sample = sample[1:]
	}
	if len(sample) == 0 {
		return nil, refuse("problem.list.empty", nil)
	}
	if len(sample[0].cells) > MaxColumns {
		return nil, refuse("problem.list.columns", dispatch.Args{"N": MaxColumns})
	}
	l.Columns = findColumns(l.Headings, sample)
	if l.Columns.none() {
		return nil, refuse("problem.list.no_column", nil)
	}
	l.fields = fields(l.Headings, l.Columns)
	return l, nil
}

// sample returns the first rows that hold something, with cells of their own.
func (l *List) sample() ([]record, error) {
	src, err := l.open()
	if err != nil {
		return nil, err
	}
	var sample []record
	for size := 0; len(sample) < sampleRows && size < sampleBytes; {
		rec, err := src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if !rec.blank() {
			rec.cells, rec.numeric = slices.Clone(rec.cells), slices.Clone(rec.numeric)
			sample = append(sample, rec)
			size += rec.size()
		}
	}
	return sample, nil
}
