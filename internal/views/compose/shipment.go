package compose

import (
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
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
	Saved     bool
	Failed    dispatch.ShipmentItem // what the draft was made of, when that came to nothing
	Template  dispatch.TemplateUse  // that it began with

	draft *parsedDraft // set by parsed

	Budget       dispatch.Budget
	Many         int // rows of the list that the draft goes to; 0: it goes to one
	TemplateName string
	Handed       Handed
	Types        []string    // shipment types that the service knows; none where it could not be asked
	Other        views.Other // what another tab has saved meanwhile

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
}

// ShipmentReviewPage shows a draft in sentences before it is sent.
type ShipmentReviewPage struct {
	views.Page
	ID       dispatch.ItemID
	Version  int
	Shipment dispatch.Shipment
	Held     dispatch.Block
	Budget   dispatch.Budget
	Key      string
	Many     bool // a list of recipients gets it
	files    fileChecks
}

func (p ShipmentReviewPage) at(parts ...string) string {
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
