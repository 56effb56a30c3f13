package dispatch

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Fields of a shipment that problems are tied to; the form uses the same names. Problems of a document use
// FieldDocument and its id.
const (
	FieldRecipientNumber = "nummer"
	FieldName            = "navn"
	FieldLine1           = "adresse1"
	FieldLine2           = "adresse2"
	FieldLine3           = "adresse3"
	FieldPostalCode      = "postnummer"
	FieldCity            = "poststed"
	FieldCountry         = "land"
	FieldTitle           = "tittel"
	FieldTitleNynorsk    = "tittel-nynorsk"
	FieldSourceSystem    = "avgivende"
	FieldBillingCode     = "kontering"
	FieldReference       = "referanse"
	FieldDocuments       = "dokumenter"
	FieldDocument        = "dok-"
	FieldLinks           = "lenker"
	FieldLink            = "lenke-" // and the link's index, from 0
	FieldType            = "type"
	FieldSourceActor     = "aktor"
	FieldCorrelation     = "korrelasjon"
	FieldConfidential    = "taushetsbelagt"
	FieldSharedWith      = "eksponert"
	FieldInReplyTo       = "svar-pa"
	FieldReplyNumber     = "svar-nummer"
	FieldCase            = "sak-"    // prefix of the record's fields
	FieldImport          = "import-" // prefix of the record's fields
	FieldSignBy          = "frist"
	FieldSignatureType   = "signatur"
	FieldSignDocument    = "signer"
	FieldReplyTo         = "svar-navn"
	FieldReplyLink       = "svarlenke"
	FieldLevel4          = "niva4"
	FieldEncrypt         = "krypter"
)

var fourDigits = pattern(`^[0-9]{4}$`)

// Validate returns the problems that keep the shipment from being sent now, in the order of the form (Shipment spec,
// Forsendelse and Limits).
func (s Shipment) Validate(now time.Time, g Generation) Problems {
	var ps Problems
	s.validateRecipient(&ps)
	s.validateReply(&ps)
	s.validateTitle(&ps)
	s.validateDocuments(&ps)
	s.validateLinks(&ps, g)
	s.validateTexts(&ps, g)
	s.validateAccess(&ps)
	s.validateArchive(&ps)
	s.validateSigning(&ps, now)
	s.validateCharacters(&ps)
	s.validateFields(&ps, g)
	s.validateRow(&ps, g.Row())
	return ps
}

func (s Shipment) validateRecipient(ps *Problems) {
	if s.Health != nil {
		return // it has another, see validateHealth
	}
	switch d := s.Recipient.Digital; {
	case d.NationalID != "" && d.OrganizationNumber != "":
		ps.add(&Problem{Field: FieldRecipientNumber, Key: "problem.shipment.both_numbers"})
	case d.NationalID != "":
		_, p := ParseNationalID(FieldRecipientNumber, d.NationalID.Reveal())
		ps.add(p)
	case d.OrganizationNumber != "":
		_, p := ParseOrganizationNumber(FieldRecipientNumber, string(d.OrganizationNumber))
		ps.add(p)
	case s.DigitalOnly:
		ps.add(&Problem{Field: FieldRecipientNumber, Key: ProblemUndigital})
	}
	validatePostal(ps, s.Recipient.Postal, s.DigitalOnly, "")
}

// validatePostal checks an address whose fields have the prefix. navn is required even for digital delivery only;
// postal code, place and country are not then.
func validatePostal(ps *Problems, a PostalAddress, digitalOnly bool, prefix string) {
	if isBlank(a.Name) {
		ps.add(&Problem{Field: prefix + FieldName, Key: "problem.name.empty"})
	}
	validatePostalLengths(ps, prefix, a)
	if digitalOnly {
		if a.PostalCode != "" && a.Norwegian() && !fourDigits().MatchString(a.PostalCode) {
			ps.add(&Problem{Field: prefix + FieldPostalCode, Key: "problem.postal_code"})
		}
		return
	}
	// Assumption: "full postal address" asks for at least one address line besides name, code, place and country.
	if len(a.Lines()) == 0 {
		ps.add(&Problem{Field: prefix + FieldLine1, Key: "problem.address.empty"})
	}
	switch {
	case strings.TrimSpace(a.PostalCode) == "":
		ps.add(&Problem{Field: prefix + FieldPostalCode, Key: "problem.postal_code.empty"})
	case a.Norwegian() && !fourDigits().MatchString(a.PostalCode):
		ps.add(&Problem{Field: prefix + FieldPostalCode, Key: "problem.postal_code"})
	}
	if strings.TrimSpace(a.City) == "" {
		ps.add(&Problem{Field: prefix + FieldCity, Key: "problem.city.empty"})
	}
	if strings.TrimSpace(a.Country) == "" {
		ps.add(&Problem{Field: prefix + FieldCountry, Key: "problem.country.empty"})
	}
}

func (s Shipment) validateTitle(ps *Problems) {
	if isBlank(s.Title) {
		ps.add(&Problem{Field: FieldTitle, Key: "problem.title.empty"})
	}
	if n := utf8.RuneCountInString(s.Title); n > 1000 {
		ps.add(&Problem{Field: FieldTitle, Key: "problem.title.long", Args: Args{"N": n}})
	}
}

