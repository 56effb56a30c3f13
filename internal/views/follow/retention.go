package follow

import (
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// HoldPage is the form of a legal hold.
type HoldPage struct {
	views.Page
	Item       dispatch.Item
	Reason     string // as typed
	Held       bool
	HeldReason string
	HeldBy     string
	HeldAt     time.Time
}

// FieldRelease says that the legal hold is to be removed.
const FieldRelease = "slipp"
