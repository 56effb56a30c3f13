package views

import (
	"slices"

	"utsending/internal/dispatch"
)

// parseShared reads who else may fetch the files.
func (f ShipmentForm) parseShared(s *dispatch.Shipment) dispatch.Problems {
	var ps dispatch.Problems
	s.SharedWith, ps = dispatch.ParseShared(f.SharedWith)
	return ps
}

// access counts what is said about who may read the shipment, for the summary of the folded part.
func (f ShipmentForm) access() int {
	return count(f.Encrypt, f.Level4, f.Confidential, filled(f.SharedWith))
}

// oddNumbers tells which fields hold a number whose check digits do not fit. That stops nothing.
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

// note warns at a field of a number whose check digits do not fit.
func (p ShipmentFormPage) note(name string) string {
	var s dispatch.Shipment
	_ = p.Form.parseNumber(&s) // what is wrong stands at the field already
	_ = p.Form.parseReply(&s)
	_ = p.Form.parseShared(&s)
	if slices.Contains(oddNumbers(s), name) {
		return "shipment.check_digits." + name
	}
	return ""
}
