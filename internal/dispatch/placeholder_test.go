package dispatch_test

import (
	"slices"
	"testing"

	"utsending/internal/dispatch"
)

// TestStrayPlaceholders: all that are mistyped are named, each once, in the order of the text.
func TestStrayPlaceholders(t *testing.T) {
	t.Parallel()
	fields := []string{"navn", "dato", "da"}
	for text, want := range map[string][]string{
		"Hei ((navn)), møt ((dato)).":          nil,
		"Hei {navn}, møt [dato] kl. {{tid}}.":  {"{navn}", "[dato]", "{{tid}}"},
		"Hei {{navn}}, {{navn}} og {{dato}}":   {"{{navn}}", "{{dato}}"},
		"Møt $dato, $navn":                     {"$dato", "$navn"},
		"Hei ((navn, møt ((dato":               {"((navn, møt", "((dato"},
		"Hei ((navn)), møt ((dato) i [sted].":  {"((dato)"},
		"Hei {{ navn i morgen, {{dato} og {{":  {"{{ navn i morgen,", "{{dato}"},
		"Hei {sted}":                           nil,
		"Hei ((navn)) :((men {dato} og {dato}": {"{dato}"},
	} {
		if got := dispatch.StrayPlaceholders(text, fields); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
