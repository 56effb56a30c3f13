package dispatch

import (
	"fmt"
	"log/slog"
)

// LookupNumber is a national identity or organisation number that the contact register is asked about. It prints as
// redacted.
type LookupNumber string

// Reveal returns the digits.
func (n LookupNumber) Reveal() string { return string(n) }

// Person tells whether the number is a person's.
func (n LookupNumber) Person() bool { return len(n) == NationalIDLength }

// Valid tells whether the number has a form that the register can be asked about (SMS spec, OppslagRequest).
func (n LookupNumber) Valid() bool {
	return allDigits(string(n)) && (len(n) == NationalIDLength || len(n) == OrganizationNumberLength)
}

// Masked hides the end of a person's number. That of an organisation is public.
func (n LookupNumber) Masked() string {
	if n.Person() {
		return NationalID(n).Masked()
	}
	return OrganizationNumber(n).Grouped()
}

// CheckDigitsFit tells whether the check digits fit; it only ever warns.
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
