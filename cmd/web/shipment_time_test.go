package main_test

import (
	"testing"
	"time"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
)

// plansShipment schedules a shipment for tomorrow, reschedules it, and then sends it at once.
func plansShipment(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, withoutScript, "kari")
	l := toPerson("Planlagt [lest]")
	v.newShipment()
	v.attach(file(t, ".pdf", pdftest.Make(1)))
	v.write(l)
	v.unfold("#dag")
	tomorrow := time.Now().In(dispatch.Oslo).AddDate(0, 0, 1).Format("02.01.2006")
	v.Fill("#dag", tomorrow)
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary", "klokkeslett")
	v.Fill("#klokkeslett", "12.00")
	v.glance("shipment-time-typed")
	v.check()
	v.wantText("#planlagt", "kl. 12.00")
	v.glance("shipment-review-planned")
	v.post()
	v.awaitShipment("Planlagt")
	v.glance("shipment-planned")
	v.ClickText("link", "Forsendelser")
	v.wantText("tbody", "kl. 12.00")
	v.glance("shipment-list-planned")
	v.ClickText("link", l.title)
	v.movesTime(tomorrow, "#forsendelse", "shipment-time")
	v.awaitShipment("Lest")
	s.wantShipped(t, l)
}
