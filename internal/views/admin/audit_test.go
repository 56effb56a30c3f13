package admin

import (
	"slices"
	"testing"

	"utsending/internal/i18n/i18ntest"
)

// TestLogDetails: details of an act are shown in the reader's words, and empty ones are left out.
func TestLogDetails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		details map[string]any
		want    []string
	}{
		{"a way of sending", map[string]any{"mode": "traceable", "recipients": 12000.0}, []string{"Måte: Sporbar", "Antall mottakere: 12\u00a0000"}},
		{"a decision", map[string]any{"detail": "send_again"}, []string{"Detalj: Send den på nytt"}},
		{"a deletion", map[string]any{"which": "originals"}, []string{"Hvilke: Bare det vi sendte"}},
		{"a role", map[string]any{"role": "team_lead"}, []string{"Rolle: teamleder"}},
		{"a cause", map[string]any{"cause": "not_delivered"}, []string{"Årsak: Kom ikke frem"}},
		{"something that nobody has words for", map[string]any{"mode": "later"}, []string{"Måte: later"}},
		{"a choice", map[string]any{"chosen": []any{"kanal", "status"}, "format": "csv"}, []string{"Utvalg: kanal, status", "Format: csv"}},
		{"no choice", map[string]any{"chosen": nil}, nil},
		{"an empty choice", map[string]any{"chosen": []any{}}, nil},
		{"nothing", map[string]any{"detail": "", "reason": "Ringt"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := (LogLine{Details: test.details}).details(i18ntest.InNorwegian(t)); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
