package dispatch

import (
	"reflect"
	"strings"
)

// WithRecipient returns the form with another recipient.
func (f DraftFields) WithRecipient(r ShipmentRecipient) DraftFields {
	f.RecipientKind = RecipientPerson
	if r.Organization() {
		f.RecipientKind = RecipientOrganization
	}
	a := r.Postal
	f.Number, f.Name, f.Line1, f.Line2, f.Line3 = r.Number, a.Name, a.Line1, a.Line2, a.Line3
	f.PostalCode, f.City, f.Country = a.PostalCode, a.City, a.Country
	return f
}

// WithAddress returns the form with the recipient of an earlier item.
func (f DraftFields) WithAddress(a Address) DraftFields {
	return f.WithRecipient(ShipmentRecipient{Number: a.Digital.NationalID.Reveal() + string(a.Digital.OrganizationNumber), Postal: a.Postal})
}

// UseReceiver fills in a receiving system: its organisation is the recipient.
func (f *DraftFields) UseReceiver(organization OrganizationNumber, kind string) {
	f.RecipientKind, f.Number, f.Type = RecipientOrganization, string(organization), kind
}

// Same tells whether a field has the same value in another form.
func (f DraftFields) Same(other DraftFields, field string) bool {
	if field == FieldSignBy {
		return f.SignBy == "" // a copy has no deadline
	}
	mine, known := f.typed(field)
	theirs, _ := other.typed(field)
	return known && reflect.DeepEqual(mine, theirs)
}

// typed returns the value of a field that a fault of the service can name.
func (f DraftFields) typed(field string) (any, bool) {
	value, ok := map[string]any{
		FieldRecipientNumber: f.RecipientKind + f.Number, FieldName: f.Name, FieldLine1: f.Line1 + f.Line2 + f.Line3,
		FieldPostalCode: f.PostalCode, FieldCity: f.City, FieldCountry: f.Country,
		FieldTitle: f.Title, FieldSourceSystem: f.SourceSystem, FieldBillingCode: f.BillingCode,
		FieldReference: f.ExternalReference, FieldType: f.Type, FieldCorrelation: f.CorrelationID,
		FieldSignDocument: f.Sign, FieldSignatureType: f.SignatureType,
		FieldLinks: f.Links, FieldSharedWith: strings.Fields(f.SharedWith), FieldInReplyTo: f.InReplyTo,
		FieldReplyLink: f.ReplyLink, FieldReplyNumber: f.ReplyNumber, FieldReplyTo: f.Reply,
		FieldLevel4: f.Level4, FieldEncrypt: f.Encrypt, FieldConfidential: f.Confidential,
	}[field]
	if !ok && strings.HasPrefix(field, "svar-") {
		return f.Reply, true
	}
	return value, ok
}
