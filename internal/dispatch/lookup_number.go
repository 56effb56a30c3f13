package dispatch

import (
	"fmt"
	"log/slog"
)

// LookupNumber is a national identity number or organisation number to look up. It prints as redacted.
type LookupNumber string

// Reveal returns the digits.
func (n LookupNumber) Reveal() string { return string(n) }

// Person tells whether it is a national identity number.
func (n LookupNumber) Person() bool { return len(n) == NationalIDLength }

// Valid tells whether the register accepts the number's form (SMS spec, OppslagRequest).
func (n LookupNumber) Valid() bool {
	return allDigits(string(n)) && (len(n) == NationalIDLength || len(n) == OrganizationNumberLength)
}

// Masked hides the end of a national identity number. Organisation numbers are public.
func (n LookupNumber) Masked() string {
	if n.Person() {
		return NationalID(n).Masked()
	}
	return OrganizationNumber(n).Grouped()
}

// CheckDigitsFit verifies the check digits; a wrong one only warns.
func (n LookupNumber) CheckDigitsFit() bool {
	if n.Person() {
		return NationalID(n).CheckDigitsFit()
	}
	return OrganizationNumber(n).CheckDigitFits()
}

// Format implements fmt.Formatter.
func (LookupNumber) Format(f fmt.State, _ rune) { writeRedacted(f) }

// LogValue implements slog.LogValuer.
func (LookupNumber) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText keeps the number out of JSON written by mistake; the wire types hold plain strings.
func (LookupNumber) MarshalText() ([]byte, error) { return []byte(redacted), nil }
