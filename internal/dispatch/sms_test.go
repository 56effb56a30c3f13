package dispatch_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"utsending/internal/dispatch"
)

func TestValidateSMSText(t *testing.T) {
	t.Parallel()
	empty := &dispatch.Problem{Field: "tekst", Key: "problem.text.empty"}
	characters := &dispatch.Problem{Field: "tekst", Key: "problem.text.characters"}
	length := func(n int) *dispatch.Problem {
		return &dispatch.Problem{Field: "tekst", Key: "problem.text.length", Args: dispatch.Args{"N": n}}
	}
	tests := map[string]struct {
		text string
		want *dispatch.Problem
	}{
		"refuses what nobody can see":                      {"\u200b\u200d\ufeff", empty},
		"takes two characters":                             {"Hi", nil},
		"takes 1600 characters":                            {strings.Repeat("a", 1600), nil},
		"takes 1600 characters of several bytes":           {strings.Repeat("ø", 1600), nil},
		"takes a letter and a space":                       {"a ", nil},
		"takes < > & and quotes":                           {`<b>"A" & 'B'</b>`, nil},
		"takes two emoji":                                  {"😀😀", nil},
		"takes 800 emoji":                                  {strings.Repeat("😀", 800), nil},
		"takes 799 emoji and two letters":                  {strings.Repeat("😀", 799) + "ab", nil},
		"takes a letter and a line break of two bytes":     {"a\r\n", nil},
		"takes 1599 characters and a line break":           {strings.Repeat("a", 1599) + "\r\n", nil},
		"takes 800 lines with line breaks of two bytes":    {strings.Repeat("a\r\n", 800), nil},
		"takes 800 lines with line breaks of old Macs":     {strings.Repeat("a\r", 800), nil},
		"refuses one character":                            {"a", length(1)},
		"refuses one emoji, though it is two UTF-16 units": {"😀", length(1)},
		"refuses 1601 characters":                          {strings.Repeat("a", 1601), length(1601)},
		"refuses 801 emoji and counts UTF-16 units":        {strings.Repeat("😀", 801), length(1602)},
		"refuses 799 emoji and three letters":              {strings.Repeat("😀", 799) + "abc", length(1601)},
		"refuses 1600 characters and a line break":         {strings.Repeat("a", 1600) + "\r\n", length(1601)},
		"refuses no text":                                  {"", empty},
		"refuses blanks alone":                             {"     ", empty},
		"refuses line breaks alone":                        {"\r\n\r\n\t", empty},
		"refuses non-breaking spaces alone":                {"\u00a0\u2003\u00a0", empty},
		"refuses 2000 blanks as no text":                   {strings.Repeat(" ", 2000), empty},
		"refuses bytes that are no text":                   {"ab\xff", characters},
		"refuses half of a surrogate pair":                 {"ab\xed\xa0\xbd", characters},
		"refuses a NUL":                                    {"ab\x00", characters},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want dispatch.Problems
			if tt.want != nil {
				want = dispatch.Problems{*tt.want}
			}
			got := dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: "40000001"}, Text: tt.text}.Validate()
			if diff := cmp.Diff(got, want, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

func TestValidateSMSRecipient(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		recipient  dispatch.SMSRecipient
		field, key string
	}{
		"takes a phone number":                       {recipient: dispatch.SMSRecipient{Phone: "+4740000001"}},
		"takes a national id":                        {recipient: dispatch.SMSRecipient{NationalID: "02013299997"}},
		"takes check digits that do not fit":         {recipient: dispatch.SMSRecipient{NationalID: "02013299998"}},
		"refuses both":                               {dispatch.SMSRecipient{NationalID: "02013299997", Phone: "40000001"}, "mottaker", "problem.recipient.both"},
		"refuses both, though one is wrong":          {dispatch.SMSRecipient{NationalID: "1", Phone: "40000001"}, "mottaker", "problem.recipient.both"},
		"refuses neither":                            {dispatch.SMSRecipient{}, "mottaker", "problem.recipient.empty"},
		"refuses a wrong phone number":               {dispatch.SMSRecipient{Phone: "22345678"}, "telefonnummer", "problem.phone.start"},
		"refuses a wrong national id":                {dispatch.SMSRecipient{NationalID: "0201329999x"}, "fnr", "problem.national_id.digits"},
		"refuses a phone number that kept blanks":    {dispatch.SMSRecipient{Phone: "400 00 001"}, "telefonnummer", "problem.phone.digits"},
		"refuses a phone number of blanks":           {dispatch.SMSRecipient{Phone: " "}, "telefonnummer", "problem.phone.empty"},
		"refuses a national id that kept its blanks": {dispatch.SMSRecipient{NationalID: "020132 99997"}, "fnr", "problem.national_id.digits"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want dispatch.Problems
			if tt.key != "" {
				want = dispatch.Problems{{Field: tt.field, Key: tt.key}}
			}
			got := dispatch.SMS{Recipient: tt.recipient, Text: "Hei på deg"}.Validate()
			if diff := cmp.Diff(got, want, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

func TestValidateSMSTellsEverything(t *testing.T) {
	t.Parallel()
	got := dispatch.SMS{}.Validate()
	want := dispatch.Problems{
		{Field: "mottaker", Key: "problem.recipient.empty"},
		{Field: "tekst", Key: "problem.text.empty"},
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
	if p := got.For("tekst"); p == nil || p.Key != "problem.text.empty" {
		t.Errorf("got %v for the text, want the empty text", p)
	}
	if p := got.For("fnr"); p != nil {
		t.Errorf("got %v for a field without problem, want nil", p)
	}
}

func TestNormalizeText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\r\nb":       "a\nb",
		"a\rb":         "a\nb",
		"a\nb":         "a\nb",
		"a\r\r\nb":     "a\n\nb",
		"a\n\rb":       "a\n\nb",
		"\r\n\r\n":     "\n\n",
		" a\tb\u00a0 ": " a\tb\u00a0 ",
		"":             "",
	} {
		if got := dispatch.NormalizeText(text); got != want {
			t.Errorf("got %q for %q, want %q", got, text, want)
		}
	}
}
