package views

// ErrorPage says what happened, what to do now, and a reference.
type ErrorPage struct {
	Page
	Why     string
	ErrorID string
	Action  string // address of the button; empty: none
	Label   string
	NewTab  bool // it leads to a new tab: this one holds what is not saved
}
