package dispatch_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"utsending/internal/dispatch"
)

const gsm, ucs = dispatch.EncodingGSM7, dispatch.EncodingUCS2

func TestSegment(t *testing.T) {
	t.Parallel()
	of := strings.Repeat
	tests := map[string]struct {
		text        string
		encoding    dispatch.Encoding
		parts, left int
	}{
		"nothing":                                {"", gsm, 0, 160},
		"one letter":                             {"a", gsm, 1, 159},
		"160 letters":                            {of("a", 160), gsm, 1, 0},
		"161 letters":                            {of("a", 161), gsm, 2, 145},
		"306 letters":                            {of("a", 306), gsm, 2, 0},
		"307 letters":                            {of("a", 307), gsm, 3, 152},
		"459 letters":                            {of("a", 459), gsm, 3, 0},
		"460 letters":                            {of("a", 460), gsm, 4, 152},
		"the longest text":                       {of("a", 1600), gsm, 11, 83},
		"160 Norwegian letters":                  {of("æøåÆ", 40), gsm, 1, 0},
		"161 Norwegian letters":                  {of("æøåÆ", 40) + "Ø", gsm, 2, 145},
		"German and Spanish letters":             {"ÄÖÑÜ§äöñüà¿¡ß", gsm, 1, 147},
		"Greek capitals":                         {"ΔΦΓΛΩΠΨΣΘΞ", gsm, 1, 150},
		"currency signs":                         {"$£¥¤", gsm, 1, 156},
		"the euro sign costs two":                {"€", gsm, 1, 158},
		"all that costs two":                     {"^{}\\[~]|€\f", gsm, 1, 140},
		"a line break costs one":                 {"a\nb", gsm, 1, 157},
		"a line break of two bytes costs one":    {"a\r\nb", gsm, 1, 157},
		"an old line break costs one":            {"a\rb", gsm, 1, 157},
		"160 with a line break of two bytes":     {of("a", 158) + "\r\nb", gsm, 1, 0},
		"80 euro signs":                          {of("€", 80), gsm, 1, 0},
		"81 euro signs":                          {of("€", 81), gsm, 2, 143},
		"a euro sign that just fits in one":      {of("a", 158) + "€", gsm, 1, 0},
		"a euro sign that makes it two":          {of("a", 159) + "€", gsm, 2, 145},
		"a euro sign that ends the first part":   {of("a", 151) + "€" + of("c", 152), gsm, 2, 1},
		"a euro sign over the boundary":          {of("a", 152) + "€" + of("c", 152), gsm, 3, 152},
		"a euro sign that begins the second":     {of("a", 153) + "€" + of("c", 151), gsm, 2, 0},
		"euro signs leave a unit in every part":  {of("€", 153), gsm, 3, 151},
		"a euro sign over the second boundary":   {of("a", 305) + "€", gsm, 3, 151},
		"one letter outside":                     {"č", ucs, 1, 69},
		"70 with one letter outside":             {of("a", 69) + "č", ucs, 1, 0},
		"71 with one letter outside":             {of("a", 70) + "č", ucs, 2, 63},
		"71 with the letter outside first":       {"č" + of("a", 70), ucs, 2, 63},
		"134 letters outside":                    {of("č", 134), ucs, 2, 0},
		"135 letters outside":                    {of("č", 135), ucs, 3, 66},
		"the longest text outside":               {of("č", 1600), ucs, 24, 8},
		"Norwegian quotation marks":              {"«Hei»", ucs, 1, 65},
		"curly quotation marks":                  {"“Hei”", ucs, 1, 65},
		"a dash":                                 {"1–2", ucs, 1, 67},
		"Sami letters":                           {"đŋšŧž", ucs, 1, 65},
		"a with acute":                           {"á", ucs, 1, 69},
		"the small c with cedilla":               {"ç", ucs, 1, 69},
		"the capital C with cedilla":             {"Ç", gsm, 1, 159},
		"a tab":                                  {"a\tb", ucs, 1, 67},
		"a backtick":                             {"`", ucs, 1, 69},
		"a non-breaking space":                   {"1\u00a0000", ucs, 1, 65},
		"a ring on its own":                      {"a\u030a", ucs, 1, 68},
		"the euro sign costs one outside":        {"č€", ucs, 1, 68},
		"brackets cost one outside":              {"[č]", ucs, 1, 67},
		"an emoji costs two":                     {"😀", ucs, 1, 68},
		"a family costs eight":                   {"👨\u200d👩\u200d👧", ucs, 1, 62},
		"35 emoji":                               {of("😀", 35), ucs, 1, 0},
		"36 emoji":                               {of("😀", 36), ucs, 2, 61},
		"an emoji that ends the first part":      {of("a", 65) + "😀" + of("c", 67), ucs, 2, 0},
		"an emoji over the boundary":             {of("a", 66) + "😀" + of("c", 66), ucs, 3, 66},
		"an emoji that begins the second":        {of("a", 67) + "😀" + of("c", 65), ucs, 2, 0},
		"emoji leave a unit in every part":       {of("😀", 800), ucs, 25, 51},
		"bytes that are no text":                 {"a\xff", ucs, 1, 68},
		"an emoji over the boundary of a single": {of("a", 69) + "😀", ucs, 2, 63},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := dispatch.Segment(tt.text)
			if got.Encoding != tt.encoding || got.Count != tt.parts || got.Left != tt.left {
				t.Errorf("got %s, %d parts, %d left, want %s, %d, %d", got.Encoding, got.Count, got.Left, tt.encoding, tt.parts, tt.left)
			}
			if want := len(utf16.Encode([]rune(dispatch.NormalizeText(tt.text)))); got.Characters != want {
				t.Errorf("got %d characters, want %d", got.Characters, want)
			}
		})
	}
}

