package dispatch

import (
	"slices"
	"strings"
	"unicode"
)

// WindowText is what shows in the envelope's window beside what should.
type WindowText struct {
	Lines  []string     // as read, with what is a national identity number masked
	Typed  []WindowWord // the recipient's words, as typed
	Read   []WindowWord // those that were read
	Number bool         // a national identity number shows
}

// WindowWord is one word, and whether the other side has it too.
type WindowWord struct {
	Text  string
	Match bool
}

// Missing tells whether a word of the recipient's was not read.
func (w WindowText) Missing() bool {
	return slices.ContainsFunc(w.Typed, func(w WindowWord) bool { return !w.Match })
}

// Same tells whether a recipient was typed, and the window shows it and nothing else.
func (w WindowText) Same() bool {
	other := func(w WindowWord) bool { return !w.Match }
	return len(w.Typed) > 0 && !w.Missing() && !slices.ContainsFunc(w.Read, other)
}

var codeAndPlace = pattern(`(^|\s)\d{4}\s+\p{Lu}`)

// Addressed tells whether somebody's address seems to show: four digits and a word that begins with a capital, as a postal
// code with its place.
func (w WindowText) Addressed() bool { return codeAndPlace().MatchString(strings.Join(w.Lines, " ")) }

// Window holds what a reading has in the account's window against the recipient as typed. nil when it holds no words.
func (r FileReading) Window(rules PrintRules, to PostalAddress) *WindowText {
	lines := r.windowLines(rules)
	if len(lines) == 0 {
		return nil
	}
	w := &WindowText{}
	for i, line := range lines {
		text := strings.Join(line, " ")
		// A number may go over the end of a line.
		next := ""
		if i+1 < len(lines) {
			next = " " + strings.Join(lines[i+1], " ")
		}
		w.Number = w.Number || holdsNationalID(text) || holdsNationalID(text+next)
		w.Lines = append(w.Lines, text)
	}
	w.compare(slices.Concat(lines...), to)
	if w.Number {
		w.hide()
	}
	return w
}

// windowLines are the words in the window by lines. A word is in the window when its middle is.
func (r FileReading) windowLines(rules PrintRules) [][]string {
	var lines [][]string
	last := -1
	for _, word := range r.Words {
		x, y := word.X+word.Width/2-float64(rules.WindowLeft), word.Y+word.Height/2-float64(rules.WindowTop)
		if x < 0 || y < 0 || x > float64(rules.WindowWidth) || y > float64(rules.WindowHeight) {
			continue
		}
		if word.Line != last || len(lines) == 0 {
			lines, last = append(lines, nil), word.Line
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], word.Text)
	}
	return lines
}

func (w *WindowText) compare(read []string, to PostalAddress) {
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

// hide keeps digits off the screen where there is a national identity number among them.
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

// bareWord is a word as it is compared: small letters, and nothing but letters and digits.
func bareWord(word string) string {
	return strings.Map(func(r rune) rune {
		if inWord(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}
