package compose

import (
	"context"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// SMSForm is the form of one SMS, as typed.
type SMSForm struct {
	Key        string // idempotency key
	By         string // ByNationalID or ByPhone
	NationalID string
	Phone      string
	Text       string
	Hide       bool
	Chosen     string               // template selected in the list
	Template   dispatch.TemplateUse // template that the text was written from
	dispatch.TimingFields
}

// TimingOf returns the form that shows a time.
func TimingOf(t dispatch.Timing) dispatch.TimingFields {
	f := dispatch.TimingFields{Urgent: t.Urgent}
	if !t.SendAt.IsZero() {
		f.Day, f.Clock = views.TypedDate(t.SendAt), views.TypedClock(t.SendAt)
	}
	return f
}

// The two kinds of recipient number.
const (
	ByNationalID = "fnr"
	ByPhone      = "telefonnummer"
)

// Parse turns the form into an SMS and its problems. Without script both number fields are posted, and filling in both is a
// problem; with script only the chosen one is posted.
func (f SMSForm) Parse(now time.Time) (dispatch.SMS, dispatch.Problems) {
	m := dispatch.SMS{Text: dispatch.NormalizeText(f.Text), HideInReport: f.Hide, Template: f.Template}
	var ps dispatch.Problems
	switch {
	case views.Filled(f.NationalID) && views.Filled(f.Phone):
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldRecipient, Key: "problem.recipient.both"})
	case views.Filled(f.Phone) || f.By == ByPhone && !views.Filled(f.NationalID):
		var p *dispatch.Problem
		if m.Recipient.Phone, p = dispatch.ParsePhone(dispatch.FieldPhone, f.Phone); p != nil {
			ps = append(ps, *p)
		}
	default:
		var p *dispatch.Problem
		if m.Recipient.NationalID, p = dispatch.ParseNationalID(dispatch.FieldNationalID, f.NationalID); p != nil {
			ps = append(ps, *p)
		}
	}
	for _, p := range m.Validate() {
		if p.Field == dispatch.FieldText {
			ps = append(ps, p)
		}
	}
	timing, wrong := f.TimingFields.Parse(now)
	m.Timing, ps = timing, append(ps, wrong...)
	if p := dispatch.Unfilled(m.Text); p != nil && ps.For(dispatch.FieldText) == nil {
		ps = append(ps, *p)
	}
	return m, ps
}

// FormOf returns the form that shows an SMS.
func FormOf(m dispatch.SMS, key string) SMSForm {
	f := SMSForm{Key: key, By: ByNationalID, NationalID: m.Recipient.NationalID.Reveal(), Phone: m.Recipient.Phone.Reveal(), Text: m.Text, Hide: m.HideInReport,
		Chosen: ChoiceValue(m.Template.ID, m.Template.Form), Template: m.Template, TimingFields: TimingOf(m.Timing)}
	if m.Recipient.ByPhone() {
		f.By = ByPhone
	}
	return f
}

// SMSFormPage is the page where one SMS is written.
type SMSFormPage struct {
	views.Page
	Contact Contact
	Form    SMSForm
	Action  string // address that the form is posted to
	Draft   dispatch.ItemID
	Editing bool
	Instead dispatch.Replacement // what the recipient gets already in place of the SMS that this draft replaces; zero: nothing

	Unfinished []UnfinishedSMS // other unfinished messages
	Measured   Measured
	Autosave   views.Autosave
	Choice     TemplateChoice
	Seen       string      // revision of the draft that the form was made from
	Other      views.Other // version saved from another tab meanwhile

	Held   dispatch.Block    // why the account cannot deliver now
	Last   dispatch.Approval // the last request for approval; zero: there was none
	Failed dispatch.SMSItem  // the failed SMS that the draft is a copy of
}

// titled names the page of a corrected copy by what it is a copy of.
func (p SMSFormPage) titled(ctx context.Context) SMSFormPage {
	if p.Failed.ID != "" && !p.Other.There() {
		p.Title = i18n.T(ctx, "shipment.new.corrected", "What", SMSTitle(ctx, p.Failed.Recipient))
	}
	return p
}

