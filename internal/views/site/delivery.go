package site

import (
	"utsending/internal/views"
)

// AccountsPage lists the accounts that the user has.
type AccountsPage struct{ views.Page }

// DisplayPage is where a user chooses colours.
type DisplayPage struct{ views.Page }
