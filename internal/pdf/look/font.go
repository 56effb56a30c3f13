package look

import (
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"golang.org/x/text/encoding/charmap"
)

// font is what is needed to read a text: which characters its codes stand for, and how wide they are.
type font struct {
	wide    bool           // two bytes a code
	letters map[int]string // by code
	widths  map[int]float64
	width   float64 // of the others, in units of the font size
}

// maxCodes ends tables that tell of more codes than there are.
const maxCodes = 1 << 16

// codes splits a shown string.
func (f *font) codes(s string) []int {
	var all []int
	if !f.wide {
		for i := range len(s) {
			all = append(all, int(s[i]))
		}
		return all
	}
	for i := 0; i+1 < len(s); i += 2 {
		all = append(all, int(binary.BigEndian.Uint16([]byte(s[i:]))))
	}
	return all
}

func (f *font) widthOf(code int) float64 {
	if w, ok := f.widths[code]; ok {
		return w
	}
	return f.width
}

// font reads a font's dictionary.
func (w *walker) font(o types.Object) *font {
	d, err := w.objects.DereferenceDict(o)
	if err != nil || d == nil {
		return nil
	}
	f := &font{letters: map[int]string{}, widths: map[int]float64{}, width: 0.5}
	if w.name(d, "Subtype") == "Type0" {
		f.wide, f.width = true, 1
		w.wideWidths(d, f)
	} else {
		w.encoding(d, f)
		w.narrowWidths(d, f)
	}
	if o, found := d.Find("ToUnicode"); found {
		if text, ok := w.stream(o); ok {
			readCharacterMap(text, f.letters)
		}
	}
	return f
}

func (w *walker) narrowWidths(d types.Dict, f *font) {
	scale := 0.001
	if w.name(d, "Subtype") == "Type3" {
		if m, err := w.array(d, "FontMatrix"); err == nil && len(m) == 6 {
			if n, ok := w.finite(m[0]); ok {
				scale = n
			}
		}
	}
	first, _ := w.number(d, "FirstChar")
	widths, _ := w.array(d, "Widths")
	for i, o := range widths {
		if n, ok := w.finite(o); ok && i < maxCodes {
			f.widths[int(first)+i] = n * scale
		}
	}
	if len(widths) == 0 {
		if strings.Contains(w.name(d, "BaseFont"), "Courier") {
			f.width = 0.6
			return
		}
		for c, n := range helveticaWidths {
			f.widths[c+' '] = float64(n) / 1000
		}
	}
}

