package views

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
)

// ShipmentForm is the form of a shipment, as typed. It is stored as it is, so that a draft keeps what is not right yet.
type ShipmentForm struct {
	RecipientKind     string // KindPerson or KindOrganization
	Number            string
	Name              string
	Line1             string
	Line2             string
	Line3             string
	PostalCode        string
	City              string
	Country           string
	Title             string
	SourceSystem      string
	BillingCode       string
	ExternalReference string
	DigitalOnly       bool
	Duplex            bool
	Color             bool
	Sign              bool
	SignDocument      string
	SignatureType     string
	SignBy            string
	Reply             PostalForm
	ReplyNumber       string
	ReplyLink         bool
	InReplyTo         string
	Links             []LinkForm
	Type              string
	SourceActor       string
	CorrelationID     string
	Encrypt           bool
	Level4            bool
	Confidential      bool
	SharedWith        string // one number a line
	Case, Import      NoarkForm
	Documents         map[dispatch.DocumentID]DocumentForm
	Timing            TimingForm
}

// PostalForm is a postal address as typed.
type PostalForm struct{ Name, Line1, Line2, Line3, PostalCode, City, Country string }

// postal is the recipient's address.
func (f ShipmentForm) postal() PostalForm {
	return PostalForm{f.Name, f.Line1, f.Line2, f.Line3, f.PostalCode, f.City, f.Country}
}

// FillPlaces fills in the places that follow from postal codes, of the form as it was kept before.
func (f *ShipmentForm) FillPlaces(was ShipmentForm, places map[string]string) {
	f.City = dispatch.PlaceOf(f.postal().domain(), was.postal().domain(), places)
	f.Reply.City = dispatch.PlaceOf(f.Reply.domain(), was.Reply.domain(), places)
}

// DocumentForm is what is chosen about one file, as typed.
type DocumentForm struct {
	Giro      string
	Type      string
	Exclude   bool
	Sensitive bool
	Extra     string // one pair a line
}

// The kinds of recipient.
const (
	KindPerson       = "person"
	KindOrganization = "organisasjon"
)

// NewShipmentForm is an empty form with the account's defaults.
func NewShipmentForm(a dispatch.Account) ShipmentForm {
	return ShipmentForm{
		RecipientKind: KindPerson, Country: "Norge", SourceSystem: a.SourceSystem, BillingCode: a.BillingCode, Duplex: !a.SingleSided, Color: a.Color,
		SignatureType: string(dispatch.SignatureAuthenticated),
		Reply:         replyForm(a), ReplyNumber: string(a.Reply.Digital.OrganizationNumber),
		Case:   newNoarkForm(a.Archive.CasePostType, a.Archive.CaseStatus),
		Import: newNoarkForm(a.Archive.ImportPostType, a.Archive.ImportStatus),
	}
}

// Parse turns the form and the draft's files into a shipment, with everything that stops it from being sent over a
// generation of the service.
func (f ShipmentForm) Parse(g dispatch.Generation, documents []dispatch.Document, now time.Time) (dispatch.Shipment, dispatch.Problems) {
	s := dispatch.Shipment{
		SourceSystem: strings.TrimSpace(f.SourceSystem), Title: strings.TrimSpace(f.Title), BillingCode: strings.TrimSpace(f.BillingCode),
		ExternalReference: strings.TrimSpace(f.ExternalReference), DigitalOnly: f.DigitalOnly,
		Print: dispatch.PrintOptions{Duplex: f.Duplex, Color: f.Color},
		Type:  strings.TrimSpace(f.Type), SourceActor: strings.TrimSpace(f.SourceActor), CorrelationID: strings.TrimSpace(f.CorrelationID),
		Encrypted: f.Encrypt, RequireLevel4: f.Level4, Confidential: f.Confidential, ReplyLink: f.ReplyLink, InReplyTo: strings.TrimSpace(f.InReplyTo),
		Links: parseLinks(f.Links),
	}
	s.Recipient.Postal = f.postal().domain()
	var own dispatch.Problems
	own = append(own, f.parseNumber(&s)...)
	own = append(own, f.parseReply(&s)...)
	own = append(own, f.parseDocuments(&s, documents)...)
	own = append(own, s.ValidateConfidential()...)
	own = append(own, f.parseShared(&s)...)
	own = append(own, f.parseArchive(&s)...)
	own = append(own, f.parseSigning(&s)...)
	own = append(own, f.parseTiming(&s, now)...)
	return s, merge(own, s.Validate(now, g))
}

