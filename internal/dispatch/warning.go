package dispatch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// WarningKind is something that a text should perhaps not hold, or should have. A warning never stops anything.
type WarningKind string

// The kinds of warnings.
const (
	WarningPlaceholder WarningKind = "placeholder"
	WarningNationalID  WarningKind = "national_id"
	WarningWords       WarningKind = "words"
	WarningLink        WarningKind = "link"
	WarningSender      WarningKind = "sender"
)

// Warning is something to consider before a text is sent.
type Warning struct {
	Kind  WarningKind
	Found []string // the words or links; empty for a national identity number, which is not repeated
}

// Warnings returns the warnings about a text. words is the account's own list, one a line; senders are names, one of
// which the text should hold.
func Warnings(text, words string, senders ...string) []Warning {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var list []Warning
	if found := bracketedWords().FindAllString(text, -1); len(found) > 0 {
		list = append(list, Warning{WarningPlaceholder, found})
	}
	if HoldsNationalID(text) {
		list = append(list, Warning{Kind: WarningNationalID})
	}
	if found := heldWords(text, WatchWords(words)); len(found) > 0 {
		list = append(list, Warning{WarningWords, found})
	}
	if found := links(text); len(found) > 0 {
		list = append(list, Warning{WarningLink, found})
	}
	if senders = WatchWords(strings.Join(senders, "\n")); len(senders) > 0 && len(heldWords(text, senders)) == 0 {
		list = append(list, Warning{Kind: WarningSender})
	}
	return list
}

// bracketedWords matches what a recipient should perhaps not read as it stands: [navn], {{Dato}}, <sted>. Real placeholders have
// parentheses, see FindPlaceholders.
var bracketedWords = pattern(`[\[{<［｛＜]{1,2}\s*\pL[\pL\pN ._-]{0,39}[\]}>］｝＞]{1,2}`)

// Limits of an account's list of words.
const (
	WatchWordsMax      = 200
	WatchWordMaxLength = 60
)

// WatchWords parses a list of words, one a line, each once.
func WatchWords(list string) []string {
	var words []string
	seen := map[string]bool{}
	for line := range strings.Lines(list) {
		word := strings.Join(strings.Fields(line), " ")
		if word != "" && !seen[folded(word)] {
			seen[folded(word)] = true
			words = append(words, word)
		}
	}
	return words
}

// folded normalizes a text for comparing words: lower case, single blanks.
func folded(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// heldWords returns the words that a text holds as whole words.
func heldWords(text string, words []string) []string {
	var found []string
	text = folded(text)
	for _, word := range words {
		if holdsWord(text, folded(word)) {
			found = append(found, word)
		}
	}
	return found
}

func holdsWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		if !inWord(before) && !inWord(after) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[from:])
		at = from + size
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// linkPattern matches what phones turn into links: an address with its scheme, or a host under a well-known top-level
// domain. It must not adjoin a word or an e-mail address.
var linkPattern = pattern(`(?i)(?:^|[^\pL\pN@._-])((?:https?://|www\.)[^\s<>"]+|(?:[\pL\pN](?:[\pL\pN-]*[\pL\pN])?\.)+(?:no|com|org|net|eu|info|io|se|dk|fi|nu|de|uk|me|ly|app|link|site|online|shop)(?:/[^\s<>"]*)?)(?:[^\pL\pN@]|$)`)

func links(text string) []string {
	var found []string
	for _, m := range linkPattern().FindAllStringSubmatch(text, -1) {
		found = append(found, strings.TrimRight(m[1], ".,;:!?)»”"))
	}
	return found
}
