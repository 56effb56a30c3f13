package admin

import (
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// RetentionPage is how long things are kept, and what goes tonight.
type RetentionPage struct {
	views.Page
	Kept    dispatch.Retention          // days in force
	Form    map[dispatch.Keeping]string // days as typed
	Preview map[dispatch.Keeping]int
	Next    time.Time
	Nights  []RetentionNight
	Edits   bool
}

// RetentionNight is what went in a night.
type RetentionNight struct {
	Night  time.Time
	Ended  bool
	Counts map[dispatch.Keeping]int
}

// many is a number that a preview counted up to its bound.
func many(n int) string {
	if n >= 100_000 {
		return "100 000+"
	}
	return views.Number(n)
}
