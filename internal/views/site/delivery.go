package site

import (
	"utsending/internal/views"
)

// AccountsPage lists the user's accounts.
type AccountsPage struct{ views.Page }

// DisplayPage is the choice of language and colour scheme.
type DisplayPage struct {
	views.Page
	Language string // chosen; empty: the default
	Default  string // the municipality's
}
