package compose

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// UnreachedLine is a row of a draft to those whom an earlier job did not reach.
type UnreachedLine struct {
	Row      int
	Number   string        // masked
	Was      string        // the number before it was corrected, masked; empty: it is the same
	Item     dispatch.Item // what did not reach them; zero: it is deleted
	Replaced bool          // meanwhile, so that the row must be left out
	Second   bool          // because something was sent in its place, or is to be
	Out      bool          // the row is left out
	Vain     bool          // leaving it out does not help: nobody would be left
	LeaveOut bool          // it is to be left out, as the form has it
	Typed    string        // number in place of the former one; empty: that stays
}

// row names the row by its number, and by what that was before it was corrected.
func (l UnreachedLine) row(ctx context.Context) string {
	if l.Was != "" {
		return i18n.T(ctx, "job.unreached.row.fixed", "Row", l.Row, "Was", l.Was, "Number", l.Number)
	}
	return i18n.T(ctx, "job.unreached.row", "Row", l.Row, "Number", l.Number)
}

// blocks tells whether the row must be left out before the draft can be sent, and it can be sent then.
func (l UnreachedLine) blocks() bool { return l.Replaced && !l.Out && !l.Vain }

// stays tells whether the row is left out and cannot be taken in again.
func (l UnreachedLine) stays() bool { return l.Replaced && l.Out }

// blocked tells whether rows must be left out before a draft can be sent.
func blocked(j dispatch.Job, a Approving) bool { return j.Replaced > 0 && !a.fixed() }

// blockedWords says how many, and how many remain.
func blockedWords(ctx context.Context, j dispatch.Job) string {
	if j.AllReplaced {
		return i18n.T(ctx, "job.review.blocked.all")
	}
	if j.NobodyLeft() {
		return i18n.T(ctx, "job.review.blocked.none")
	}
	return i18n.T(ctx, "job.review.blocked", "Rows", j.Replaced, "All", j.List.Valid, "Left", j.List.Valid-j.Replaced)
}

// why is why it did not reach them, with the former number where it was corrected.
func (l UnreachedLine) why(ctx context.Context, now time.Time) string {
	why := l.cause(ctx, now)
	if l.Was != "" && !l.Replaced {
		return i18n.T(ctx, "job.unreached.why.was", "Number", l.Was, "Why", why)
	}
	return why
}

func (l UnreachedLine) cause(ctx context.Context, now time.Time) string {
	switch {
	case l.blocks() && l.Second:
		return i18n.T(ctx, "job.unreached.second")
	case l.blocks():
		return i18n.T(ctx, "job.unreached.revived")
	case l.Replaced && l.Second:
		return i18n.T(ctx, "job.unreached.second.out")
	case l.Replaced:
		return i18n.T(ctx, "job.unreached.revived.out")
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

// leaveOutAt is the address of a row's form, with its box for leaving it out ticked. That of a shipment has no other box, that of SMS all rows.
func leaveOutAt(fix func(int) string, row int, j dispatch.Job) string {
	at := fix(row)
	if j.Shipments() {
		return at
	}
	page, part, _ := strings.Cut(at, "#")
	return page + "?" + FieldTicked + "=" + strconv.Itoa(row) + "#" + part
}

// leftOutLook is the tag of a row that is left out.
func leftOutLook(ctx context.Context) views.Look {
	return views.Look{Color: "neutral", Icon: "LinkBroken", Word: i18n.T(ctx, "shipments.list.left_out")}
}

// unreachedAt is the address of the form of each row of a draft to those whom an earlier job did not reach; nil while it waits for approval,
// or when it can only be deleted.
func unreachedAt(p views.Page, j dispatch.Job, fixed bool) func(int) string {
	if fixed || j.AllReplaced {
		return nil
	}
	return func(row int) string {
		if j.Shipments() {
			return p.PathTo("utkast", string(j.Draft), "flere", "feil") + "?" + FieldRow + "=" + strconv.Itoa(row)
		}
		return p.PathTo("jobber", string(j.ID), "ikke-nadd") + "#rad-" + strconv.Itoa(row)
	}
}
