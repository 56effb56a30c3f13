package dispatch_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"utsending/internal/dispatch"
)

func TestParsePhoneTakes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ typed, want string }{
		"a number that begins with 4":              {"40000001", "40000001"},
		"a number that begins with 9":              {"90000001", "90000001"},
		"spaces":                                   {" 400 00 001 ", "40000001"},
		"non-breaking spaces":                      {"400\u00a000\u202f001\u2009", "40000001"},
		"tabs and line breaks":                     {"\t400 00 001\r\n", "40000001"},
		"the country code with plus":               {"+4740000001", "+4740000001"},
		"the country code with zeros":              {"004740000001", "004740000001"},
		"marks of direction, as they are copied":   {"\u202a+47\u00a040\u200b000001\u202c", "+4740000001"},
		"spaces between prefix and number":         {"+ 47 400 00 001", "+4740000001"},
		"spaces within the zeros":                  {"0 0 47 400 00 001", "004740000001"},
		"a Norwegian landline with country code":   {"+4722345678", "+4722345678"},
		"a Norwegian landline with zeros":          {"004722345678", "004722345678"},
		"a Swedish number":                         {"+46701234567", "+46701234567"},
		"a Swedish number with zeros":              {"0046701234567", "0046701234567"},
		"eight digits, country code included":      {"+29812345", "+29812345"},
		"fifteen digits":                           {"+123456789012345", "+123456789012345"},
		"fifteen digits after the zeros":           {"00123456789012345", "00123456789012345"},
		"a bare number that is longer than others": {"400000012", "400000012"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, problem := dispatch.ParsePhone("telefonnummer", tt.typed)
			if problem != nil || got.Reveal() != tt.want {
				t.Errorf("got %q and problem %v, want %q", got.Reveal(), problem, tt.want)
			}
		})
	}
}

func TestParsePhoneRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ typed, key string }{
		"nothing":                                  {"", "empty"},
		"blanks alone":                             {" \u00a0\t", "empty"},
		"a number with seven digits":               {"4000000", "short"},
		"seven digits with spaces":                 {"400 00 00", "short"},
		"seven digits after plus":                  {"+4740000", "short"},
		"seven digits after the zeros":             {"004740000", "short"},
		"seven digits, though it starts wrong too": {"2234567", "short"},
		"a landline without country code":          {"22345678", "start"},
		"a Swedish national number":                {"0701234567", "start"},
		"eight digits that begin with one zero":    {"04000000", "start"},
		"a prefix and zero":                        {"+0701234567", "country"},
		"plus and zeros together":                  {"+004740000001", "country"},
		"three zeros":                              {"00047400000", "country"},
		"a letter":                                 {"4000000a", "digits"},
		"the letter O for zero":                    {"4OOOOOO1", "digits"},
		"hyphens":                                  {"400-00-001", "digits"},
		"brackets":                                 {"(+47)40000001", "digits"},
		"a plus within":                            {"4000+0001", "digits"},
		"two plus signs":                           {"++4740000001", "digits"},
		"a plus alone":                             {"+", "digits"},
		"the zeros alone":                          {"00", "digits"},
		"digits of other scripts":                  {"٤٠٠٠٠٠٠١", "digits"},
		"full width digits":                        {"４０００００００", "digits"},
		"sixteen digits":                           {"4000000000000000", "long"},
		"sixteen digits after plus":                {"+1234567890123456", "long"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, problem := dispatch.ParsePhone("telefonnummer", tt.typed)
			want := &dispatch.Problem{Field: "telefonnummer", Key: "problem.phone." + tt.key}
			if diff := cmp.Diff(problem, want); diff != "" || got != "" {
				t.Errorf("got number %q, problem - want +:\n%s", got.Reveal(), diff)
			}
		})
	}
}

func TestPhoneForms(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		phone, masked, comparable string
		foreign, looksWrong       bool
	}{
		"a bare number":                  {"40000567", "••• •• 567", "+4740000567", false, false},
		"with the Norwegian code":        {"+4740000567", "••• •• 567", "+4740000567", false, false},
		"with zeros for plus":            {"004740000567", "••• •• 567", "+4740000567", false, false},
		"a landline with country code":   {"+4722345678", "••• •• 678", "+4722345678", false, false},
		"a bare number of nine digits":   {"400005678", "••• •• 678", "+47400005678", false, true},
		"a Swedish number":               {"+46701234567", "+46 ••• 567", "+46701234567", true, false},
		"a Swedish number with zeros":    {"0046701234567", "+46 ••• 567", "+46701234567", true, false},
		"the shortest foreign number":    {"+29812345", "+29 ••• 345", "+29812345", true, false},
		"a number that begins like ours": {"+4840000567", "+48 ••• 567", "+4840000567", true, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := dispatch.Phone(tt.phone)
			if p.Masked() != tt.masked || p.Comparable() != tt.comparable {
				t.Errorf("got %q and %q, want %q and %q", p.Masked(), p.Comparable(), tt.masked, tt.comparable)
			}
			if p.Foreign() != tt.foreign || p.LooksWrong() != tt.looksWrong {
				t.Errorf("got foreign %t, looks wrong %t, want %t, %t", p.Foreign(), p.LooksWrong(), tt.foreign, tt.looksWrong)
			}
			if got, want := p.LastThree(), tt.phone[len(tt.phone)-3:]; got != want {
				t.Errorf("got last three %q, want %q", got, want)
			}
		})
	}
}

func TestPhoneFormsOfNothing(t *testing.T) {
	t.Parallel()
	for _, p := range []dispatch.Phone{"", "4", "40", "+"} {
		if got := p.Masked(); strings.ContainsAny(got, "4+") {
			t.Errorf("got %q for a broken number, want nothing of it", got)
		}
	}
}

func TestPhoneProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.StringMatching(`[49][0-9]{7}`).Draw(t, "number")
		want := "+47" + number
		for _, prefix := range []string{"", "+47", "0047"} {
			p, problem := dispatch.ParsePhone("f", prefix+number)
			if problem != nil || p.Comparable() != want {
				t.Fatalf("got %q and problem %v, want %q", p.Comparable(), problem, want)
			}
			if strings.Contains(p.Masked(), number[:len(number)-3]) || !strings.HasSuffix(p.Masked(), number[len(number)-3:]) {
				t.Fatalf("got %q, want no more than the last three digits", p.Masked())
			}
		}
	})
}

func TestSMSRecipientMasked(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		recipient dispatch.SMSRecipient
		want      string
		byPhone   bool
	}{
		{dispatch.SMSRecipient{Phone: "40000567"}, "••• •• 567", true},
		{dispatch.SMSRecipient{NationalID: "02013299997"}, "020132 •••••", false},
	} {
		if got := tt.recipient.Masked(); got != tt.want || tt.recipient.ByPhone() != tt.byPhone {
			t.Errorf("got %q, by phone %t, want %q, %t", got, tt.recipient.ByPhone(), tt.want, tt.byPhone)
		}
	}
}
