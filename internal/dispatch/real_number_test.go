package dispatch_test

import (
	"testing"

	"utsending/internal/dispatch"
)

// TestRealNumbers: a test environment takes the numbers of synthetic people only; elsewhere every number goes.
func TestRealNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, number string
		synthetic    bool
	}{
		{"a person's", "12047800155", false},
		{"Tenor's", "12847800155", true},
		{"Tenor's in January", "01819012345", true},
		{"Tenor's in December", "31929012345", true},
		{"Tenor's with a D-number", "52847800155", true},
		{"NHN's", "12697800155", true},
		{"NHN's in December", "31779012345", true},
		{"NHN's with a D-number", "41669012345", true},
		{"a D-number", "52047800155", false},
		{"an H-number, or NAV's", "12447800155", false},
		{"one with both", "52447800155", false},
		{"from 2032", "02013299997", false},
		{"a month that is none", "12937800155", false},
		{"a month that is none either", "12787800155", false},
		{"a day that is none", "32847800155", false},
		{"the 30th of February", "30827800155", false},
		{"too short", "1284780015", false},
		{"no digits", "12847800x55", false},
	} {
		n := dispatch.NationalID(tt.number)
		if n.Synthetic() != tt.synthetic || dispatch.EnvironmentTest.Refuses(n) == tt.synthetic {
			t.Errorf("%s: synthetic %v, refused %v", tt.name, n.Synthetic(), dispatch.EnvironmentTest.Refuses(n))
		}
		if dispatch.EnvironmentProduction.Refuses(n) || dispatch.Environment("").Refuses(n) {
			t.Errorf("%s: refused outside a test", tt.name)
		}
	}
	if dispatch.EnvironmentTest.Refuses("") {
		t.Error("no number is refused")
	}
}

// TestRealNumbersOfAccount: each channel has its own environment, and all numbers of a shipment count.
func TestRealNumbersOfAccount(t *testing.T) {
	t.Parallel()
	const person, synthetic = "12047800155", "12847800155"
	a := dispatch.Account{SMSEnvironment: dispatch.EnvironmentTest, ShipmentEnvironment: dispatch.EnvironmentProduction}
	sms := func(n dispatch.NationalID) dispatch.SMS {
		return dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: n}, Text: "Hei der"}
	}
	if p := a.ValidateSMS(sms(person)).For(dispatch.FieldNationalID); p == nil || p.Key != dispatch.ProblemReal {
		t.Errorf("an SMS: got %v", p)
	}
	if ps := a.ValidateSMS(sms(synthetic)); len(ps) > 0 {
		t.Errorf("to a synthetic person: got %v", ps)
	}
	s := dispatch.Shipment{Recipient: dispatch.Address{Digital: dispatch.DigitalAddress{NationalID: person}}}
	if ps := a.ValidateNumbers(s); len(ps) > 0 {
		t.Errorf("a shipment of production: got %v", ps)
	}
	a.ShipmentEnvironment = dispatch.EnvironmentTest
	s.ReplyTo = &dispatch.Address{Digital: dispatch.DigitalAddress{NationalID: person}}
	s.SharedWith = []dispatch.DigitalAddress{{NationalID: synthetic}, {OrganizationNumber: "987654325"}, {NationalID: person}}
	ps := a.ValidateNumbers(s)
	if len(ps) != 3 || ps[0].Field != dispatch.FieldRecipientNumber || ps[1].Field != dispatch.FieldReplyNumber || ps[2].Args["Line"] != 3 {
		t.Errorf("a shipment of a test: got %v", ps)
	}
	row := a.CheckRow(dispatch.JobRow{Recipient: dispatch.SMSRecipient{NationalID: person}})
	if row.Problem.Key != dispatch.ProblemReal || a.CheckRow(dispatch.JobRow{Recipient: dispatch.SMSRecipient{Phone: "90000123"}}).Problem.Key != "" {
		t.Errorf("a row: got %v", row.Problem)
	}
	l, _ := dispatch.ParseLookup(synthetic+"\n987654325\n"+person, "Varsle om stengt skole")
	if ps := a.ValidateLookup(l); len(ps) != 1 || ps[0].Args["Line"] != 3 {
		t.Errorf("a look-up: got %v", ps)
	}
}
