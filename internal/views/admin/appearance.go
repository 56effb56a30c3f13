package admin

import (
	"utsending/internal/views"
)

// AppearancePage is the form of the municipality's theme, as typed.
type AppearancePage struct {
	views.Page
	Name, Light, Dark string
	Configured        string // the municipality's name in the configuration
	HasLogo           bool
	Version           int
}
