package dispatch

import (
	"fmt"
	"log/slog"
	"strings"
)

// OrganizationNumberLength is the number of digits of a Norwegian organisation number.
const OrganizationNumberLength = 9

// OrganizationNumber is a Norwegian organisation number: nine digits. It is public.
type OrganizationNumber string

// ParseOrganizationNumber parses typed text: blanks are removed, nine digits are required. The problem is nil when
// the number can be used.
func ParseOrganizationNumber(field, typed string) (OrganizationNumber, *Problem) {
	s := withoutBlanks(typed)
	switch {
	case s == "":
		return "", &Problem{Field: field, Key: "problem.organization.empty"}
	case !allDigits(s):
		return "", &Problem{Field: field, Key: "problem.organization.digits"}
	case len(s) != OrganizationNumberLength:
		return "", &Problem{Field: field, Key: "problem.organization.length", Args: Args{"N": len(s)}}
	}
	return OrganizationNumber(s), nil
}

// validOrganization returns the problem of a number in the setup, where a wrong check digit is a mistake that can be mended at once.
func validOrganization(field, typed string) *Problem {
	n, p := ParseOrganizationNumber(field, typed)
	if p == nil && !n.CheckDigitFits() {
		return &Problem{Field: field, Key: "problem.check_digits"}
	}
	return p
}

// CheckDigitFits verifies the check digit. A wrong one only warns where something is sent.
func (o OrganizationNumber) CheckDigitFits() bool {
	if len(o) != OrganizationNumberLength {
		return false
	}
	sum := 0
	for i, w := range [9]int{3, 2, 7, 6, 5, 4, 3, 2, 1} {
		sum += w * int(o[i]-'0')
	}
	return sum%11 == 0
}

// Grouped writes the number in groups of three: "974 760 673".
func (o OrganizationNumber) Grouped() string {
	if len(o) != OrganizationNumberLength {
		return string(o)
	}
	return string(o[:3] + "\u00a0" + o[3:6] + "\u00a0" + o[6:])
}

// DigitalAddress is a person or an organisation, never both; empty when the recipient has neither number.
type DigitalAddress struct {
	NationalID         NationalID
	OrganizationNumber OrganizationNumber
}

// Empty tells whether there is no digital address.
func (d DigitalAddress) Empty() bool { return d.NationalID == "" && d.OrganizationNumber == "" }

// PostalAddress is a postal address as printed on the envelope. It prints as redacted.
type PostalAddress struct {
	Name       string
	Line1      string
	Line2      string
	Line3      string
	PostalCode string
	City       string
	Country    string // as typed; empty or Norge is Norway
}

// Format implements fmt.Formatter.
func (PostalAddress) Format(f fmt.State, _ rune) { writeRedacted(f) }

// LogValue implements slog.LogValuer.
func (PostalAddress) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText keeps the address out of JSON written by mistake, such as a log line of a struct that contains it.
func (PostalAddress) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// Norwegian tells whether the address is in Norway.
func (a PostalAddress) Norwegian() bool {
	switch strings.ToLower(strings.TrimSpace(a.Country)) {
	case "", "norge", "noreg", "norway", "no", "norga":
		return true
	}
	return false
}

// PlaceOf returns the place of an address: the typed one, else the one of its postal code in places (ui-spec 6.3). A
// place that was filled in from the former postal code counts as not typed and follows the new code.
func PlaceOf(now, was PostalAddress, places map[string]string) string {
	code := strings.TrimSpace(now.PostalCode)
	before := strings.TrimSpace(was.PostalCode)
	own := strings.TrimSpace(now.City) != "" && (code == before || now.City != places[before])
	if place := places[code]; place != "" && !own && now.Norwegian() {
		return place
	}
	return now.City
}

// Lines are the address lines that are filled in.
func (a PostalAddress) Lines() []string {
	var lines []string
	for _, l := range []string{a.Line1, a.Line2, a.Line3} {
		if strings.TrimSpace(l) != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// Address is a recipient or a reply address: on paper, and digitally if there is a number.
type Address struct {
	Postal  PostalAddress
	Digital DigitalAddress
}
