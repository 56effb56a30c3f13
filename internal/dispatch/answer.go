package dispatch

import (
	"strings"
	"time"
)

// Answer is the service's own error answer to a failed call (SMS spec, ErrorMessage), kept for a support case with
// the service.
type Answer struct {
	At           time.Time // by the service's clock; zero: not given
	Status       int
	Error        string
	ErrorID      string
	Path         string
	OriginalPath string
	Message      string
	ErrorCode    string
	ErrorJSON    string
}

// AnswerMax is how many characters of each field are kept.
const AnswerMax = 2000

// Masked hides numbers of people in an answer and shortens long fields.
func (a Answer) Masked() Answer {
	for _, text := range []*string{&a.Error, &a.Message, &a.ErrorCode, &a.ErrorJSON} {
		*text = shortened(MaskPhones(MaskNationalIDs(*text)))
	}
	for _, path := range []*string{&a.Path, &a.OriginalPath} { // paths hold ids, in which eleven digits may stand by chance
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

// MaskPhones hides all but the last three digits of what may be a phone number: eight to fifteen digits, with blanks
// between them or not. A false match does no harm; digits within ids are left.
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

// partOfID tells whether letters, digits or a dash adjoin the digits, as in a UUID.
func partOfID(text string, from, to int) bool {
	joined := func(c byte) bool {
		return c == '-' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	return from > 0 && joined(text[from-1]) || to < len(text) && joined(text[to])
}
