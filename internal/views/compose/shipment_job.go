package compose

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// Fields of the pages of a shipment to many.
const (
	FieldSplit      = "fordeling"
	FieldSplitFile  = "fordelt-fil"
	FieldSplitPages = "sider"
	FieldSplitMark  = "deletekst"
	FieldGiroColumn = "girokolonne"
	FieldFileColumn = "filkolonne"
	FieldLooked     = "sett-del"   // the parts that a person has looked at
	FieldRow        = "rad"        // positions of the rows that a form shows
	FaultyRows      = "rader-feil" // on the draft, the link to its faulty rows
	FieldOne        = "en"         // the form shows a single row, which need not be faulty
)

// ShipmentFields are the fields of a recipient in a list of shipments, in the order of the page and of the file of faulty rows.
func ShipmentFields() []string {
	return []string{dispatch.FieldRecipientNumber, dispatch.FieldName, dispatch.FieldLine1, dispatch.FieldLine2, dispatch.FieldLine3,
		dispatch.FieldPostalCode, dispatch.FieldCity, dispatch.FieldCountry}
}

// shipmentLabels are the labels of the fields. A list that is uploaded again is matched to fields by them.
var shipmentLabels = map[string]string{
	dispatch.FieldRecipientNumber: "shipments.number", dispatch.FieldName: "shipment.name", dispatch.FieldLine1: "shipment.line1",
	dispatch.FieldLine2: "shipment.line2", dispatch.FieldLine3: "shipment.line3", dispatch.FieldPostalCode: "shipment.postal_code",
	dispatch.FieldCity: "shipment.city", dispatch.FieldCountry: "shipment.country",
}

// ShipmentLabel is the key of the label of a field; empty if a list has no such field.
func ShipmentLabel(field string) string { return shipmentLabels[field] }

// OfRow tells whether a field of a shipment is that of each row, where it goes to a list.
func OfRow(field string) bool {
	return ShipmentLabel(field) != "" || field == dispatch.FieldConfidential
}

// recipientWrong tells whether something is wrong in the fields for one recipient.
func (p ShipmentFormPage) recipientWrong() bool {
	return slices.ContainsFunc(p.Problems, func(one dispatch.Problem) bool { return OfRow(one.Field) })
}

// personal is the prefix of form fields for the list's other columns.
const personal = "felt"

// PersonalField is the form field of a column.
func PersonalField(column int) string { return personal + strconv.Itoa(column) }

// PersonalValue is the value of a row in a column.
func PersonalValue(r dispatch.JobRow, column int) string {
	if column >= len(r.Fields) {
		return ""
	}
	return r.Fields[column]
}

// ShipmentJobPage gives a shipment's draft its list, and divides its files.
type ShipmentJobPage struct {
	views.Page
	ID        dispatch.ItemID // of the draft
	Job       dispatch.Job    // zero: there is no list yet
	Documents []dispatch.Document
	Form      SplitForm
	Pasted    string
	Contacts  dispatch.ContactForecast
	Titled    bool            // the draft has a title
	Unreached []UnreachedLine // the first rows of a draft to those whom an earlier job did not reach
}

// noFiles tells whether the draft has no files, and the rows get none of their own.
func (p ShipmentJobPage) noFiles() bool {
	return len(p.Documents) == 0 && p.Job.Division.Document == "" && p.Form.Choice != SplitFiles
}

// next is the text of the button that leads on: to what the draft still lacks, or to the review.
func (p ShipmentJobPage) next() string {
	switch noFiles := p.noFiles(); {
	case !p.Titled && noFiles:
		return "shipments.next.both"
	case noFiles:
		return "shipments.next.files"
	case !p.Titled && (p.Form.Choice != SplitFiles || p.Job.Division.By == dispatch.DivideByFiles):
		return "shipments.next.title"
	}
	return toReview
}

const toReview = "sms.to_review"

// NextDraft is the value of the button that leads to the form of the draft.
const NextDraft = "utkast"

// sameHint says what everybody gets.
func (p ShipmentJobPage) sameHint() string {
	if p.noFiles() {
		return "shipments.split.same.none"
	}
	return "shipments.split.same.hint"
}

