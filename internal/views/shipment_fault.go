package views

import (
	"reflect"
	"strings"

	"utsending/internal/dispatch"
)

// Same tells whether a field holds what it holds in another form.
func (f ShipmentForm) Same(other ShipmentForm, field string) bool {
	if field == dispatch.FieldSignBy {
		return f.SignBy == "" // a copy begins without a deadline
	}
	mine, known := f.typed(field)
	theirs, _ := other.typed(field)
	return known && reflect.DeepEqual(mine, theirs)
}

// typed is what stands in a field that the service may complain of.
func (f ShipmentForm) typed(field string) (any, bool) {
	value, ok := map[string]any{
		dispatch.FieldRecipientNumber: f.RecipientKind + f.Number, dispatch.FieldName: f.Name, dispatch.FieldLine1: f.Line1 + f.Line2 + f.Line3,
		dispatch.FieldPostalCode: f.PostalCode, dispatch.FieldCity: f.City, dispatch.FieldCountry: f.Country,
		dispatch.FieldTitle: f.Title, dispatch.FieldSourceSystem: f.SourceSystem, dispatch.FieldBillingCode: f.BillingCode,
		dispatch.FieldReference: f.ExternalReference, dispatch.FieldType: f.Type, dispatch.FieldCorrelation: f.CorrelationID,
		dispatch.FieldSignDocument: f.Sign, dispatch.FieldSignatureType: f.SignatureType,
		dispatch.FieldLinks: f.Links, dispatch.FieldSharedWith: strings.Fields(f.SharedWith), dispatch.FieldInReplyTo: f.InReplyTo,
		dispatch.FieldReplyLink: f.ReplyLink, dispatch.FieldReplyNumber: f.ReplyNumber, dispatch.FieldReplyTo: f.Reply,
		dispatch.FieldLevel4: f.Level4, dispatch.FieldEncrypt: f.Encrypt, dispatch.FieldConfidential: f.Confidential,
	}[field]
	if !ok && strings.HasPrefix(field, "svar-") {
		return f.Reply, true
	}
	return value, ok
}

// said is what is told above the form of the service's own words: what stands at no field of the form, and when the
// shipment was dismissed later, the newest line of its history there.
func (p ShipmentFormPage) said() string {
	switch {
	case p.Failed.State == dispatch.StateRejected && p.Failed.Fault.Field == "":
		return p.Failed.Fault.Said
	case p.Failed.State == dispatch.StateAccepted && len(p.Failed.Events) > 0:
		return p.Failed.Events[0].Text
	}
	return ""
}
