package dispatch

import (
	"fmt"
	"log/slog"
	"strings"
	"unicode"
)

// NationalIDLength is the number of digits of a national identity number (SMS spec, Limits).
const NationalIDLength = 11

// NationalID is a Norwegian national identity number: eleven digits. It prints as redacted.
type NationalID string

// ParseNationalID parses typed text: blanks are removed, eleven digits are required (SMS spec, SmsMeldingRequest).
// The problem is nil when the number can be used.
func ParseNationalID(field, typed string) (NationalID, *Problem) {
	s := withoutBlanks(typed)
	switch {
	case s == "":
		return "", &Problem{Field: field, Key: "problem.national_id.empty"}
	case !allDigits(s):
		return "", &Problem{Field: field, Key: "problem.national_id.digits"}
	case len(s) != NationalIDLength:
		return "", &Problem{Field: field, Key: "problem.national_id.length", Args: Args{"N": len(s)}}
	}
	return NationalID(s), nil
}

// Reveal returns the digits.
func (n NationalID) Reveal() string { return string(n) }

// Grouped writes the whole number as people write it: "120478 00155".
func (n NationalID) Grouped() string {
	if len(n) != NationalIDLength {
		return string(n)
	}
	return string(n[:6] + "\u00a0" + n[6:])
}

// Masked returns the birth date part and dots for the rest: "120478 •••••".
func (n NationalID) Masked() string {
	if len(n) != NationalIDLength {
		return "•••••• •••••"
	}
	return string(n[:6]) + " •••••"
}

// BirthPart returns the six digits that Masked shows, for screen readers.
func (n NationalID) BirthPart() string {
	if len(n) != NationalIDLength {
		return ""
	}
	return string(n[:6])
}

var (
	weights1 = [9]int{3, 7, 6, 1, 8, 9, 4, 5, 2}
	weights2 = [10]int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2}
)

// CheckDigitsFit verifies both check digits, by the rule for numbers issued from 2032 too, which accepts four
// remainders for the first one (upstream facts, section 10). It only warns: the services check the length alone.
func (n NationalID) CheckDigitsFit() bool {
	if len(n) != NationalIDLength {
		return false
	}
	sum1, sum2 := int(n[9]-'0'), int(n[10]-'0')
	for i, w := range weights1 {
		sum1 += w * int(n[i]-'0')
	}
	for i, w := range weights2 {
		sum2 += w * int(n[i]-'0')
	}
	return sum1%11 <= 3 && sum2%11 == 0
}

// Format implements fmt.Formatter.
func (NationalID) Format(f fmt.State, _ rune) { writeRedacted(f) }

// LogValue implements slog.LogValuer.
func (NationalID) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText keeps the number out of JSON written by mistake; the wire types hold plain strings.
func (NationalID) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// withoutBlanks removes blanks and invisible characters, which come along when a number is copied.
func withoutBlanks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
