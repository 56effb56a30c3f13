package dispatch

import (
	"slices"
	"unicode/utf8"
)

// ProblemSignReply is the key of the problem of a signing without an organisation to which the document returns.
const ProblemSignReply = "problem.sign.reply"

// validateRow checks what a generation asks for besides the rules that all have (Shipment V3 spec, Rules across
// fields and Lengths).
func (s Shipment) validateRow(ps *Problems, row GenerationRow) {
	s.validateNumbers(ps, row)
	if s.Health == nil {
		validatePlace(ps, row, "", s.Recipient.Postal)
	}
	if s.ReplyTo != nil {
		validatePlace(ps, row, "svar-", s.ReplyTo.Postal)
		if row.ReplyNumber && s.ReplyTo.Digital.Empty() {
			ps.add(&Problem{Field: FieldReplyNumber, Key: "problem.reply_number"})
		}
	}
	if row.SignReply && s.Signing() && !s.repliesToOrganization() {
		ps.add(&Problem{Field: FieldReplyNumber, Key: ProblemSignReply})
	}
	s.validateLengths(ps, row.Limits)
	s.validatePlainLinks(ps, row)
	s.validateFiles(ps, row)
	s.validateHealth(ps, row.Limits, row.Generation.Files(ToHealth))
}

// validateNumbers refuses numbers whose check digits do not fit, where the generation does.
func (s Shipment) validateNumbers(ps *Problems, row GenerationRow) {
	if !row.CheckDigits {
		return
	}
	if s.Health == nil && !s.Recipient.Digital.CheckDigitsFit() {
		ps.add(&Problem{Field: FieldRecipientNumber, Key: "problem.check_digits"})
	}
	if s.ReplyTo != nil && !s.ReplyTo.Digital.CheckDigitsFit() {
		ps.add(&Problem{Field: FieldReplyNumber, Key: "problem.check_digits"})
	}
	for i, d := range s.SharedWith {
		if !d.CheckDigitsFit() {
			ps.add(&Problem{Field: FieldSharedWith, Key: "problem.shared.check_digits", Args: Args{"Line": i + 1}})
		}
	}
}

// validatePlace checks an address whose fields have the prefix.
func validatePlace(ps *Problems, row GenerationRow, prefix string, a PostalAddress) {
	l := row.Limits
	most := []int{l.Name, l.Line, l.Line, l.Line, l.PostalCode, l.City, 0}
	for i, f := range postalTexts(prefix, a) {
		tooLong(ps, f.name, f.text, most[i])
	}
	if _, known := CountryCode(a.Country); row.Countries && !known {
		ps.add(&Problem{Field: prefix + FieldCountry, Key: "problem.country.unknown"})
	}
}

func tooLong(ps *Problems, field, text string, most int) {
	if most > 0 && utf16Length(text) > most {
		ps.add(&Problem{Field: field, Key: "problem.text.long", Args: Args{"Most": most}})
	}
}

// tooWide adds a problem of a text that is too long in UTF-16 units only: other problems tell of more characters.
func tooWide(ps *Problems, field, text string, most int) {
	if utf8.RuneCountInString(text) <= most {
		tooLong(ps, field, text, most)
	}
}

func (s Shipment) validateLengths(ps *Problems, l Limits) {
	tooWide(ps, FieldTitle, s.Title, l.Title)
	for _, f := range []textField{
		{FieldSourceSystem, s.SourceSystem}, {FieldReference, s.ExternalReference}, {FieldType, s.Type}, {FieldCorrelation, s.CorrelationID}, {FieldSourceActor, s.SourceActor},
	} {
		tooWide(ps, f.name, f.text, l.Short)
	}
	for i, link := range s.Links {
		tooLong(ps, LinkField(i, LinkURL), PlainLink(link.URL), l.LinkURL)
		tooLong(ps, LinkField(i, LinkText), link.Text, l.LinkText)
		tooLong(ps, LinkField(i, LinkLead), link.Lead, l.LinkText)
	}
	if c := s.Case; c != nil {
		tooLong(ps, FieldCase+NoarkTitle, c.Title, l.Title)
		for _, f := range []textField{
			{NoarkPostType, c.JournalPostType}, {NoarkStatus, c.JournalStatus}, {NoarkCaseworker, c.Caseworker},
			{NoarkFolder, c.FolderID}, {NoarkFolderSystem, c.FolderSystemID}, {NoarkSystem, c.SystemID}, {NoarkRegistration, c.RegistrationID},
		} {
			tooLong(ps, FieldCase+f.name, f.text, l.NoarkText)
		}
		validateEntries(ps, FieldCase+NoarkExtra, c.Extra, l)
	}
	if m := s.Import; m != nil {
		tooLong(ps, FieldImport+NoarkTitle, m.Title, l.Title)
		for _, f := range []textField{
			{NoarkPostType, m.JournalPostType}, {NoarkStatus, m.JournalStatus},
			{NoarkFolder, m.FolderID}, {NoarkFolderSystem, m.FolderSystemID}, {NoarkSystem, m.SystemID}, {NoarkRegistration, m.RegistrationID},
		} {
			tooLong(ps, FieldImport+f.name, f.text, l.NoarkText)
		}
	}
	for _, d := range s.Documents {
		tooLong(ps, FieldDocument+string(d.ID)+"-"+FileType, d.Type, l.DocumentType)
		validateEntries(ps, ExtraField(d.ID), d.Extra, l)
	}
}

// validateEntries checks extra metadata: a set of pairs, neither half of which is empty.
func validateEntries(ps *Problems, field string, entries []Entry, l Limits) {
	if l.Entries == 0 {
		return
	}
	if len(entries) > l.Entries {
		ps.add(&Problem{Field: field, Key: "problem.entries.many", Args: Args{"Most": l.Entries}})
	}
	for i, e := range entries {
		switch {
		case e.Value == "" || slices.Contains(entries[:i], e):
			ps.add(&Problem{Field: field, Key: "problem.entries", Args: Args{"Line": i + 1}})
		case utf16Length(e.Key) > l.EntryKey || utf16Length(e.Value) > l.EntryText:
			ps.add(&Problem{Field: field, Key: "problem.entries.long", Args: Args{"Line": i + 1}})
		}
	}
}

// validateFiles checks giro pages, and the size of what may be printed.
//
// Assumption: each file begins a new sheet, so that its even pages are back sides.
func (s Shipment) validateFiles(ps *Problems, row GenerationRow) {
	for _, d := range s.Documents {
		switch {
		case row.GiroPages == 0:
		case len(d.GiroPages) > row.GiroPages:
			ps.add(&Problem{Field: PagesField(d.ID), Key: "problem.giro.one"})
		case s.Print.Duplex && !s.DigitalOnly && slices.ContainsFunc(d.GiroPages, func(page int) bool { return page%2 == 0 }):
			ps.add(&Problem{Field: PagesField(d.ID), Key: "problem.giro.back"})
		}
	}
	if most := row.Limits.PrintSize; most > 0 && !s.DigitalOnly && s.printSize() > most {
		ps.add(&Problem{Field: FieldDocuments, Key: "problem.documents.size"})
	}
}
