package views

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// SMSForm is the form of one SMS, as typed.
type SMSForm struct {
	Key        string // makes the form one message, however often it is posted
	By         string // ByNationalID or ByPhone: which recipient is chosen
	NationalID string
	Phone      string
	Text       string
	Hide       bool
	Chosen     string               // the template in the list
	Template   dispatch.TemplateUse // the text was written from it
	TimingForm
}

// TimingOf returns the form that shows a time again.
func TimingOf(t dispatch.Timing) TimingForm {
	f := TimingForm{Urgent: t.Urgent}
	if !t.SendAt.IsZero() {
		f.Day, f.Clock = tableDate(t.SendAt), clock(t.SendAt)
	}
	return f
}

// The two ways to give a recipient.
const (
	ByNationalID = "fnr"
	ByPhone      = "telefonnummer"
)

// Parse turns the form into an SMS with the problems that stop it. Without script both fields come, and filling in both
// is a problem; with script only the chosen one is posted.
func (f SMSForm) Parse(now time.Time) (dispatch.SMS, dispatch.Problems) {
	m := dispatch.SMS{Text: dispatch.NormalizeText(f.Text), HideInReport: f.Hide, Template: f.Template}
	var ps dispatch.Problems
	switch {
	case filled(f.NationalID) && filled(f.Phone):
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldRecipient, Key: "problem.recipient.both"})
	case filled(f.Phone) || f.By == ByPhone && !filled(f.NationalID):
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
	var p *dispatch.Problem
	if m.Timing, p = f.TimingForm.Parse(now); p != nil {
		ps = append(ps, *p)
	}
	if p := dispatch.Unfilled(m.Text); p != nil && ps.For(dispatch.FieldText) == nil {
		ps = append(ps, *p)
	}
	return m, ps
}

func filled(s string) bool { return dispatch.Filled(s) }

// FormOf returns the form that shows an SMS again.
func FormOf(m dispatch.SMS, key string) SMSForm {
	f := SMSForm{Key: key, By: ByNationalID, NationalID: m.Recipient.NationalID.Reveal(), Phone: m.Recipient.Phone.Reveal(), Text: m.Text, Hide: m.HideInReport,
		Chosen: ChoiceValue(m.Template.ID, m.Template.Form), Template: m.Template, TimingForm: TimingOf(m.Timing)}
	if m.Recipient.ByPhone() {
		f.By = ByPhone
	}
	return f
}

// SMSFormPage is the page where one SMS is written.
type SMSFormPage struct {
	Page
	Form     SMSForm
	Action   string // where the form is posted
	Draft    dispatch.ItemID
	Editing  bool
	Measured Measured
	Choice   TemplateChoice
	Seen     string // revision of the draft that the form was made from
	Other    Other  // what another tab has saved meanwhile
}

// OtherSMS compares an SMS's form as it is typed here with what another tab has saved.
func OtherSMS(here, there SMSForm, path string) Other {
	o := Other{Path: path, More: here.Hide != there.Hide || here.TimingForm != there.TimingForm}
	for _, d := range []Difference{
		{dispatch.FieldNationalID, "sms.national_id", here.NationalID, there.NationalID}, {dispatch.FieldPhone, "sms.phone", here.Phone, there.Phone},
		{dispatch.FieldText, "sms.text", here.Text, there.Text},
	} {
		if d.Here != d.There {
			o.Differences = append(o.Differences, d)
		}
	}
	return o
}

// Measured is what can be said of a text while it is written: its price, how to lower it, and what to think over.
type Measured struct {
	Text     string
	Segments dispatch.Segmentation
	Plain    string // the text with ordinary characters in the place of look-alikes
	Warnings []dispatch.Warning
	Quota    dispatch.Quota
	Sender   string // what phones show; empty: not known
}

// Measure looks at a text of an account. Municipality is a sender that the text may name too.
func Measure(text string, a dispatch.Account, municipality string, q dispatch.Quota) Measured {
	return Measured{
		Text: text, Segments: dispatch.Segment(text), Plain: dispatch.Plain(text), Quota: q, Sender: a.SenderName,
		Warnings: dispatch.Warnings(text, a.WatchWords, a.SenderName, a.Name, municipality),
	}
}

// replaceable tells whether some costly characters have ordinary ones beside them.
func (m Measured) replaceable() bool { return m.Plain != m.Text }

// ordinary is how many parts as long a text is in ordinary characters.
func (m Measured) ordinary() int {
	return dispatch.Segment(strings.Map(func(r rune) rune {
		if slices.Contains(m.Segments.Costly, r) {
			return '-'
		}
		return r
	}, m.Text)).Parts
}

// ordinarySize is how many characters parts hold in ordinary characters.
func (m Measured) ordinarySize() int {
	if m.Segments.Parts > 1 {
		return 153
	}
	return 160
}

// letters tells whether some costly characters have nothing that may stand in their place.
func (m Measured) letters() bool {
	return slices.ContainsFunc(m.Segments.Costly, func(r rune) bool { return dispatch.LookalikeOf(r) == "" })
}

// run is a piece of a text that is costly throughout or not at all, or the place where a part begins.
type run struct {
	Text   string
	Costly bool
	Begins int // the number of the part that begins here; 0: it is a piece
}