// FieldForm is the parameter that names an unfinished new SMS; FieldSavedDraft opens a draft without autosaved changes.
const (
	FieldForm       = "skjema"
	FieldSavedDraft = "lagret"
)

// UnfinishedSMS is an autosaved new SMS that was never saved as a draft.
type UnfinishedSMS struct {
	Key, Path string
	SavedAt   time.Time
	Text      string
}

// beginning is the first words of a text, on one line.
func beginning(of string) string {
	const most = 60
	text := []rune(strings.Join(strings.Fields(of), " "))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// Empty tells whether nothing is filled in.
func (f SMSForm) Empty() bool {
	return !views.Filled(f.Text) && !views.Filled(f.NationalID) && !views.Filled(f.Phone)
}

// OtherSMS compares the form posted from here with the version saved from another tab.
func OtherSMS(here, there SMSForm, path string) views.Other {
	o := views.Other{Path: path, More: here.By != there.By || here.Hide != there.Hide || here.TimingFields != there.TimingFields}
	for _, d := range []views.Difference{
		{Field: dispatch.FieldNationalID, Label: "sms.national_id", Here: here.NationalID, There: there.NationalID}, {Field: dispatch.FieldPhone, Label: "sms.phone", Here: here.Phone, There: there.Phone},
		{Field: dispatch.FieldText, Label: "sms.text", Here: here.Text, There: there.Text},
	} {
		if d.Here != d.There {
			o.Differences = append(o.Differences, d)
		}
	}
	return o
}

// SMSReviewPage shows one draft before it is sent.
type SMSReviewPage struct {
	views.Page
	Item  dispatch.SMSItem
	Held  dispatch.Block       // why the account cannot send now
	Other dispatch.Replacement // why the recipient would get two; zero: would not

	Measured  Measured
	Today     Today
	Contact   Contact
	Approving Approving
	Typed     time.Time // when changes were typed that the draft lacks; zero: there are none
}

// replacedText is the catalogue key of why the recipient would get two.
func replacedText(by dispatch.Replacement) string {
	switch {
	case by.Again:
		return "review.replaced.again"
	case by.Job != "":
		return "review.replaced.soon"
	}
	return "review.replaced"
}

// replacedPath is the address of what the recipient gets already.
func replacedPath(p views.Page, by dispatch.Replacement) string {
	if by.Job != "" {
		return p.PathTo("jobber", string(by.Job))
	}
	return p.ItemPath(by.Item)
}

// replacedLink is the catalogue key of the link to it.
func replacedLink(by dispatch.Replacement) string {
	if by.Again {
		return "shipment.new.see_failed"
	}
	return "review.replaced.see"
}

// planned is when the SMS would go if it were sent now.
func (p SMSReviewPage) planned() time.Time { return p.Account.Planned(p.Item.Timing, p.Now) }

// to is the number that the SMS goes to.
func (p SMSReviewPage) to(ctx context.Context) string {
	if p.Item.Recipient.ByPhone() {
		return p.Item.Recipient.Phone.Grouped()
	}
	return i18n.T(ctx, "sms.review.found")
}

// postponed tells whether sending waits for the account's daytime.
func (p SMSReviewPage) postponed() bool { return p.Account.Postponed(p.Item.Timing, p.Now) }

// waits tells whether the reader would send it now, and it would wait because the account cannot deliver.
func (p SMSReviewPage) waits() bool {
	return p.Approving.waits(p.Held, !p.Item.SendAt.IsZero() || p.postponed())
}

// SMSTimePage changes the time of a planned SMS.
type SMSTimePage struct {
	views.Page
	Item dispatch.SMSItem
	Form dispatch.TimingFields
}

// UncertainPage lists uncertain SMS, which somebody must decide about.
type UncertainPage struct {
	views.Page
	Items  []dispatch.SMSItem
	More   bool
	Chosen map[dispatch.ItemID]bool
}

// SMSTitle is the title of one SMS's page.
func SMSTitle(ctx context.Context, r dispatch.SMSRecipient) string {
	return i18n.T(ctx, "sms.item.title", "Number", views.InList(ctx, r))
}
