package dispatch

import (
	"cmp"
	"strings"
	"time"
)

// DraftFields are the shipment form as typed. They are stored unparsed, so that a draft keeps input that is not valid
// yet. The field names are the JSON names in the store.
type DraftFields struct {
	RecipientKind     string // one of the kinds of recipient
	Number            string
	Name              string
	Line1             string
	Line2             string
	Line3             string
	PostalCode        string
	City              string
	Country           string
	Title             string
	TitleNynorsk      string      `json:",omitempty"` // empty: all get the same title
	Form              WrittenForm `json:",omitempty"` // of the title to one, and to those of a list who say none; empty: bokmål
	SourceSystem      string
	BillingCode       string
	ExternalReference string
	ReferenceEach     bool `json:",omitempty"` // each of a list gets a reference of its own, by the account's pattern
	DigitalOnly       bool
	Duplex            bool
	Color             bool
	Sign              bool
	SignDocument      string
	SignatureType     string
	SignBy            string
	Reply             PostalFields
	ReplyNumber       string
	ReplyLink         bool
	InReplyTo         string
	Links             []LinkFields
	Type              string
	SourceActor       string
	CorrelationID     string
	Encrypt           bool
	Level4            bool
	Confidential      bool
	SharedWith        string // one number a line
	Case, Import      ArchiveFields
	Documents         map[DocumentID]DocumentFields
	Timing            TimingFields
	Health            HealthFields `json:",omitzero"`
}

// PostalFields is a postal address as typed.
type PostalFields struct{ Name, Line1, Line2, Line3, PostalCode, City, Country string }

// postal is the recipient's address.
func (f DraftFields) postal() PostalFields {
	return PostalFields{f.Name, f.Line1, f.Line2, f.Line3, f.PostalCode, f.City, f.Country}
}

// FillPlaces fills in places from postal codes; was is the form as saved before.
func (f *DraftFields) FillPlaces(was DraftFields, places map[string]string) {
	f.City = PlaceOf(f.postal().domain(), was.postal().domain(), places)
	f.Reply.City = PlaceOf(f.Reply.domain(), was.Reply.domain(), places)
}

// DocumentFields are the choices for one file, as typed.
type DocumentFields struct {
	Giro      string
	Type      string
	Exclude   bool
	Sensitive bool
	Extra     string // one pair a line
}

// The kinds of recipient.
const (
	RecipientPerson       = "person"
	RecipientOrganization = "organisasjon"
	RecipientHealth       = "helsenett"
)

// NewDraftFields returns the form of a new draft, with the account's defaults.
func NewDraftFields(a Account) DraftFields {
	return DraftFields{
		RecipientKind: RecipientPerson, Country: "Norge", SourceSystem: a.SourceSystem, BillingCode: a.BillingCode, Duplex: !a.SingleSided, Color: a.Color && a.Generation().Has(FieldColor, everybody),
		SignatureType: string(SignatureAuthenticated),
		Reply:         ReplyFields(a), ReplyNumber: string(a.Reply.Digital.OrganizationNumber),
		Case:   newArchiveFields(a.Archive.CasePostType, a.Archive.CaseStatus),
		Import: newArchiveFields(a.Archive.ImportPostType, a.Archive.ImportStatus),
	}
}

// Parse turns the form and the draft's files into a shipment, with every problem that keeps it from being sent over a
// generation of the service.
func (f DraftFields) Parse(g Generation, documents []Document, now time.Time) (Shipment, Problems) {
	s := Shipment{
		SourceSystem: strings.TrimSpace(f.SourceSystem), Title: strings.TrimSpace(f.OwnTitle()), BillingCode: strings.TrimSpace(f.BillingCode),
		ExternalReference: strings.TrimSpace(f.ExternalReference), DigitalOnly: f.DigitalOnly,
		Print: PrintOptions{Duplex: f.Duplex, Color: f.Color},
		Type:  strings.TrimSpace(f.Type), SourceActor: strings.TrimSpace(f.SourceActor), CorrelationID: strings.TrimSpace(f.CorrelationID),
		Encrypted: f.Encrypt, RequireLevel4: f.Level4, Confidential: f.Confidential, ReplyLink: f.ReplyLink, InReplyTo: strings.TrimSpace(f.InReplyTo),
		Links: parseLinks(f.Links),
	}
	s.Recipient.Postal = f.postal().domain()
	var own Problems
	var wrong *Problem
	if f.ToHealth() {
		own = append(own, f.parseHealth(&s)...)
	} else if s.Recipient.Digital, wrong = f.Digital(); wrong != nil {
		own = append(own, *wrong)
	}
	if !f.ToHealth() {
		own = append(own, f.parseReply(&s)...)
	}
	own = append(own, f.parseDocuments(&s, documents)...)
	own = append(own, s.ValidateConfidential()...)
	own = append(own, f.parseShared(&s)...)
	own = append(own, f.parseArchive(&s)...)
	f.dropDefaults(&s, g)
	own = append(own, f.parseTiming(&s, now)...)
	own = own.With(f.parseSigning(&s, now))
	return s, own.With(f.ofOwnTitle(s.Validate(now, g)))
}

