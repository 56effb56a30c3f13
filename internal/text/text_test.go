package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"utsending/internal/text"
)

func TestTyped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, typed, want string }{
		{"ordinary text", "Hei Åse\r\nVel møtt\ttil deg", "Hei Åse\r\nVel møtt\ttil deg"},
		{"a letter in two parts", "A\u030ase", "Åse"},
		{"a vertical tab of PowerPoint's", "Linje 1\vLinje 2", "Linje 1\nLinje 2"},
		{"a NUL", "a\x00b", "a\ufffdb"},
		{"a hyphen as a PDF viewer copies it", "kom\u0002mu\ufffene", "kom\ufffdmu\ufffdne"},
		{"bytes of Latin-1", "K\xe5re", "K\ufffdre"},
		{"half of a surrogate pair", "a\xed\xa0\x80b", "a\ufffdb"},
		{"emoji held together, and Persian", "👩\u200d🚀 می\u200cخواهم", "👩\u200d🚀 می\u200cخواهم"},
		{"direction in a text of several lines", "\u200fשלום", "\u200fשלום"},
		{"a delete and a C1 control", "a\x7fb\u0091", "a\ufffdb\ufffd"},
	} {
		if got := text.Typed(c.typed); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, typed, want string
		marked            bool
	}{
		{"an ordinary name", "Åse Nordmann", "Åse Nordmann", false},
		{"an override", "Kari \u202enonrakN", "Kari nonrakN", true},
		{"isolates and marks", "\u2068Kari\u2069\u200e \u061cN", "Kari N", true},
		{"a mark between letter and ring", "A\u200e\u030ase", "Åse", true},
		{"line breaks and tabs", "Kari\r\nNord\tmann\u2028Ås", "Kari Nord mann Ås", false},
	} {
		if got, marked := text.Line(c.typed); got != c.want || marked != c.marked {
			t.Errorf("%s: got %q (marked %t), want %q (%t)", c.name, got, marked, c.want, c.marked)
		}
	}
}

func TestRepaired(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, said string
		most       int
		want       string
	}{
		{"what fits", "Feil", 4, "Feil"},
		{"what does not", "Feil i adressen", 7, "Feil i…"},
		{"letters of two bytes that fit", "åååå", 4, "åååå"},
		{"letters of two bytes that do not", "ååååå", 4, "ååå…"},
		{"a NUL in the middle", "Feil\x00", 100, "Feil\ufffd"},
	} {
		if got := text.Repaired(c.said, c.most); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCompared(t *testing.T) {
	t.Parallel()
	for _, disguised := range []string{"12847810082", "１２８４７８１００８２", "128\u200b478\u00ad10\u206008\ufe0f2", "𝟏𝟐𝟖𝟒𝟕𝟖𝟏𝟎𝟎𝟖𝟐", "\u202e12847810082\u202c"} {
		if got := text.Compared(disguised); got != "12847810082" {
			t.Errorf("%q: got %q", disguised, got)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{"hunter2-ÆØÅ": true, "A\u030a": true, "-----BEGIN-----\r\n\tx": true, "a\x00": false, "\xff": false, "a\u0085": false, "\uffff": false} {
		if got := text.Clean(s); got != want {
			t.Errorf("%q: got %t", s, got)
		}
	}
}

// TestWhateverComes: what leaves the gate can be kept, and passes it again as it is.
func TestWhateverComes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		line, _ := text.Line(s)
		short := text.Repaired(s, 10)
		for name, got := range map[string]string{"typed": text.Typed(s), "line": line, "repaired": short} {
			if !text.Clean(got) || !norm.NFC.IsNormalString(got) {
				t.Fatalf("%s: %q is not clean", name, got)
			}
		}
		if again, marked := text.Line(line); again != line || marked {
			t.Fatalf("got %q of %q", again, line)
		}
		if text.Typed(text.Typed(s)) != text.Typed(s) || text.Compared(text.Compared(s)) != text.Compared(s) {
			t.Fatalf("not the same twice")
		}
		if utf8.RuneCountInString(short) > 10 || strings.ContainsAny(line, "\r\n\t") {
			t.Fatalf("too long, or broken: %q %q", short, line)
		}
	})
}