func TestSegmentSizeOfAPart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"a": 160, strings.Repeat("a", 161): 153, "č": 70, strings.Repeat("č", 71): 67} {
		if got := dispatch.Segment(text).PerSegment; got != want {
			t.Errorf("got %d for %d bytes, want %d", got, len(text), want)
		}
	}
}

func TestSegmentNamesCostlyCharacters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"«Hei» – «på» deg č": "«»–č",
		"Hei 😀😀":             "😀",
		"Hei på deg [€]":     "",
		"":                   "",
	} {
		if got := string(dispatch.Segment(text).Costly); got != want {
			t.Errorf("got %q for %q, want %q", got, text, want)
		}
	}
}

// The default alphabet of GSM 03.38 in its own order, as code points, and its extension table.
const (
	alphabet = "\u0040\u00a3\u0024\u00a5\u00e8\u00e9\u00f9\u00ec\u00f2\u00c7\u000a\u00d8\u00f8\u000d\u00c5\u00e5" +
		"\u0394\u005f\u03a6\u0393\u039b\u03a9\u03a0\u03a8\u03a3\u0398\u039e\u00c6\u00e6\u00df\u00c9" +
		" !\"#\u00a4%&'()*+,-./0123456789:;<=>?" +
		"\u00a1ABCDEFGHIJKLMNOPQRSTUVWXYZ\u00c4\u00d6\u00d1\u00dc\u00a7" +
		"\u00bfabcdefghijklmnopqrstuvwxyz\u00e4\u00f6\u00f1\u00fc\u00e0"
	extension = "\u000c\u005e\u007b\u007d\u005c\u005b\u007e\u005d\u007c\u20ac"
)

func TestSegmentKnowsTheAlphabet(t *testing.T) {
	t.Parallel()
	if got := len([]rune(alphabet)); got != 127 {
		t.Fatalf("got an alphabet of %d, want 128 without the escape", got)
	}
	for r := range rune(0x1_1000) {
		want := dispatch.Segmentation{Encoding: ucs, Left: 70 - max(utf16.RuneLen(r), 1)}
		switch {
		case strings.ContainsRune(alphabet, r):
			want = dispatch.Segmentation{Encoding: gsm, Left: 159}
		case strings.ContainsRune(extension, r):
			want = dispatch.Segmentation{Encoding: gsm, Left: 158}
		}
		if got := dispatch.Segment(string(r)); got.Encoding != want.Encoding || got.Left != want.Left {
			t.Fatalf("got %s with %d left for %U, want %s with %d", got.Encoding, got.Left, r, want.Encoding, want.Left)
		}
	}
}

