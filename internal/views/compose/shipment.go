package compose

import (
	"context"
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// The kinds of recipient.
const (
	KindPerson       = dispatch.RecipientPerson
	KindOrganization = dispatch.RecipientOrganization
)

func giroField(id dispatch.DocumentID) string { return dispatch.PagesField(id) }

func extraField(id dispatch.DocumentID) string { return dispatch.ExtraField(id) }

func typeField(id dispatch.DocumentID) string { return dispatch.FieldDocument + string(id) + "-type" }

// NewShipmentForm is an empty form with the account's defaults.
func NewShipmentForm(a dispatch.Account) views.ShipmentForm { return dispatch.NewDraftFields(a) }

// ShipmentFormPage is the page where a shipment is made.
type ShipmentFormPage struct {
	views.Page
	ID        dispatch.ItemID
	Version   int
	Form      views.ShipmentForm
	Documents []dispatch.Document
	Autosave  views.Autosave
	Failed    dispatch.ShipmentItem // what the draft was made of, when that came to nothing
	Template  dispatch.TemplateUse  // that it began with

	draft *parsedDraft // set by parsed

	Contact      Contact
	Budget       dispatch.Budget
	Many         int               // rows of the list that the draft goes to; 0: it goes to one
	Own          dispatch.Division // of each recipient's own part, which is no file of the draft; zero: there is none
	TemplateName string
	Handed       Handed
	Last         dispatch.Approval // the last time that others were asked to approve it; zero: they never were
	Types        []string          // shipment types that the service knows; none where it could not be asked
	Other        views.Other       // what another tab has saved meanwhile

	Waits bool // a file of theirs waits to be looked into
	Ahead int  // files of others that are looked into before it
}

// at is an address of this draft.
func (p ShipmentFormPage) at(parts ...string) string {
	return p.PathTo(append([]string{"utkast", string(p.ID)}, parts...)...)
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

// stepState tells how far one of the four parts of the form has come.
type stepState string

const (
	stepReady   stepState = "ready"
	stepMissing stepState = "missing" // something is still to be filled in
	stepWrong   stepState = "wrong"   // the form was checked, and something is wrong or missing
	stepUnused  stepState = "unused"  // signing that nobody has asked for
)

// step is one of the four parts in the summary: what it holds, or what is to be done first.
type step struct {
	Number string
	Key    string
	State  stepState
	Line   string
}

// steps are the parts of the form, ready when no problem stands at their fields.
func (p ShipmentFormPage) steps(ctx context.Context) []step {
	p = p.parsed()
	s, ps := p.draft.content, slices.Clip(p.draft.problems)
	ps = append(ps, p.Account.ValidateEncryption(s, p.Now)...)
	ps = append(ps, s.Stopped(p.Account.Rules())...)
	steps := []step{
		{"1", "shipment.step.recipient", stepReady, p.recipientLine(ctx, s)},
		{"2", "shipment.step.documents", stepReady, p.filesLine(ctx)},
		{"3", "shipment.step.delivery", stepReady, views.DeliveryLine(ctx, s)},
		{"4", "shipment.step.signing", stepUnused, i18n.T(ctx, "shipment.step.no_signing")},
	}
	if p.Form.Sign {
		steps[3].State, steps[3].Line = stepReady, i18n.T(ctx, "signature."+p.Form.SignatureType)
	}
	for _, problem := range slices.Backward(ps) {
		of := &steps[partOf(problem.Field)]
		of.State, of.Line = stepMissing, views.ProblemText(ctx, problem)
	}
	for _, problem := range p.Problems {
		if of := &steps[partOf(problem.Field)]; of.State == stepMissing {
			of.State = stepWrong
		}
	}
	return steps
}

// recipientLine names the recipient as the envelope does, in short.
func (p ShipmentFormPage) recipientLine(ctx context.Context, s dispatch.Shipment) string {
	if p.Many > 0 {
		return i18n.T(ctx, "shipment.step.many", "N", p.Many)
	}
	to := s.Recipient.Postal
	return strings.Trim(to.Name+", "+strings.TrimSpace(to.PostalCode+" "+to.City), ", ")
}

// filesLine is how many files there are.
func (p ShipmentFormPage) filesLine(ctx context.Context) string {
	switch {
	case p.Own.Document != "" && len(p.Documents) > 0:
		return i18n.T(ctx, "shipment.step.own_and", "N", len(p.Documents))
	case p.Own.Document != "":
		return i18n.T(ctx, "shipment.step.own")
	}
	return i18n.T(ctx, "shipment.step.files", "N", len(p.Documents)) + pagesLine(ctx, p.Documents)
}

// pagesLine is how many pages files have together; empty where they have none.
func pagesLine(ctx context.Context, files []dispatch.Document) string {
	n := 0
	for _, d := range files {
		n += d.Pages
	}
	if n == 0 {
		return ""
	}
	return ", " + i18n.T(ctx, "shipment.step.pages", "N", n)
}

// partOf is the part of the form that a field stands in.
func partOf(field string) int {
	switch field {
	case dispatch.FieldSignBy, dispatch.FieldSignDocument, dispatch.FieldSignatureType:
		return 3
	case dispatch.FieldSourceSystem, dispatch.FieldBillingCode, dispatch.FieldReference, dispatch.FieldType, dispatch.FieldCorrelation,
		dispatch.FieldEncrypt, dispatch.FieldLevel4, dispatch.FieldConfidential, dispatch.FieldSharedWith, dispatch.FieldSendDay, dispatch.FieldSendTime:
		return 2
	case dispatch.FieldTitle, dispatch.FieldTitleNynorsk, dispatch.FieldDocuments, dispatch.FieldLinks:
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

// moreAddress tells whether the rest of the address is open: something other than a Norwegian address of one line.
func (p ShipmentFormPage) moreAddress() bool {
	own := dispatch.NewDraftFields(p.Account)
	return p.Form.Line2 != "" || p.Form.Line3 != "" || p.Form.Country != own.Country || p.wrong(dispatch.FieldLine2, dispatch.FieldLine3, dispatch.FieldCountry)
}

// nynorsk tells whether the title in nynorsk is open.
func (p ShipmentFormPage) nynorsk() bool {
	return p.Form.TitleNynorsk != "" || p.wrong(dispatch.FieldTitleNynorsk)
}

// MakeReference is the button that makes a reference.
const MakeReference = "referanse"

// example is a reference as the account makes them; empty: it makes none.
func (p ShipmentFormPage) example() string { return p.Account.References.Example(p.Now) }

// drawn is the example of a reference that the shipment gets when it is sent; empty: it has one, or gets none.
func drawn(p views.Page, s dispatch.Shipment, each bool) string {
	if s.ExternalReference != "" || !each && !p.Account.References.Fill {
		return ""
	}
	return p.Account.References.Example(p.Now)
}

// moreFacts tells whether the facts about the shipment are open: something other than what the account begins with.
func (p ShipmentFormPage) moreFacts() bool {
	own := dispatch.NewDraftFields(p.Account)
	return p.Form.Type != own.Type || p.Form.SourceSystem != own.SourceSystem || p.Form.SourceActor != "" || p.Form.CorrelationID != "" ||
		p.wrong(dispatch.FieldSourceSystem, dispatch.FieldType, dispatch.FieldSourceActor, dispatch.FieldCorrelation)
}

// has tells whether the account's generation has a field for any recipient that the form offers.
func (p ShipmentFormPage) has(field string) bool {
	return p.Account.Generation().Has(field, dispatch.ToPerson|dispatch.ToOrganization|dispatch.ToPaper)
}

// giroHint tells how giro pages are written.
func (p ShipmentFormPage) giroHint() string {
	if p.Account.Generation().Row().GiroPages == 1 {
		return "document.giro.one"
	}
	return "document.giro.hint"
}

// whose is the class of a field that the account's generation has for one kind of recipient only: it is hidden while
// the other is chosen, unless it is filled in, when it must be seen to be emptied.
func (p ShipmentFormPage) whose(field string, filled bool) string {
	switch p.Account.Generation().Addressees(field) {
	case dispatch.ToOrganization:
		if !filled {
			return "of-organization"
		}
	case dispatch.ToPerson:
		if !filled {
			return "of-person"
		}
	}
	return ""
}

// DraftsPage lists one's own drafts.
type DraftsPage struct {
	views.Page
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
	Waiting   bool   // for approval
	Returned  bool   // by somebody who did not approve it
}

// ShipmentReviewPage shows a draft in sentences before it is sent.
type ShipmentReviewPage struct {
	views.Page
	ID       dispatch.ItemID
	Version  int
	Shipment dispatch.Shipment
	Held     dispatch.Block
	Budget   dispatch.Budget
	Today    Today
	Contact  Contact
	Key      string
	Many     bool // a list of recipients gets it
	files    fileChecks

	Approving Approving
}

func (p ShipmentReviewPage) at(parts ...string) string {
	if p.Approving.Deciding {
		return p.Approving.path(p.Page, parts...)
	}
	return p.PathTo(append([]string{"utkast", string(p.ID)}, parts...)...)
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