// SplitForm chooses how recipients get the files, as typed.
type SplitForm struct {
	Choice string // one of those below
	File   string
	Pages  string
	Mark   string
	Column string // column with file names
	Giro   string // column with page numbers
}

// The choices.
const (
	SplitSame    = "like"
	SplitParts   = "deler"
	SplitAddress = "adresse"
	SplitMark    = "merket"
	SplitKept    = "behold"
	SplitFiles   = "filer"
)

// SplitFormOf is the form that shows how a job divides its files.
func SplitFormOf(d dispatch.Division) SplitForm {
	switch {
	case d.Kept:
		return SplitForm{Choice: SplitKept, Giro: d.Giro}
	case d.Document != "":
		f := SplitForm{Choice: SplitParts, File: string(d.Document), Mark: d.Mark, Column: d.Column, Giro: d.Giro}
		switch d.By {
		case dispatch.DivideByAddress:
			f.Choice = SplitAddress
		case dispatch.DivideByFiles:
			f.Choice = SplitFiles
		case dispatch.DivideByMark:
			f.Choice = SplitMark
		default:
			f.Pages = strconv.Itoa(d.Pages)
		}
		return f
	}
	return SplitForm{Choice: SplitSame}
}

// divides tells whether a file is to be divided into slices.
func (f SplitForm) divides() bool {
	return f.Choice == SplitParts || f.Choice == SplitAddress || f.Choice == SplitMark
}

// Own tells whether each recipient gets an own file or slice.
func (f SplitForm) Own() bool { return f.divides() || f.Choice == SplitKept || f.Choice == SplitFiles }

// shownUnassigned is the most unassigned pages that are shown.
const shownUnassigned = 20

// pagesOf formats a range of pages: "3", "3–4".
func pagesOf(s dispatch.UnassignedSlice) string {
	if s.First == s.Last {
		return strconv.Itoa(s.First)
	}
	return strconv.Itoa(s.First) + "–" + strconv.Itoa(s.Last)
}

// unassignedPages counts the pages that no slice has.
func unassignedPages(list []dispatch.UnassignedSlice) (n int) {
	for _, s := range list {
		n += s.Last - s.First + 1
	}
	return n
}

func (p ShipmentJobPage) at(parts ...string) string {
	return p.PathTo(append([]string{"utkast", string(p.ID)}, parts...)...)
}

// divisible are the files that can be divided: PDFs.
func (p ShipmentJobPage) divisible() []dispatch.Document {
	var list []dispatch.Document
	for _, d := range p.Documents {
		if d.PDF() && d.Pages > 0 {
			list = append(list, d)
		}
	}
	return list
}

// ShipmentFault is a faulty row, or one that was left out, as its form shows it.
type ShipmentFault struct {
	dispatch.JobRow
	Problems dispatch.Problems  // at the fields of its form
	Slice    *dispatch.Document // the row's slice or own file
	Replaced *UnreachedLine     // why the row must stay left out; nil: it need not
}

// FieldName is the name of a field of the row in the form.
func (f ShipmentFault) FieldName(field string) string { return field + "-" + strconv.Itoa(f.Position) }

func (f ShipmentFault) leftOut() bool { return f.Problem.Key == dispatch.ProblemLeftOut }

// leftOutWords says that the recipient of a row that is left out does not get the letter.
func (f ShipmentFault) leftOutWords(ctx context.Context) string {
	if name := f.Shipment.Postal.Name; name != "" {
		return i18n.T(ctx, "shipments.left_out", "Name", name)
	}
	return i18n.T(ctx, "shipments.left_out.nameless")
}

// stays tells whether the row is left out and cannot be taken in again.
func (f ShipmentFault) stays() bool { return f.leftOut() && f.Replaced != nil }

// takeIn is the catalogue key of the sentence that rows can be taken in again: all on the page, or some of them.
func (p ShipmentFaultsPage) takeIn() string {
	if slices.ContainsFunc(p.Faults, ShipmentFault.stays) {
		return "shipments.faults.take_in.some"
	}
	return "shipments.faults.take_in"
}

// takesIn tells whether the page has one row, which is left out and can be taken in again.
func (p ShipmentFaultsPage) takesIn() bool { return p.One > 0 && p.Faults[0].leftOut() && p.fixable() }

