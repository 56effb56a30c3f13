package views

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

func TestParseSMSForm(t *testing.T) {
	t.Parallel()
	problem := func(field, key string) dispatch.Problem { return dispatch.Problem{Field: field, Key: key} }
	tests := []struct {
		name     string
		form     SMSForm
		phone    string
		id       string
		problems dispatch.Problems
	}{
		{"takes a phone number", SMSForm{By: ByPhone, Phone: " 900 00 123", Text: "Hei"}, "90000123", "", nil},
		{"takes a national id", SMSForm{By: ByNationalID, NationalID: "120478 00155", Text: "Hei"}, "", "12047800155", nil},
		{"takes the only one that is filled in, whatever is chosen", SMSForm{By: ByNationalID, Phone: "90000123", Text: "Hei"}, "90000123", "", nil},
		{"takes the only one that is filled in, the other way", SMSForm{By: ByPhone, NationalID: "12047800155", Text: "Hei"}, "", "12047800155", nil},
		{"takes one beside blanks", SMSForm{By: ByPhone, NationalID: " \u00a0\t", Phone: "90000123", Text: "Hei"}, "90000123", "", nil},
		{"takes the one that is filled in when nothing is chosen", SMSForm{Phone: "90000123", Text: "Hei"}, "90000123", "", nil},
		{"stops at both", SMSForm{By: ByPhone, NationalID: "12047800155", Phone: "90000123", Text: "Hei"}, "", "",
			dispatch.Problems{problem("mottaker", "problem.recipient.both")}},
		{"asks for the chosen one", SMSForm{By: ByPhone, Text: "Hei"}, "", "", dispatch.Problems{problem("telefonnummer", "problem.phone.empty")}},
		{"asks for the national id when nothing is chosen", SMSForm{Text: "Hei"}, "", "", dispatch.Problems{problem("fnr", "problem.national_id.empty")}},
		{"tells what is wrong with a number", SMSForm{By: ByPhone, Phone: "22345678", Text: "Hei"}, "", "",
			dispatch.Problems{problem("telefonnummer", "problem.phone.start")}},
		{"tells everything at once", SMSForm{By: ByNationalID, NationalID: "1204"}, "", "", dispatch.Problems{
			{Field: "fnr", Key: "problem.national_id.length", Args: dispatch.Args{"N": 4}}, problem("tekst", "problem.text.empty")}},
		{"counts line breaks once", SMSForm{By: ByPhone, Phone: "90000123", Text: strings.Repeat("\r\n", 799) + "ab"}, "90000123", "", nil},
		{"stops at a text of blanks", SMSForm{By: ByPhone, Phone: "90000123", Text: " \n "}, "90000123", "", dispatch.Problems{problem("tekst", "problem.text.empty")}},
		{"stops at a text that is too long", SMSForm{By: ByPhone, Phone: "90000123", Text: strings.Repeat("😀", 801)}, "90000123", "",
			dispatch.Problems{{Field: "tekst", Key: "problem.text.length", Args: dispatch.Args{"N": 1602}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m, problems := test.form.Parse(time.Now())
			if m.Recipient.Phone.Reveal() != test.phone || m.Recipient.NationalID.Reveal() != test.id {
				t.Errorf("got %q and %q", m.Recipient.Phone.Reveal(), m.Recipient.NationalID.Reveal())
			}
			if diff := cmp.Diff(test.problems, problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if strings.Contains(m.Text, "\r") {
				t.Error("line breaks are not \\n")
			}
			if len(problems) == 0 && len(m.Validate()) > 0 {
				t.Errorf("passes the form and not the domain: %v", m.Validate())
			}
		})
	}
}

// TestFormOf: what was stored is what the form shows, and posting it changes nothing.
func TestFormOf(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]dispatch.SMS{
		"to a phone":       {Recipient: dispatch.SMSRecipient{Phone: "+4790000123"}, Text: "Hei\nder", HideInReport: true},
		"to a national id": {Recipient: dispatch.SMSRecipient{NationalID: "12047800155"}, Text: "Hei"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := FormOf(m, "key")
			if got, problems := f.Parse(time.Now()); got != m || len(problems) > 0 {
				t.Errorf("came back changed, or with problems %v", problems)
			}
			if by := map[bool]string{true: ByPhone, false: ByNationalID}[m.Recipient.ByPhone()]; f.By != by || f.Key != "key" {
				t.Errorf("got %q with key %q, want %q", f.By, f.Key, by)
			}
		})
	}
}

