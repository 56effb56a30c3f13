package recipients

import (
	"hash/maphash"
	"io"
	"strings"

	"utsending/internal/dispatch"
)

// Pass are the options of one pass over a list.
type Pass struct {
	Template Template // the message; the zero value checks recipients only
	ByPhone  bool     // fast sending: recipients by phone number only, one text for all
	MaxRows  int      // MaxRows when 0
}

// Summary counts the rows of a pass. Rows = Good + Bad + Duplicates.
type Summary struct {
	Rows       int // not empty, headings excluded
	Good       int
	Bad        int
	Duplicates int
	Warned     int // good rows with a warning
	Foreign    int // good rows with a foreign number
	ByPhone    int // good rows sent to by phone number
	WithPhone  int // good rows with a phone number
	Empty      int // empty rows between the others
	Segments   int // of the good rows, if there was a template
}

// Each iterates over the list from the beginning and calls do with every row that is not empty. It stops at the first
// error, its own or do's; its own is *Refused when the list is at fault, and then no row should be used.
func (l *List) Each(p Pass, do func(Row) error) (Summary, error) {
	if err := l.check(p); err != nil {
		return Summary{}, err
	}
	src, err := l.open()
	if err != nil {
		return Summary{}, err
	}
	w := walk{list: l, pass: p, notes: notes{list: l}, seed: maphash.MakeSeed(), seen: map[uint64]int32{}}
	for {
		rec, err := src.next()
		if err == io.EOF {
			w.notes.done(src)
			return w.finish()
		}
		if err == nil {
			err = w.take(rec, do)
		}
		if err != nil {
			return w.sum, err
		}
	}
}

// check refuses a template that the list cannot fill in.
func (l *List) check(p Pass) error {
	if p.ByPhone && len(p.Template.Names()) > 0 {
		return refuse("problem.list.placeholder_fast", nil)
	}
	for _, name := range p.Template.Names() {
		switch at, ok := l.fields[name]; {
		case !ok:
			return refuse("problem.list.placeholder", dispatch.Args{"Name": name})
		case at == twice:
			return refuse("problem.list.placeholder_twice", dispatch.Args{"Name": name})
		}
	}
	if stray := p.Template.Stray("", l.Fields()); stray != nil {
		return refuse(stray.Key, stray.Args)
	}
	return nil
}

// walk is one pass in progress. It keeps only hashes of the recipients seen.
type walk struct {
	list    *List
	pass    Pass
	sum     Summary
	notes   notes
	started bool
	last    int // last line of the previous row
	seed    maphash.Seed
	seen    map[uint64]int32 // hash of a recipient → its line
}

func (w *walk) take(rec record, do func(Row) error) error {
	if rec.blank() {
		return nil
	}
	if rec.hidden {
		w.notes.hidden()
		w.last = rec.end
		return nil
	}
	if len(rec.cells) > MaxColumns {
		return refuse("problem.list.columns", dispatch.Args{"N": MaxColumns})
	}
	if w.started {
		w.sum.Empty += max(rec.line-w.last-1, 0)
	}
	w.last = rec.end
	w.started = true
	switch {
	case rec.line == w.list.header:
		return nil
	case rec.line < w.list.header && !rec.any(holdsRecipient):
		w.notes.over(rec)
		return nil
	}
	limit := w.pass.MaxRows
	if limit == 0 {
		limit = MaxRows
	}
	if w.sum.Rows++; w.sum.Rows > limit {
		return refuse("problem.list.rows", dispatch.Args{"N": limit})
	}
	row := w.row(rec)
	w.count(row)
	return do(row)
}

func (w *walk) finish() (Summary, error) {
	if w.sum.Rows == 0 {
		return w.sum, refuse("problem.list.empty", nil)
	}
	return w.sum, nil
}

// row reads one row. Problems are checked in order: its shape, its recipient, its text, and last whether an earlier
// row has the recipient, so that only a row that can be sent makes others duplicates.
func (w *walk) row(rec record) Row {
	row := Row{Line: rec.line, Cells: rec.cells}
	if w.shape(&row, rec); row.OK() {
		w.recipient(&row, rec)
	}
	w.values(&row, rec)
	if w.pass.Template.text != "" {
		w.text(&row)
	}
	if row.OK() {
		w.duplicate(&row)
	}
	return row
}

func (w *walk) shape(row *Row, rec record) {
	switch {
	case rec.broken:
		row.add(w.list.problem(-1, dispatch.ProblemQuote, nil))
		return
	case rec.line < w.list.header:
		row.add(w.list.problem(-1, dispatch.ProblemAbove, nil))
		return
	}
	if !w.list.Header {
		return
	}
	for i := len(w.list.Headings); i < len(rec.cells); i++ {
		if strings.TrimSpace(rec.cells[i]) != "" {
			row.add(w.list.problem(i, dispatch.ProblemCells, dispatch.Args{"N": len(w.list.Headings)}))
			return
		}
	}
}

