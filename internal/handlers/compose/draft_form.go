package compose

import (
	"net/url"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/views/compose"
)

// maxLinks is how many links of a form are read; the service's own limit is lower, or none.
const maxLinks = 100

// readShipmentForm reads the form as typed. Fields about a file have its id in their name.
func readShipmentForm(values url.Values, documents []dispatch.Document) dispatch.DraftFields {
	on := func(name string) bool { return values.Get(name) == "true" }
	f := dispatch.DraftFields{
		RecipientKind: values.Get("hvem"), Number: values.Get(dispatch.FieldRecipientNumber), Name: values.Get(dispatch.FieldName),
		Line1: values.Get(dispatch.FieldLine1), Line2: values.Get(dispatch.FieldLine2), Line3: values.Get(dispatch.FieldLine3),
		PostalCode: values.Get(dispatch.FieldPostalCode), City: values.Get(dispatch.FieldCity), Country: values.Get(dispatch.FieldCountry),
		Title: values.Get(dispatch.FieldTitle), TitleNynorsk: values.Get(dispatch.FieldTitleNynorsk), Form: writtenForm(values.Get(dispatch.FieldOtherwise)),
		SourceSystem: values.Get(dispatch.FieldSourceSystem), BillingCode: values.Get(dispatch.FieldBillingCode),
		ExternalReference: values.Get(dispatch.FieldReference), ReferenceEach: on(dispatch.FieldReferenceEach), DigitalOnly: values.Get("levering") == "digitalt", Duplex: on("tosidig"), Color: on("farger"),
		Type: values.Get(dispatch.FieldType), SourceActor: values.Get(dispatch.FieldSourceActor), CorrelationID: values.Get(dispatch.FieldCorrelation),
		Encrypt: on(dispatch.FieldEncrypt), Level4: on(dispatch.FieldLevel4), Confidential: on(dispatch.FieldConfidential), SharedWith: values.Get(dispatch.FieldSharedWith),
		Sign: on("skal-signeres"), SignDocument: values.Get(dispatch.FieldSignDocument), SignatureType: values.Get(dispatch.FieldSignatureType),
		SignBy: values.Get(dispatch.FieldSignBy), Reply: frame.ReadReply(values.Get), ReplyNumber: values.Get(dispatch.FieldReplyNumber),
		ReplyLink: on(dispatch.FieldReplyLink), InReplyTo: values.Get(dispatch.FieldInReplyTo), Links: readLinks(values),
		Case: readRecord(values, dispatch.FieldCase), Import: readRecord(values, dispatch.FieldImport),
		Health:    readHealth(values.Get),
		Documents: map[dispatch.DocumentID]dispatch.DocumentFields{}, Timing: frame.TimingFields(values),
	}
	for _, d := range documents {
		id, field := string(d.ID), dispatch.FieldDocument+string(d.ID)
		f.Documents[d.ID] = dispatch.DocumentFields{
			Giro: values.Get(field + "-giro"), Exclude: on("utelat-" + id), Sensitive: on("sensitiv-" + id),
			Type: values.Get(field + "-type"), Extra: values.Get(field + "-ekstra"),
		}
	}
	return f
}

// readHealth reads the fields of the health network.
func readHealth(get func(string) string) dispatch.HealthFields {
	name := func(prefix string) dispatch.PersonName {
		return dispatch.PersonName{First: get(prefix + dispatch.NameFirst), Middle: get(prefix + dispatch.NameMiddle), Last: get(prefix + dispatch.NameLast)}
	}
	return dispatch.HealthFields{
		ByHERID: get(dispatch.FieldByHERID) == compose.ByHERID, HERID: get(dispatch.FieldHERID), About: get(dispatch.FieldAbout), Phone: get(dispatch.FieldHealthPhone),
		PatientID: get(dispatch.FieldPatientID), Contact: name(dispatch.FieldContact), Patient: name(dispatch.FieldPatient),
	}
}

// writtenForm is the chosen written form: the choice is one of two.
func writtenForm(typed string) dispatch.WrittenForm {
	if typed == string(dispatch.FormNynorsk) {
		return dispatch.FormNynorsk
	}
	return "" // bokmål, as in drafts from before there was a choice
}

// readLinks reads the links in their order.
func readLinks(values url.Values) []dispatch.LinkFields {
	var links []dispatch.LinkFields
	for i := range maxLinks {
		if !values.Has(dispatch.LinkField(i, dispatch.LinkURL)) {
			break
		}
		links = append(links, dispatch.LinkFields{
			Lead: values.Get(dispatch.LinkField(i, dispatch.LinkLead)), URL: values.Get(dispatch.LinkField(i, dispatch.LinkURL)),
			Text: values.Get(dispatch.LinkField(i, dispatch.LinkText)),
		})
	}
	return links
}

// readRecord reads the archive record; nil if all its fields are empty.
func readRecord(values url.Values, record string) dispatch.ArchiveFields {
	f := dispatch.ArchiveFields{}
	for _, name := range compose.NoarkNames(record) {
		if value := strings.TrimSpace(values.Get(record + name)); value != "" {
			f[name] = value
		}
	}
	if len(f) == 0 {
		return nil
	}
	return f
}
