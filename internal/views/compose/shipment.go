package compose

import (
	"context"
	"slices"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// The kinds of recipient.
const (
	KindPerson       = dispatch.RecipientPerson
	KindOrganization = dispatch.RecipientOrganization
	KindHealth       = dispatch.RecipientHealth
)

func giroField(id dispatch.DocumentID) string { return dispatch.PagesField(id) }

func extraField(id dispatch.DocumentID) string { return dispatch.ExtraField(id) }

func typeField(id dispatch.DocumentID) string { return dispatch.FieldDocument + string(id) + "-type" }

// NewShipmentForm is an empty form with the account's defaults.
func NewShipmentForm(a dispatch.Account) dispatch.DraftFields { return dispatch.NewDraftFields(a) }

// ShipmentFormPage is the page where a shipment is written.
type ShipmentFormPage struct {
	views.Page
	ID        dispatch.ItemID
	Version   int
	PageID    string               // random, of the loaded page
	Instead   dispatch.Replacement // what the recipient gets already in place of the shipment that this draft replaces; zero: nothing
	Form      dispatch.DraftFields
	Documents []dispatch.Document
	Autosave  views.Autosave
	Failed    dispatch.ShipmentItem // the failed shipment that the draft is a copy of
	FilesGone bool                  // the original has no files any more, so that the copy has none
	Template  dispatch.TemplateUse  // template that the draft began with

	draft *parsedDraft // set by parsed

	Contact      Contact
	Budget       dispatch.Budget
	Many         int               // rows of the draft's list; 0: the draft goes to one
	Valid        int               // of them, those that can be sent to
	Numberless   int               // of those, recipients without a number
	Replaced     int               // of those, recipients who were sent the same meanwhile
	AllReplaced  bool              // as Job.AllReplaced
	Faulty       int               // of them, those that must be corrected or left out
	Unchecked    int               // of them, those whose fault may be mended by a later choice: the next step checks them anew
	Own          dispatch.Division // how each recipient gets an own file or slice; zero: everybody gets the same files
	TemplateName string
	Handed       Handed
	Last         dispatch.Approval // the last request for approval; zero: there was none
	Types        []string          // shipment types known to the service; none if it could not be asked
	Other        views.Other       // version saved from another tab meanwhile

	Checked bool     // after a save: Wrong is known
	Wrong   []string // the fields that have a problem, whether it is shown or not

	Waits bool // a file of the draft waits for its check
	Ahead int  // files of other drafts that are checked first
}

// titled names the page of a corrected copy by what it is a copy of.
func (p ShipmentFormPage) titled(ctx context.Context) ShipmentFormPage {
	if p.Failed.ID != "" && p.Failed.Title != "" && !p.Other.There() {
		p.Title = i18n.T(ctx, "shipment.new.corrected", "What", p.Failed.Title)
	}
	return p
}

// lost is the key of what is lost with the draft.
func (p ShipmentFormPage) lost() string {
	if p.Many > 0 {
		return "discard.shipments"
	}
	return "discard.shipment"
}

// at is an address of this draft.
func (p ShipmentFormPage) at(parts ...string) string {
	return p.PathTo(append([]string{"utkast", string(p.ID)}, parts...)...)
}

// size is the size of all files.
func (p ShipmentFormPage) size() int64 {
	return dispatch.Shipment{Documents: p.Documents}.Size()
}

// signable are the PDFs (Shipment spec, Signering), and the chosen file whatever it is.
func (p ShipmentFormPage) signable() (files []dispatch.Document) {
	for _, d := range p.Documents {
		if d.PDF() || p.Form.SignDocument == string(d.ID) {
			files = append(files, d)
		}
	}
	return files
}

// stepState is the progress of one of the four steps of the form.
type stepState string

const (
	stepReady   stepState = "ready"
	stepMissing stepState = "missing" // something is still to be filled in
	stepWrong   stepState = "wrong"   // the form was checked, and the step has problems
	stepUnused  stepState = "unused"  // signing is not chosen
	stepWaiting stepState = "waiting" // for a recipient: how it is delivered depends on who gets it
)

// step is a line of the summary: what the step holds, or what to do first.
type step struct {
	Number string
	Key    string
	State  stepState
	Line   string
}

// steps are the four steps of the form; a step without problems is ready.
func (p ShipmentFormPage) steps(ctx context.Context) []step {
	p = p.parsed()
	s, ps := p.draft.content, slices.Clip(p.draft.problems)
	ps = append(ps, p.Account.ValidateEncryption(s, p.Now)...)
	ps = append(ps, s.Stopped(p.Account.Rules())...)
	if p.Many > 0 {
		s.Recipient = dispatch.Address{} // the form's own goes to nobody
	}
	steps := []step{
		{"1", "shipment.step.recipient", stepReady, p.recipientLine(ctx, s)},
		{"2", "shipment.step.documents", stepReady, p.filesLine(ctx)},
		{"3", "shipment.step.delivery", stepReady, p.deliveryLine(ctx, s)},
		{"4", "shipment.step.signing", stepUnused, i18n.T(ctx, "shipment.step.no_signing")},
	}
	if p.Form.Sign {
		steps[3].State, steps[3].Line = stepReady, i18n.T(ctx, "signature."+p.Form.SignatureType)
	}
	for _, problem := range slices.Backward(ps) {
		of := &steps[partOf(problem)]
		of.State, of.Line = stepMissing, views.ProblemText(ctx, problem)
	}
	wrong := [4]int{}
	for _, problem := range slices.Backward(p.Problems) {
		part := partOf(problem)
		of := &steps[part]
		if of.State != stepMissing {
			of.Line = views.ProblemText(ctx, problem)
		}
		of.State, wrong[part] = stepWrong, wrong[part]+1
	}
	for part, n := range wrong {
		if n > 1 {
			steps[part].Line = i18n.T(ctx, "shipment.step.others", "N", n-1, "First", steps[part].Line)
		}
	}
	if steps[2].State == stepReady && steps[0].State != stepReady {
		steps[2].State = stepWaiting
		if !s.DigitalOnly && s.Health == nil { // the recipient may still get a number
			steps[2].Line = i18n.T(ctx, "shipment.review.paper", "Print", views.PrintWords(ctx, s.Print))
		}
	}
	if p.Numberless > 0 && s.DigitalOnly && steps[2].State != stepWrong {
		steps[2].State, steps[2].Line = stepMissing, i18n.T(ctx, "shipment.step.numberless", "N", p.Numberless)
	}
	if (p.Faulty+p.Unchecked+p.Replaced > 0 || p.nobody()) && steps[0].State == stepReady {
		steps[0].State = stepMissing
	}
	return steps
}

// deliveryLine is how the shipment goes; to a list also how many get it on paper only.
func (p ShipmentFormPage) deliveryLine(ctx context.Context, s dispatch.Shipment) string {
	switch {
	case p.Numberless == 0 || s.DigitalOnly || s.Health != nil:
		return views.DeliveryLine(ctx, s)
	case p.Numberless == p.Valid:
		return i18n.T(ctx, "shipment.review.print", "Print", views.PrintWords(ctx, s.Print))
	}
	return views.DeliveryLine(ctx, s) + " " + i18n.T(ctx, "shipments.review.numberless", "N", p.Numberless)
}

// recipients is how many of the list can be sent to, as far as is known.
func (p ShipmentFormPage) recipients() int { return max(p.Valid+p.Unchecked-p.Replaced, 0) }

// nobody tells whether the draft goes to a list of which nobody is left.
func (p ShipmentFormPage) nobody() bool { return p.Many > 0 && p.recipients()+p.Faulty == 0 }

// mustLeaveOut says how many rows of the list must be left out, and how many remain.
func (p ShipmentFormPage) mustLeaveOut(ctx context.Context) string {
	return i18n.T(ctx, "job.review.blocked", "Rows", p.Replaced, "All", p.Valid, "Left", p.Valid-p.Replaced)
}

// recipientLine is the recipient's address on one line.
func (p ShipmentFormPage) recipientLine(ctx context.Context, s dispatch.Shipment) string {
	if p.nobody() {
		return i18n.T(ctx, "shipments.draft.nobody")
	}
	if p.Replaced > 0 {
		return p.mustLeaveOut(ctx)
	}
	if p.Many > 0 {
		return i18n.T(ctx, "shipment.step.many", "N", p.recipients())
	}
	if s.Health != nil {
		return views.HealthSentence(ctx, s.Health)
	}
	to := s.Recipient.Postal
	return strings.Trim(to.Name+", "+strings.TrimSpace(to.PostalCode+" "+to.City), ", ")
}

// filesLine is the number of files.
func (p ShipmentFormPage) filesLine(ctx context.Context) string {
	switch {
	case p.Own.Document != "" && len(p.Documents) > 0:
		return i18n.T(ctx, "shipment.step.own_and", "N", len(p.Documents))
	case p.Own.Document != "":
		return i18n.T(ctx, "shipment.step.own")
	}
	return i18n.T(ctx, "shipment.step.files", "N", len(p.Documents)) + pagesLine(ctx, p.Documents)
}

// pagesLine is the number of pages of all files; empty if there are none.
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

// partOf is the step that a problem belongs to.
func partOf(p dispatch.Problem) int {
	field := p.Field
	if p.Key == dispatch.ProblemSignReply {
		return 3
	}
	switch field {
	case dispatch.FieldSignBy, dispatch.FieldSignDocument, dispatch.FieldSignatureType:
		return 3
	case dispatch.FieldSourceSystem, dispatch.FieldBillingCode, dispatch.FieldReference, dispatch.FieldType, dispatch.FieldCorrelation,
		dispatch.FieldDelivery, dispatch.FieldColor, dispatch.FieldSourceActor, dispatch.FieldEncrypt, dispatch.FieldLevel4, dispatch.FieldConfidential, dispatch.FieldSharedWith, dispatch.FieldSendDay, dispatch.FieldSendTime:
		return 2
	case dispatch.FieldTitle, dispatch.FieldTitleNynorsk, dispatch.FieldDocuments, views.FieldFile, dispatch.FieldLinks, dispatch.FieldAbout:
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

// wrong tells whether a field whose name begins with a prefix has a problem, so that its folded section is opened.
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

// moreAddress tells whether the section with more address lines is open: the address is foreign or has several lines.
func (p ShipmentFormPage) moreAddress() bool {
	own := dispatch.NewDraftFields(p.Account)
	return p.Form.Line2 != "" || p.Form.Line3 != "" || p.Form.Country != own.Country || p.wrong(dispatch.FieldLine2, dispatch.FieldLine3, dispatch.FieldCountry)
}

// ownReply tells whether the section about replies is open: it says something else than the account's settings.
func (p ShipmentFormPage) ownReply() bool {
	own := dispatch.NewDraftFields(p.Account)
	return p.Form.InReplyTo != "" || p.Form.ReplyLink || p.Form.HasReply() && (p.Form.Reply != own.Reply || p.Form.ReplyNumber != own.ReplyNumber) || p.wrong("svar")
}

// nynorsk tells whether the title in nynorsk is open.
func (p ShipmentFormPage) nynorsk() bool {
	return p.Form.TitleNynorsk != "" || p.wrong(dispatch.FieldTitleNynorsk)
}

// MakeReference is the button that makes a reference.
const MakeReference = "referanse"

// example is a reference made by the account's pattern; empty: it has none.
func (p ShipmentFormPage) example() string { return p.Account.References.Example(p.Now) }

// drawn is an example of the reference that the shipment gets when it is sent; empty: it gets none, or has one already.
func drawn(p views.Page, s dispatch.Shipment, each bool) string {
	if s.ExternalReference != "" || !each && !p.Account.References.Fill {
		return ""
	}
	return p.Account.References.Example(p.Now)
}

// moreFacts tells whether the section with more facts is open: something differs from the account's defaults.
func (p ShipmentFormPage) moreFacts() bool {
	own := dispatch.NewDraftFields(p.Account)
	return p.Form.Type != own.Type || p.Form.SourceSystem != own.SourceSystem || p.Form.SourceActor != "" || p.Form.CorrelationID != "" ||
		p.wrong(dispatch.FieldSourceSystem, dispatch.FieldType, dispatch.FieldSourceActor, dispatch.FieldCorrelation)
}

// has tells whether the account's generation knows a field for any kind of recipient that the form offers.
func (p ShipmentFormPage) has(field string) bool {
	return p.Account.Generation().Has(field, dispatch.ToPerson|dispatch.ToOrganization|dispatch.ToPaper)
}

// signHint tells what a signing needs.
func (p ShipmentFormPage) signHint() string {
	if p.Account.SigningNeedsReply() {
		return "shipment.sign.hint.reply"
	}
	return "shipment.sign.hint"
}

// giroHint is the hint on how to write page numbers.
func (p ShipmentFormPage) giroHint() string {
	if p.Account.Generation().Row().GiroPages == 1 {
		return "document.giro.one"
	}
	return "document.giro.hint"
}

// whose is the class of a field that the account's generation has for some kinds of recipients only: it is hidden while
// another is chosen, unless it is filled in, when it must be seen to be emptied.
func (p ShipmentFormPage) whose(field string, filled bool) string {
	switch to := p.Account.Generation().Addressees(field); {
	case filled:
		return ""
	case to == dispatch.ToOrganization:
		return "of-organization"
	case to == dispatch.ToPerson:
		return "of-person"
	case to&dispatch.ToHealth == 0:
		return notHealth(false)
	}
	return ""
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
	Many     bool                 // sent to a list
	Other    dispatch.Replacement // why the recipient would get two; zero: would not
	files    fileChecks

	Approving Approving
}

func (p ShipmentReviewPage) at(parts ...string) string {
	if p.Approving.Deciding {
		return p.Approving.path(p.Page, parts...)
	}
	return p.PathTo(append([]string{"utkast", string(p.ID)}, parts...)...)
}

// oddShared tells whether a number among those who may fetch the files has wrong check digits.
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
