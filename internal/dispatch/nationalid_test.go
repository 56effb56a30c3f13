package dispatch_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"utsending/internal/dispatch"
)

func TestParseNationalID(t *testing.T) {
	t.Parallel()
	problem := func(key string) *dispatch.Problem { return &dispatch.Problem{Field: "fnr", Key: key} }
	length := func(n int) *dispatch.Problem {
		return &dispatch.Problem{Field: "fnr", Key: "problem.national_id.length", Args: dispatch.Args{"N": n}}
	}
	tests := map[string]struct {
		typed   string
		want    string
		problem *dispatch.Problem
	}{
		"takes eleven digits":                        {typed: "02013299997", want: "02013299997"},
		"takes a space after the date":               {typed: "020132 99997", want: "02013299997"},
		"takes spaces around and between":            {typed: " 02 01 32 999 97\t", want: "02013299997"},
		"takes non-breaking spaces":                  {typed: "020132\u00a099997\u202f", want: "02013299997"},
		"takes check digits that do not fit":         {typed: "02013299998", want: "02013299998"},
		"takes a date that does not exist":           {typed: "99999999999", want: "99999999999"},
		"refuses nothing":                            {typed: "", problem: problem("problem.national_id.empty")},
		"refuses blanks alone":                       {typed: " \u00a0\n", problem: problem("problem.national_id.empty")},
		"refuses ten digits and tells how many":      {typed: "0201329999", problem: length(10)},
		"refuses twelve digits and tells how many":   {typed: "020132999970", problem: length(12)},
		"counts digits without the blanks":           {typed: "020132 9999", problem: length(10)},
		"refuses a letter":                           {typed: "0201329999x", problem: problem("problem.national_id.digits")},
		"refuses a hyphen":                           {typed: "020132-99997", problem: problem("problem.national_id.digits")},
		"refuses a sign":                             {typed: "+2013299997", problem: problem("problem.national_id.digits")},
		"refuses digits of other scripts":            {typed: "٠٢٠١٣٢٩٩٩٩٧", problem: problem("problem.national_id.digits")},
		"speaks of letters before it speaks of size": {typed: "abc", problem: problem("problem.national_id.digits")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, gotProblem := dispatch.ParseNationalID("fnr", tt.typed)
			if got.Reveal() != tt.want {
				t.Errorf("got %q, want %q", got.Reveal(), tt.want)
			}
			if diff := cmp.Diff(gotProblem, tt.problem); diff != "" {
				t.Errorf("got problem - want +:\n%s", diff)
			}
		})
	}
}

func TestMaskedNationalID(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ id, masked, birth string }{
		{"12047812345", "120478 •••••", "120478"},
		{"02013299997", "020132 •••••", "020132"},
		{"", "•••••• •••••", ""},
		{"1204781234", "•••••• •••••", ""},
	} {
		id := dispatch.NationalID(tt.id)
		if id.Masked() != tt.masked || id.BirthPart() != tt.birth {
			t.Errorf("got %q and %q, want %q and %q", id.Masked(), id.BirthPart(), tt.masked, tt.birth)
		}
	}
}

func TestCheckDigitsFit(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		id   string
		want bool
	}{
		"the published example of 2 January 2032":   {"02013299997", true},
		"the published example of 30 October 1999":  {"30108299920", true},
		"the published example with the next digit": {"30108299939", true},
		"a wrong second check digit":                {"02013299998", false},
		"a wrong first check digit":                 {"02013299987", false},
		"two digits changed places":                 {"20013299997", false},
		"ten digits":                                {"0201329999", false},
		"nothing":                                   {"", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := dispatch.NationalID(tt.id).CheckDigitsFit(); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestCheckDigitsFitSyntheticPeople(t *testing.T) {
	t.Parallel()
	for name, date := range map[string]string{
		"a birth date":               "120478",
		"a D-number":                 "520478",
		"a Tenor person":             "128478",
		"a Tenor person of December": "319299",
		"a Tenor D-number":           "528478",
		"an H-number or Dolly":       "124478",
		"an NHN person":              "126978",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for individual := range 1000 {
				nine := date + strconv.Itoa(1000 + individual)[1:]
				for _, id := range issued(nine) {
					if !dispatch.NationalID(id).CheckDigitsFit() {
						t.Fatalf("got no fit for %s, want one", id)
					}
				}
			}
		})
	}
}

func TestCheckDigitsFitNothingElse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nine := rapid.StringMatching(`[0-9]{9}`).Draw(t, "nine")
		fit := issued(nine)
		for check := range 100 {
			id := nine + strconv.Itoa(100 + check)[1:]
			if got, want := dispatch.NationalID(id).CheckDigitsFit(), strings.Contains(strings.Join(fit, " "), id); got != want {
				t.Fatalf("got %t for %s, want %t", got, id, want)
			}
		}
	})
}

// issued returns the national ids that may be issued for these nine digits, as upstream-facts section 10 says: the
// base 11, 12, 13 or 14 minus the weighted remainder, less 11 when above ten, ten never used.
func issued(nine string) []string {
	var all []string
	for base := 11; base <= 14; base++ {
		ten, ok := withCheckDigit(nine, base, []int{3, 7, 6, 1, 8, 9, 4, 5, 2})
		if !ok {
			continue
		}
		if eleven, ok := withCheckDigit(ten, 11, []int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2}); ok {
			all = append(all, eleven)
		}
	}
	return all
}

func withCheckDigit(digits string, base int, weights []int) (string, bool) {
	sum := 0
	for i, w := range weights {
		n, _ := strconv.Atoi(digits[i : i+1])
		sum += w * n
	}
	check := base - sum%11
	if check > 10 {
		check -= 11
	}
	return digits + strconv.Itoa(check), check != 10
}