// values checks the cells that may go into the text: an error value is a problem if the text names its column.
func (w *walk) values(row *Row, rec record) {
	if at := w.notes.look(rec); at >= 0 {
		row.warn(w.list.problem(at, "hint.row.strange", nil))
	}
	for i, cell := range rec.cells {
		switch {
		case w.list.Columns.has(i):
		case noValue(cell) && w.pass.names(w.list, i):
			row.add(w.list.problem(i, dispatch.ProblemError, nil))
		case noValue(cell) && i < len(w.list.Headings) && w.list.Headings[i] != "":
			row.warn(w.list.problem(i, "hint.row.error", nil))
		case strings.Contains(cell, "E+") && eaten.MatchString(cell):
			row.warn(w.list.problem(i, "hint.row.scientific", nil))
		}
	}
}

// names tells whether the text names a column's field.
func (p Pass) names(l *List, column int) bool {
	for _, name := range p.Template.Names() {
		if at, ok := l.fields[name]; ok && at == column {
			return true
		}
	}
	return false
}

func (r *Row) add(p Problem) { r.Problems = append(r.Problems, p) }

func (r *Row) warn(p Problem) { r.Warnings = append(r.Warnings, p) }

// recipient reads the one or two cells that may hold the recipient.
//
// Assumption: a person with both a national id and a phone number is sent to by national id; the phone number is kept for
// fast sending, which takes no other.
func (w *walk) recipient(row *Row, rec record) {
	c := w.list.Columns
	first, second := w.read(rec, c.NationalID), number{}
	if c.Phone != c.NationalID {
		second = w.read(rec, c.Phone)
	}
	if spare := w.read(rec, c.Spare); c.Spare >= 0 && second.id == "" && second.phone == "" && (spare.id != "" || spare.phone != "") {
		second, c.Phone = spare, c.Spare
	}
	id := w.keep(row, first, c.NationalID, false)
	if second.problem != "" && id != "" && row.OK() && !w.pass.ByPhone {
		row.warn(w.list.problem(c.Phone, "hint.row.phone_unusable", nil))
	} else if other := w.keep(row, second, c.Phone, id != ""); id == "" {
		id = other
	}
	w.choose(row, id)
}

// read reads the number in a cell.
func (w *walk) read(rec record, column int) number {
	return written{cell: rec.number(column), numeric: rec.isNumeric(column), phones: w.list.phones[column]}.read()
}

// keep stores a cell's phone number in the row, and returns its national id.
func (w *walk) keep(row *Row, n number, column int, haveID bool) dispatch.NationalID {
	if n.problem != "" {
		row.add(w.list.problem(column, n.problem, n.args))
		return ""
	}
	if n.id != "" && (haveID || w.pass.ByPhone) {
		return n.id // warnings about it do not matter
	}
	if n.warning != "" {
		row.warn(w.list.problem(column, n.warning, nil))
	}
	if row.Phone == "" {
		row.Phone = n.phone
	}
	return n.id
}

func (w *walk) choose(row *Row, id dispatch.NationalID) {
	switch {
	case !row.OK():
	case w.pass.ByPhone && row.Phone == "":
		row.add(w.list.problem(w.column(), "problem.row.no_phone", nil))
	case w.pass.ByPhone || id == "" && row.Phone != "":
		row.Recipient.Phone = row.Phone
	case id != "":
		row.Recipient.NationalID = id
	default:
		row.add(w.list.problem(w.column(), "problem.recipient.empty", nil))
	}
}

// column is where a missing recipient is reported.
func (w *walk) column() int {
	if w.list.Columns.Phone >= 0 {
		return w.list.Columns.Phone
	}
	return w.list.Columns.NationalID
}

// text fills in the template and checks the result against the limits of an SMS.
func (w *walk) text(row *Row) {
	text, missing := w.pass.Template.fill(func(name string) string {
		if i := w.list.fields[name]; i < len(row.Cells) {
			return strings.TrimSpace(row.Cells[i])
		}
		return ""
	})
	for _, name := range missing {
		row.add(w.list.problem(w.list.fields[name], "problem.row.field", dispatch.Args{"Name": name}))
	}
	row.Text = text
	if len(missing) > 0 {
		return
	}
	if p := w.pass.Template.check(text); p != nil {
		row.Problems = append(row.Problems, Problem{Column: -1, Problem: *p})
	}
}

func (w *walk) duplicate(row *Row) {
	hash := maphash.String(w.seed, key(row.Recipient))
	first, there := w.seen[hash]
	if !there {
		w.seen[hash] = int32(row.Line)
		return
	}
	row.Duplicate = int(first)
	row.add(w.list.problem(w.column(), "problem.row.duplicate", dispatch.Args{"N": int(first)}))
}

func (w *walk) count(row Row) {
	switch {
	case row.Duplicate > 0:
		w.sum.Duplicates++
		return
	case !row.OK():
		w.sum.Bad++
		return
	}
	w.sum.Good++
	w.sum.Warned += one(len(row.Warnings) > 0)
	w.sum.ByPhone += one(row.Recipient.ByPhone())
	w.sum.Foreign += one(row.Recipient.ByPhone() && row.Phone.Foreign())
	w.sum.WithPhone += one(row.Phone != "")
	if w.pass.Template.text != "" {
		w.sum.Segments += w.pass.Template.segments(row.Text)
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
