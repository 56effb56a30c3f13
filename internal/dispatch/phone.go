package dispatch

import (
	"fmt"
	"log/slog"
	"strings"
)

// Limits of a phone number in digits, without prefix. The minimum is the specification's (Phone number rules, 1).
const (
	PhoneMinDigits = 8
	// Assumption: no number is longer than E.164 allows; the specification gives no upper bound.
	PhoneMaxDigits = 15
)

// Phone is a phone number as it is sent: no blanks, the prefix as typed. It prints as redacted.
type Phone string

// ParsePhone parses typed text by the specification's phone number rules: at least eight digits; without + or 00 the
// number is Norwegian and begins with 4 or 9; with a prefix a country code follows. +4722345678 is legal. The problem
// is nil when the number can be used.
func ParsePhone(field, typed string) (Phone, *Problem) {
	s := withoutBlanks(typed)
	digits, international := splitPrefix(s)
	problem := func(key string) (Phone, *Problem) { return "", &Problem{Field: field, Key: key} }
	switch {
	case s == "":
		return problem("problem.phone.empty")
	case !allDigits(digits):
		return problem("problem.phone.digits")
	case len(digits) < PhoneMinDigits:
		return problem("problem.phone.short")
	case len(digits) > PhoneMaxDigits:
		return problem("problem.phone.long")
	case international && digits[0] == '0':
		return problem("problem.phone.country")
	case !international && digits[0] != '4' && digits[0] != '9':
		return problem("problem.phone.start")
	}
	return Phone(s), nil
}

// splitPrefix removes + or 00 and tells whether there was one.
func splitPrefix(s string) (digits string, international bool) {
	for _, prefix := range []string{"+", "00"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			return rest, true
		}
	}
	return s, false
}

// Reveal returns the number as it is sent.
func (p Phone) Reveal() string { return string(p) }

// Comparable returns the E.164 form: 00 becomes +, a number without prefix gets +47. Search and duplicates compare
// it.
func (p Phone) Comparable() string {
	digits, international := splitPrefix(string(p))
	if !international {
		return "+47" + digits
	}
	return "+" + digits
}

// Foreign tells whether the country code is not Norway's.
func (p Phone) Foreign() bool { return !strings.HasPrefix(p.Comparable(), "+47") }

// LooksWrong tells whether a number without country code has not the eight digits of Norwegian numbers. It only
// warns: the specification asks for at least eight.
func (p Phone) LooksWrong() bool {
	digits, international := splitPrefix(string(p))
	return !international && len(digits) != PhoneMinDigits
}

// Grouped writes a whole number as people write it: "900 00 123", "+46 701 234 567".
func (p Phone) Grouped() string {
	c := p.Comparable()
	switch {
	case p.LooksWrong(), len(c) < 6, !p.Foreign() && len(c) != 11:
		return string(p)
	case !p.Foreign():
		return c[3:6] + "\u00a0" + c[6:8] + "\u00a0" + c[8:]
	}
	text := c[:3]
	for rest := c[3:]; rest != ""; rest = rest[min(3, len(rest)):] {
		text += "\u00a0" + rest[:min(3, len(rest))]
	}
	return text
}

// LastThree returns the last three digits, the only ones shown while the number is masked.
func (p Phone) LastThree() string {
	if len(p) < 3 {
		return ""
	}
	return string(p[len(p)-3:])
}

// Masked hides all but the last three digits, and the country code of a foreign number: "••• •• 567", "+46 ••• 567".
func (p Phone) Masked() string {
	if c := p.Comparable(); p.Foreign() && len(c) > 6 {
		// Assumption: two digits are shown as the country code; codes have one to three, and we keep no table.
		return c[:3] + " ••• " + p.LastThree()
	}
	return "••• •• " + p.LastThree()
}

// Format implements fmt.Formatter.
func (Phone) Format(f fmt.State, _ rune) { writeRedacted(f) }

// LogValue implements slog.LogValuer.
func (Phone) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText keeps the number out of JSON written by mistake; the wire types hold plain strings.
func (Phone) MarshalText() ([]byte, error) { return []byte(redacted), nil }
