package dispatch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lengths of texts that the specification sets no limit for, in characters.
//
// Assumption: V1 takes for a reference, a type and a system what V2 takes (100); a name and a line of an address are no
// longer than 200 anywhere. Beyond that neither an index of the database nor a window envelope holds them.
const (
	shortTextMax = 100
	postalMax    = 200
)

// Readable tells whether a text can be kept and sent: valid UTF-8, no control characters but tabs and line breaks, and no
// replacement character, which the gate before the forms puts where something was that is no character.
func Readable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r == unicode.ReplacementChar || unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r'
	})
}

// textField is a text of a shipment's form, in its field.
type textField struct{ name, text string }

// validateCharacters refuses texts that cannot be read where they stand.
func (s Shipment) validateCharacters(ps *Problems) {
	fields := append(postalTexts("", s.Recipient.Postal), textField{FieldTitle, s.Title}, textField{FieldSourceSystem, s.SourceSystem},
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
	return []textField{{prefix + FieldName, a.Name}, {prefix + FieldLine1, a.Line1}, {prefix + "adresse2", a.Line2}, {prefix + "adresse3", a.Line3},
		{prefix + FieldPostalCode, a.PostalCode}, {prefix + FieldCity, a.City}, {prefix + FieldCountry, a.Country}}
}

func entryTexts(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Key + e.Value)
	}
	return b.String()
}

// validatePostalLengths refuses lines of an address that are far too long.
func validatePostalLengths(ps *Problems, prefix string, a PostalAddress) {
	for _, f := range postalTexts(prefix, a) {
		if utf8.RuneCountInString(f.text) > postalMax {
			ps.add(&Problem{Field: f.name, Key: "problem.address.long"})
		}
	}
}
