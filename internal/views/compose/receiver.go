package compose

import (
	"net/url"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// ReceiverForm filters the list of receiving systems, as typed.
type ReceiverForm struct{ OrganizationNumber, Type, Level string }

// ReceiversPage lists the receiving systems known to the account's service.
type ReceiversPage struct {
	views.Page
	Form    ReceiverForm
	Types   []string
	Rows    []ReceiverLine
	More    int             // how many are not listed
	Failure dispatch.Reason // why the service could not be asked; empty: it was
	Draft   dispatch.ItemID // the draft that gets the chosen system; empty: a new draft
}

// ReceiverLine is a receiving system with the idempotency key of the form that uses it.
type ReceiverLine struct {
	dispatch.Receiver
	Key string
}

// lead is the catalogue key of the sentence under the title.
func (p ReceiversPage) lead() string {
	if p.Draft != "" {
		return "receiver.lead.draft"
	}
	return "receiver.lead"
}

// use is the address to which a chosen system is posted.
func (p ReceiversPage) use() string {
	if p.Draft != "" {
		return p.PathTo("utkast", string(p.Draft), "mottakersystem")
	}
	return p.PathTo("forsendelser", "ny")
}

// ReceiversPath is the address of the search for a draft's receiving system, with the recipient's systems first.
func ReceiversPath(a dispatch.Account, draft dispatch.ItemID, f dispatch.DraftFields) string {
	q := url.Values{"utkast": {string(draft)}}
	if to, p := f.Digital(); p == nil && to.OrganizationNumber != "" {
		q.Set(dispatch.FieldOrganizationNumber, string(to.OrganizationNumber))
	}
	return views.AccountPath(a, "mottakersystem") + "?" + q.Encode()
}