func (w *walker) wideWidths(d types.Dict, f *font) {
	below, err := w.array(d, "DescendantFonts")
	if err != nil || len(below) == 0 {
		return
	}
	descendant, err := w.objects.DereferenceDict(below[0])
	if err != nil || descendant == nil {
		return
	}
	if n, ok := w.number(descendant, "DW"); ok {
		f.width = n / 1000
	}
	list, _ := w.array(descendant, "W")
	for i := 0; i+1 < len(list); {
		first, _ := w.finite(list[i])
		if widths, err := w.objects.DereferenceArray(list[i+1]); err == nil && widths != nil {
			for j, o := range widths {
				if n, ok := w.finite(o); ok && len(f.widths) < maxCodes {
					f.widths[int(first)+j] = n / 1000
				}
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			return
		}
		last, _ := w.finite(list[i+1])
		n, _ := w.finite(list[i+2])
		for c := int(first); c <= int(last) && len(f.widths) < maxCodes; c++ {
			f.widths[c] = n / 1000
		}
		i += 3
	}
}

// encoding reads which character each byte is.
func (w *walker) encoding(d types.Dict, f *font) {
	o, _ := d.Find("Encoding")
	o, _ = w.objects.Dereference(o)
	base, differences := "", types.Array(nil)
	switch e := o.(type) {
	case types.Name:
		base = string(e)
	case types.Dict:
		base = w.name(e, "BaseEncoding")
		differences, _ = w.array(e, "Differences")
	}
	table := charmap.Windows1252
	if base == "MacRomanEncoding" {
		table = charmap.Macintosh
	}
	for c := 0x20; c < 0x100; c++ {
		if r := table.DecodeByte(byte(c)); r != '\uFFFD' {
			f.letters[c] = string(r)
		}
	}
	code := 0
	for _, o := range differences {
		o, _ = w.objects.Dereference(o)
		switch e := o.(type) {
		case types.Integer:
			code = int(e)
		case types.Name:
			delete(f.letters, code)
			if s := glyphText(string(e)); s != "" {
				f.letters[code] = s
			}
			code++
		}
	}
}

// glyphText is the character that a glyph's name stands for.
func glyphText(name string) string {
	name, _, _ = strings.Cut(name, ".")
	if len(name) == 1 {
		return name
	}
	if s, ok := glyphNames[name]; ok {
		return s
	}
	for _, prefix := range []string{"uni", "u"} {
		digits, found := strings.CutPrefix(name, prefix)
		if n, err := strconv.ParseUint(digits, 16, 32); found && err == nil && len(digits) >= 4 && n < 0x110000 {
			return string(rune(n))
		}
	}
	return ""
}

// readCharacterMap reads the two kinds of lists in a ToUnicode map.
func readCharacterMap(text []byte, letters map[int]string) {
	l := lexer{in: text}
	var operands []token
	for {
		t, ok := l.next(0)
		if !ok {
			return
		}
		if t.kind != tokenOperator {
			operands = append(operands, t)
			continue
		}
		switch t.text {
		case "endbfchar":
			for i := 0; i+1 < len(operands); i += 2 {
				addLetter(letters, code(operands[i]), unicodeText(operands[i+1].text, 0))
			}
		case "endbfrange":
			for i := 0; i+2 < len(operands); i += 3 {
				addRange(letters, code(operands[i]), code(operands[i+1]), operands[i+2])
			}
		}
		operands = operands[:0]
	}
}

func addRange(letters map[int]string, from, to int, target token) {
	for c := from; c <= to && c-from < maxCodes; c++ {
		switch {
		case target.kind != tokenArray:
			addLetter(letters, c, unicodeText(target.text, c-from))
		case c-from < len(target.list):
			addLetter(letters, c, unicodeText(target.list[c-from].text, 0))
		}
	}
}

func addLetter(letters map[int]string, code int, text string) {
	if len(letters) < maxCodes {
		letters[code] = text
	}
}

func code(t token) int {
	n := 0
	for i := range min(len(t.text), 4) {
		n = n<<8 | int(t.text[i])
	}
	return n
}

// unicodeText reads UTF-16; the last unit is raised by so much.
func unicodeText(s string, raise int) string {
	var units []uint16
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, binary.BigEndian.Uint16([]byte(s[i:])))
	}
	if len(units) == 0 {
		return ""
	}
	units[len(units)-1] += uint16(raise)
	return string(utf16.Decode(units))
}

// glyphNames are those of letters, digits and marks that stand in addresses and that are longer than a character.
var glyphNames = map[string]string{
	"space": " ", "nbspace": " ", "nonbreakingspace": " ", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
	"six": "6", "seven": "7", "eight": "8", "nine": "9", "comma": ",", "period": ".", "hyphen": "-", "minus": "-", "endash": "–",
	"emdash": "—", "slash": "/", "colon": ":", "semicolon": ";", "parenleft": "(", "parenright": ")", "quotesingle": "'",
	"quoteright": "’", "quoteleft": "‘", "quotedblleft": "“", "quotedblright": "”", "guillemotleft": "«", "guillemotright": "»",
	"ampersand": "&", "at": "@", "plus": "+", "underscore": "_", "question": "?", "exclam": "!", "section": "§", "fi": "fi", "fl": "fl",
	"ff": "ff", "ffi": "ffi", "ffl": "ffl", "ae": "æ", "AE": "Æ", "oslash": "ø", "Oslash": "Ø", "aring": "å", "Aring": "Å",
	"adieresis": "ä", "Adieresis": "Ä", "odieresis": "ö", "Odieresis": "Ö", "udieresis": "ü", "Udieresis": "Ü", "eacute": "é",
	"Eacute": "É", "egrave": "è", "Egrave": "È", "ecircumflex": "ê", "agrave": "à", "aacute": "á", "Aacute": "Á", "acircumflex": "â",
	"oacute": "ó", "ograve": "ò", "ocircumflex": "ô", "iacute": "í", "uacute": "ú", "ntilde": "ñ", "ccedilla": "ç", "scaron": "š",
	"Scaron": "Š", "zcaron": "ž", "ccaron": "č", "Ccaron": "Č", "dcroat": "đ", "eng": "ŋ", "tbar": "ŧ", "eth": "ð", "thorn": "þ",
}

// helveticaWidths are those of the characters from space to tilde, in thousandths, for fonts that do not tell: near
// enough for Arial and Times.
var helveticaWidths = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}
