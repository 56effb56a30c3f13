package compose

import (
	"net/url"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// ReceiverForm is what narrows the list of receiving systems, as typed.
type ReceiverForm struct{ OrganizationNumber, Type, Level string }

// ReceiversPage lists the receiving systems that an account's service knows.
type ReceiversPage struct {
	views.Page
	Form    ReceiverForm
	Types   []string
	Rows    []ReceiverLine
	More    int             // how many are left out of the list
	Failure dispatch.Reason // why the service could not be asked, if so
	Draft   dispatch.ItemID // the draft that a find is for; empty: a new one
}

// ReceiverLine is a receiving system with the key of the form that uses it.
type ReceiverLine struct {
	dispatch.Receiver
	Key string
}

// use is where a find is posted to.
func (p ReceiversPage) use() string {
	if p.Draft != "" {
		return p.PathTo("utkast", string(p.Draft), "mottakersystem")
	}
	return p.PathTo("forsendelser", "ny")
}

// ReceiversPath is where receiving systems are looked for on behalf of a draft, those of its recipient first.
func ReceiversPath(a dispatch.Account, draft dispatch.ItemID, f views.ShipmentForm) string {
	q := url.Values{"utkast": {string(draft)}}
	if to, p := f.Digital(); p == nil && to.OrganizationNumber != "" {
		q.Set(dispatch.FieldOrganizationNumber, string(to.OrganizationNumber))
	}
	return views.AccountPath(a, "mottakersystem") + "?" + q.Encode()
}