func TestSegmentAgreesWithSplitting(t *testing.T) {
	t.Parallel()
	plain := rapid.SampledFrom([]rune("abcdefghij ÆØÅæøå\n"))
	double := rapid.SampledFrom([]rune(extension))
	outside := rapid.SampledFrom([]rune("č«»–😀👍"))
	rapid.Check(t, func(t *rapid.T) {
		kinds := []*rapid.Generator[rune]{plain, plain, double}
		if rapid.Bool().Draw(t, "outside") {
			kinds = append(kinds, outside)
		}
		text := string(rapid.SliceOfN(rapid.OneOf(kinds...), 0, 500).Draw(t, "text"))
		got := dispatch.Segment(text)
		parts, left := split(text, got.Encoding)
		if got.Count != parts || got.Left != left {
			t.Fatalf("got %d parts, %d left in %s, want %d, %d", got.Count, got.Left, got.Encoding, parts, left)
		}
		if isOutside := strings.ContainsAny(text, "č«»–😀👍"); (got.Encoding == ucs) != isOutside {
			t.Fatalf("got %s, outside %t", got.Encoding, isOutside)
		}
	})
}

// split cuts the encoded units into segments, moving a cut inside a pair back by one.
func split(text string, e dispatch.Encoding) (parts, left int) {
	units, single, several := toUnits(text, e), 160, 153
	if e == ucs {
		single, several = 70, 67
	}
	if len(units) <= single {
		return min(len(units), 1), single - len(units)
	}
	for len(units) > 0 {
		cut := min(several, len(units))
		if cut < len(units) && units[cut].second {
			cut--
		}
		parts, left, units = parts+1, several-cut, units[cut:]
	}
	return parts, left
}

type unit struct{ second bool }

func toUnits(text string, e dispatch.Encoding) []unit {
	var units []unit
	if e == ucs {
		for _, u := range utf16.Encode([]rune(text)) {
			units = append(units, unit{second: u >= 0xdc00 && u <= 0xdfff})
		}
		return units
	}
	for _, r := range text {
		if strings.ContainsRune(extension, r) {
			units = append(units, unit{})
		}
		units = append(units, unit{second: strings.ContainsRune(extension, r)})
	}
	return units
}

// FuzzSegment: for any text, the count agrees with an actual split, which loses nothing and cuts no pair, and the
// reported number of characters to remove is minimal.
func FuzzSegment(f *testing.F) {
	for _, seed := range []string{"", "Hei", "\r\n\r", strings.Repeat("a", 159) + "€", strings.Repeat("č", 69) + "😀", strings.Repeat("[]", 200), "\xff\xed\xa0\x80", strings.Repeat("😀", 500)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, norm := dispatch.Segment(text), dispatch.NormalizeText(text)
		parts, left := split(norm, got.Encoding)
		pieces := dispatch.Split(text)
		if got.Count != parts || parts > 0 && got.Left != left || len(pieces) != parts || strings.Join(pieces, "") != norm {
			t.Fatalf("got %d parts with %d left, split into %d; want %d with %d", got.Count, got.Left, len(pieces), parts, left)
		}
		for _, piece := range pieces {
			if n := len(toUnits(piece, got.Encoding)); n > got.PerSegment || n == 0 {
				t.Fatalf("a part has %d of %d", n, got.PerSegment)
			}
		}
		runes := []rune(norm)
		if got.Count < 2 {
			if got.Cut != 0 {
				t.Fatalf("%d are to be cut of one part", got.Cut)
			}
			return
		}
		if got.Cut < 1 || got.Cut > len(runes) || dispatch.Segment(string(runes[:len(runes)-got.Cut])).Count >= got.Count {
			t.Fatalf("after a cut of %d there are still %d parts", got.Cut, got.Count)
		}
		if shorter := dispatch.Segment(string(runes[:len(runes)-got.Cut+1])); shorter.Encoding == got.Encoding && shorter.Count < got.Count {
			t.Fatalf("a cut of %d would do, not %d", got.Cut-1, got.Cut)
		}
	})
}
