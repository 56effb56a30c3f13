package views

import (
	"context"
	"net/url"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// ReceiverForm is what narrows the list of receiving systems, as typed.
type ReceiverForm struct{ OrganizationNumber, Type, Level string }

// ReceiversPage lists the receiving systems that an account's service knows.
type ReceiversPage struct {
	Page
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
		return p.path("utkast", string(p.Draft), "mottakersystem")
	}
	return p.path("forsendelser", "ny")
}

// ReceiversPath is where receiving systems are looked for on behalf of a draft, those of its recipient first.
func ReceiversPath(a dispatch.Account, draft dispatch.ItemID, f ShipmentForm) string {
	q := url.Values{"utkast": {string(draft)}}
	if to, p := f.Digital(); p == nil && to.OrganizationNumber != "" {
		q.Set(dispatch.FieldOrganizationNumber, string(to.OrganizationNumber))
	}
	return AccountPath(a, "mottakersystem") + "?" + q.Encode()
}

// inquiryReason is why the service could not tell what somebody asked.
func inquiryReason(ctx context.Context, r dispatch.Reason) string {
	if other, ok := ofLookups[r.Key]; ok {
		return i18n.T(ctx, other)
	}
	return i18n.T(ctx, worded(dispatch.KindShipment, r.Key))
}
