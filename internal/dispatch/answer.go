package dispatch

import (
	"strings"
	"time"
)

// Answer is what a service said, in its own words, when a call did not succeed (SMS spec, ErrorMessage). It is for whoever has
// to ask the service about it.
type Answer struct {
	At           time.Time // by the service's clock; zero: it does not tell
	Status       int
	Error        string
	ErrorID      string
	Path         string
	OriginalPath string
	Message      string
	ErrorCode    string
	ErrorJSON    string
}

// AnswerMax is the longest text that is kept of each field, in characters.
const AnswerMax = 2000

// Masked hides the numbers of people in an answer, and cuts what is longer than anybody reads.
func (a Answer) Masked() Answer {
	for _, text := range []*string{&a.Error, &a.Message, &a.ErrorCode, &a.ErrorJSON} {
		*text = shortened(MaskPhones(MaskNationalIDs(*text)))
	}
	for _, path := range []*string{&a.Path, &a.OriginalPath} { // they hold ids, which look like numbers here and there
		*path = shortened(MaskNationalIDs(*path))
	}
	return a
}

func shortened(text string) string {
	if runes := []rune(text); len(runes) > AnswerMax {
		return string(runes[:AnswerMax]) + "…"
	}
	return text
}

var writtenPhone = pattern(`\+?[0-9](?:[ \x{a0}]?[0-9]){7,14}`)

// MaskPhones hides all but the last three digits of what may be a phone number: eight to fifteen digits, with blanks between
// them or not. What is hidden without need harms nobody; parts of ids are left.
func MaskPhones(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range writtenPhone().FindAllStringIndex(text, -1) {
		if partOfID(text, at[0], at[1]) {
			continue
		}
		b.WriteString(text[from:at[0]] + Phone(text[at[1]-3:at[1]]).Masked())
		from = at[1]
	}
	return b.String() + text[from:]
}

// partOfID tells whether letters or a dash stand next to the digits, as in a UUID.
func partOfID(text string, from, to int) bool {
	joined := func(c byte) bool {
		return c == '-' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	return from > 0 && joined(text[from-1]) || to < len(text) && joined(text[to])
}
