package compose

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/views"
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

// TestFormOf: a stored SMS survives being shown in its form and posted again.
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

// TestLineOf: the list shows the first words of the viewer's own texts.
func TestLineOf(t *testing.T) {
	t.Parallel()
	it := dispatch.SMSItem{SMS: dispatch.SMS{Text: strings.Repeat("Hei\n", 30)}}
	it.CreatedBy = "kari"
	if text, own := views.LineOf(views.RowOf(it), "kari"); !own || len([]rune(text)) != 60 || !strings.HasPrefix(text, "Hei Hei") {
		t.Errorf("one's own: got %q, %t", text, own)
	}
	if text, own := views.LineOf(views.RowOf(it), "per"); own || text != "" {
		t.Errorf("another's: got %q, %t", text, own)
	}
	it.HideInReport = true
	if text, own := views.LineOf(views.RowOf(it), "kari"); own || text != "" {
		t.Errorf("a hidden one: got %q, %t", text, own)
	}
}
