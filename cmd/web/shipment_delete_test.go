package main_test

import (
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store/registry"
)

// deletesDocuments has the service delete the files of two shipments: the caseworker one of her own, and without JavaScript
// the team lead another of hers, who must say why.
func deletesDocuments(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	s.oppvekst.ShipmentIntegration = s.setV2(t)
	if _, err := registry.In(s.store).Accounts.Save(t.Context(), s.oppvekst); err != nil {
		t.Fatal(err)
	}
	kari := s.as(t, b, withoutScript, "kari")
	own, other := toPerson("Vedtak [lest]"), toPerson("Vedtak [lest]")
	atOwn, atOther := kari.sendRead(own), kari.sendRead(other)

	kari.askToDelete(atOwn)
	kari.wantText("main", "Det kan ikke angres")
	kari.glance("shipment-delete")
	kari.ClickText("link", "Avbryt")
	kari.wantHeading(own.title)
	kari.askToDelete(atOwn)
	kari.wantDeleted()
	kari.glance("shipment-deleted")

	ingrid := s.as(t, b, withoutScript, "ingrid")
	ingrid.askToDelete(atOther)
	ingrid.ClickText("button", "Slett dokumentene")
	ingrid.wantHeading("Slett dokumentene hos tjenesten")
	if ingrid.Count("#begrunnelse[aria-invalid=true]") != 1 || s.wantShipped(t, other).FilesDeleted {
		t.Error("a colleague's files are deleted without a reason")
	}
	ingrid.glance("shipment-delete-why")
	ingrid.Fill("#begrunnelse", "Filene gjaldt en annen sak")
	ingrid.wantDeleted()
	if !s.wantShipped(t, own).FilesDeleted || !s.wantShipped(t, other).FilesDeleted {
		t.Error("the service still has files")
	}
}

// sendRead sends a shipment, waits until it is read, and returns where its page is.
func (v *visitor) sendRead(l shipment) string {
	v.t.Helper()
	v.newShipment()
	v.attach(file(v.t, ".pdf", pdftest.Make(1)))
	v.write(l)
	v.check()
	v.post()
	v.awaitShipment("Lest")
	return v.Path()
}

func (v *visitor) askToDelete(shipment string) {
	v.t.Helper()
	v.Go(shipment)
	v.ClickText("link", "Slett dokumentene hos tjenesten")
	v.wantHeading("Slett dokumentene hos tjenesten")
}

// wantDeleted decides, and sees that the shipment's page tells it and offers it no more.
func (v *visitor) wantDeleted() {
	v.t.Helper()
	v.ClickText("button", "Slett dokumentene")
	v.wantText("[role=status]", "Dokumentene er slettet hos tjenesten")
	v.wantText("section[aria-labelledby=historikk]", "Dokumenter slettet hos tjenesten")
	v.wantNone(`a[href$="/slett-dokumenter"]`)
}
