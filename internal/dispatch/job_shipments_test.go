package dispatch_test

import (
	"fmt"
	"testing"

	"utsending/internal/dispatch"
)

func to(number, name, street string) dispatch.ShipmentRecipient {
	return dispatch.ShipmentRecipient{Number: number, Postal: dispatch.PostalAddress{Name: name, Line1: street, PostalCode: "7713", City: "Steinkjer"}}
}

func TestRecipientsThatStandTwice(t *testing.T) {
	t.Parallel()
	twice := to("12847901258", "Ola Nordmann", "Storgata 1")
	twice.Twice = true
	for _, c := range []struct {
		name string
		list []dispatch.ShipmentRecipient
		want []int
	}{
		{"the same number, written otherwise", []dispatch.ShipmentRecipient{to("12847901258", "Ola", "a"), to("128479 01258", "Kari", "b")}, []int{0, 1}},
		{"the same name and address, without numbers", []dispatch.ShipmentRecipient{to("", "Ola Nordmann", "Storgata 1"), to("", " ola  NORDMANN", "storgata 1")}, []int{0, 1}},
		{"one of them with a number", []dispatch.ShipmentRecipient{to("", "Ola", "a"), to("12847901258", "Ola", "a"), to("", "Ola", "a")}, []int{0, 1, 1}},
		{"father and son have numbers of their own", []dispatch.ShipmentRecipient{to("12847901258", "Ola", "a"), to("01890107881", "Ola", "a")}, []int{0, 0}},
		{"somebody else lives there", []dispatch.ShipmentRecipient{to("", "Ola", "a"), to("", "Kari", "a")}, []int{0, 0}},
		{"two shipments are meant", []dispatch.ShipmentRecipient{to("12847901258", "Ola Nordmann", "Storgata 1"), twice, to("12847901258", "Ola", "b")}, []int{0, 0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var list dispatch.ShipmentList
			var got []int
			for i, r := range c.list {
				got = append(got, list.Duplicate(i+1, r))
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestAddressOfARow(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"": "", "987 654 325": "organization", "12847901258": "person", "128479 01258": "person",
		"1284790125": "problem.national_id.length", "123": "problem.national_id.length", "987654325 / 12847901258": "problem.national_id.digits",
	} {
		a, p := to(number, " Ola ", "Storgata 1").Address()
		got := ""
		switch {
		case p != nil:
			got = p.Key
		case a.Digital.NationalID != "":
			got = "person"
		case a.Digital.OrganizationNumber != "":
			got = "organization"
		}
		if got != want || a.Postal.Name != "Ola" {
			t.Errorf("%q: got %q to %q, want %q", number, got, a.Postal.Name, want)
		}
	}
}

func TestRecipientsOfListsAreRedacted(t *testing.T) {
	t.Parallel()
	r := to("12847901258", "Ola", "Storgata 1")
	for _, got := range []string{fmt.Sprint(r), fmt.Sprintf("%+v", r), fmt.Sprintf("%#v", r), fmt.Sprint(dispatch.JobRow{Shipment: &r}.Shipment)} {
		if got != fmt.Sprint(dispatch.PostalAddress{}) {
			t.Errorf("it prints as %q", got)
		}
	}
}
