package recipients

import (
	"regexp"
	"strings"
	"unicode"

	"utsending/internal/text"
)

// stray marks a character of uncertain encoding. It is a noncharacter, so no text has it (Unicode, 23.7).
const stray = '\U0010fffe'

// clean normalizes a cell, like all other text behind the gate: formatting marks are removed, and every blank becomes
// an ordinary one.
func clean(cell string) string {
	if plainASCII(cell) {
		return cell
	}
	before := rune(0)
	return text.Typed(strings.Map(func(r rune) rune {
		last := before
		before = r
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\r': // followed by a line feed
			return -1
		case unicode.IsSpace(r):
			return ' '
		case r == '\u200d' && unicode.Is(unicode.Latin, last): // it joins no emoji, and may separate a letter from its accent
			return -1
		case unseen(r) && (r < 0x80 || r > 0x9f), r == stray: // Latin-1 controls point to another encoding, and stay visible
			return -1
		}
		return r
	}, cell))
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x7f || s[i] < ' ' && s[i] != '\n' && s[i] != '\t' {
			return false
		}
	}
	return true
}

// unseen matches invisible marks, except those that join emoji.
func unseen(r rune) bool {
	return text.Invisible(r) && r != '\u200d' && r != '\ufe0f' && (r < 0xe0020 || r > 0xe007f)
}

// errorValue matches a spreadsheet's error values, in English and Norwegian.
var errorValue = regexp.MustCompile(`(?i)^(?:#(?:n/a|i/t|error!|feil!|tall!|ref!|value!|verdi!|div/0!|name\?|navn\?|null!|num!|spill!|overflyt!|calc!|kalk!|getting_data|felt!|field!|blocked!|blokkert!|connect!|tilkobling!|busy!|opptatt!|unknown!|ukjent!)|#{3,}|(?:err|feil):[0-9]{3})$`)

// noValue tells whether a cell shows an error value.
func noValue(cell string) bool {
	cell = strings.TrimSpace(cell)
	return cell != "" && strings.IndexByte("#EeFf", cell[0]) >= 0 && errorValue.MatchString(cell)
}

// eaten matches a long number that a spreadsheet has shortened: 1,23457E+18.
var eaten = regexp.MustCompile(`^\d(?:[,.]\d+)?E\+\d{2,3}$`)

var entity = regexp.MustCompile(`&(?:[A-Za-z]{2,8}|#[0-9]{2,6}|#x[0-9A-Fa-f]{2,5});`)

// strange tells whether a cell has letters of a wrong encoding, or lost ones.
func strange(cell string) bool {
	if strings.IndexFunc(cell, func(r rune) bool { return r >= 0x7f || r == '?' || r == '&' }) < 0 {
		return false
	}
	before, letters := rune(0), scripts(0)
	all := []rune(cell)
	for i, r := range all {
		after := rune(0)
		if i+1 < len(all) {
			after = all[i+1]
		}
		switch {
		case r == unicode.ReplacementChar, r >= 0x80 && r <= 0x9f, unicode.Is(unicode.Co, r), r == '\u25a1':
			return true
		case (r == 'Ã' || r == 'Â') && after >= 0x80 && !unicode.IsLower(after), r == 'Ã' && encodedTwice(after):
			return true
		case unicode.IsLetter(before) && unicode.IsLetter(after) && strings.ContainsRune("?†‡‰›‹‘„”“¿¾®¯¢¥™±¤§¶°¨", r):
			return true
		case strings.ContainsRune("†‡¿¾®¯", r) && unicode.IsLetter(after) && !unicode.IsLetter(before):
			return true
		case r == 'Œ' && unicode.IsLower(before):
			return true
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			letters = 0
		} else if letters |= scriptOf(r); letters == latin|other {
			return true
		}
		before = r
	}
	return strings.ContainsRune(cell, '&') && entity.MatchString(cell)
}

// encodedTwice matches the second character of a letter that was encoded twice.
func encodedTwice(r rune) bool {
	return r >= 0xa0 && r <= 0xbf || strings.ContainsRune("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ", r)
}

// scripts are the scripts of one word's letters.
type scripts uint8

const (
	latin scripts = 1 << iota
	other         // alphabets with letters that look like Latin ones
)

func scriptOf(r rune) scripts {
	switch {
	case unicode.Is(unicode.Latin, r):
		return latin
	case unicode.Is(unicode.Cyrillic, r), unicode.Is(unicode.Greek, r):
		return other
	}
	return 0
}
