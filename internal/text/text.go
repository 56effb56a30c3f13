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

// Unreadable marks the place of an invalid character: people see it, and the domain refuses it there.
const Unreadable = unicode.ReplacementChar

// Clean tells whether a text is valid as it is: UTF-8, and no control characters but tab and line breaks. It is for
// values that are never altered: secrets, ids, a token's subject.
func Clean(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unreadable)
}

// Typed normalizes a multi-line text. Line breaks stay, vertical tab, form feed and next line, as word processors and
// PowerPoint write them, become ordinary ones, and invalid characters become Unreadable.
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

// Line normalizes a single-line text: as Typed, with a blank for each line break and tab. Bidirectional marks are
// removed; marked says that there were some, so that the user can be told.
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
		line = norm.NFC.String(line) // letters and their accents that a mark separated
	}
	return line, marked
}

// Repaired makes a text from a service or a login provider storable: as Typed, and truncated to most characters with
// an ellipsis. An answer must not be lost over its text.
func Repaired(s string, most int) string {
	s = Typed(s)
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimRightFunc(string([]rune(s)[:most-1]), unicode.IsSpace) + "…"
}

// Compared normalizes a text for searching and comparing: NFKC, by which full-width and other digits become ordinary
// ones, without invisible characters. It is never shown or sent.
func Compared(s string) string {
	s = norm.NFKC.String(strings.ToValidUTF8(s, string(Unreadable)))
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if Invisible(r) {
			return -1
		}
		return r
	}, s))
}

// Bidi tells whether a character changes the direction of writing: by it a name can be displayed as another one.
func Bidi(r rune) bool {
	switch {
	case r == '\u061c', r == '\u200e', r == '\u200f', '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
		return true
	}
	return false
}

// Invisible tells whether a character has no ink and no width: formatting marks, joiners, variation selectors,
// fillers, and controls other than line breaks.
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

// unreadable tells whether a character is never typed: a control, or a noncharacter of Unicode (PDF viewers copy
// hyphens as U+FFFE and U+0002).
func unreadable(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case '\ufdd0' <= r && r <= '\ufdef', r&0xfffe == 0xfffe:
		return true
	}
	return unicode.IsControl(r)
}

// plain tells whether a text surely needs no change: printable ASCII and ordinary line breaks.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}
