package compose

import (
	"reflect"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// OtherOf compares the shipment form posted from here with the version saved from another tab.
func OtherOf(here, there dispatch.DraftFields, path string) views.Other {
	o := views.Other{Path: path}
	texts := func(f *dispatch.DraftFields) []*string {
		return []*string{&f.Number, &f.Name, &f.Line1, &f.Line2, &f.Line3, &f.PostalCode, &f.City, &f.Country, &f.Title, &f.TitleNynorsk, &f.SourceSystem, &f.BillingCode,
			&f.ExternalReference, &f.Type, &f.SourceActor, &f.CorrelationID, &f.SharedWith, &f.InReplyTo, &f.ReplyNumber,
			&f.Health.HERID, &f.Health.PatientID, &f.Health.Patient.First, &f.Health.Patient.Middle, &f.Health.Patient.Last, &f.Health.Contact.First, &f.Health.Contact.Middle,
			&f.Health.Contact.Last, &f.Health.Phone, &f.Health.About}
	}
	labels := []views.Difference{
		{Field: dispatch.FieldRecipientNumber, Label: "shipment.number", Here: "", There: ""}, {Field: dispatch.FieldName, Label: "shipment.name", Here: "", There: ""}, {Field: dispatch.FieldLine1, Label: "shipment.line1", Here: "", There: ""},
		{Field: dispatch.FieldLine2, Label: "shipment.line2", Here: "", There: ""}, {Field: dispatch.FieldLine3, Label: "shipment.line3", Here: "", There: ""}, {Field: dispatch.FieldPostalCode, Label: "shipment.postal_code", Here: "", There: ""},
		{Field: dispatch.FieldCity, Label: "shipment.city", Here: "", There: ""}, {Field: dispatch.FieldCountry, Label: "shipment.country", Here: "", There: ""}, {Field: dispatch.FieldTitle, Label: "shipment.title", Here: "", There: ""},
		{Field: dispatch.FieldTitleNynorsk, Label: "shipment.title.nynorsk", Here: "", There: ""},
		{Field: dispatch.FieldSourceSystem, Label: "shipment.source_system", Here: "", There: ""}, {Field: dispatch.FieldBillingCode, Label: "shipment.billing_code", Here: "", There: ""},
		{Field: dispatch.FieldReference, Label: "shipment.reference", Here: "", There: ""}, {Field: dispatch.FieldType, Label: "shipment.type", Here: "", There: ""}, {Field: dispatch.FieldSourceActor, Label: "shipment.source_actor", Here: "", There: ""},
		{Field: dispatch.FieldCorrelation, Label: "shipment.correlation", Here: "", There: ""}, {Field: dispatch.FieldSharedWith, Label: "shipment.shared", Here: "", There: ""},
		{Field: dispatch.FieldInReplyTo, Label: "shipment.in_reply_to", Here: "", There: ""}, {Field: dispatch.FieldReplyNumber, Label: "shipment.reply.number", Here: "", There: ""},
		{Field: dispatch.FieldHERID, Label: "shipment.health.her_id", Here: "", There: ""}, {Field: dispatch.FieldPatientID, Label: "shipment.health.patient_id", Here: "", There: ""},
		{Field: dispatch.FieldPatient + dispatch.NameFirst, Label: "shipment.health.patient.first", Here: "", There: ""}, {Field: dispatch.FieldPatient + dispatch.NameMiddle, Label: "shipment.health.patient.middle", Here: "", There: ""},
		{Field: dispatch.FieldPatient + dispatch.NameLast, Label: "shipment.health.patient.last", Here: "", There: ""}, {Field: dispatch.FieldContact + dispatch.NameFirst, Label: "shipment.health.contact.first", Here: "", There: ""},
		{Field: dispatch.FieldContact + dispatch.NameMiddle, Label: "shipment.health.contact.middle", Here: "", There: ""}, {Field: dispatch.FieldContact + dispatch.NameLast, Label: "shipment.health.contact.last", Here: "", There: ""},
		{Field: dispatch.FieldHealthPhone, Label: "shipment.health.phone", Here: "", There: ""}, {Field: dispatch.FieldAbout, Label: "shipment.health.about", Here: "", There: ""},
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
