package i18n_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
)

// entry is one text of the catalogue, with its singular when it has one.
type entry struct{ One, Other string }

// line is how a text stands in the file: its key, the form it is if it is one of two, and its words.
var line = regexp.MustCompile(`^([a-z_]+(?:\.[A-Za-z0-9_-]+)+)(#one|#other)? = (.*)$`)

// read returns the catalogue as it stands in the file.
func read(t *testing.T) map[string]entry {
	t.Helper()
	file, err := os.ReadFile("texts/nb.properties")
	if err != nil {
		t.Fatal(err)
	}
	catalogue := map[string]entry{}
	for text := range strings.SplitSeq(string(file), "\n") {
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		m := line.FindStringSubmatch(text)
		if m == nil {
			t.Errorf("not a key and its words: %q", text)
			continue
		}
		e := catalogue[m[1]]
		if m[2] == "#one" {
			e.One = m[3]
		} else {
			e.Other = m[3]
		}
		catalogue[m[1]] = e
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

// words is what a text begins with, before its first value.
func words(text string) string {
	begin, _, _ := strings.Cut(text, "{{")
	return begin
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
		{"no word of the code, nor of another one in its place", `(?i)(^|[^{.\w])\w*(shipment|recipient|segment|lease|digest)`},
	}
	parts := regexp.MustCompile(`{(år|nr|nr:\d|enhet)}`) // of an account's pattern of references, which people type so
	for key, e := range read(t) {
		e.One, e.Other = parts.ReplaceAllString(e.One, "$1"), parts.ReplaceAllString(e.Other, "$1")
		for _, rule := range rules {
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

func TestCatalogue(t *testing.T) {
	t.Parallel()
	c := i18ntest.Languages(t).Default
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
	t.Run("is all there", func(t *testing.T) {
		t.Parallel()
		all := read(t)
		for key, e := range all {
			if got := c.Text(key, "N", 1); e.One != "" && !strings.HasPrefix(got, words(e.One)) {
				t.Errorf("%s: one is %q, and the file has %q", key, got, e.One)
			}
			if got := c.Text(key, "N", 2); !strings.HasPrefix(got, words(e.Other)) {
				t.Errorf("%s: two are %q, and the file has %q", key, got, e.Other)
			}
		}
		if len(all) < 2000 {
			t.Errorf("got %d keys", len(all))
		}
	})
	t.Run("takes no language by default that municipalities do not write", func(t *testing.T) {
		t.Parallel()
		if _, err := i18n.NewLanguages("en", c); err == nil {
			t.Error("got no error")
		}
	})
}
