package views

// Contacts are the municipality's contacts and notices, as configured. Each may be empty.
type Contacts struct {
	Support          string // e-mail address, telephone number or address of a page
	Privacy          string // the data protection officer
	PrivacyURL       string // the municipality's own notice
	AccessibilityURL string // the accessibility statement with the supervisory authority
}