// nynorsk tells whether the title in nynorsk is the one that is sent: it is chosen, or there is no other.
func (f DraftFields) nynorsk() bool {
	return Filled(f.TitleNynorsk) && (f.Form == FormNynorsk || !Filled(f.Title))
}

// OwnTitle is the title that is sent.
func (f DraftFields) OwnTitle() string {
	if f.nynorsk() {
		return f.TitleNynorsk
	}
	return f.Title
}

// ofOwnTitle puts problems of the title at the field that it came from.
func (f DraftFields) ofOwnTitle(ps Problems) Problems {
	for i := range ps {
		if ps[i].Field == FieldTitle && f.nynorsk() {
			ps[i].Field = FieldTitleNynorsk
		}
	}
	return ps
}

// Digital returns the recipient's number; zero if none is typed.
func (f DraftFields) Digital() (to DigitalAddress, p *Problem) {
	switch {
	case !Filled(f.Number):
	case f.RecipientKind == RecipientOrganization:
		to.OrganizationNumber, p = ParseOrganizationNumber(FieldRecipientNumber, f.Number)
	default:
		to.NationalID, p = ParseNationalID(FieldRecipientNumber, f.Number)
	}
	return to, p
}

// Whom returns the number of the person or organization that a draft is to or about, as far as it can be read.
func (f DraftFields) Whom() DigitalAddress {
	if f.ToHealth() {
		patient, _ := ParseNationalID(FieldPatientID, f.Health.PatientID)
		return DigitalAddress{NationalID: patient}
	}
	to, _ := f.Digital()
	return to
}

func (f DraftFields) parseDocuments(s *Shipment, documents []Document) Problems {
	var ps Problems
	for _, d := range documents {
		chosen := f.Documents[d.ID]
		d.ExcludeFromPrint, d.Sensitive, d.Type = chosen.Exclude, chosen.Sensitive, strings.TrimSpace(chosen.Type)
		d.Sign = f.Sign && f.SignDocument == string(d.ID)
		var p *Problem
		if d.GiroPages, p = ParsePages(PagesField(d.ID), chosen.Giro, d.Pages); p != nil {
			ps = append(ps, *p)
		}
		var extra Problems
		d.Extra, extra = ParseEntries(ExtraField(d.ID), chosen.Extra)
		ps = append(ps, extra...)
		s.Documents = append(s.Documents, d)
	}
	return ps
}

func (f DraftFields) parseSigning(s *Shipment, now time.Time) Problems {
	if !f.Sign {
		return nil
	}
	var ps, missing Problems
	s.SignatureType = SignatureType(f.SignatureType)
	if day, ok := ParseDay(f.SignBy); ok {
		s.SignBy = time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 59, 0, Oslo)
	} else if Filled(f.SignBy) {
		ps.add(DayProblem(FieldSignBy, f.SignBy))
	} else {
		ps.add(&Problem{Field: FieldSignBy, Key: "problem.sign.by"})
	}
	if !s.Signing() { // Validate tells what else is missing only where a document is chosen
		missing.add(&Problem{Field: FieldSignDocument, Key: "problem.sign.choose"})
		s.validateSigner(&missing, now)
	}
	return ps.With(missing)
}

// parseTiming parses when the shipment is to go. The account's daytime does not apply to shipments.
func (f DraftFields) parseTiming(s *Shipment, now time.Time) Problems {
	t, ps := f.Timing.Parse(now)
	s.SendAt = t.SendAt
	return ps
}

