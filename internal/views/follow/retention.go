package follow

import (
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// HoldPage is the form that keeps an item although its time is up.
type HoldPage struct {
	views.Page
	Item       dispatch.Item
	Reason     string // as typed
	Held       bool
	HeldReason string
	HeldBy     string
	HeldAt     time.Time
}

// FieldRelease tells that an item is let go.
const FieldRelease = "slipp"
