package main_test

import (
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
)

// beginsFromTemplate: a team lead makes a template of a draft's choices, a caseworker begins a shipment with it and sends it.
func beginsFromTemplate(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	lead := s.as(t, b, withoutScript, "ingrid")
	l := toPerson("Vedtak [lest]")
	lead.newShipment()
	lead.Fill("#tittel", l.title)
	lead.Fill("#kontering", "4100")
	lead.ClickText("button", "Lagre valgene som mal")
	lead.wantHeading("Lagre valgene som mal")
	lead.Fill("#navn", "Vedtak")
	lead.glance("shipment-template-form")
	lead.ClickText("button", "Lagre malen")
	lead.wantText("main", "Konteringskode er 4100.")
	lead.glance("shipment-template")

	v := s.as(t, b, withoutScript, "kari")
	v.Go("/k/oppvekst/maler")
	v.glance("shipment-templates")
	v.ClickText("button", "Ny forsendelse fra malen")
	v.wantHeading("Ny forsendelse")
	v.wantText(".head", "Fra malen Vedtak, versjon 1")
	if got := v.Value("#kontering"); got != "4100" {
		t.Errorf("the billing code is %q", got)
	}
	v.glance("shipment-from-template")
	v.attach(file(t, ".pdf", pdftest.Make(1)))
	v.write(l)
	v.check()
	v.glance("shipment-review")
	v.post()
	v.awaitShipment("Lest")
	v.wantText("#forsendelse", "Fra malen Vedtak, versjon 1")
	s.wantShipped(t, l)
}
