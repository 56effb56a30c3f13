package views

import (
	"reflect"

	"utsending/internal/dispatch"
)

// Difference is a field that two tabs have filled in otherwise. Label is a catalogue key.
type Difference struct{ Field, Label, Here, There string }

// Other is what another tab has saved of a draft since this one was opened.
type Other struct {
	Differences []Difference
	More        bool // choices that are no text differ too
	Path        string
}

// There tells whether there is anything to choose.
func (o Other) There() bool { return o.Path != "" }

// OtherOf compares a letter's form as it is typed here with what another tab has saved.
func OtherOf(here, there ShipmentForm, path string) Other {
	o := Other{Path: path}
	texts := func(f *ShipmentForm) []*string {
		return []*string{&f.Number, &f.Name, &f.Line1, &f.Line2, &f.Line3, &f.PostalCode, &f.City, &f.Country, &f.Title, &f.SourceSystem, &f.BillingCode,
			&f.ExternalReference, &f.Type, &f.SourceActor, &f.CorrelationID, &f.SharedWith, &f.InReplyTo, &f.ReplyNumber}
	}
	labels := []Difference{
		{dispatch.FieldRecipientNumber, "shipment.number", "", ""}, {dispatch.FieldName, "shipment.name", "", ""}, {dispatch.FieldLine1, "shipment.line1", "", ""},
		{"adresse2", "shipment.line2", "", ""}, {"adresse3", "shipment.line3", "", ""}, {dispatch.FieldPostalCode, "shipment.postal_code", "", ""},
		{dispatch.FieldCity, "shipment.city", "", ""}, {dispatch.FieldCountry, "shipment.country", "", ""}, {dispatch.FieldTitle, "shipment.title", "", ""},
		{dispatch.FieldSourceSystem, "shipment.source_system", "", ""}, {dispatch.FieldBillingCode, "shipment.billing_code", "", ""},
		{dispatch.FieldReference, "shipment.reference", "", ""}, {dispatch.FieldType, "shipment.type", "", ""}, {dispatch.FieldSourceActor, "shipment.source_actor", "", ""},
		{dispatch.FieldCorrelation, "shipment.correlation", "", ""}, {dispatch.FieldSharedWith, "shipment.shared", "", ""},
		{dispatch.FieldInReplyTo, "shipment.in_reply_to", "", ""}, {dispatch.FieldReplyNumber, "shipment.reply.number", "", ""},
	}
	mine, theirs := texts(&here), texts(&there)
	for i, d := range labels {
		if d.Here, d.There = *mine[i], *theirs[i]; d.Here != d.There {
			o.Differences = append(o.Differences, d)
		}
		*mine[i], *theirs[i] = "", ""
	}
	if len(here.Documents) == 0 && len(there.Documents) == 0 {
		here.Documents, there.Documents = nil, nil
	}
	o.More = !reflect.DeepEqual(here, there)
	return o
}
