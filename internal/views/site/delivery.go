package site

import (
	"utsending/internal/views"
)

// AccountsPage lists the user's accounts.
type AccountsPage struct{ views.Page }

// DisplayPage is the choice of colour scheme.
type DisplayPage struct{ views.Page }