// fixable tells whether any row of the page can be corrected or taken in again.
func (p ShipmentFaultsPage) fixable() bool {
	return slices.ContainsFunc(p.Faults, func(f ShipmentFault) bool { return !f.stays() })
}

func (f ShipmentFault) duplicate() bool { return f.Problem.Key == dispatch.ProblemDuplicate }

// others are problems without a field in the row's form.
func (f ShipmentFault) others() dispatch.Problems {
	var list dispatch.Problems
	for _, p := range f.Problems {
		field, _, _ := strings.Cut(p.Field, "-"+strconv.Itoa(f.Position))
		if ShipmentLabel(field) == "" && !strings.HasPrefix(field, personal) {
			list = append(list, p)
		}
	}
	return list
}

// ShipmentFaultsPage lists faulty rows.
type ShipmentFaultsPage struct {
	views.Page
	ID     dispatch.ItemID
	Job    dispatch.Job
	Faults []ShipmentFault
	More   string         // address of the next page; empty: there is none
	Used   []int          // columns used in the title or the reference that are not the recipient's
	Names  []int          // columns of the name, where it is in parts
	One    int            // the only row shown, faulty or not; 0: all faulty rows
	Out    *UnreachedLine // the row shown, if it is to be left out: what it stands for has been replaced; nil: it is not
}

// FieldTicked is the parameter of the address of the form of the rows of an SMS: the row whose box for leaving it out is ticked.
const FieldTicked = "krysset"

func (p ShipmentFaultsPage) at(parts ...string) string {
	return p.PathTo(append([]string{"utkast", string(p.ID), "flere"}, parts...)...)
}

// ShipmentLine is a recipient on the review.
type ShipmentLine struct {
	Row      dispatch.JobRow
	Shipment dispatch.Shipment  // as this recipient gets it
	Slice    *dispatch.Document // nil: everybody gets the same files
	Look     string             // names the slice if it must be looked at before sending; empty: it need not
	Seen     bool               // it has been looked at
}

// ShipmentListReviewPage shows a shipment to many in sentences before it is sent.
type ShipmentListReviewPage struct {
	views.Page
	ID       dispatch.ItemID
	Job      dispatch.Job
	Shipment dispatch.Shipment // what all recipients have in common
	Seen     string            // revision of what is shown
	Lines    []ShipmentLine    // one page of the recipients

	Unreached []UnreachedLine // the first rows of a draft to those whom an earlier job did not reach

	Numbered   bool // some recipients have a number: the others get theirs on paper
	Numberless int  // recipients without a number

	First    string // addresses of other pages; empty: there are none
	More     string
	Unseen   int                  // how many slices must still be looked at
	ToUnseen string               // address of the first
	Before   dispatch.SameJob     // with the same shipment
	Other    dispatch.Replacement // why a recipient would get two, where the shipment is a copy; zero: would not
	Today    ListToday            // recipients who were sent something today already
	Held     dispatch.Block
	Budget   dispatch.Budget
	Contacts dispatch.ContactForecast

	ReferenceEach bool // each gets a reference of its own

	TitleBokmal  string               // title in bokmål; empty: there is one title only
	TitleNynorsk string               // title in nynorsk; empty: there is one title only
	Forms        dispatch.FormCounts  // how many get which written form
	Otherwise    dispatch.WrittenForm // written form for rows that name none

	Sizes     []dispatch.SliceSize // sizes of the slices; none where everybody gets the same files
	Approving Approving
}

// waits tells whether the reader would send them now, and they would wait because the account cannot deliver.
func (p ShipmentListReviewPage) waits() bool {
	return p.Approving.waits(p.Held, !p.Shipment.SendAt.IsZero())
}

// delivery are the choices of delivery; of a list without numbers, that all of it is printed.
func (p ShipmentListReviewPage) delivery(ctx context.Context) []string {
	if !p.Numbered && !p.Shipment.DigitalOnly && p.Shipment.Health == nil {
		return views.PaperSentences(ctx, p.Shipment)
	}
	lines := views.DeliverySentences(ctx, p.Shipment)
	if p.Numberless > 0 && !p.Shipment.DigitalOnly && p.Shipment.Health == nil {
		lines = append(lines, i18n.T(ctx, "shipments.review.numberless", "N", p.Numberless))
	}
	return lines
}

