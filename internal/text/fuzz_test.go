package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"utsending/internal/text"
)

// FuzzText: behind the gate any text is clean and composed, a line is one line that reads from left to right, and a second pass
// changes nothing.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "Hei Åse", "A\u030a", "a\u202eb\u0301", "\x00\xff\xed\xa0\x80", "a\r\nb\vc\u0085d\u2028e", "\ufffe\ufdd0", "\u1100\u1161\u200e\u11a8", "１２３ ﬁ", strings.Repeat("é ", 60)} {
		f.Add(seed, 50)
	}
	f.Fuzz(func(t *testing.T, typed string, most int) {
		held := func(what, got string) {
			if !text.Clean(got) || !norm.NFC.IsNormalString(got) {
				t.Fatalf("%s: %q is not clean and composed", what, got)
			}
		}
		whole := text.Typed(typed)
		if held("typed", whole); text.Typed(whole) != whole {
			t.Fatalf("typed again: %q", text.Typed(whole))
		}
		line, marked := text.Line(typed)
		held("line", line)
		if again, still := text.Line(line); again != line || still {
			t.Fatalf("line again: %q, then %q (marked %t)", line, again, still)
		}
		if strings.ContainsAny(line, "\r\n\t\u2028\u2029") || strings.ContainsFunc(line, text.Bidi) {
			t.Fatalf("%q is no line", line)
		}
		if !marked && strings.ContainsFunc(typed, text.Bidi) {
			t.Fatalf("nobody is told of the marks in %q", typed)
		}
		most = max(2, most%3000)
		short := text.Repaired(typed, most)
		if held("repaired", short); utf8.RuneCountInString(short) > most || text.Repaired(short, most) != short {
			t.Fatalf("repaired to %d: %q", most, short)
		}
		compared := text.Compared(typed)
		if !utf8.ValidString(compared) || strings.ContainsFunc(compared, text.Invisible) || text.Compared(compared) != compared {
			t.Fatalf("compared: %q, then %q", compared, text.Compared(compared))
		}
	})
}