// runs cuts a text where its parts end, and around what is costly.
func (m Measured) runs() []run {
	var list []run
	for i, part := range dispatch.Split(m.Text) {
		if i > 0 {
			list = append(list, run{Begins: i + 1})
		}
		for _, r := range part {
			costly := slices.Contains(m.Segments.Costly, r)
			if last := len(list) - 1; last >= 0 && list[last].Begins == 0 && list[last].Costly == costly {
				list[last].Text += string(r)
			} else {
				list = append(list, run{Text: string(r), Costly: costly})
			}
		}
	}
	return list
}

// SMSReviewPage shows one draft before it is sent.
type SMSReviewPage struct {
	Page
	Item dispatch.SMSItem
	Held dispatch.Hold // what keeps the account from sending now

	Measured Measured
}

// planned is when the SMS goes if it is sent now.
func (p SMSReviewPage) planned() time.Time { return p.Account.Planned(p.Item.Timing, p.Now) }

// postponed tells whether the account's daytime makes it wait.
func (p SMSReviewPage) postponed() bool { return p.Account.Postponed(p.Item.Timing, p.Now) }

// SMSTimePage is where an SMS that waits for its time gets another one.
type SMSTimePage struct {
	Page
	Item dispatch.SMSItem
	Form TimingForm
}

// reschedulable tells whether the SMS can still get another time.
func (p SMSPage) reschedulable() bool {
	return p.Item.State == dispatch.StateQueued && p.Item.DueSince.After(p.Now)
}

// quotaKey is the sentence about an account's parts of this month.
func quotaKey(q dispatch.Quota) string {
	if q.Limit == 0 {
		return "sms.quota.used"
	}
	return "sms.quota.of"
}

// reviewQuotaKey is that sentence where it stands alone.
func reviewQuotaKey(q dispatch.Quota) string {
	if q.Limit == 0 {
		return "sms.review.quota.used"
	}
	return "sms.review.quota.of"
}

// opens and closes are the account's daytime in words.
func opens(a dispatch.Account) string { return dispatch.ClockText(a.Daytime.From) }
func closes(a dispatch.Account) string {
	if a.Daytime.To == 24*60 {
		return "24.00"
	}
	return dispatch.ClockText(a.Daytime.To)
}

// SMSPage shows one SMS and what became of it.
type SMSPage struct {
	Page
	Item    dispatch.SMSItem
	Events  []dispatch.Event
	Own     bool // the viewer made it
	Reach   dispatch.Reach
	Opened  Opened
	CopyKey string

	FollowUp  dispatch.FollowUp
	Relatives []dispatch.Relative
}

// number is the recipient as it may be shown on this page.
func (p SMSPage) number() string {
	if !p.Opened.Numbers {
		return p.Item.Recipient.Masked()
	}
	return p.Item.Recipient.Phone.Reveal() + p.Item.Recipient.NationalID.Reveal()
}

// copyable tells whether the page offers to make a new SMS with the same content.
func (p SMSPage) copyable() bool {
	if !p.Own || !p.may(dispatch.RightSendSMS) || p.Item.Purged() {
		return false
	}
	switch p.Item.State {
	case dispatch.StateRejected, dispatch.StateCancelled, dispatch.StateFailed:
		return true
	}
	return p.Item.EndedBadly()
}

// mailable tells whether the page offers to send a letter instead.
func (p SMSPage) mailable() bool {
	return p.Own && p.sendsShipments() && p.Item.EndedBadly() && p.Item.Recipient != (dispatch.SMSRecipient{})
}

// UncertainPage lists the SMS that wait for a decision.
type UncertainPage struct {
	Page
	Items  []dispatch.SMSItem
	More   bool
	Chosen map[dispatch.ItemID]bool
}

// lineOf is what a list shows of a message: the beginning of one's own text, never of others'.
func lineOf(r *dispatch.ListRow, viewer dispatch.UserID) (text string, own bool) {
	if r.CreatedBy != viewer || r.HideInReport {
		return "", false
	}
	return excerpt(r.Text, 60), true
}

// rowOf is an SMS as a list shows it.
func rowOf(it dispatch.SMSItem) *dispatch.ListRow {
	return &dispatch.ListRow{Item: it.Item, Recipient: it.Recipient, Text: it.Text, HideInReport: it.HideInReport}
}

// inList names a recipient in lists and titles: the end of a phone number, nothing of a national id.
func inList(ctx context.Context, r dispatch.SMSRecipient) string {
	if r.ByPhone() {
		return r.Phone.Masked()
	}
	return i18n.T(ctx, "sms.someone")
}

// SMSTitle is the title of one SMS's page.
func SMSTitle(ctx context.Context, r dispatch.SMSRecipient) string {
	return i18n.T(ctx, "sms.item.title", "Number", inList(ctx, r))
}

// used is how much of the last part is filled, for the meter.
func used(s dispatch.Segmentation) string { return strconv.Itoa(s.PerPart - s.Left) }

// liveAfter is the value of data-live-etter, empty when the item is settled.
func liveAfter(it dispatch.Item, now time.Time) string {
	if n := askAgain(it, now); n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}