// merge puts the form's own problems first and leaves out what says a second thing about the same field.
func merge(own, rules dispatch.Problems) dispatch.Problems {
	ps := own
	for _, p := range rules {
		if own.For(p.Field) == nil {
			ps = append(ps, p)
		}
	}
	return ps
}

func (f ShipmentForm) parseNumber(s *dispatch.Shipment) dispatch.Problems {
	if !filled(f.Number) {
		return nil
	}
	var p *dispatch.Problem
	if f.RecipientKind == KindOrganization {
		s.Recipient.Digital.OrganizationNumber, p = dispatch.ParseOrganizationNumber(dispatch.FieldRecipientNumber, f.Number)
	} else {
		s.Recipient.Digital.NationalID, p = dispatch.ParseNationalID(dispatch.FieldRecipientNumber, f.Number)
	}
	if p != nil {
		return dispatch.Problems{*p}
	}
	return nil
}

func (f ShipmentForm) parseDocuments(s *dispatch.Shipment, documents []dispatch.Document) dispatch.Problems {
	var ps dispatch.Problems
	for _, d := range documents {
		chosen := f.Documents[d.ID]
		d.ExcludeFromPrint, d.Sensitive, d.Type = chosen.Exclude, chosen.Sensitive, strings.TrimSpace(chosen.Type)
		d.Sign = f.Sign && f.SignDocument == string(d.ID)
		var p *dispatch.Problem
		if d.GiroPages, p = dispatch.ParsePages(giroField(d.ID), chosen.Giro, d.Pages); p != nil {
			ps = append(ps, *p)
		}
		var extra dispatch.Problems
		d.Extra, extra = dispatch.ParseEntries(extraField(d.ID), chosen.Extra)
		ps = append(ps, extra...)
		s.Documents = append(s.Documents, d)
	}
	return ps
}

func (f ShipmentForm) parseSigning(s *dispatch.Shipment) dispatch.Problems {
	if !f.Sign {
		return nil
	}
	var ps dispatch.Problems
	if !s.Signing() {
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldSignDocument, Key: "problem.sign.choose"})
	}
	s.SignatureType = dispatch.SignatureType(f.SignatureType)
	day, ok := parseDate(f.SignBy)
	if !ok {
		return append(ps, dispatch.Problem{Field: dispatch.FieldSignBy, Key: "problem.date"})
	}
	s.SignBy = time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 59, 0, oslo)
	return ps
}

// parseTiming reads when the shipment is to go. No daytime window holds for letters.
func (f ShipmentForm) parseTiming(s *dispatch.Shipment, now time.Time) dispatch.Problems {
	t, p := f.Timing.Parse(now)
	s.SendAt = t.SendAt
	if p != nil {
		return dispatch.Problems{*p}
	}
	return nil
}

func giroField(id dispatch.DocumentID) string { return dispatch.FieldDocument + string(id) + "-giro" }

func extraField(id dispatch.DocumentID) string {
	return dispatch.FieldDocument + string(id) + "-ekstra"
}

func typeField(id dispatch.DocumentID) string { return dispatch.FieldDocument + string(id) + "-type" }

// parseDate reads a date as typed, in Oslo.
func parseDate(typed string) (time.Time, bool) { return dispatch.ParseDay(typed) }

// ShipmentFormPage is the page where a shipment is made.
type ShipmentFormPage struct {
	Page
	ID        dispatch.ItemID
	Version   int
	Form      ShipmentForm
	Documents []dispatch.Document
	Saved     bool
	Failed    dispatch.ShipmentItem // what the draft was made of, when that came to nothing
	Template  dispatch.TemplateUse  // that it began with

	draft *parsedDraft // set by parsed

	Many         int // rows of the list that the draft goes to; 0: it goes to one
	TemplateName string
	Handed       Handed
	Types        []string // shipment types that the service knows; none where it could not be asked
	Other        Other    // what another tab has saved meanwhile

	Waits bool // a file of theirs waits to be looked into
	Ahead int  // files of others that are looked into before it
}

// at is an address of this draft.
func (p ShipmentFormPage) at(parts ...string) string {
	return p.path(append([]string{"utkast", string(p.ID)}, parts...)...)
}

// size is the size of all files.
func (p ShipmentFormPage) size() int64 {
	return dispatch.Shipment{Documents: p.Documents}.Size()
}

