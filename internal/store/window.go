package store

import (
	"fmt"
	"slices"
	"time"

	"utsending/internal/dispatch"
)

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
}

// clause reads the window, in the order of its reading, and one row more, which tells whether others follow; its
// arguments follow on those given. The limit stands in the text: of one that comes as an argument PostgreSQL knows
// nothing when it prepares, so it would plan anew at each execution, which costs five times as much as the rows.
func (w Window) clause(given ...any) (clause string, arguments []any) {
	return w.clauseBy("it.created_at", "it.id", given...)
}

// clauseBy is clause for a list in the order of another time and id.
func (w Window) clauseBy(at, id string, given ...any) (clause string, arguments []any) {
	n := len(given)
	switch {
	case !w.After.Zero():
		clause = fmt.Sprintf(` AND (%[3]s, %[4]s) > ($%[1]d, $%[2]d) ORDER BY %[3]s, %[4]s`, n+1, n+2, at, id)
		given = append(given, w.After.At, w.After.ID)
	case !w.Before.Zero():
		clause = fmt.Sprintf(` AND (%[3]s, %[4]s) < ($%[1]d, $%[2]d) ORDER BY %[3]s DESC, %[4]s DESC`, n+1, n+2, at, id)
		given = append(given, w.Before.At, w.Before.ID)
	default:
		clause = fmt.Sprintf(` ORDER BY %s DESC, %s DESC`, at, id)
	}
	return clause + fmt.Sprintf(` LIMIT %d`, w.Limit+1), given
}

// windowed returns the rows of a window newest first, and whether older or newer ones follow.
func windowed[R any](w Window, rows []R) (shown []R, older, newer bool) {
	more := len(rows) > w.Limit
	rows = rows[:min(len(rows), w.Limit)]
	if !w.After.Zero() {
		slices.Reverse(rows)
		return rows, true, more
	}
	return rows, more, !w.Before.Zero()
}
