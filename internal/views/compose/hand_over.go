package compose

import (
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// HandOverPage asks which colleague a draft goes to.
type HandOverPage struct {
	views.Page
	ID         dispatch.ItemID
	DraftTitle string
	Colleagues []Person
}

// Person is a choice in a list of people.
type Person struct {
	ID   dispatch.UserID
	Name string
}

// Handed tells which colleague handed a draft over.
type Handed struct {
	By string // empty: nobody
	At time.Time
}

// HandedLine is a draft that was handed over.
type HandedLine struct {
	ID        dispatch.ItemID
	Title, To string
	At        time.Time
	Back      bool // it may be taken back
}
