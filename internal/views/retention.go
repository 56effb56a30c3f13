package views

import (
	"time"

	"utsending/internal/dispatch"
)

// RetentionPage is how long things are kept, and what goes tonight.
type RetentionPage struct {
	Page
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

// HoldPage is the form that keeps an item although its time is up.
type HoldPage struct {
	Page
	Item       dispatch.Item
	Reason     string // as typed
	Held       bool
	HeldReason string
	HeldBy     string
	HeldAt     time.Time
}

// FieldRelease tells that an item is let go.
const FieldRelease = "slipp"

// many is a number that a preview counted up to its bound.
func many(n int) string {
	if n >= 100_000 {
		return "100 000+"
	}
	return number(n)
}
