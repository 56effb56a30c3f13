package dispatch_test

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
)

func TestValidateSendAt(t *testing.T) {
	t.Parallel()
	hours := func(n int) time.Time { return shipmentNow.Add(time.Duration(n) * time.Hour) }
	signed := func(by int) dispatch.Shipment {
		s := goodShipment()
		s.Documents[0].Sign, s.SignatureType, s.SignBy = true, dispatch.SignatureAdvanced, hours(by)
		return s
	}
	secret := goodShipment()
	secret.Encrypted = true
	for name, tt := range map[string]struct {
		s           dispatch.Shipment
		at          int
		certificate time.Time
		want        string
	}{
		"an ordinary shipment goes at any time":      {goodShipment(), 400, time.Time{}, ""},
		"a day before the deadline":                  {signed(48), 24, time.Time{}, ""},
		"less than a day before the deadline":        {signed(48), 25, time.Time{}, "problem.send_at.deadline"},
		"while the certificate lasts":                {secret, 2, hours(3), ""},
		"when the certificate has ended":             {secret, 3, hours(3), "problem.send_at.certificate"},
		"in clear, when the certificate has ended":   {goodShipment(), 4, hours(3), ""},
		"without a certificate that it asks for":     {secret, 2, time.Time{}, "problem.send_at.certificate"},
		"both are wrong: the deadline is told first": {func() dispatch.Shipment { s := signed(48); s.Encrypted = true; return s }(), 47, hours(3), "problem.send_at.deadline"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.s.SendAt = hours(tt.at)
			p := dispatch.Account{EncryptUntil: tt.certificate}.ValidateSendAt(tt.s, shipmentNow)
			got := ""
			if p != nil {
				got = p.Key
			}
			if got != tt.want || p != nil && p.Field != dispatch.FieldSendDay {
				t.Errorf("got %+v, want %q", p, tt.want)
			}
		})
	}
}
