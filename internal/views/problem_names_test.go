package views

import (
	"slices"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
)

// TestNumbersAreNamed: a sentence that only asks for a number names its field, also where it stands alone.
func TestNumbersAreNamed(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	got := summarySentences(ctx, "", dispatch.Problems{
		{Field: dispatch.FieldMaxPages, Key: "problem.number_range", Args: dispatch.Args{"N": 10000}},
		{Field: dispatch.FieldApprovalRecipients, Key: "problem.approval.recipients"},
		{Field: dispatch.FieldTitle, Key: "problem.title.empty"},
	})
	want := []string{
		"Flest sider i en fil: Skriv et helt tall fra 0 til 10\u00a0000.",
		"Krev godkjenning fra antall mottakere: Skriv et helt tall fra 1 til 50\u00a0000, eller la feltet stå tomt.",
		ProblemText(ctx, dispatch.Problem{Key: "problem.title.empty"}),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
