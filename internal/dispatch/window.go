package dispatch

import (
	"slices"
	"strings"
	"unicode"
)

// WindowText compares the text in the address window of the first page with the recipient. The window shows it where
// the service adds no cover sheet.
type WindowText struct {
	Lines     []string     // as read, with national identity numbers masked; columns are lines of their own
	Typed     []WindowWord // the recipient's words, as typed
	Read      []WindowWord // those that were read
	Number    bool         // a national identity number shows
	Elsewhere bool         // the page is addressed to somebody else
	bears     bool         // an address, found before digits were masked
}

// WindowWord is a word, and whether the other side has it too.
type WindowWord struct {
	Text  string
	Match bool
}

// Missing tells whether a word of the recipient was not read.
func (w WindowText) Missing() bool {
	return slices.ContainsFunc(w.Typed, func(w WindowWord) bool { return !w.Match })
}

// Same tells whether the window shows the typed recipient and nothing else.
func (w WindowText) Same() bool {
	other := func(w WindowWord) bool { return !w.Match }
	return len(w.Typed) > 0 && !w.Missing() && !slices.ContainsFunc(w.Read, other)
}

// codeAndPlace is a postal code with its place: four digits, and capitalized words up to the end of the line or a
// comma. Place names may hold "i" and "på", and two spellings: "Karasjok/Kárášjohka".
var (
	codeAndPlace = pattern(`(?:^|[\s,]|NO?-)[0-9]{4}\s+\p{Lu}[\pL\-./'’]*(?:\s(?:\p{Lu}[\pL\-./'’]*|i|på|ved|og))*\s*(?:$|,)`)
	// codeAbroad are foreign ones: 111 22 Stockholm, DK-2100 København Ø, 10115 Berlin, 1012 AB Amsterdam, London
	// SW1A 1AA
	codeAbroad  = pattern(`^(?:[A-Z]{1,3}-[0-9]{3,6}|(?:[A-Z]{1,3}[- ])?(?:[0-9]{5}|[0-9]{3}\s[0-9]{2}|[0-9]{2}-[0-9]{3}|[0-9]{4}\s?[A-Z]{2}))\s+\p{Lu}[\pL\-./'’]*(?:\s\p{Lu}[\pL\-./'’]*)*$|(?:^|\s)[A-Z]{1,2}[0-9][A-Z0-9]?\s[0-9][A-Z]{2}$`)
	codeAlone   = pattern(`^(?:NO?-)?[0-9]{4}$`)
	beginsPlace = pattern(`^\p{Lu}`)
	beforeYear  = pattern(`(?i)(?:januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember|[0-9]\.)\s*$`)
)

// Addressed tells whether the window seems to show an address.
func (w WindowText) Addressed() bool { return w.bears || addressed(w.Lines) }

func addressed(lines []string) bool {
	for i, line := range lines {
		if at := codeAndPlace().FindStringIndex(line); at != nil && !beforeYear().MatchString(line[:at[0]]) {
			return true
		}
		if codeAbroad().MatchString(line) {
			return true
		}
		if codeAlone().MatchString(line) && i+1 < len(lines) && beginsPlace().MatchString(lines[i+1]) {
			return true
		}
	}
	return false
}

// Window compares the text in the account's address window with the recipient as typed. nil when the window holds no
// words.
func (r FileReading) Window(rules PrintRules, to PostalAddress) *WindowText {
	lines := columns(rules.inWindow(r.Words))
	if len(lines) == 0 {
		return nil
	}
	w := &WindowText{Lines: lineTexts(lines)}
	w.bears = addressed(w.Lines)
	w.Number = slices.ContainsFunc(w.Lines, HoldsNationalID)
	w.compare(lines, to)
	named := names(lines, to.Name)
	if !named {
		w.unname(to.Name)
	}
	w.Elsewhere = !isBlank(to.Name) && !named && (w.Addressed() || w.sharesName(to.Name) && !names(columns(r.Words), to.Name))
	if w.Number {
		w.hide()
	}
	return w
}

