package store

import (
	"fmt"
	"slices"
	"time"

	"utsending/internal/dispatch"
)

// From is the window that follows a row in the list's order.
func (w Window) From(c Cursor) Window {
	if w.Oldest {
		w.After = c
	} else {
		w.Before = c
	}
	return w
}

// Cursor is a place in a list, newest first; its zero value is the start.
type Cursor struct {
	At time.Time
	ID dispatch.ItemID
}

// Zero tells whether the cursor is the start of the list.
func (c Cursor) Zero() bool { return c.ID == "" }

// Window is one page of a list: Before goes to older items, After to newer ones.
type Window struct {
	Before, After Cursor
	Limit         int
	Oldest        bool // the oldest first
}

// From is the window that begins with a row, in the list's order, that row included.
func From(c Cursor, w Window) Window {
	w.Before, w.After = Cursor{At: c.At.Add(time.Microsecond), ID: "00000000-0000-0000-0000-000000000000"}, Cursor{}
	if w.Oldest {
		w.Before, w.After = Cursor{}, Cursor{At: c.At.Add(-time.Microsecond), ID: "ffffffff-ffff-ffff-ffff-ffffffffffff"}
	}
	return w
}

// Above is the window of what stands before a row in the list's order.
func Above(c Cursor, w Window, limit int) Window {
	w.Before, w.After, w.Limit = Cursor{}, c, limit
	if w.Oldest {
		w.Before, w.After = c, Cursor{}
	}
	return w
}

// upwards tells whether the window is read from older to newer.
func (w Window) upwards() bool { return !w.After.Zero() || w.Oldest && w.Before.Zero() }

// Order is how the window's rows are read; at and id are the columns that the list is ordered by.
func (w Window) Order(at, id string) string {
	if w.upwards() {
		return " ORDER BY " + at + ", " + id
	}
	return " ORDER BY " + at + " DESC, " + id + " DESC"
}

// LimitClause reads one row more, which tells whether others follow. It stands in the text: of one that comes as an argument
// PostgreSQL knows nothing when it prepares, so it would plan anew at each execution, which costs five times as much as
// the rows.
func (w Window) LimitClause() string { return fmt.Sprintf(" LIMIT %d", w.Limit+1) }

// ClauseBy reads the window of a list in the order of a time and an id; its arguments follow on those given.
func (w Window) ClauseBy(at, id string, given ...any) (clause string, arguments []any) {
	cursor, sign := w.Before, "<"
	if !w.After.Zero() {
		cursor, sign = w.After, ">"
	}
	if !cursor.Zero() {
		clause = fmt.Sprintf(" AND (%s, %s) %s ($%d, $%d)", at, id, sign, len(given)+1, len(given)+2)
		given = append(given, cursor.At, cursor.ID)
	}
	return clause + w.Order(at, id) + w.LimitClause(), given
}

// Windowed returns the rows of a window in the list's order, and whether older or newer ones follow.
func Windowed[R any](w Window, rows []R) (shown []R, older, newer bool) {
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
