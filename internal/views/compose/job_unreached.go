package compose

import (
	"context"
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// UnreachedLine is a row of a draft to those whom an earlier job did not reach.
type UnreachedLine struct {
	Row      int
	Number   string        // masked
	Item     dispatch.Item // what did not reach them; zero: it is deleted
	Replaced bool          // meanwhile, so that the row must be left out
	LeftOut  bool
	Typed    string // number in place of the former one; empty: that stays
}

// why is why it did not reach them.
func (l UnreachedLine) why(ctx context.Context, now time.Time) string {
	switch {
	case l.Replaced:
		return i18n.T(ctx, "job.unreached.replaced")
	case l.Item.ID == "":
		return i18n.T(ctx, "job.unreached.unknown")
	}
	state, reason := ItemWords(ctx, l.Item, now)
	if reason == "" && l.Item.Stage(now) != dispatch.StageRejected {
		reason = views.Why(ctx, l.Item, nil, now)
	}
	if reason == "" {
		return state
	}
	return i18n.T(ctx, "job.unreached.why", "State", state, "Reason", reason)
}

// numberName and outName are the names of the row's form fields.
func (l UnreachedLine) numberName() string { return UnreachedNumber(l.Row) }
func (l UnreachedLine) outName() string    { return UnreachedOut(l.Row) }

// UnreachedNumber is the name of the form field with another number for a row.
func UnreachedNumber(row int) string { return "nummer-" + strconv.Itoa(row) }

// UnreachedOut is the name of the form field that leaves a row out.
func UnreachedOut(row int) string { return "utelat-" + strconv.Itoa(row) }

// JobUnreachedPage lists the rows of a draft to those whom an earlier job did not reach, to be corrected or left out.
type JobUnreachedPage struct {
	views.Page
	Job         dispatch.Job
	Lines       []UnreachedLine
	After       int    // position before the first row
	First, More string // addresses of other pages; empty: there are none
}
