package store

import (
	"fmt"
	"slices"
	"time"

	"utsending/internal/dispatch"
)

// From returns the page after a row, in the list's order.
func (w Page) From(c Cursor) Page {
	if w.Oldest {
		w.After = c
	} else {
		w.Before = c
	}
	return w
}

// Cursor is a position in a list; its zero value is the start.
type Cursor struct {
	At    time.Time
	ID    dispatch.ItemID
	Value string `json:",omitempty"` // see dispatch.ListRow.Value
}

// Zero tells whether the cursor is the start of the list.
func (c Cursor) Zero() bool { return c.ID == "" }

// Page is one page of a list (keyset pagination): items older than Before, or newer than After; the start without either.
type Page struct {
	Before, After Cursor
	Limit         int
	Oldest        bool // oldest first; of a text: from its beginning
	Including     bool // the row of the cursor too
}

// From returns the page that begins with a row, that row included.
func From(c Cursor, w Page) Page {
	w.Before, w.After, w.Including = c, Cursor{}, true
	if w.Oldest {
		w.Before, w.After = Cursor{}, c
	}
	return w
}

// Above returns the page before a row, in the list's order.
func Above(c Cursor, w Page, limit int) Page {
	w.Before, w.After, w.Limit, w.Including = Cursor{}, c, limit, false
	if w.Oldest {
		w.Before, w.After = c, Cursor{}
	}
	return w
}

// Bound returns the cursor by which the page begins, and the operator that compares its rows with it; a zero cursor is the start.
func (w Page) Bound() (Cursor, string) {
	c, operator := w.Before, "<"
	if !w.After.Zero() {
		c, operator = w.After, ">"
	}
	if w.Including {
		operator += "="
	}
	return c, operator
}

// upwards tells whether the page is read from older to newer.
func (w Page) upwards() bool { return !w.After.Zero() || w.Oldest && w.Before.Zero() }

// Order is the ORDER BY clause; at and id are the columns by which the list is ordered.
func (w Page) Order(at, id string) string {
	if w.upwards() {
		return " ORDER BY " + at + ", " + id
	}
	return " ORDER BY " + at + " DESC, " + id + " DESC"
}

// LimitClause reads one row more than the limit, which tells whether others follow. The limit is in the text: with a
// parameter, whose value PostgreSQL does not know when it plans, it would plan anew at each execution, which costs
// five times as much as reading the rows.
func (w Page) LimitClause() string { return fmt.Sprintf(" LIMIT %d", w.Limit+1) }

// ClauseBy is the WHERE condition of the page (keyset pagination); its parameters follow the given ones.
func (w Page) ClauseBy(at, id string, given ...any) (clause string, arguments []any) {
	cursor, operator := w.Bound()
	if !cursor.Zero() {
		clause = fmt.Sprintf(" AND (%s, %s) %s ($%d, $%d)", at, id, operator, len(given)+1, len(given)+2)
		given = append(given, cursor.At, cursor.ID)
	}
	return clause + w.Order(at, id) + w.LimitClause(), given
}

// TrimPage returns the rows of a page in the list's order, and whether older or newer ones follow.
func TrimPage[R any](w Page, rows []R) (shown []R, older, newer bool) {
	more := len(rows) > w.Limit
	rows = rows[:min(len(rows), w.Limit)]
	if w.upwards() != w.Oldest {
		slices.Reverse(rows)
	}
	if w.upwards() {
		return rows, !w.After.Zero(), more
	}
	return rows, more, !w.Before.Zero()
}
