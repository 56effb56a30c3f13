package dispatch

import (
	"slices"
	"strings"
)

// validateAccess checks who may read the shipment (Shipment spec, krevNiva4Innlogging and eksponertFor).
func (s Shipment) validateAccess(ps *Problems) {
	if s.RequireLevel4 && !s.Encrypted {
		ps.add(&Problem{Field: FieldLevel4, Key: "problem.level4.encryption"})
	}
	for i, d := range s.SharedWith {
		if p := d.shareable(); p != nil {
			ps.add(sharedProblem(i+1, p))
		}
	}
}

// ValidateConfidential asks for an organisation as the recipient of confidential mail. The service takes the mark for a
// person too, and does nothing about it (Shipment spec, taushetsbelagtPost): people are not to rely on that.
func (s Shipment) ValidateConfidential() Problems {
	if s.Confidential && s.Recipient.Digital.OrganizationNumber == "" {
		return Problems{{Field: FieldConfidential, Key: "problem.confidential.person"}}
	}
	return nil
}

// shareable returns what is wrong with somebody's number, who is a person or an organisation.
func (d DigitalAddress) shareable() *Problem {
	var p *Problem
	switch {
	case d.Empty(): // nobody: it does not go out
		return nil
	case d.NationalID != "" && d.OrganizationNumber != "":
		return &Problem{Key: "problem.shared.length"}
	case d.NationalID != "":
		_, p = ParseNationalID("", d.NationalID.Reveal())
	default:
		_, p = ParseOrganizationNumber("", string(d.OrganizationNumber))
	}
	return p
}

// ofShared are the problems of a number in the words for one of a list.
var ofShared = map[string]string{"problem.national_id.digits": "problem.shared.digits", "problem.organization.digits": "problem.shared.digits"}

func sharedProblem(line int, p *Problem) *Problem {
	key, ok := ofShared[p.Key]
	if !ok {
		key = "problem.shared.length"
	}
	return &Problem{Field: FieldSharedWith, Key: key, Args: Args{"Line": line}}
}

// ParseShared reads national identity numbers and organisation numbers as typed, one a line or with commas between. Each
// comes back once.
func ParseShared(typed string) ([]DigitalAddress, Problems) {
	var shared []DigitalAddress
	var ps Problems
	line := 0
	for text := range strings.Lines(strings.NewReplacer(",", "\n", ";", "\n").Replace(typed)) {
		line++
		number := withoutBlanks(text)
		switch {
		case number == "":
		case !allDigits(number):
			ps = append(ps, Problem{Field: FieldSharedWith, Key: "problem.shared.digits", Args: Args{"Line": line}})
		case len(number) == NationalIDLength:
			shared = append(shared, DigitalAddress{NationalID: NationalID(number)})
		case len(number) == OrganizationNumberLength:
			shared = append(shared, DigitalAddress{OrganizationNumber: OrganizationNumber(number)})
		default:
			ps = append(ps, Problem{Field: FieldSharedWith, Key: "problem.shared.length", Args: Args{"Line": line}})
		}
	}
	return once(shared), ps
}

func once(all []DigitalAddress) []DigitalAddress {
	var list []DigitalAddress
	for _, d := range all {
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list
}

// CheckDigitsFit tells whether the check digits of the number fit. It only warns.
func (d DigitalAddress) CheckDigitsFit() bool {
	if d.NationalID != "" {
		return d.NationalID.CheckDigitsFit()
	}
	return d.OrganizationNumber == "" || d.OrganizationNumber.CheckDigitFits()
}
