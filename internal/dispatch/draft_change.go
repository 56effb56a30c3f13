package dispatch

import (
	"reflect"
	"slices"
	"strings"
)

// filled are the parts of the form that may have placeholders where it goes to a list, by their fields.
func (f *DraftFields) filled() map[string]*string {
	return map[string]*string{FieldTitle: &f.Title, FieldTitleNynorsk: &f.TitleNynorsk, FieldReference: &f.ExternalReference}
}

// Placeholders names the fields of a list that the form has, each once.
func (f DraftFields) Placeholders() []string {
	return Placeholders(f.Title + "\n" + f.TitleNynorsk + "\n" + f.ExternalReference)
}

// Unfilled returns a problem for each placeholder without a column; without columns, for each placeholder: the shipment
// goes to one recipient. One that is not closed is a problem in both.
func (f DraftFields) Unfilled(columns []string) Problems {
	var ps Problems
	for _, field := range []string{FieldTitle, FieldTitleNynorsk, FieldReference} {
		for _, name := range Placeholders(*f.filled()[field]) {
			switch {
			case len(columns) == 0:
				ps = append(ps, Problem{Field: field, Key: "problem.placeholder.single", Args: Args{"Name": "((" + name + "))"}})
			case !slices.Contains(columns, PlaceholderKey(name)):
				ps = append(ps, Problem{Field: field, Key: "problem.placeholder.unknown", Args: Args{"Name": name}})
			}
		}
		ps.add(strayProblem(field, "problem.placeholder.written", *f.filled()[field], nil))
	}
	return ps
}

// BothTitles tells whether each of a list gets the title in the written form that the list says.
func (f DraftFields) BothTitles() bool { return Filled(f.Title) && Filled(f.TitleNynorsk) }

// TitleProblem is what keeps two titles from being those of a template: both are filled from the same list.
func (f DraftFields) TitleProblem() *Problem {
	return samePlaceholders(f.Title, f.TitleNynorsk, FieldTitle, FieldTitleNynorsk)
}

// Fill returns the form with a row's values in the places of their columns and its title in the written form that the row says,
// and the name of a placeholder without a value; empty: all have one. The other title goes: it would be left unfilled. What a value
// holds is never taken for a placeholder.
func (f DraftFields) Fill(columns, values []string) (filled DraftFields, missing string) {
	if said := FormOf(columns, values); said != "" && f.BothTitles() {
		f.Form = said
	}
	other := FieldTitleNynorsk
	if f.nynorsk() {
		other = FieldTitle
	}
	if f.BothTitles() {
		*f.filled()[other] = ""
	}
	for _, text := range f.filled() {
		rest, from := "", 0
		for _, p := range FindPlaceholders(*text) {
			value, at := "", slices.Index(columns, PlaceholderKey(p.Name))
			if at >= 0 && at < len(values) {
				value = strings.Join(strings.Fields(values[at]), " ")
			}
			if value == "" {
				missing = p.Name
			}
			rest, from = rest+(*text)[from:p.From]+value, p.To
		}
		*text = rest + (*text)[from:]
	}
	return f, missing
}

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
		FieldTitle: f.OwnTitle(), FieldSourceSystem: f.SourceSystem, FieldBillingCode: f.BillingCode,
		FieldReference: f.ExternalReference, FieldType: f.Type, FieldCorrelation: f.CorrelationID,
		FieldSignDocument: f.Sign, FieldSignatureType: f.SignatureType,
		FieldLinks: f.Links, FieldSharedWith: strings.Fields(f.SharedWith), FieldInReplyTo: f.InReplyTo,
		FieldReplyLink: f.ReplyLink, FieldReplyNumber: f.ReplyNumber, FieldReplyTo: f.Reply,
		FieldHERID: f.Health.HERID, FieldAbout: f.Health.About, FieldPatientID: f.Health.PatientID, FieldHealthPhone: f.Health.Phone,
		FieldLevel4: f.Level4, FieldEncrypt: f.Encrypt, FieldConfidential: f.Confidential,
	}[field]
	if !ok && strings.HasPrefix(field, "svar-") {
		return f.Reply, true
	}
	return value, ok
}
