package main_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
)

// encryptsShipment has an administrator paste the service's certificate, and sends a shipment at level 4.
func encryptsShipment(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, withoutScript, "kari")
	l := toPerson("Vedtak [lest]")
	content := pdftest.Make(2)
	v.newShipment()
	v.attach(file(t, ".pdf", content))
	v.write(l)
	v.unfold("#niva4")
	v.Check("#niva4")
	v.ClickText("button", "Se over og send")
	v.wantText("#niva4-s", "Nivå 4 krever at filene er kryptert.")
	v.Check("#krypter")
	v.ClickText("button", "Se over og send")
	v.wantText("#krypter-s", "har ikke sertifikatet til tjenesten")
	v.glance("shipment-encrypt-none")
	draft := v.Path()

	admin := s.administrator(t, b)
	admin.Go("/admin/integrasjoner/" + string(s.oppvekst.ShipmentIntegration))
	admin.unfold("#tjenestesertifikat")
	admin.Fill("#tjenestesertifikat", s.sim.Certificate())
	admin.ClickText("button", "Lagre sertifikat")
	admin.wantText("section[aria-labelledby=kryptering]", "CN=Simulert forsendelsestjeneste")
	admin.glance("shipment-certificate")

	v.Go(draft)
	v.check()
	v.wantText("main", "Filene krypteres for tjenesten på vei ut.")
	v.wantText("main", "Mottakeren må logge inn på nivå 4.")
	v.glance("shipment-review-encrypted")
	v.post()
	v.awaitShipment("Lest")
	v.awaitText("#forsendelse", "tjenestens SHA-256 gjelder den krypterte filen")
	v.wantText("main", "Det tjenesten oppgir om størrelse og SHA-256, gjelder de krypterte filene")
	v.glance("shipment-encrypted")

	got := s.wantShipped(t, l)
	sum := sha256.Sum256(content)
	if got.Documents[0].ClearSHA256 != hex.EncodeToString(sum[:]) || !strings.Contains(string(got.Metadata), `"krevNiva4Innlogging":true`) {
		t.Errorf("the service got %+v, %s", got.Documents, got.Metadata)
	}
}
