package views

import (
	"context"
	"strconv"
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
}

// The two ways to give a recipient.
const (
	ByNationalID = "fnr"
	ByPhone      = "telefonnummer"
)

// Parse turns the form into an SMS with the problems that stop it. Without script both fields come, and filling in both
// is a problem; with script only the chosen one is posted.
func (f SMSForm) Parse() (dispatch.SMS, dispatch.Problems) {
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
	if p := dispatch.Unfilled(m.Text); p != nil && ps.For(dispatch.FieldText) == nil {
		ps = append(ps, *p)
	}
	return m, ps
}

func filled(s string) bool {
	for _, r := range s {
		if r != ' ' && r != '\u00a0' && r != '\t' {
			return true
		}
	}
	return false
}

// FormOf returns the form that shows an SMS again.
func FormOf(m dispatch.SMS, key string) SMSForm {
	f := SMSForm{Key: key, By: ByNationalID, NationalID: m.Recipient.NationalID.Reveal(), Phone: m.Recipient.Phone.Reveal(), Text: m.Text, Hide: m.HideInReport,
		Chosen: ChoiceValue(m.Template.ID, m.Template.Form), Template: m.Template}
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
	Segments dispatch.Segmentation
	Sender   string
	Choice   TemplateChoice
}

// SMSReviewPage shows one draft before it is sent.
type SMSReviewPage struct {
	Page
	Item dispatch.SMSItem
	Held dispatch.Hold // what keeps the account from sending now
}

// SMSPage shows one SMS and what became of it.
type SMSPage struct {
	Page
	Item     dispatch.SMSItem
	Events   []dispatch.Event
	Own      bool // the viewer made it
	Revealed bool // the whole number is shown, this once
	CopyKey  string
}

// number is the recipient as it may be shown on this page.
func (p SMSPage) number() string {
	if !p.Revealed {
		return p.Item.Recipient.Masked()
	}
	return p.Item.Recipient.Phone.Reveal() + p.Item.Recipient.NationalID.Reveal()
}

// copyable tells whether the page offers to make a new SMS with the same content.
func (p SMSPage) copyable() bool {
	if !p.Own || !p.may(dispatch.RightSendSMS) {
		return false
	}
	switch p.Item.State {
	case dispatch.StateRejected, dispatch.StateCancelled, dispatch.StateFailed:
		return true
	}
	return p.Item.Status == dispatch.StatusNotSent || p.Item.Status == dispatch.StatusNotDelivered
}

// SMSListPage is one window of an account's SMS.
type SMSListPage struct {
	Page
	Items        []dispatch.SMSItem
	Newer, Older string // addresses; empty: there are none
	Uncertain    bool   // some SMS of the account wait for a decision
	Filter       JobFilter
}

// UncertainPage lists the SMS that wait for a decision.
type UncertainPage struct {
	Page
	Items  []dispatch.SMSItem
	More   bool
	Chosen map[dispatch.ItemID]bool
}

// lineOf is what a list shows of a message: the beginning of one's own text, never of others'.
func lineOf(it dispatch.SMSItem, viewer dispatch.UserID) (text string, own bool) {
	if it.CreatedBy != viewer || it.HideInReport {
		return "", false
	}
	return excerpt(it.Text, 60), true
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
