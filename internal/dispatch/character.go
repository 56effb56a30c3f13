package dispatch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits, in characters, of texts that the specification does not limit.
//
// Assumption: V1 takes for a reference, a type and a system what V2 takes (100); a name or an address line is at most
// 200, which an index of the database and a window envelope can hold.
const (
	shortTextMax = 100
	postalMax    = 200
)

// Readable tells whether a text can be stored and sent: valid UTF-8, no control characters but tabs and line breaks,
// and no replacement character, by which the gate marks invalid input.
func Readable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r == unicode.ReplacementChar || unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r'
	})
}

// textField is a text of a shipment with the name of its form field.
type textField struct{ name, text string }

// validateCharacters refuses texts that are not Readable.
func (s Shipment) validateCharacters(ps *Problems) {
	fields := s.healthTexts()
	if s.Health == nil {
		fields = postalTexts("", s.Recipient.Postal)
	}
	fields = append(fields, textField{FieldTitle, s.Title}, textField{FieldSourceSystem, s.SourceSystem},
		textField{FieldSourceActor, s.SourceActor}, textField{FieldReference, s.ExternalReference}, textField{FieldType, s.Type},
		textField{FieldCorrelation, s.CorrelationID})
	if s.ReplyTo != nil {
		fields = append(fields, postalTexts("svar-", s.ReplyTo.Postal)...)
	}
	for i, l := range s.Links {
		fields = append(fields, textField{LinkField(i, LinkURL), l.URL}, textField{LinkField(i, LinkText), l.Text}, textField{LinkField(i, LinkLead), l.Lead})
	}
	if c := s.Case; c != nil {
		fields = append(fields, textField{FieldCase + NoarkTitle, c.Title}, textField{FieldCase + NoarkCaseworker, c.Caseworker},
			textField{FieldCase + NoarkPostType, c.JournalPostType}, textField{FieldCase + NoarkStatus, c.JournalStatus}, textField{FieldCase + NoarkExtra, entryTexts(c.Extra)})
	}
	if m := s.Import; m != nil {
		fields = append(fields, textField{FieldImport + NoarkTitle, m.Title}, textField{FieldImport + NoarkPostType, m.JournalPostType}, textField{FieldImport + NoarkStatus, m.JournalStatus})
	}
	for _, d := range s.Documents {
		fields = append(fields, textField{FieldDocument + string(d.ID) + "-type", d.Type}, textField{FieldDocument + string(d.ID) + "-ekstra", entryTexts(d.Extra)})
	}
	for _, f := range fields {
		if !Readable(f.text) {
			ps.add(&Problem{Field: f.name, Key: "problem.characters"})
		}
	}
}

func postalTexts(prefix string, a PostalAddress) []textField {
	return []textField{{prefix + FieldName, a.Name}, {prefix + FieldLine1, a.Line1}, {prefix + FieldLine2, a.Line2}, {prefix + FieldLine3, a.Line3},
		{prefix + FieldPostalCode, a.PostalCode}, {prefix + FieldCity, a.City}, {prefix + FieldCountry, a.Country}}
}

func entryTexts(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Key + e.Value)
	}
	return b.String()
}

// validatePostalLengths refuses address lines over the limit.
func validatePostalLengths(ps *Problems, prefix string, a PostalAddress) {
	for _, f := range postalTexts(prefix, a) {
		if utf8.RuneCountInString(f.text) > postalMax {
			ps.add(&Problem{Field: f.name, Key: "problem.address.long"})
		}
	}
}
