package views

import (
	"strings"

	"utsending/internal/dispatch"
)

// Settings is an address within an account's settings: below the account for its own administrator, else below
// /admin.
func (p *Page) Settings(a dispatch.Account, parts ...string) string {
	if p.InAccount() {
		return p.PathTo(append([]string{"innstillinger"}, parts...)...)
	}
	return AccountAdminPath(a, parts...)
}

// AccountAdminPath is an address within the system's pages of an account.
func AccountAdminPath(a dispatch.Account, parts ...string) string {
	return strings.Join(append([]string{"/admin/kontoer/" + a.Slug}, parts...), "/")
}
