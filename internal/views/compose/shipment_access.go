package compose

import (
	"slices"

	"utsending/internal/dispatch"
)

// oddNumbers are the fields with a number whose check digits are wrong. That is a warning, not a problem.
func oddNumbers(s dispatch.Shipment) []string {
	var odd []string
	if !s.Recipient.Digital.CheckDigitsFit() {
		odd = append(odd, dispatch.FieldRecipientNumber)
	}
	if s.ReplyTo != nil && !s.ReplyTo.Digital.CheckDigitsFit() {
		odd = append(odd, dispatch.FieldReplyNumber)
	}
	for _, d := range s.SharedWith {
		if !d.CheckDigitsFit() {
			return append(odd, dispatch.FieldSharedWith)
		}
	}
	return odd
}

// note is the warning at a field with wrong check digits.
func (p ShipmentFormPage) note(name string) string {
	if slices.Contains(oddNumbers(p.parsed().draft.content), name) {
		return "shipment.check_digits." + name
	}
	return ""
}
