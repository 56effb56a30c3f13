package dispatch_test

import (
	"strings"
	"testing"
	"unicode"

	"utsending/internal/dispatch"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"“Hei” «på» „deg‟":       `"Hei" "på" "deg"`,
		"Kari‘s ’n ʼa ´b `c ′":   "Kari's 'n 'a 'b 'c '",
		"8–16 — 9‑10 −2":         "8-16 - 9-10 -2",
		"Vent …":                 "Vent ...",
		"1\u00a0000\u202f000 kr": "1 000 000 kr",
		"barne\u00adhage\u200b":  "barnehage",
		"• en\t• to":             "- en - to",
		"en\u2028to":             "en\nto",
		"M\u200cøt\u200e \u202dopp\u202c\u2066 kl\u2069\u061c\u180e\u3164\ufe0e\u2061\uffa0\u034f": "Møt opp kl",
		"Ｈｅｉ ＡＢ１２！":                "Hei AB12!",
		"½ time, 1½ time, 2ª m²":   "1/2 time, 1 1/2 time, 2a m2",
		"A → B ⇒ C × 2":            "A -> B => C x 2",
		"en\u1680to":               "en to",
		"áčđŋšŧžÁČĐŊŠŦŽâêîôûëïÿłß": "áčđŋšŧžÁČĐŊŠŦŽâêîôûëïÿłß",
		"👨\u200d👩\u200d👧 ❤\ufe0f":  "👨\u200d👩\u200d👧 ❤\ufe0f",
		"Hei, æøå [€] ^":           "Hei, æøå [€] ^",
	} {
		if got := dispatch.Plain(text); got != want {
			t.Errorf("got %q for %q, want %q", got, text, want)
		}
	}
}

// TestPlainLeavesLetters: whatever is a letter, a digit or a mark is never replaced, with the one exception of the
// apostrophe that Unicode counts among the letters; and what comes out is ordinary.
func TestPlainLeavesLetters(t *testing.T) {
	t.Parallel()
	for r := range rune(0x3000) {
		text := string(r)
		plain := dispatch.Plain(text)
		if !strings.ContainsRune("ʼªº\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d", r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && plain != text {
			t.Errorf("%U becomes %q", r, plain)
		}
		if plain != text && len(dispatch.Segment(plain).Costly) > 0 {
			t.Errorf("%U becomes %q, which is not ordinary", r, plain)
		}
		if (dispatch.LookalikeOf(r) != "") != (plain != text) {
			t.Errorf("%U is a %q and becomes %q", r, dispatch.LookalikeOf(r), plain)
		}
		if plain != text && len(dispatch.Segment(text).Costly) == 0 {
			t.Errorf("%U costs nothing and is replaced", r)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	of := strings.Repeat
	for name, tt := range map[string]struct {
		text string
		want int
	}{
		"nothing":                      {"", 0},
		"one part":                     {of("a", 160), 0},
		"one too many for one":         {of("a", 161), 1},
		"eleven too many for one":      {of("a", 171), 11},
		"two whole parts":              {of("a", 306), 146},
		"one too many for two":         {of("a", 307), 1},
		"a euro sign over the edge":    {of("a", 159) + "€", 1},
		"letters outside":              {of("č", 75), 5},
		"emoji count as one character": {of("😀", 36), 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := dispatch.Segment(tt.text)
			if s.Cut != tt.want {
				t.Fatalf("got %d, want %d", s.Cut, tt.want)
			}
			runes := []rune(tt.text)
			if n := len(runes) - s.Cut; s.Cut > 0 && (dispatch.Segment(string(runes[:n])).Count >= s.Count || dispatch.Segment(string(runes[:n+1])).Count < s.Count) {
				t.Errorf("cutting %d does not just save a part", s.Cut)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "Hei", strings.Repeat("a", 152) + "€" + strings.Repeat("b", 200), strings.Repeat("a", 66) + "😀" + strings.Repeat("č", 100),
		strings.Repeat("😀", 100), strings.Repeat("linje\r\n", 60),
	} {
		parts := dispatch.Split(text)
		if got := strings.Join(parts, ""); got != dispatch.NormalizeText(text) {
			t.Errorf("the parts of %q are not the text", text)
		}
		if got, want := len(parts), dispatch.Segment(text).Count; got != want {
			t.Errorf("got %d parts of %q, want %d", got, text, want)
		}
	}
}
