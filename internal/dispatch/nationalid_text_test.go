package dispatch_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"utsending/internal/dispatch"
)

func TestTextsThatHoldANationalID(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"eleven digits":                         {"12847810082", true},
		"six and five":                          {"Fnr. 128478 10082.", true},
		"a hard blank between":                  {"128478\u00a010082", true},
		"a dash between":                        {"128478-10082", true},
		"a point between":                       {"128478.10082", true},
		"a label before, a comma behind":        {"fnr:12847810082, født 1978", true},
		"a postal code behind":                  {"128478 10082 7713 Steinkjer", true},
		"a D-number":                            {issued("520478100")[0], true},
		"an H-number":                           {issued("124478100")[0], true},
		"a number of NHN's":                     {issued("126978100")[0], true},
		"born on leap day":                      {issued("290200100")[0], true},
		"the published example of 2032":         {"02013299997", true},
		"born on 29 February of no leap year":   {issued("290201100")[0], false},
		"born on 31 April":                      {issued("310478100")[0], false},
		"a month between the ranges":            {issued("121378100")[0], false},
		"a day between the ranges":              {issued("350478100")[0], false},
		"a bank account number":                 {"Bankkonto 1234 56 70058", false},
		"a bank account number with points":     {"Betal 450 kroner til konto 1234.56.70058", false},
		"a bank account number in one":          {"12345670058", false},
		"a published bank account number":       {"8601.11.17947", false},
		"another one":                           {"3207 40 68323", false},
		"an account number from abroad":         {"IBAN NO93 8601 1117 947", false},
		"one in one piece":                      {"IBAN NO9386011117947", false},
		"an account number in two":              {"konto 8601 1117947", false},
		"an organisation's number with a year":  {"Org.nr. 974 760 673 2026", false},
		"a KID":                                 {"KID 1234567890128", false},
		"zeros":                                 {"00000000000", false},
		"zeros one by one":                      {"0 0 0 0 0 0 0 0 0 0 0", false},
		"digits of two lines":                   {"Vår ref. 128478\n10082 Åse Nordmann", false},
		"digits of two columns":                 {"128478\t10082", false},
		"digits of two sentences":               {"Sak 128478. 10082 kroner", false},
		"a date with points":                    {"12.84.78 10082", false},
		"the wrong way round":                   {"10082 128478", false},
		"part of a longer number":               {"128478100821", false},
		"a longer number with blanks":           {"0128478 10082", false},
		"a longer number with a dash":           {"2026-12847810082", false},
		"an amount":                             {"12847810082,50", false},
		"a foreign phone number":                {"+12847810082", false},
		"check digits that do not fit":          {"12847810083", false},
		"a number behind one that is none":      {"1284781 128478 10082", true},
		"a number at the end after another one": {"12345678901 12847810082", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := dispatch.HoldsNationalID(tt.text); got != tt.want {
				t.Errorf("got %t for %q", got, tt.text)
			}
		})
	}
}

// TestBankAccountNumbers: written as such they never count, and in one piece only where they begin with a date.
func TestBankAccountNumbers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	bare, all := 0, 20_000
	for range all {
		number := ""
		for ok := false; !ok; {
			number, ok = withCheckDigit(fmt.Sprintf("%010d", r.IntN(10_000_000_000)), 11, []int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2})
		}
		for _, sign := range []string{" ", ".", "\u00a0"} {
			if text := number[:4] + sign + number[4:6] + sign + number[6:]; dispatch.HoldsNationalID(text) {
				t.Fatalf("%q counts", text)
			}
		}
		if dispatch.HoldsNationalID(number) {
			bare++
			if !dispatch.NationalID(number).DateFits() {
				t.Fatalf("%s counts without a date", number)
			}
		}
	}
	if bare > all/8 {
		t.Errorf("%d of %d bank account numbers in one piece count", bare, all)
	}
}

func TestMasksNationalIDs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Lest av 12847810082.":              "Lest av 128478 •••••.",
		"128478 10082, 128478-10083 og mer": "128478 •••••, 128478 ••••• og mer",
		"Id 3fa85f64 av 90000123":           "Id 3fa85f64 av 90000123",
		"Lest av １２８４７８１００８２.":              "Lest av 128478 •••••.",
		"": "",
	} {
		if got := dispatch.MaskNationalIDs(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestDigitsOfOtherForms: a number is one in whatever digits it is written.
func TestDigitsOfOtherForms(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"１２８４７８１００８２", "１２８４７８ １００８２", "١٢٨٤٧٨١٠٠٨٢", "𝟏𝟐𝟖𝟒𝟕𝟖𝟏𝟎𝟎𝟖𝟐", "𝟷𝟸𝟾𝟺𝟽𝟾𝟷𝟶𝟶𝟾𝟸", "128478１００８２"} {
		if !dispatch.HoldsNationalID("Gjelder " + text + " og saken.") {
			t.Errorf("%s is none", text)
		}
	}
	if dispatch.HoldsNationalID("Konto １２３４５６７００５９") {
		t.Error("eleven other digits are one")
	}
}
