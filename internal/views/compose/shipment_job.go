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
	FieldLeaveOut   = "utelat-"  // and the row
	FieldTwice      = "likevel-" // and the row
	FieldLooked     = "sett-del" // the parts that a person has looked at
	FieldRow        = "rad"      // rows that a form shows
	FieldOne        = "en"       // it shows only one, which may be right
)

// ShipmentFields are the fields of a recipient in a list of shipments, in the order of the page and of the file of faulty rows.
func ShipmentFields() []string {
	return []string{dispatch.FieldRecipientNumber, dispatch.FieldName, dispatch.FieldLine1, dispatch.FieldLine2, dispatch.FieldLine3,
		dispatch.FieldPostalCode, dispatch.FieldCity, dispatch.FieldCountry}
}

// shipmentLabels are the words of the fields. A list that is read again finds its columns by them.
var shipmentLabels = map[string]string{
	dispatch.FieldRecipientNumber: "shipments.number", dispatch.FieldName: "shipment.name", dispatch.FieldLine1: "shipment.line1",
	dispatch.FieldLine2: "shipment.line2", dispatch.FieldLine3: "shipment.line3", dispatch.FieldPostalCode: "shipment.postal_code",
	dispatch.FieldCity: "shipment.city", dispatch.FieldCountry: "shipment.country",
}

// ShipmentLabel is the key of the word for a field of a list of shipments; empty for what is no such field.
func ShipmentLabel(field string) string { return shipmentLabels[field] }

// personal begins the names of fields of personal columns.
const personal = "felt"

// PersonalField names the field of a personal column in the form of a row.
func PersonalField(column int) string { return personal + strconv.Itoa(column) }

// PersonalValue is what a row has in a personal column.
func PersonalValue(r dispatch.JobRow, column int) string {
	if column >= len(r.Fields) {
		return ""
	}
	return r.Fields[column]
}

// ShipmentValue is what stands in a field of a recipient.
func ShipmentValue(r dispatch.ShipmentRecipient, field string) string {
	for i, name := range ShipmentFields() {
		if name == field {
			return *shipmentPointers(&r)[i]
		}
	}
	return ""
}

// SetShipmentValue puts a value into a field of a recipient.
func SetShipmentValue(r *dispatch.ShipmentRecipient, field, value string) {
	for i, name := range ShipmentFields() {
		if name == field {
			*shipmentPointers(r)[i] = value
		}
	}
}

func shipmentPointers(r *dispatch.ShipmentRecipient) []*string {
	a := &r.Postal
	return []*string{&r.Number, &a.Name, &a.Line1, &a.Line2, &a.Line3, &a.PostalCode, &a.City, &a.Country}
}

// ShipmentJobPage is where a shipment's draft gets its list, and where a file is divided.
type ShipmentJobPage struct {
	views.Page
	ID        dispatch.ItemID // of the draft
	Job       dispatch.Job    // zero: there is no list yet
	Documents []dispatch.Document
	Form      SplitForm
	Pasted    string
	Contacts  dispatch.ContactForecast
}