func (s Shipment) validateTexts(ps *Problems, g Generation) {
	if strings.TrimSpace(s.SourceSystem) == "" {
		ps.add(&Problem{Field: FieldSourceSystem, Key: "problem.source_system.empty"})
	}
	if !g.Row().BillingCode().MatchString(s.BillingCode) {
		ps.add(&Problem{Field: FieldBillingCode, Key: "problem.billing_code"})
	}
	for _, text := range []struct{ field, key, text string }{
		{FieldSourceSystem, "problem.source_system.long", s.SourceSystem},
		{FieldReference, "problem.reference.long", s.ExternalReference},
		{FieldType, "problem.type.long", s.Type},
		{FieldCorrelation, "problem.correlation.long", s.CorrelationID},
		{FieldSourceActor, "problem.source_actor.long", s.SourceActor},
	} {
		if utf8.RuneCountInString(text.text) > shortTextMax {
			ps.add(&Problem{Field: text.field, Key: text.key})
		}
	}
}

func (s Shipment) validateDocuments(ps *Problems) {
	if len(s.Documents) == 0 {
		ps.add(&Problem{Field: FieldDocuments, Key: "problem.documents.none"})
	}
	for i, d := range s.Documents {
		s.validateDocument(ps, d)
		if slices.ContainsFunc(s.Documents[:i], func(o Document) bool { return SameFileName(o.FileName, d.FileName) }) {
			ps.add(&Problem{Field: FieldDocument + string(d.ID), Key: "problem.file.duplicate", Args: Args{"Name": d.FileName}})
		}
	}
	if !s.DigitalOnly && len(s.Documents) > 0 && !slices.ContainsFunc(s.Documents, func(d Document) bool { return !d.ExcludeFromPrint }) {
		ps.add(&Problem{Field: FieldDocuments, Key: "problem.documents.nothing_printed"})
	}
	if !s.DigitalOnly && s.printSize() > PrintSizeMax {
		ps.add(&Problem{Field: FieldDocuments, Key: "problem.documents.size"})
	}
}

// printSize is the size that counts against the print limit. The specification limits the total; a file excluded from
// print counts too.
func (s Shipment) printSize() int64 { return s.Size() }

func (s Shipment) validateDocument(ps *Problems, d Document) {
	field := FieldDocument + string(d.ID)
	ps.add(ValidateFileName(field, d.FileName))
	printed := !s.DigitalOnly && !d.ExcludeFromPrint
	key := ""
	switch {
	case d.Size == 0 || d.Found == DocumentEmpty:
		key = "problem.file.empty"
	case !d.PDF() && strings.EqualFold(path.Ext(d.FileName), ".pdf"): // nobody could open it, digitally either
		key = "problem.file.not_pdf"
	case printed && !d.PDF():
		key = "problem.file.type"
	case d.Found == DocumentPassword && !s.DigitalOnly:
		key = "problem.file.password"
	case d.PDF() && printed && d.Found != DocumentFine:
		key = "problem.file." + string(d.Found)
	}
	if key != "" {
		ps.add(&Problem{Field: field, Key: key, Args: Args{"Name": d.FileName}})
		return
	}
	if len(d.GiroPages) > 0 && (d.GiroPages[0] < 1 || d.GiroPages[len(d.GiroPages)-1] > d.Pages) {
		ps.add(&Problem{Field: FieldDocument + string(d.ID) + "-giro", Key: "problem.pages.range", Args: Args{"N": d.Pages}})
	}
}

func (s Shipment) validateSigning(ps *Problems, now time.Time) {
	signed := slices.DeleteFunc(slices.Clone(s.Documents), func(d Document) bool { return !d.Sign })
	if len(signed) == 0 {
		return
	}
	if len(signed) > 1 {
		ps.add(&Problem{Field: FieldSignDocument, Key: "problem.sign.several"})
	}
	if !signed[0].PDF() {
		ps.add(&Problem{Field: FieldSignDocument, Key: "problem.sign.pdf", Args: Args{"Name": signed[0].FileName}})
	}
	s.validateSigner(ps, now)
}

// validateSigner checks what a signing needs besides its document.
func (s Shipment) validateSigner(ps *Problems, now time.Time) {
	if s.Recipient.Digital.NationalID == "" {
		ps.add(&Problem{Field: FieldRecipientNumber, Key: "problem.sign.national_id"})
	}
	if s.SignatureType != SignatureAuthenticated && s.SignatureType != SignatureAdvanced {
		ps.add(&Problem{Field: FieldSignatureType, Key: "problem.sign.type"})
	}
	switch {
	case s.SignBy.Sub(now) < 24*time.Hour:
		ps.add(&Problem{Field: FieldSignBy, Key: "problem.sign.deadline"})
	case s.SignBy.Sub(s.goes(now)) < 24*time.Hour:
		ps.add(&Problem{Field: FieldSignBy, Key: "problem.sign.deadline_planned"})
	}
}
