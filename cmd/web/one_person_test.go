package main_test

import (
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
)

// archivesAndProtects: Kari downloads the archive package of a shipment and enters its case number, then opens everything sent to one person. Ingrid,
// the team lead, marks the person as protected, and Kari no longer finds them. Each form is first submitted empty or wrong.
func archivesAndProtects(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	kari, ingrid := s.as(t, b, withoutScript, "kari"), s.as(t, b, withoutScript, "ingrid")
	l := toPerson("Vedtak [lest]")
	kari.newShipment()
	kari.attach(file(t, ".pdf", pdftest.Make(1)))
	kari.write(l)
	kari.check()
	kari.post()
	kari.awaitShipment("Lest")
	letter := kari.Path()

	kari.Go("/k/oppvekst/arkiv")
	kari.wantHeading("Arkivpakke")
	kari.glance("archive")
	kari.Fill("#dag", "31.02.2026")
	kari.ClickText("button", "Last ned pakken for dagen")
	kari.wantHeading("Arkivpakke")
	if kari.Count("#dag[aria-invalid=true]") != 1 {
		t.Error("a day that does not exist is not told of")
	}
	kari.Go(letter + "/arkivert")
	kari.ClickText("button", "Lagre")
	if kari.Count("#sak[aria-invalid=true]") != 1 {
		t.Error("no case is taken")
	}
	kari.Fill("#sak", "Barnevern "+l.number)
	kari.ClickText("button", "Lagre")
	kari.wantText("main", "Skriv ikke fødselsnummer i saken.")
	kari.Fill("#sak", "2026/1234")
	kari.ClickText("button", "Lagre")
	kari.wantText("main", "Arkivert i sak 2026/1234")
	kari.glance("archived")

	kari.Go(letter + "/person")
	kari.ClickText("button", "Vis alt til mottakeren")
	if kari.Count("[aria-invalid=true]") != 1 {
		t.Error("everything to a person is shown without a purpose")
	}
	kari.wantUnseen(l.number)
	kari.Fill("#formal", "Svare på en klage")
	kari.ClickText("button", "Vis alt til mottakeren")
	kari.wantHeading("Alt til én mottaker")
	kari.wantText("main", l.title)
	kari.wantUnseen(l.number)
	kari.glance("one-person")
	person := kari.Path()
	ingrid.Go(person)
	ingrid.wantHeading("Vi finner ikke siden")

	ingrid.Go("/k/oppvekst/skjermede")
	ingrid.ClickText("button", "Skjerm en person")
	ingrid.wantHeading("Skjermede personer")
	if ingrid.Count("[aria-invalid=true]") == 0 {
		t.Error("nobody is protected without a word")
	}
	ingrid.Fill("#fodselsnummer", l.number)
	ingrid.Fill("#begrunnelse", "Adressesperre")
	ingrid.Check("#" + ingrid.document().Find(`label:contains("Ingrid")`).AttrOr("for", ""))
	ingrid.ClickText("button", "Skjerm en person")
	ingrid.wantText("[role=status]", "skjermet")
	ingrid.glance("protected")
	ingrid.wantUnseen(l.number)

	for _, address := range []string{letter, letter + "/person", letter + "/arkivert"} {
		kari.Go(address)
		kari.wantHeading("Vi finner ikke siden")
	}
	kari.Go(person)
	kari.wantUnseen(l.title, l.name)
	kari.Go("/k/oppvekst/forsendelser")
	kari.wantText("tbody", "Skjermet person")
	kari.wantUnseen(l.title, l.name)
	kari.glance("list-protected")
}