// signable are the files that can be signed, and the one that is chosen: PDFs alone (Shipment spec, Signering).
func (p ShipmentFormPage) signable() (files []dispatch.Document) {
	for _, d := range p.Documents {
		if d.PDF() || p.Form.SignDocument == string(d.ID) {
			files = append(files, d)
		}
	}
	return files
}

// step tells whether one of the four parts is complete, for the summary.
type step struct {
	Key   string
	Ready bool
}

// steps are the parts of the form, ready when no problem stands at their fields.
func (p ShipmentFormPage) steps() []step {
	p = p.parsed()
	s, ps := p.draft.content, slices.Clip(p.draft.problems)
	ps = append(ps, p.Account.ValidateEncryption(s, p.Now)...)
	ps = append(ps, s.Stopped(p.Account.Rules())...)
	steps := []step{{"shipment.step.recipient", true}, {"shipment.step.documents", true}, {"shipment.step.delivery", true}, {"shipment.step.signing", true}}
	for _, problem := range ps {
		steps[partOf(problem.Field)].Ready = false
	}
	return steps
}

// partOf is the part of the form that a field stands in.
func partOf(field string) int {
	switch field {
	case dispatch.FieldSignBy, dispatch.FieldSignDocument, dispatch.FieldSignatureType:
		return 3
	case dispatch.FieldSourceSystem, dispatch.FieldBillingCode, dispatch.FieldReference, dispatch.FieldType, dispatch.FieldCorrelation,
		dispatch.FieldEncrypt, dispatch.FieldLevel4, dispatch.FieldConfidential, dispatch.FieldSharedWith, dispatch.FieldSendDay, dispatch.FieldSendTime:
		return 2
	case dispatch.FieldTitle, dispatch.FieldDocuments, dispatch.FieldLinks:
		return 1
	}
	switch {
	case strings.HasPrefix(field, dispatch.FieldCase), strings.HasPrefix(field, dispatch.FieldImport):
		return 2
	case strings.HasPrefix(field, dispatch.FieldDocument), strings.HasPrefix(field, dispatch.FieldLink):
		return 1
	}
	return 0
}

// wrong tells whether a problem stands at a field with the prefix, so that what is folded is opened.
func (p ShipmentFormPage) wrong(prefixes ...string) bool {
	for _, problem := range p.Problems {
		for _, prefix := range prefixes {
			if strings.HasPrefix(problem.Field, prefix) {
				return true
			}
		}
	}
	return false
}

// v2 tells whether the account sends over V2, which has fields of its own.
func (p ShipmentFormPage) v2() bool { return p.Account.Generation() == dispatch.V2 }

// fileSize writes a size: "29 kB", "190,4 MB". What is not empty has at least one kB.
func fileSize(n int64) string {
	if n < 999_500 {
		return number(int(max((n+500)/1000, min(n, 1)))) + "\u00a0kB"
	}
	tenths := (n + 50_000) / 100_000
	return number(int(tenths/10)) + "," + strconv.Itoa(int(tenths%10)) + "\u00a0MB"
}

// DraftsPage lists one's own drafts.
type DraftsPage struct {
	Page
	Drafts []DraftLine
	Handed []HandedLine // that colleagues have now
	Key    string
}

// DraftLine is one draft in the list.
type DraftLine struct {
	ID        dispatch.ItemID
	Title     string
	Recipient string
	Files     int
	CreatedAt time.Time
	From      string // who handed it over; empty: nobody
}

// ShipmentReviewPage shows a draft in sentences before it is sent.
type ShipmentReviewPage struct {
	Page
	ID       dispatch.ItemID
	Version  int
	Shipment dispatch.Shipment
	Held     dispatch.Hold
	Key      string
	Many     bool // a list of recipients gets it
	files    fileChecks
}

func (p ShipmentReviewPage) at(parts ...string) string {
	return p.path(append([]string{"utkast", string(p.ID)}, parts...)...)
}

// oddShared tells whether a number of those who may fetch the files has check digits that do not fit.
func (p ShipmentReviewPage) oddShared() bool {
	return slices.Contains(oddNumbers(dispatch.Shipment{SharedWith: p.Shipment.SharedWith}), dispatch.FieldSharedWith)
}

// typeList is the id of the list of shipment types; empty when there are none.
func typeList(types []string) string {
	if len(types) == 0 {
		return ""
	}
	return "typer"
}
