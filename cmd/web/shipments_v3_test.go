package main_test

import (
	"encoding/json"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
)

// wantSent checks the metadata that the service got: the fields are there, and the others are not.
func wantSent(t *testing.T, metadata []byte, fields, absent []string) {
	t.Helper()
	var got map[string]json.RawMessage
	if err := json.Unmarshal(metadata, &got); err != nil {
		t.Fatal(err)
	}
	for _, field := range fields {
		if _, there := got[field]; !there {
			t.Errorf("the service did not get %s in %s", field, metadata)
		}
	}
	for _, field := range absent {
		if _, there := got[field]; there {
			t.Errorf("the service got %s in %s", field, metadata)
		}
	}
}

// sendsOverV3 writes to a person, an organisation and by post on one account on V3, and meets what V3 cannot do.
func sendsOverV3(t *testing.T, b *browsertest.Browser) {
	s := newStackV3(t)
	v := s.as(t, b, withoutScript, "kari")
	letter := file(t, ".pdf", pdftest.Make(2))
	begin := func(l shipment) {
		v.newShipment()
		v.attach(letter)
		v.write(l)
	}

	l := toPerson("Vedtak [altinn]")
	begin(l)
	v.wantNone("[name=farger]", "[name=hvem][value=helsenett]") // V3 prints no colour; the account has no health network
	for _, of := range []string{"#type", "[name=taushetsbelagt]", "#sak-tittel", "[id$=-ekstra][id^=dok-]"} {
		if v.Count(of) == 0 || v.Count(of) != v.Count(".of-organization "+of) {
			t.Errorf("%s is not for organisations alone", of)
		}
	}
	v.Fill("#nummer", "02813299953")
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary", "Nummeret er ikke gyldig.")
	v.glance("shipment-v3-refused")
	v.Fill("#nummer", l.number)
	v.check()
	v.post()
	v.awaitShipment("Levert i Altinn")
	v.wantText("section[aria-labelledby=historikk]", "Levert i Altinn")
	v.look("shipment-v3-altinn")
	got := s.wantShipped(t, l)
	wantSent(t, got.Metadata, []string{"sikkerhetsniva", "kunDigitalLevering", "eksternReferanse"}, []string{"forsendelsestype", "taushetsbelagtPost", "metadataForImport"})

	read := toPerson("Vedtak [lest]")
	begin(read)
	v.check()
	v.post()
	v.awaitShipment("Lest")
	s.wantShipped(t, read)

	bad := toPerson("Vedtak [feilet]")
	begin(bad)
	v.check()
	v.post()
	v.awaitShipment("Feilet under mottak")
	v.wantText("main", "Noe gikk galt da tjenesten skulle ta imot forsendelsen.")
	v.glance("shipment-v3-failed")

	title := "Tegninger " + mark()
	begin(shipment{number: "987654325", name: "Nordvik kommune", postalCode: "7713", title: title})
	v.Check("[name=hvem][value=organisasjon]")
	if v.Count(".of-person #skal-signeres") != 1 {
		t.Error("signing is not for persons alone")
	}
	v.unfold("#type")
	v.Select("#type", "Byggesøknad")
	v.check()
	v.post()
	v.awaitShipment("Lest")
	v.wantText("section[aria-labelledby=historikk]", "Klar for mottak")
	wantSent(t, s.shipped(t, title).Metadata, []string{"forsendelsestype", "taushetsbelagtPost"}, []string{"signering"})

	title = "Til postkassen " + mark()
	begin(shipment{name: "Kari Prøve", postalCode: "7713", title: title})
	v.Check("[name=levering][value=digitalt]")
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary", "Bare en mottaker med nummer kan få den kun digitalt.")
	v.Check("[name=levering][value=papir]")
	v.check()
	v.post()
	v.awaitShipment("Skrevet ut")
	wantSent(t, s.shipped(t, title).Metadata, []string{"mottaker"}, []string{"kunDigitalLevering", "sikkerhetsniva", "lenker"})

	v.Go("/k/oppvekst/forsendelser")
	v.unfold("#status")
	v.Select("#status", "Levert i Altinn")
	v.ClickText("button", "Vis treff")
	v.wantText("tbody", l.title)
	if v.Count("tbody tr") != 1 {
		t.Errorf("%d are delivered in Altinn", v.Count("tbody tr"))
	}
	if dispatch.Newest() != dispatch.V3 {
		t.Error("there is a newer generation to write letters over")
	}
}

// sendsToHealth turns the health network on for an account, and sends to a general practitioner and to a HER-id.
func sendsToHealth(t *testing.T, b *browsertest.Browser) {
	s := newStackV3(t)
	admin := s.as(t, b, withoutScript, "nora")
	admin.Go("/admin/kontoer/oppvekst")
	admin.Check("#helse")
	admin.ClickText("button", "Lagre kontoen")
	admin.wantText("[role=status]", "lagret")

	v := s.as(t, b, withoutScript, "kari")
	patient, name := nationalID(), named(mark())
	begin := func(title string) {
		v.newShipment()
		v.attach(file(t, ".pdf", pdftest.Make(1)))
		v.Check("[name=hvem][value=helsenett]")
		v.fillAll(map[string]string{
			"tittel": title, "pasient-nummer": patient, "pasient-fornavn": "Kari", "pasient-etternavn": name,
			"kontakt-fornavn": "Sak", "kontakt-etternavn": "Behandler", "kontakt-telefon": "74 00 00 00", "beskrivelse": "Epikrise etter opphold",
		})
	}
	title := "Epikrise " + mark()
	begin(title)
	v.Fill("#pasient-fornavn", "")
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary", "navn")
	v.Fill("#pasient-fornavn", "Kari")
	v.check()
	v.wantText("main", "Til fastlegen til Kari "+name+", i helsenettet")
	v.wantText("main", "Kontaktperson: Sak Behandler, 74 00 00 00")
	v.glance("shipment-health-review")
	v.post()
	v.awaitShipment("Levert til helsemottaker")
	v.wantText("section[aria-labelledby=historikk]", "Levert til helsemottaker")
	v.wantText("section[aria-labelledby=mottaker]", "Fastlegen til pasienten")
	v.wantUnseen(patient)
	v.look("shipment-health")
	got := s.shipped(t, title)
	wantSent(t, got.Metadata, []string{"beskrivelse", "mottakertype", "avsenderKontakt", "pasient", "eksternReferanse"},
		[]string{"mottakerHerId", "dokumenter", "mottaker", "svarSendesTil", "kunDigitalLevering", "utskriftskonfigurasjon", "sikkerhetsniva", "eksponertFor"})

	title = "Henvisning [ukvittert] " + mark()
	begin(title)
	v.Check("[name=helsemottaker][value=herid]")
	v.Fill("#her-id", "8140123")
	v.check()
	v.wantText("main", "Til HER-id 8140123 i helsenettet")
	v.post()
	v.awaitShipment("Sendt til helsemottaker")
	wantSent(t, s.shipped(t, title).Metadata, []string{"mottakerHerId"}, nil)
	v.ClickText("summary", "Flere valg")
	v.ClickText("button", "Lag en ny forsendelse av denne")
	v.wantHeading("Ny forsendelse")
	if got := v.Value("#her-id") + v.Value("#pasient-etternavn"); got != "8140123"+name {
		t.Errorf("the copy holds %q", got)
	}
}
