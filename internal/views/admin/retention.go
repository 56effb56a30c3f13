package admin

import (
	"time"

	"utsending/internal/dispatch"
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
}

// RetentionNight is a night's purge.
type RetentionNight struct {
	Night  time.Time
	Ended  bool
	Counts map[dispatch.Keeping]int
}

// many formats a count of the preview, which has a limit.
func many(n int) string {
	if n >= 100_000 {
		return "100 000+"
	}
	return views.Number(n)
}
