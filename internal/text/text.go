// Package text is the gate for every string from outside: forms, lists, tokens, answers of services, settings, the command
// line. Behind it text is valid UTF-8 in composed form (NFC) without control characters, so that the database, JSON and
// the shipment service can hold it, and equal text has equal bytes.
//
// It stands apart from the domain, which uses the standard library only: Unicode's tables of composition come from
// golang.org/x/text. The domain still refuses what it is handed unclean, without changing it.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Unreadable stands where something was that is no character: people see the place, and the domain refuses it there.
const Unreadable = unicode.ReplacementChar

// Clean tells whether a text may pass as it is: valid UTF-8, and no control characters but tab and line breaks. It is for
// what is never changed: secrets, ids, a token's subject.
func Clean(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unreadable)
}

// Typed is a text of several lines as it is kept. Line breaks stay, those that word processors and PowerPoint write as
// vertical tab, form feed or next line become ordinary ones, and what is no character becomes Unreadable.
func Typed(s string) string {
	if plain(s) {
		return s
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '\v' || r == '\f' || r == '\u0085':
			return '\n'
		case unreadable(r):
			return Unreadable
		}
		return r
	}, strings.ToValidUTF8(s, string(Unreadable))))
}

// Line is a text of one line as it is kept: as Typed, with a blank for each line break and tab. Marks that turn the
// direction of writing are taken out; marked says that there were some, so that it can be told.
func Line(s string) (line string, marked bool) {
	line = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case Bidi(r):
			marked = true
			return -1
		}
		return r
	}, strings.ReplaceAll(strings.ReplaceAll(Typed(s), "\r\n", " "), "\r", " "))
	if marked {
		line = norm.NFC.String(line) // letters and their accents that a mark stood between
	}
	return line, marked
}

// Repaired is a text of a service or a login provider in a form that can be stored: as Typed, and cut to most characters with an
// ellipsis. An answer must not be lost over its text.
func Repaired(s string, most int) string {
	s = Typed(s)
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimRightFunc(string([]rune(s)[:most-1]), unicode.IsSpace) + "…"
}

// Compared is a text as it is searched and compared: what looks alike is alike (NFKC, so that full-width and other digits
// in disguise are digits), and marks that nobody sees are gone. It is never shown or sent.
func Compared(s string) string {
	s = norm.NFKC.String(strings.ToValidUTF8(s, string(Unreadable)))
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if Invisible(r) {
			return -1
		}
		return r
	}, s))
}

// Bidi tells whether a character turns the direction of writing: a name can show as another one by it.
func Bidi(r rune) bool {
	switch {
	case r == '\u061c', r == '\u200e', r == '\u200f', '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
		return true
	}
	return false
}

// Invisible tells whether a character shows nothing and takes no room: formatting marks, joiners, variation selectors,
// fillers, and controls that break no line.
func Invisible(r rune) bool {
	switch {
	case r == '\n' || r == '\r' || r == '\t':
		return false
	case r == '\u034f', r == '\u115f', r == '\u1160', r == '\u17b4', r == '\u17b5', r == '\u3164', r == '\uffa0',
		'\u180b' <= r && r <= '\u180f', '\ufe00' <= r && r <= '\ufe0f', '\U000e0100' <= r && r <= '\U000e01ef':
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Cc)
}

// unreadable tells whether a character is none that anybody writes: a control, or a code that Unicode keeps free of
// characters (PDF viewers copy hyphens as U+FFFE and U+0002).
func unreadable(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case '\ufdd0' <= r && r <= '\ufdef', r&0xfffe == 0xfffe:
		return true
	}
	return unicode.IsControl(r)
}

// plain tells whether a text has nothing that could need a change: printable ASCII and ordinary line breaks.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}
