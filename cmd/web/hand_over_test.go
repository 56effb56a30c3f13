package main_test

import (
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
)

// handsOver: Kari hands her draft to Ingrid, who sees its origin, edits and sends it. Kari no longer has it, and can
// take it back only before Ingrid changes it.
func handsOver(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	ingrid, kari := s.as(t, b, withoutScript, "ingrid"), s.as(t, b, withoutScript, "kari")
	ingrid.newShipment() // so that the account knows her
	l := toPerson("Overlatt [lest]")
	kari.newShipment()
	kari.attach(file(t, ".pdf", pdftest.Make(1)))
	kari.write(l)
	draft := kari.Path()
	kari.handTo("Ingrid Lunde")
	kari.wantText("section[aria-labelledby=overlatt]", l.title)
	kari.glance("shipment-handed-over")
	kari.ClickText("button", "Ta tilbake")
	kari.wantText("[role=status]", "Du har utkastet igjen")
	kari.handTo("Ingrid Lunde")
	kari.Go(draft)
	kari.wantHeading("Vi finner ikke siden")

	ingrid.Go("/k/oppvekst/utkast")
	ingrid.wantText("tbody", "Fra Kari")
	ingrid.glance("shipment-drafts-from-colleague")
	ingrid.ClickText("link", l.title)
	ingrid.wantText("main", "Du fikk utkastet av Kari")
	ingrid.glance("shipment-from-colleague")
	ingrid.Fill("#kontering", "4100")
	kari.Go("/k/oppvekst/utkast")
	ingrid.ClickText(".actions button", "Lagre utkast")
	ingrid.wantText("[role=status]", "Utkastet er lagret")
	kari.ClickText("button", "Ta tilbake")
	kari.wantText(".ds-alert[data-color=warning]", "kan ikke ta det tilbake")
	kari.wantText("section[aria-labelledby=overlatt]", "Kollegaen arbeider med det")
	kari.glance("shipment-hand-over-late")

	ingrid.check()
	ingrid.post()
	ingrid.awaitShipment("Lest")
	ingrid.wantText("section[aria-labelledby=historikk]", "Overlatt til Ingrid")
	s.wantShipped(t, l)
}

// handTo hands the draft of the form to a colleague.
func (v *visitor) handTo(name string) {
	v.t.Helper()
	v.ClickText("button", "Overlat til en kollega")
	v.wantHeading("Overlat til en kollega")
	v.Select("#til", name)
	v.glance("shipment-hand-over")
	v.ClickText("button", "Overlat utkastet")
	v.wantText("[role=status]", "Utkastet er overlatt")
}
