package compose

import (
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// HandOverPage asks to whom a draft goes.
type HandOverPage struct {
	views.Page
	ID         dispatch.ItemID
	DraftTitle string
	Colleagues []Person
}

// Person is somebody in a list to choose from.
type Person struct {
	ID   dispatch.UserID
	Name string
}

// Handed is who a draft came from.
type Handed struct {
	By string // empty: from nobody
	At time.Time
}

// HandedLine is a draft that was handed over.
type HandedLine struct {
	ID        dispatch.ItemID
	Title, To string
	At        time.Time
	Back      bool // it may be taken back
}