// TimingFields are the time to send, as typed.
type TimingFields struct {
	Day, Clock string
	Urgent     bool
}

// Parse returns the typed time, and the problems of its day and its time of day.
func (f TimingFields) Parse(now time.Time) (Timing, Problems) {
	at, ps := ParseSendAt(f.Day, f.Clock, now)
	return Timing{SendAt: at, Urgent: f.Urgent}, ps
}

// LinkFields is a link in the shipment as typed.
type LinkFields struct{ Lead, URL, Text string }

// Empty tells whether nothing of the link is filled in.
func (l LinkFields) Empty() bool { return !Filled(l.Lead + l.URL + l.Text) }

// parseLinks parses the links. Only trailing empty ones are dropped, so that the indexes stay those of the form.
func parseLinks(typed []LinkFields) []Link {
	var links []Link
	for _, l := range typed {
		if !l.Empty() {
			links = append(links, Link{URL: strings.TrimSpace(l.URL), Text: strings.TrimSpace(l.Text), Lead: strings.TrimSpace(l.Lead)})
		}
	}
	return links
}

// Empty tells whether nothing of an address is filled in. The country, which has a default, does not count.
func (f PostalFields) Empty() bool {
	return !Filled(f.Name + f.Line1 + f.Line2 + f.Line3 + f.PostalCode + f.City)
}

func (f PostalFields) domain() PostalAddress {
	return PostalAddress{
		Name: strings.TrimSpace(f.Name), Line1: strings.TrimSpace(f.Line1), Line2: strings.TrimSpace(f.Line2), Line3: strings.TrimSpace(f.Line3),
		PostalCode: strings.TrimSpace(f.PostalCode), City: strings.TrimSpace(f.City), Country: strings.TrimSpace(f.Country),
	}
}

// ReplyFields returns the account's reply address for a new draft.
func ReplyFields(a Account) PostalFields {
	p := a.Reply.Postal
	return PostalFields{Name: p.Name, Line1: p.Line1, Line2: p.Line2, Line3: p.Line3, PostalCode: p.PostalCode, City: p.City, Country: cmp.Or(p.Country, "Norge")}
}

// HasReply tells whether anything of the reply address is filled in.
func (f DraftFields) HasReply() bool { return !f.Reply.Empty() || Filled(f.ReplyNumber) }

// Replies counts the filled-in reply fields, for the summary of the folded section.
func (f DraftFields) Replies() int { return count(f.HasReply(), f.ReplyLink, Filled(f.InReplyTo)) }

func (f DraftFields) parseReply(s *Shipment) Problems {
	var ps Problems
	s.ReplyTo, ps = ParseReply(f.Reply, f.ReplyNumber, ParseReplyNumber)
	return ps
}

// ParseReply parses a reply address; nil when nothing is filled in.
func ParseReply(f PostalFields, number string, parse func(field, typed string) (DigitalAddress, *Problem)) (*Address, Problems) {
	if f.Empty() && !Filled(number) {
		return nil, nil
	}
	to := &Address{Postal: f.domain()}
	if !Filled(number) {
		return to, nil
	}
	var p *Problem
	if to.Digital, p = parse(FieldReplyNumber, number); p != nil {
		return to, Problems{*p}
	}
	return to, nil
}

// parseShared parses who else may fetch the files.
func (f DraftFields) parseShared(s *Shipment) Problems {
	var ps Problems
	s.SharedWith, ps = ParseShared(f.SharedWith)
	return ps
}

// Access counts the chosen access restrictions, for the summary of the folded section.
func (f DraftFields) Access() int {
	return count(f.Encrypt, f.Level4, f.Confidential, Filled(f.SharedWith))
}

// PagesField names the field of a file's giro pages.
func PagesField(id DocumentID) string { return FieldDocument + string(id) + "-giro" }

// ExtraField names the field of a file's extra key-value pairs.
func ExtraField(id DocumentID) string { return FieldDocument + string(id) + "-ekstra" }

// Filled tells whether anything but blanks is typed.
func Filled(s string) bool {
	for _, r := range s {
		if r != ' ' && r != '\u00a0' && r != '\t' {
			return true
		}
	}
	return false
}

// count counts the true values.
func count(all ...bool) int {
	n := 0
	for _, so := range all {
		if so {
			n++
		}
	}
	return n
}
