package look

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdfium"
)

// upper is the height of the top of the page whose words are recorded, in millimetres: no address window is further
// down.
const upper = 160

// text is the text of a page.
type text struct {
	words   []dispatch.Word
	unknown []rect // characters without a mapping to Unicode
	shown   int    // characters
}

// text assembles the characters of a page into words. Words that are cropped, not printed, or covered are left out.
func (f *file) text(index int, v view, prints func(rect) bool, covered func([]assembled) ([]bool, error)) (text, error) {
	chars, err := f.doc.Page(index).Chars(f.mute(index))
	if err != nil {
		return text{}, err
	}
	t := text{}
	word := assembled{}
	var words []assembled
	for i, c := range chars {
		blank := strings.TrimSpace(c.Text) == "" && !c.Unknown
		at := v.rect(c.Box)
		if blank || c.Unknown || !word.goesOn(at) {
			words = append(words, word)
			word = assembled{first: i}
		}
		switch {
		case blank:
		case c.Unknown:
			if v.sees(at) && prints(at) {
				t.unknown = append(t.unknown, at)
				t.shown++
			}
		default:
			word.add(c, at)
		}
	}
	words = slices.DeleteFunc(append(words, word), func(w assembled) bool {
		return clean(norm.NFKC.String(w.text)) == "" || !v.sees(w.at) || !prints(w.at)
	})
	under, err := covered(words)
	if err != nil {
		return text{}, err
	}
	for i, w := range words {
		if !under[i] {
			t.add(w)
		}
	}
	t.words = inLines(t.words)
	return t, nil
}

// assembled is a word that is being assembled.
type assembled struct {
	text  string
	first int // index of the first character
	at    rect
	last  rect
}

// goesOn tells whether a character may belong to the word: it is on the same line.
func (a assembled) goesOn(at rect) bool {
	if a.text == "" {
		return true
	}
	middle := (at.top + at.bottom) / 2
	return middle > a.last.top && middle < a.last.bottom || at.bottom-at.top < 0.1 // an upright box in turned text
}

func (a *assembled) add(c pdfium.Char, at rect) {
	if a.text == "" {
		a.at = at
	}
	a.at = rect{min(a.at.left, at.left), min(a.at.top, at.top), max(a.at.right, at.right), max(a.at.bottom, at.bottom)}
	a.text, a.last = a.text+c.Text, at
}

func (t *text) add(a assembled) {
	word := clean(norm.NFKC.String(a.text))
	t.shown += utf8.RuneCountInString(word)
	if a.at.top > upper {
		return
	}
	t.words = append(t.words, dispatch.Word{Text: word, X: tenths(a.at.left), Y: tenths(a.at.top), Width: tenths(a.at.right - a.at.left), Height: tenths(a.at.bottom - a.at.top)})
}

// legible tells whether most of the text can be read.
func (t text) legible() bool { return t.shown > 0 && len(t.unknown)*2 < t.shown }

// inLines puts words in reading order: by line, and from the left. A run of words that PDFium reads in sequence stays
// together, even if something else is printed over it.
func inLines(words []dispatch.Word) []dispatch.Word {
	runs := inRuns(words)
	slices.SortStableFunc(runs, func(a, b []dispatch.Word) int { return cmp.Compare(middle(a[0]), middle(b[0])) })
	var all []dispatch.Word
	for line := 0; len(runs) > 0 && len(all) < dispatch.MaxWords; line++ {
		n := 1
		for n < len(runs) && sameLine(runs[0][0], runs[n][0]) {
			n++
		}
		slices.SortStableFunc(runs[:n], func(a, b []dispatch.Word) int { return cmp.Compare(a[0].X, b[0].X) })
		all = append(all, oneLine(runs[:n], line)...)
		runs = runs[n:]
	}
	return all[:min(len(all), dispatch.MaxWords)]
}

// inRuns cuts where a word is not to the right of the previous one on the same line.
func inRuns(words []dispatch.Word) [][]dispatch.Word {
	var runs [][]dispatch.Word
	for i, w := range words {
		if i == 0 || !sameLine(words[i-1], w) || w.X < words[i-1].X {
			runs = append(runs, nil)
		}
		last := len(runs) - 1
		runs[last] = append(runs[last], w)
	}
	return runs
}

// oneLine joins the runs of a line, and drops those that are printed twice, for boldness or shadow.
func oneLine(runs [][]dispatch.Word, line int) []dispatch.Word {
	runs = slices.CompactFunc(runs, func(a, b []dispatch.Word) bool { return slices.EqualFunc(a, b, again) })
	all := slices.Concat(runs...)
	for i := range all {
		all[i].Line = line
	}
	return all
}

func middle(w dispatch.Word) float64 { return w.Y + w.Height/2 }

// sameLine tells whether words are at about the same height.
func sameLine(a, b dispatch.Word) bool {
	return math.Abs(middle(a)-middle(b)) < 0.4*max(a.Height, b.Height)
}

// again tells whether a word repeats another at the same place.
func again(a, b dispatch.Word) bool {
	return a.Text == b.Text && math.Abs(a.X-b.X) < 0.3*a.Height
}

// clean removes invisible characters.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || r == '\u00ad' || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > dispatch.MaxWordLength {
		return string(runes[:dispatch.MaxWordLength])
	}
	return s
}

func tenths(mm float64) float64 { return math.Round(mm*10) / 10 }
