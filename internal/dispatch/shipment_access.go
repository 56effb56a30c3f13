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

// ValidateConfidential requires an organisation as the recipient of confidential mail. For a person the service
// accepts the mark and ignores it (Shipment spec, taushetsbelagtPost); nobody should rely on it.
func (s Shipment) ValidateConfidential() Problems {
	if s.Confidential && s.Recipient.Digital.OrganizationNumber == "" {
		return Problems{{Field: FieldConfidential, Key: "problem.confidential.person"}}
	}
	return nil
}

// shareable returns the problem of a number of a person or an organisation.
func (d DigitalAddress) shareable() *Problem {
	var p *Problem
	switch {
	case d.Empty(): // omitted when sent
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

// ofShared maps problems of a number to their wording in a list.
var ofShared = map[string]string{"problem.national_id.digits": "problem.shared.digits", "problem.organization.digits": "problem.shared.digits"}

func sharedProblem(line int, p *Problem) *Problem {
	key, ok := ofShared[p.Key]
	if !ok {
		key = "problem.shared.length"
	}
	return &Problem{Field: FieldSharedWith, Key: key, Args: Args{"Line": line}}
}

// ParseShared parses national identity numbers and organisation numbers, one a line or separated by commas. Each is
// returned once.
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

// CheckDigitsFit verifies the number's check digits. A wrong one only warns.
func (d DigitalAddress) CheckDigitsFit() bool {
	if d.NationalID != "" {
		return d.NationalID.CheckDigitsFit()
	}
	return d.OrganizationNumber == "" || d.OrganizationNumber.CheckDigitFits()
}
