package views

import (
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/static"
)

// TestAnswered: all that the service said is on the page and in what is copied, and nothing is shown where it said nothing.
func TestAnswered(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	page := Page{Assets: &static.Assets{}}
	a := dispatch.Answer{
		At: at(t, "2026-11-25T12:00:00Z"), Status: 400, Error: "Bad Request", ErrorID: "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02", Path: "/api/sms",
		OriginalPath: "/varsling/api/sms", Message: "Ugyldig <mottaker>", ErrorCode: "UGYLDIG", ErrorJSON: `{"detail":"x"}`,
	}
	var b strings.Builder
	if err := Answered(a, page).Render(ctx, &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Tekniske detaljer", "Ugyldig &lt;mottaker&gt;", "UGYLDIG", "detail", "400 Bad Request", "/api/sms", "/varsling/api/sms", "25.11.2026 kl. 13.00.00", a.ErrorID} {
		if n := strings.Count(b.String(), want); n < 2 { // the page, and the button
			t.Errorf("%q stands there %d times", want, n)
		}
	}
	b.Reset()
	if err := Answered(dispatch.Answer{}, page).Render(ctx, &b); err != nil || b.Len() != 0 {
		t.Errorf("nothing became %q, %v", b.String(), err)
	}
}