// TestAskAgain: often while something happens, seldom later, never when it is settled.
func TestAskAgain(t *testing.T) {
	t.Parallel()
	since := func(d time.Duration) func(*dispatch.Item) {
		return func(it *dispatch.Item) { status(dispatch.StatusSent)(it); it.AcceptedAt = lookNow.Add(-d) }
	}
	tests := []struct {
		name string
		item dispatch.Item
		want int
	}{
		{"scheduled", sms(func(it *dispatch.Item) { it.DueSince = lookNow.Add(time.Minute) }), 2},
		{"queued", sms(func(*dispatch.Item) {}), 2},
		{"sending", sms(in(dispatch.StateSending)), 2},
		{"held back", sms(held(dispatch.HoldRefused)), 30},
		{"held back when its time comes", sms(func(it *dispatch.Item) { it.DueSince, it.Hold = lookNow.Add(time.Minute), dispatch.HoldRefused }), 2},
		{"waiting for a person to confirm", sms(func(it *dispatch.Item) { it.DueSince = lookNow.Add(-25 * time.Hour) }), 30},
		{"uncertain", sms(in(dispatch.StateUncertain)), 30},
		{"just accepted", sms(since(0)), 3},
		{"accepted a while ago", sms(since(2 * time.Minute)), 10},
		{"accepted long ago", sms(since(15 * time.Minute)), 60},
		{"with a status that is not described", sms(status("UTSATT")), 3},
		{"of unknown fate", sms(status(dispatch.StatusUnknown)), 3},
		{"delivered", sms(status(dispatch.StatusDelivered)), 0},
		{"not delivered", sms(status(dispatch.StatusNotDelivered)), 0},
		{"not sent", sms(status(dispatch.StatusNotSent)), 0},
		{"accepted without an id", sms(in(dispatch.StateAccepted)), 0},
		{"rejected", sms(in(dispatch.StateRejected)), 0},
		{"failed", sms(in(dispatch.StateFailed)), 0},
		{"cancelled", sms(in(dispatch.StateCancelled)), 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := askAgain(test.item, lookNow); got != test.want {
				t.Errorf("got %d seconds, want %d", got, test.want)
			}
			want := map[int]string{0: "", 2: "2", 3: "3", 10: "10", 30: "30", 60: "60"}[test.want]
			if got := liveAfter(test.item, lookNow); got != want {
				t.Errorf("got attribute %q, want %q", got, want)
			}
		})
	}
}

// TestNumberOnPage: masked unless it is shown this once.
func TestNumberOnPage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		recipient     dispatch.SMSRecipient
		masked, whole string
	}{
		{dispatch.SMSRecipient{Phone: "90000567"}, "••• •• 567", "90000567"},
		{dispatch.SMSRecipient{Phone: "+4690000567"}, "+46 ••• 567", "+4690000567"},
		{dispatch.SMSRecipient{Phone: "004690000567"}, "+46 ••• 567", "004690000567"},
		{dispatch.SMSRecipient{NationalID: "12047800155"}, "120478 •••••", "12047800155"},
	}
	for _, test := range tests {
		t.Run(test.masked, func(t *testing.T) {
			t.Parallel()
			var p SMSPage
			p.Item.Recipient = test.recipient
			if got := p.number(); got != test.masked {
				t.Errorf("got %q, want %q", got, test.masked)
			}
			if p.Opened.Numbers = true; p.number() != test.whole {
				t.Errorf("got %q, want %q", p.number(), test.whole)
			}
		})
	}
}

// TestLineOf: a list shows the beginning of one's own texts.
func TestLineOf(t *testing.T) {
	t.Parallel()
	it := dispatch.SMSItem{SMS: dispatch.SMS{Text: strings.Repeat("Hei\n", 30)}}
	it.CreatedBy = "kari"
	if text, own := lineOf(rowOf(it), "kari"); !own || len([]rune(text)) != 60 || !strings.HasPrefix(text, "Hei Hei") {
		t.Errorf("one's own: got %q, %t", text, own)
	}
	if text, own := lineOf(rowOf(it), "per"); own || text != "" {
		t.Errorf("another's: got %q, %t", text, own)
	}
	it.HideInReport = true
	if text, own := lineOf(rowOf(it), "kari"); own || text != "" {
		t.Errorf("a hidden one: got %q, %t", text, own)
	}
}