// SplitForm is how the files go to the recipients, as typed.
type SplitForm struct {
	Choice string // one of those below
	File   string
	Pages  string
	Mark   string
	Column string // with file names
	Giro   string // column
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

// SplitFormOf is the form that shows again how a job divides its files.
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

// divides tells whether a file is to be divided.
func (f SplitForm) divides() bool {
	return f.Choice == SplitParts || f.Choice == SplitAddress || f.Choice == SplitMark
}

// Own tells whether each recipient gets something of their own.
func (f SplitForm) Own() bool { return f.divides() || f.Choice == SplitKept || f.Choice == SplitFiles }

// shownUnassigned is how many of the pages that go to nobody are shown.
const shownUnassigned = 20

// pagesOf names a run of pages: "3", "3–4".
func pagesOf(s dispatch.UnassignedSlice) string {
	if s.First == s.Last {
		return strconv.Itoa(s.First)
	}
	return strconv.Itoa(s.First) + "–" + strconv.Itoa(s.Last)
}

// unassignedPages counts the pages that go to nobody.
func unassignedPages(list []dispatch.UnassignedSlice) (n int) {
	for _, s := range list {
		n += s.Last - s.First + 1
	}
	return n
}

func (p ShipmentJobPage) at(parts ...string) string {
	return p.PathTo(append([]string{"utkast", string(p.ID)}, parts...)...)
}

// divisible are the files that can be divided.
func (p ShipmentJobPage) divisible() []dispatch.Document {
	var list []dispatch.Document
	for _, d := range p.Documents {
		if d.PDF() && d.Pages > 0 {
			list = append(list, d)
		}
	}
	return list
}

// ShipmentFault is a row that keeps the shipments from being sent, or was left out, as its form shows it.
type ShipmentFault struct {
	dispatch.JobRow
	Problems dispatch.Problems  // at the fields of its form
	Slice    *dispatch.Document // the row's own part, or file
}

// FieldName is the name of a field of the row in the form.
func (f ShipmentFault) FieldName(field string) string { return field + "-" + strconv.Itoa(f.Position) }

func (f ShipmentFault) leftOut() bool { return f.Problem.Key == dispatch.ProblemLeftOut }

func (f ShipmentFault) duplicate() bool { return f.Problem.Key == dispatch.ProblemDuplicate }

// others are problems that belong to no field of the row.
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

// ShipmentFaultsPage lists those rows.
type ShipmentFaultsPage struct {
	views.Page
	ID     dispatch.ItemID
	Job    dispatch.Job
	Faults []ShipmentFault
	More   string // address of the next ones; empty: there are none
	Used   []int  // columns that fill the title or the reference
	One    int    // the only row that is shown, whatever it is like; 0: all that are faulty are
}

func (p ShipmentFaultsPage) at(parts ...string) string {
	return p.PathTo(append([]string{"utkast", string(p.ID), "flere"}, parts...)...)
}

// ShipmentLine is one recipient on the review.
type ShipmentLine struct {
	Row      dispatch.JobRow
	Shipment dispatch.Shipment  // as this one gets it
	Slice    *dispatch.Document // of the divided file; nil: all get the same
	Look     string             // names the part where a person has to look at it; empty: nobody has to
	Seen     bool               // somebody has
}

// ShipmentListReviewPage shows a shipment to many in sentences before it is sent.
type ShipmentListReviewPage struct {
	views.Page
	ID       dispatch.ItemID
	Job      dispatch.Job
	Shipment dispatch.Shipment // what all have in common
	Seen     string            // revision of what is shown
	Lines    []ShipmentLine    // one window of the recipients
	First    string            // addresses of other windows; empty: there are none
	More     string
	Unseen   int            // how many parts a person has yet to look at
	ToUnseen string         // address of the first
	Before   dispatch.JobID // has sent the same today; empty: none
	Today    ListToday      // whom of them something was sent today
	Held     dispatch.Block
	Budget   dispatch.Budget
	Contacts dispatch.ContactForecast

	ReferenceEach bool // each gets a reference of its own

	TitleBokmal  string               // of those who get theirs in bokmål; empty: all get the same
	TitleNynorsk string               // of those who get theirs in nynorsk; empty: all get the same
	Forms        dispatch.FormCounts  // how many get their title in which written form
	Otherwise    dispatch.WrittenForm // of those of whom the list says none

	Sizes     []dispatch.SliceSize // of the slices; none where all get the same
	Approving Approving
}

// Cost is what all shipments cost.
func (p ShipmentListReviewPage) Cost() dispatch.ListCost {
	return p.Account.Prices.OfList(p.Shipment, p.Job.Division, p.Sizes, p.Job.List.Valid)
}

// titleBokmal is the title that all get, or those who get theirs in bokmål.
func (p ShipmentListReviewPage) titleBokmal() string { return cmp.Or(p.TitleBokmal, p.Shipment.Title) }

func (p ShipmentListReviewPage) at(parts ...string) string {
	if p.Approving.Deciding {
		return p.Approving.path(p.Page, parts...)
	}
	return p.PathTo(append([]string{"utkast", string(p.ID)}, parts...)...)
}

// single is the page of one shipment as all get it, whose parts this page has too.
func (p ShipmentListReviewPage) single() ShipmentReviewPage {
	return ShipmentReviewPage{Page: p.Page, ID: p.ID, Shipment: p.Shipment, Many: true, Approving: p.Approving}
}

// own is the part of one recipient; zero: all get the same files.
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

// doubts are the reasons why a person has to look at the part of one recipient.
func (p ShipmentListReviewPage) doubts(l ShipmentLine) []dispatch.SliceDoubt {
	return p.own(l).Doubts(p.Account.Rules(), l.Shipment.Recipient.Postal)
}

// looks tells whether somebody has to look at one of the parts that are shown.
func (p ShipmentListReviewPage) looks() bool {
	return slices.ContainsFunc(p.Lines, func(l ShipmentLine) bool { return l.Look != "" && !l.Seen })
}

// sheetSentence says how many sheets of paper it can come to.
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

// alike counts the sheets of each shipment where all have as many.
func (p ShipmentListReviewPage) alike() (sheets, giro int) {
	one := p.Shipment
	if len(p.Sizes) > 0 {
		one = p.Job.Division.Sized(one, p.Sizes[0])
	}
	return one.Sheets()
}

// name of a recipient on one line.
func (l ShipmentLine) name() string { return strings.TrimSpace(l.Row.Shipment.Postal.Name) }

// JobKey chooses between the words for SMS and those for shipments.
func JobKey(j dispatch.Job, sms, shipments string) string {
	if j.Shipments() {
		return shipments
	}
	return sms
}
