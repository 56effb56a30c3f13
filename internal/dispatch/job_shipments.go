package dispatch

import (
	"fmt"
	"log/slog"
	"strings"
)

// ShipmentRecipient is one recipient of a list of shipments, as typed. It prints as redacted.
type ShipmentRecipient struct {
	Number string // national id or organisation number
	Postal PostalAddress
	Twice  bool // a person has confirmed sending although an earlier row has the recipient
}

// Format implements fmt.Formatter.
func (ShipmentRecipient) Format(f fmt.State, _ rune) { writeRedacted(f) }

// LogValue implements slog.LogValuer.
func (ShipmentRecipient) LogValue() slog.Value { return slog.StringValue(redacted) }

// Organization tells whether the number has as many digits as an organisation number.
func (r ShipmentRecipient) Organization() bool {
	s := withoutBlanks(r.Number)
	return len(s) == OrganizationNumberLength && allDigits(s)
}

// Address returns the recipient, with the problem of the number. Other problems depend on the shipment.
func (r ShipmentRecipient) Address() (Address, *Problem) {
	a := Address{Postal: r.Postal}
	for _, text := range []*string{&a.Postal.Name, &a.Postal.Line1, &a.Postal.Line2, &a.Postal.Line3, &a.Postal.PostalCode, &a.Postal.City, &a.Postal.Country} {
		*text = strings.TrimSpace(*text)
	}
	if withoutBlanks(r.Number) == "" {
		return a, nil
	}
	var p *Problem
	if r.Organization() {
		a.Digital.OrganizationNumber, p = ParseOrganizationNumber(FieldRecipientNumber, r.Number)
	} else {
		a.Digital.NationalID, p = ParseNationalID(FieldRecipientNumber, r.Number)
	}
	return a, p
}

// Place normalizes name and address for comparison; empty when there is none.
func (r ShipmentRecipient) Place() string {
	a := r.Postal
	words := strings.Fields(strings.ToLower(strings.Join([]string{a.Name, a.Line1, a.Line2, a.Line3, a.PostalCode, a.City}, " ")))
	return strings.Join(words, " ")
}

// ShipmentList finds recipients that are in a list more than once, row by row: the same number, or the same name and
// address unless both rows have a number.
type ShipmentList struct {
	numbers map[string]int
	places  map[string][]placed
}

type placed struct {
	row    int
	number string
}

// Duplicate returns the earlier row with the same recipient; 0: none.
func (l *ShipmentList) Duplicate(row int, r ShipmentRecipient) int {
	if l.numbers == nil {
		l.numbers, l.places = map[string]int{}, map[string][]placed{}
	}
	number, place := withoutBlanks(r.Number), r.Place()
	first := 0
	if number != "" {
		first = l.numbers[number]
	}
	for _, p := range l.places[place] {
		if first == 0 && place != "" && (number == "" || p.number == "") {
			first = p.row
		}
	}
	if first == 0 || r.Twice {
		l.places[place] = append(l.places[place], placed{row, number})
		if number != "" && l.numbers[number] == 0 {
			l.numbers[number] = row
		}
	}
	if r.Twice {
		return 0
	}
	return first
}
