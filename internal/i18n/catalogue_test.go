package i18n_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utsending/internal/i18n"
)

// entry is one text of the catalogue, with its singular when it has one.
type entry struct{ One, Other string }

// read returns the catalogue as it stands in the file.
func read(t *testing.T) map[string]entry {
	t.Helper()
	file, err := os.ReadFile("nb.json")
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(file, &raw); err != nil {
		t.Fatal(err)
	}
	catalogue := map[string]entry{}
	for key, value := range raw {
		var e entry
		if json.Unmarshal(value, &e.Other) != nil {
			d := json.NewDecoder(bytes.NewReader(value))
			if d.DisallowUnknownFields(); d.Decode(&e) != nil || e.One == "" {
				t.Errorf("%s: neither a text nor a pair of one and other", key)
			}
		}
		catalogue[key] = e
	}
	return catalogue
}

var placeholder = regexp.MustCompile(`{{\.(\w+)}}`)

// values are the names that a text holds the places of.
func values(text string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// TestTexts: the style of ui-spec 12.1, as far as a machine can tell.
func TestTexts(t *testing.T) {
	t.Parallel()
	rules := []struct{ name, pattern string }{
		{"no exclamation marks", `!`},
		{"no vennligst", `(?i)vennligst`},
		{"no oops", `(?i)\bo+ps\b`},
		{"no straight quotes", `"`},
		{"no dots for an ellipsis", `\.\.\.`},
		{"no hyphen for a dash", ` - `},
		{"no blanks at the ends", `^\s|\s$`},
		{"no double blanks or line breaks", `\s\s|\n|\t`},
		{"no markup", `[<>]|&\w+;`},
		{"no other braces than values'", `{{[^.]|{{\.\W|[^}]}[^}]`},
		{"hard spaces between thousands", `\d \d{3}(\D|$)|\b[1-9]\d{3} (tegn|sekund|rad|nummer)`},
		{"something to read", `^$`},
	}
	for key, e := range read(t) {
		for _, rule := range rules {
			if key == "problem.text.length" && rule.name == "hard spaces between thousands" {
				continue // ui-spec 8 gives it with 1600
			}
			pattern := regexp.MustCompile(rule.pattern)
			if pattern.MatchString(e.Other) || e.One != "" && pattern.MatchString(e.One) {
				t.Errorf("%s: %s: %q %q", key, rule.name, e.One, e.Other)
			}
		}
	}
}

func TestPluralForms(t *testing.T) {
	t.Parallel()
	for key, e := range read(t) {
		if e.One == "" && slices.Contains(values(e.Other), "N") {
			t.Errorf("%s: counts something, and has no singular", key)
		}
		for _, name := range values(e.One) {
			if !slices.Contains(values(e.Other), name) {
				t.Errorf("%s: only the singular has %s", key, name)
			}
		}
	}
}

// TestKeysAreThereOnce: JSON would keep the last of two without a word.
func TestKeysAreThereOnce(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("nb.json")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range regexp.MustCompile(`(?m)"[a-z_]+(?:\.[A-Za-z0-9_-]+)+":`).FindAll(file, -1) {
		n++
	}
	if got := len(read(t)); got != n {
		t.Errorf("the file writes %d keys, and %d are left", n, got)
	}
	if keys := slices.Sorted(maps.Keys(read(t))); len(keys) < 200 {
		t.Errorf("got %d keys", len(keys))
	}
}

func TestCatalogue(t *testing.T) {
	t.Parallel()
	c, err := i18n.Load(i18n.Default)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, key string
		values    []any
		want      string
	}{
		{"a text", "app.name", nil, "Utsending"},
		{"a text with a value", "app.you_are", []any{"Role", "teamleder"}, "Du er teamleder"},
		{"a value from a map", "app.you_are", []any{map[string]any{"Role": "teamleder"}}, "Du er teamleder"},
		{"one of something", "flash.resolved_many", []any{"N", 1}, "Valget er lagret for 1 melding"},
		{"many of something", "flash.resolved_many", []any{"N", 12}, "Valget er lagret for 12 meldinger"},
		{"thousands of something, with a hard space", "flash.resolved_many", []any{"N", 1_071_000}, "Valget er lagret for 1\u00a0071\u00a0000 meldinger"},
		{"an id, which is no number of anything", "app.you_are", []any{"Role", int64(20_261)}, "Du er 20261"},
		{"a year, which is none either", "app.you_are", []any{"Role", "2026"}, "Du er 2026"},
		{"none of something", "flash.resolved_many", []any{"N", 0}, "Valget er lagret for 0 meldinger"},
		{"a number that the text does not show", "sms.parts", []any{"N", 1}, "SMS-del"},
		{"a value that the text does not ask for", "app.name", []any{"N", 3}, "Utsending"},
		{"a value with markup, which templ escapes", "app.you_are", []any{"Role", "<b>"}, "Du er <b>"},
		{"a key that is not there", "app.nothing", nil, "[app.nothing]"},
		{"no key", "", nil, "[]"},
	}
	for _, test := range tests {
		t.Run("finds "+test.name, func(t *testing.T) {
			t.Parallel()
			if got := c.Text(test.key, test.values...); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if got := i18n.T(i18n.With(t.Context(), c), test.key, test.values...); got != test.want {
				t.Errorf("by way of a context: got %q, want %q", got, test.want)
			}
			if got, want := c.Has(test.key), !strings.HasPrefix(test.want, "["); got != want {
				t.Errorf("has it: %t, want %t", got, want)
			}
		})
	}
	t.Run("gives the key in brackets without a catalogue", func(t *testing.T) {
		t.Parallel()
		if got := i18n.T(context.Background(), "app.name"); got != "[app.name]" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("does not load a language that is not there", func(t *testing.T) {
		t.Parallel()
		if _, err := i18n.Load("se"); err == nil {
			t.Error("got no error")
		}
	})
}
