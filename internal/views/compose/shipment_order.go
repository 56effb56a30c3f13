package compose

import (
	"cmp"
	"slices"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// fieldOrder are the fields of the form from top to bottom. A name that ends in a hyphen stands for all that begin with it.
var fieldOrder = []string{
	dispatch.FieldHealth, dispatch.FieldHERID, dispatch.FieldPatientID, dispatch.FieldPatient, dispatch.FieldContact, dispatch.FieldHealthPhone,
	dispatch.FieldRecipientNumber, dispatch.FieldName, dispatch.FieldLine1, dispatch.FieldPostalCode, dispatch.FieldCity, dispatch.FieldLine2, dispatch.FieldLine3, dispatch.FieldCountry,
	dispatch.FieldReplyTo, dispatch.FieldReplyNumber, "svar-", dispatch.FieldReplyLink, dispatch.FieldInReplyTo,
	dispatch.FieldTitle, dispatch.FieldAbout, dispatch.FieldTitleNynorsk, dispatch.FieldDocument, dispatch.FieldDocuments, views.FieldFile, dispatch.FieldLinks, dispatch.FieldLink,
	dispatch.FieldDelivery, dispatch.FieldColor, dispatch.FieldBillingCode, dispatch.FieldReference, dispatch.FieldSourceSystem, dispatch.FieldType, dispatch.FieldSourceActor, dispatch.FieldCorrelation,
	dispatch.FieldSendDay, dispatch.FieldSendTime, dispatch.FieldEncrypt, dispatch.FieldLevel4, dispatch.FieldConfidential, dispatch.FieldSharedWith, dispatch.FieldCase, dispatch.FieldImport,
	dispatch.FieldSignDocument, dispatch.FieldSignatureType, dispatch.FieldSignBy,
}

// inOrder sorts the problems as their fields stand on the page.
func (p ShipmentFormPage) inOrder() ShipmentFormPage {
	p.Problems = slices.Clone(p.Problems)
	slices.SortStableFunc(p.Problems, func(a, b dispatch.Problem) int {
		return cmp.Or(cmp.Compare(placeOf(a.Field), placeOf(b.Field)), cmp.Compare(p.fileOf(a.Field), p.fileOf(b.Field)))
	})
	return p
}

// placeOf is where a field stands among the others; last if it is unknown.
func placeOf(field string) int {
	if i := slices.Index(fieldOrder, field); i >= 0 {
		return i
	}
	i := slices.IndexFunc(fieldOrder, func(name string) bool { return strings.HasSuffix(name, "-") && strings.HasPrefix(field, name) })
	if i < 0 {
		return len(fieldOrder)
	}
	return i
}

// fileOf is the place of the file that a field belongs to; -1: to none in the list.
func (p ShipmentFormPage) fileOf(field string) int {
	return slices.IndexFunc(p.Documents, func(d dispatch.Document) bool { return strings.HasPrefix(field, dispatch.FieldDocument+string(d.ID)) })
}
