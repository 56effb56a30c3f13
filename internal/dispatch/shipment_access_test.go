package dispatch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"utsending/internal/dispatch"
)

func TestValidateShipmentAccess(t *testing.T) {
	t.Parallel()
	shared := func(with ...dispatch.DigitalAddress) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) { s.SharedWith = with }
	}
	person, organization := dispatch.DigitalAddress{NationalID: "02013299997"}, dispatch.DigitalAddress{OrganizationNumber: "974760673"}
	checkShipments(t, map[string]shipmentCase{
		"takes others": {change: shared(person, organization)},
		"takes an organisation's digit that is off": {change: shared(dispatch.DigitalAddress{OrganizationNumber: "974760674"})},
		"refuses both of one":                       {shared(dispatch.DigitalAddress{NationalID: "02013299997", OrganizationNumber: "974760673"}), "eksponert", "problem.shared.length", dispatch.Args{"Line": 1}},
		"refuses a half number":                     {shared(dispatch.DigitalAddress{NationalID: "0201329999"}), "eksponert", "problem.shared.length", dispatch.Args{"Line": 1}},
		"refuses letters":                           {shared(dispatch.DigitalAddress{OrganizationNumber: "97476067x"}), "eksponert", "problem.shared.digits", dispatch.Args{"Line": 1}},
		"refuses level 4 without encryption":        {func(s *dispatch.Shipment) { s.RequireLevel4 = true }, "niva4", "problem.level4.encryption", nil},
		"takes level 4 with encryption":             {change: func(s *dispatch.Shipment) { s.RequireLevel4, s.Encrypted = true, true }},
	})
}

func TestValidateConfidential(t *testing.T) {
	t.Parallel()
	s := goodShipment()
	if ps := s.ValidateConfidential(); len(ps) > 0 {
		t.Errorf("without the mark: got %v", ps)
	}
	s.Confidential = true
	if ps := s.ValidateConfidential(); ps.For("taushetsbelagt") == nil {
		t.Error("a person may get confidential mail")
	}
	s.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: "974760673"}
	if ps := s.ValidateConfidential(); len(ps) > 0 {
		t.Errorf("to an organisation: got %v", ps)
	}
}

func TestParseShared(t *testing.T) {
	t.Parallel()
	person, organization := dispatch.DigitalAddress{NationalID: "02013299997"}, dispatch.DigitalAddress{OrganizationNumber: "974760673"}
	problem := func(key string, line int) dispatch.Problems {
		return dispatch.Problems{{Field: "eksponert", Key: key, Args: dispatch.Args{"Line": line}}}
	}
	for typed, tt := range map[string]struct {
		want []dispatch.DigitalAddress
		ps   dispatch.Problems
	}{
		"":                                  {},
		" \n\n":                             {},
		"020132 99997\r\n974 760 673\n":     {want: []dispatch.DigitalAddress{person, organization}},
		"974760673, 02013299997; 974760673": {want: []dispatch.DigitalAddress{organization, person}},
		"974760673\n\n1234567890":           {[]dispatch.DigitalAddress{organization}, problem("problem.shared.length", 3)},
		"Kari\n974760673":                   {[]dispatch.DigitalAddress{organization}, problem("problem.shared.digits", 1)},
	} {
		t.Run(typed, func(t *testing.T) {
			t.Parallel()
			got, ps := dispatch.ParseShared(typed)
			if diff := cmp.Diff(got, tt.want, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
			if diff := cmp.Diff(ps, tt.ps, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("problems: got - want +:\n%s", diff)
			}
		})
	}
	if d := (dispatch.DigitalAddress{OrganizationNumber: "974760674"}); d.CheckDigitsFit() || !organization.CheckDigitsFit() || !person.CheckDigitsFit() {
		t.Error("check digits are not told apart")
	}
}
