package views

// Contacts are whom people may ask, and where the municipality says more, as the configuration tells it. Any may be empty.
type Contacts struct {
	Support          string // e-mail, telephone or an address of a page
	Privacy          string // the data protection officer
	PrivacyURL       string // the municipality's own notice
	AccessibilityURL string // the statement with the supervisory authority
}