// Cost is what all shipments cost.
func (p ShipmentListReviewPage) Cost() dispatch.ListCost {
	return p.Account.Prices.OfList(p.Shipment, p.Job.Division, p.Sizes, p.Job.List.Valid)
}

// titleBokmal is the only title, or the one in bokmål.
func (p ShipmentListReviewPage) titleBokmal() string { return cmp.Or(p.TitleBokmal, p.Shipment.Title) }

// secondForm is the form of the tick for a second copy; empty: it is not sent from here, or the tick for a repeated list says it too.
func (p ShipmentListReviewPage) secondForm() string {
	if p.Before.ID != "" {
		return ""
	}
	return p.Approving.form("send")
}

func (p ShipmentListReviewPage) at(parts ...string) string {
	if p.Approving.Deciding {
		return p.Approving.path(p.Page, parts...)
	}
	return p.PathTo(append([]string{"utkast", string(p.ID)}, parts...)...)
}

// single is the review of the shipment without its list, for components that both pages have.
func (p ShipmentListReviewPage) single() ShipmentReviewPage {
	return ShipmentReviewPage{Page: p.Page, ID: p.ID, Shipment: p.Shipment, Many: true, Approving: p.Approving}
}

// own is a recipient's slice or own file; zero: everybody gets the same files.
func (p ShipmentListReviewPage) own(l ShipmentLine) dispatch.Document {
	for _, d := range l.Shipment.Documents {
		if l.Slice != nil && d.ID == p.Job.Division.Document {
			return d
		}
	}
	return dispatch.Document{}
}

func (p ShipmentListReviewPage) check(l ShipmentLine) documentCheck {
	d := p.own(l)
	if d.ID == "" {
		return documentCheck{}
	}
	c := checksOf(l.Shipment, p.Account.Rules())[d.ID]
	c.File = p.at("flere", "deler", strconv.Itoa(d.Slice))
	return c
}

// doubts are the reasons why a recipient's slice must be looked at.
func (p ShipmentListReviewPage) doubts(l ShipmentLine) []dispatch.SliceDoubt {
	return p.own(l).Doubts(p.Account.Rules(), l.Shipment.Recipient.Postal)
}

// looks tells whether a slice on this page must be looked at.
func (p ShipmentListReviewPage) looks() bool {
	return slices.ContainsFunc(p.Lines, func(l ShipmentLine) bool { return l.Look != "" && !l.Seen })
}

// sheetSentence tells how many sheets of paper are printed at most.
func (p ShipmentListReviewPage) sheetSentence(ctx context.Context) string {
	cost := p.Cost()
	text := i18n.T(ctx, "shipments.review.sheets.differ", "All", cost.Sheets)
	giro := ""
	if cost.Giro > 0 {
		giro = " " + i18n.T(ctx, "shipments.review.giro.differ", "N", cost.Giro)
	}
	if cost.Alike() && p.Job.Division.Giro == "" {
		sheets, own := p.alike()
		text = i18n.T(ctx, "shipments.review.sheets", "N", sheets, "All", cost.Sheets)
		if own > 0 {
			giro = " " + i18n.T(ctx, "shipments.review.giro", "N", own)
		}
	}
	text += giro
	if p.Account.Rules().CoverSheet {
		text += " " + i18n.T(ctx, "shipments.review.cover_sheet")
	}
	return text
}

// alike is the number of sheets per shipment if all have the same; else 0.
func (p ShipmentListReviewPage) alike() (sheets, giro int) {
	one := p.Shipment
	if len(p.Sizes) > 0 {
		one = p.Job.Division.Sized(one, p.Sizes[0])
	}
	return one.Sheets()
}

// name of a recipient on one line.
func (l ShipmentLine) name() string { return strings.TrimSpace(l.Row.Shipment.Postal.Name) }

// JobKey chooses between catalogue keys for SMS and for shipments.
func JobKey(j dispatch.Job, sms, shipments string) string {
	if j.Shipments() {
		return shipments
	}
	return sms
}
