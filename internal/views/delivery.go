package views

// ErrorPage explains what happened and what to do now, with a reference.
type ErrorPage struct {
	Page
	Why     string
	ErrorID string
	Action  string // address of the button; empty: no button
	Label   string
	NewTab  bool   // it opens a new tab, since this page holds unsaved input
	Ask     string // whom to ask; empty: nobody is configured
	// SignsOut offers to log out, so that the login can say more the next time.
	SignsOut bool
}