// unreadInWindow returns the unreadable ink in the window: text in a font without character codes, or, if there are
// no words, images large enough to hold words. Lines and dots do not count.
func (r FileReading) unreadInWindow(rules PrintRules, words bool) []InkArea {
	const letter = 1.5 // minimum height of text in mm
	left, top := float64(rules.WindowLeft), float64(rules.WindowTop)
	right, bottom := left+float64(rules.WindowWidth), top+float64(rules.WindowHeight)
	var all []InkArea
	for _, a := range r.Wordless {
		width, height := min(a.X+a.Width, right)-max(a.X, left), min(a.Y+a.Height, bottom)-max(a.Y, top)
		if width > letter && height > letter && (a.Text || !words) {
			all = append(all, a)
		}
	}
	return all
}

// holdsNationalID tells whether the first page holds a national identity number, as far down as it was read.
func (r FileReading) holdsNationalID() bool {
	return slices.ContainsFunc(lineTexts(columns(r.Words)), HoldsNationalID)
}

// inWindow returns the words whose centre is in the window.
func (rules PrintRules) inWindow(words []Word) []Word {
	var in []Word
	for _, word := range words {
		x, y := word.X+word.Width/2-float64(rules.WindowLeft), word.Y+word.Height/2-float64(rules.WindowTop)
		if x >= 0 && y >= 0 && x <= float64(rules.WindowWidth) && y <= float64(rules.WindowHeight) {
			in = append(in, word)
		}
	}
	return in
}

// columns returns the texts of words, by lines.
func columns(words []Word) [][]string {
	var lines [][]string
	for _, line := range wordColumns(words) {
		texts := make([]string, len(line))
		for i, word := range line {
			texts[i] = word.Text
		}
		lines = append(lines, texts)
	}
	return lines
}

// wordColumns groups words into lines. A wide gap within a line splits it: these are columns.
func wordColumns(words []Word) [][]Word {
	const apart = 2 // in heights of the letters
	var lines [][]Word
	for i, word := range words {
		if i == 0 || word.Line != words[i-1].Line || word.X-words[i-1].X-words[i-1].Width > apart*max(word.Height, words[i-1].Height) {
			lines = append(lines, nil)
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], word)
	}
	return lines
}

func lineTexts(lines [][]string) []string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = strings.Join(line, " ")
	}
	return all
}

func (w *WindowText) compare(lines [][]string, to PostalAddress) {
	read := slices.Concat(lines...)
	typed := strings.Fields(strings.Join(append([]string{to.Name}, append(to.Lines(), to.PostalCode, to.City)...), " "))
	left := map[string]int{}
	for _, word := range read {
		left[bareWord(word)]++
	}
	asked := map[string]int{}
	for _, word := range typed {
		key := bareWord(word)
		if key == "" {
			continue
		}
		asked[key]++
		w.Typed = append(w.Typed, WindowWord{word, left[key] > 0})
		left[key]--
	}
	for _, word := range read {
		key := bareWord(word)
		w.Read = append(w.Read, WindowWord{word, key == "" || asked[key] > 0})
		asked[key]--
	}
}

// unname marks the words of a name as missing if all were read, but not as a name: they belong to other people's
// lines.
func (w *WindowText) unname(name string) {
	words := bareWords(strings.Fields(name))
	of := w.Typed[:min(len(words), len(w.Typed))]
	if slices.ContainsFunc(of, func(w WindowWord) bool { return !w.Match }) {
		return
	}
	for i := range of {
		of[i].Match = false
	}
	for i := range w.Read {
		if slices.Contains(words, bareWord(w.Read[i].Text)) {
			w.Read[i].Match = false
		}
	}
}

// sharesName tells whether a word of a name was read.
func (w *WindowText) sharesName(name string) bool {
	words := bareWords(strings.Fields(name))
	return slices.ContainsFunc(w.Read, func(w WindowWord) bool { return slices.Contains(words, bareWord(w.Text)) })
}

// hide masks digits if there is a national identity number among them.
func (w *WindowText) hide() {
	dots := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return '•'
			}
			return r
		}, s)
	}
	for i := range w.Lines {
		w.Lines[i] = dots(w.Lines[i])
	}
	for i := range w.Read {
		w.Read[i].Text = dots(w.Read[i].Text)
	}
}

// bareWord normalizes a word for comparison: lower case, letters and digits only.
func bareWord(word string) string {
	return strings.Map(func(r rune) rune {
		if inWord(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}
