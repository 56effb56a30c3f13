package recipients_test

import (
	"fmt"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/recipients"
)

func TestLetter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		columns, fields []string
		want            string
		name, address   bool
	}{
		{[]string{"navn", "adresse", "postnr", "poststed"}, []string{"Ola Nordmann", "Storgata 1", "7713", "Steinkjer"}, "Ola Nordmann|Storgata 1|7713|Steinkjer|Norge", true, true},
		{[]string{"klasse", "fornavn", "etternavn"}, []string{"4b", "Ola", "Nordmann"}, "Ola Nordmann||||Norge", true, false},
		{[]string{"adresse", "orgnr", "postnummer"}, []string{"Storgata 1", "987654325", "150"}, "|Storgata 1|0150||Norge", false, true},
		{nil, nil, "||||Norge", false, false},
		{[]string{"navn", "adresse"}, []string{"Ola"}, "Ola||||Norge", true, false}, // a row that is too short
	}
	for _, tt := range tests {
		r := recipients.Letter(tt.columns, dispatch.JobRow{Position: 7, Recipient: dispatch.SMSRecipient{NationalID: "02813299990"}, Fields: tt.fields})
		p := r.Shipment.Postal
		if got := fmt.Sprintf("%s|%s|%s|%s|%s", p.Name, p.Line1, p.PostalCode, p.City, p.Country); got != tt.want || r.Shipment.Number != "02813299990" || r.Position != 7 || r.Problem.Key != "" {
			t.Errorf("%v: got %s to %s, %v", tt.columns, got, r.Shipment.Number, r.Problem)
		}
		if name, address := recipients.AddressFields(tt.columns); name != tt.name || address != tt.address {
			t.Errorf("%v: name %t, address %t", tt.columns, name, address)
		}
	}
}
