package dispatch

import (
	"strings"
	"testing"
)

func TestAnswerIsMasked(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"Ugyldig mottaker 90000120":               "Ugyldig mottaker ••• •• 120",
		"Ugyldig mottaker +47 900 00 120.":        "Ugyldig mottaker ••• •• 120.",
		"mottaker 004790000120 finnes ikke":       "mottaker ••• •• 120 finnes ikke",
		"fnr 12847810082 er ukjent":               "fnr " + NationalID("12847810082").Masked() + " er ukjent",
		"id 5f2d7c44-91b8-4e0c-8d7e-446655440000": "id 5f2d7c44-91b8-4e0c-8d7e-446655440000",
		"1234567 er ingen":                        "1234567 er ingen",
		"2026-11-25T12:00:00":                     "2026-11-25T12:00:00",
	} {
		if got := (Answer{Message: written, ErrorJSON: written}).Masked(); got.Message != want || got.ErrorJSON != want {
			t.Errorf("%s: got %q and %q, want %q", written, got.Message, got.ErrorJSON, want)
		}
	}
	path := "/varsling/api/v2/sms/12345678-0000-4000-8000-123456789012/sms"
	if got := (Answer{Path: path}).Masked().Path; got != path {
		t.Errorf("the path became %q", got)
	}
	if got := (Answer{Message: strings.Repeat("å", 5000)}).Masked().Message; len([]rune(got)) != AnswerMax+1 {
		t.Errorf("%d characters are kept", len([]rune(got)))
	}
}
