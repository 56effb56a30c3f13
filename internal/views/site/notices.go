package site

import "utsending/internal/views"

// NoticesPage is the form of how one is told by e-mail.
type NoticesPage struct {
	views.Page
	On             bool // the installation can send mail
	Address        string
	Digest, Alarms bool
	Leads          bool   // alarms concern this user: a lead or an operator
	Saved          bool   // there is an address to try
	Domains        string // where mail may go
}
