package admin

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// RetentionPage is the form of retention, with a preview of tonight's purge.
type RetentionPage struct {
	views.Page
	Kept    dispatch.Retention          // in force
	Form    map[dispatch.Keeping]string // as typed
	Preview map[dispatch.Keeping]int
	Next    time.Time
	Nights  []RetentionNight
	Fresh   bool // the login is recent enough to change it
	Edits   bool
	Waits   string // what is said of shorter times that wait for another administrator; empty: none do
	// LogStays says that only the owner of the database deletes from the event log.
	LogStays bool
	Tried    []Effect // what the typed times would do; nil: not asked
	Shorter  bool     // one of the typed times is shorter than the one in force
	Held     []HeldItem
	HeldAll  int // items under legal hold, also those that are too many to be listed
}

// HeldItem is an item under legal hold.
type HeldItem struct {
	dispatch.Item
	Account    dispatch.Account // id, name and short name only
	Shown      bool             // false: it goes to a protected person whom the reader may not see
	By, Reason string
	Since      time.Time
}

// heldPath is the address of an item under legal hold, if the reader may see it.
func (p RetentionPage) heldPath(h HeldItem) string {
	if !h.Shown || !p.User.May(dispatch.RightSeeItems, h.Account.ID) {
		return ""
	}
	return views.ItemPath(h.Account, h.Item)
}

// hint says from when a category is kept and what its deletion means.
func (p RetentionPage) hint(ctx context.Context, k dispatch.Keeping) string {
	if k == dispatch.KeepLog && p.LogStays {
		return i18n.T(ctx, "retention.log.hint.owner")
	}
	return i18n.T(ctx, "retention."+string(k)+".hint")
}

// goes is how much of a category is deleted next; a dash, where it is not we who delete.
func (p RetentionPage) goes(k dispatch.Keeping) string {
	if k == dispatch.KeepLog && p.LogStays {
		return "–"
	}
	return Many(p.Preview[k])
}

// outcome says what saving the typed times comes to.
func (p RetentionPage) outcome(ctx context.Context) string {
	switch {
	case len(p.Tried) == 0:
		return i18n.T(ctx, "retention.tried.same")
	case p.Shorter:
		return i18n.T(ctx, "retention.tried.shorter")
	}
	return i18n.T(ctx, "retention.tried.longer")
}

// fixed are the sentences of what has a retention that nobody can change, and always those of what is never deleted.
var (
	fixed  = []string{"retention.fixed.uploads", "retention.fixed.exports", "retention.fixed.lists", "retention.fixed.empty", "retention.fixed.logins"}
	always = []string{"retention.stays.moving", "retention.stays.held", "retention.stays.setup"}
)

// RetentionNight is a night's purge.
type RetentionNight struct {
	Night  time.Time
	Ended  bool
	Counts map[dispatch.Keeping]int
}

// Many formats a count of the preview, which has a limit.
func Many(n int) string {
	if n >= 100_000 {
		return "100\u00a0000+"
	}
	return views.Number(n)
}
