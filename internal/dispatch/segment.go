package dispatch

import (
	"strings"
	"unicode/utf8"
)

// Encoding is the character set that an SMS needs.
type Encoding string

// The two encodings of SMS text.
const (
	EncodingGSM7 Encoding = "GSM-7"
	EncodingUCS2 Encoding = "UCS-2"
)

// gsmBasic and gsmExtension are the GSM 03.38 default alphabet and its extension table; an extension character takes
// two septets.
const (
	gsmBasic     = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsmExtension = "\f^{}\\[~]|€"
)

// Segmentation is how a text is divided into billed segments.
type Segmentation struct {
	Encoding   Encoding
	Count      int
	PerSegment int    // units that fit in each segment
	Left       int    // units left in the last segment
	Characters int    // UTF-16 units, what the limit of 1600 counts
	Costly     []rune // the characters that force UCS-2, each once, in order
	Cut        int    // characters to remove at the end to save a segment; 0: there is one segment or none
}

// Segment divides a text into segments: 160 units in one or 153 in several, 70 or 67 in UCS-2. A pair (escape and
// character, or two surrogates) is never split, so a long text may need one more than division says.
func Segment(text string) Segmentation {
	text = NormalizeText(text)
	s := Segmentation{Encoding: EncodingGSM7, Characters: utf16Length(text), Costly: costly(text)}
	single, several := 160, 153
	if len(s.Costly) > 0 {
		s.Encoding, single, several = EncodingUCS2, 70, 67
	}
	s.Count, s.PerSegment, s.Left = pack(text, s.Encoding, single)
	if s.Count > 1 {
		s.Count, s.PerSegment, s.Left = pack(text, s.Encoding, several)
		s.Cut = s.Encoding.cut(text, s.Count, single, several)
	}
	return s
}

// cut counts the characters beyond one segment less.
func (e Encoding) cut(text string, parts, single, several int) int {
	size, room := several, parts-1
	if room == 1 {
		size = single
	}
	at := len(split(text, e, size, room))
	return utf8.RuneCountInString(text[at:])
}

// split returns the beginning of a text that fits in so many segments of a size.
func split(text string, e Encoding, size, parts int) string {
	used, filled := 0, 1
	for i, r := range text {
		cost := e.cost(r)
		if used+cost > size {
			filled, used = filled+1, 0
		}
		if filled > parts {
			return text[:i]
		}
		used += cost
	}
	return text
}

// Split cuts a text at the ends of its segments. No pair is ever split.
func Split(text string) []string {
	text = NormalizeText(text)
	s := Segment(text)
	parts := make([]string, 0, s.Count)
	for text != "" {
		part := split(text, s.Encoding, s.PerSegment, 1)
		parts, text = append(parts, part), text[len(part):]
	}
	return parts
}

// pack fills segments of the given size one after the other.
func pack(text string, e Encoding, size int) (parts, perPart, left int) {
	f := filling{size: size}
	f.put(text, e)
	return f.count, size, size - f.used
}

// filling is segments that are filled one after the other.
type filling struct{ size, count, used int }

// put adds a text, character by character.
func (f *filling) put(text string, e Encoding) {
	for _, r := range text {
		cost := e.cost(r)
		if f.count == 0 || f.used+cost > f.size {
			f.count, f.used = f.count+1, 0
		}
		f.used += cost
	}
}

// putUnits adds so many characters of one unit each.
func (f *filling) putUnits(n int) {
	if n == 0 {
		return
	}
	f.count = max(f.count, 1)
	total := f.used + n
	f.count += (total - 1) / f.size
	f.used = (total-1)%f.size + 1
}

func (e Encoding) cost(r rune) int {
	if e == EncodingUCS2 {
		return utf16Length(string(r))
	}
	if strings.ContainsRune(gsmExtension, r) {
		return 2
	}
	return 1
}

func costly(text string) []rune {
	var found []rune
	for _, r := range text {
		if !inGSM(r) && !strings.ContainsRune(string(found), r) {
			found = append(found, r)
		}
	}
	return found
}

// inGSM tells whether GSM-7 has the character.
func inGSM(r rune) bool {
	return strings.ContainsRune(gsmBasic, r) || strings.ContainsRune(gsmExtension, r)
}
