package site

import "utsending/internal/views"

// NoticesPage is the form of how one is told by e-mail.
type NoticesPage struct {
	views.Page
	On             bool // the installation can send mail
	Address        string
	Digest, Alarms bool
	Follows        bool   // the digest concerns this user: they have something to follow up
	Leads          bool   // alarms concern this user: a lead or an operator
	Saved          bool   // there is an address to try
	Domains        string // where mail may go
}

// nothing tells whether there is nothing to choose, and no address to take away.
func (p NoticesPage) nothing() bool { return !p.Follows && !p.Leads && !p.Saved }
