package main_test

import (
	"slices"
	"strings"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/clients/simulator"
	"utsending/internal/pdf/pdftest"
)

// unfold opens the closed details element around a field.
func (v *visitor) unfold(field string) {
	v.t.Helper()
	if v.Count("details[open]:has("+field+")") == 0 {
		v.Click("details:has(" + field + ") > summary")
	}
}

// fillAll fills in fields by their ids.
func (v *visitor) fillAll(values map[string]string) {
	v.t.Helper()
	for id, value := range values {
		v.Fill("#"+id, value)
	}
}

// shipped is the one shipment that the service has accepted with a title.
func (s *stack) shipped(t *testing.T, title string) simulator.Shipment {
	t.Helper()
	t.Cleanup(func() { named(title) })
	all := slices.DeleteFunc(s.sim.Shipments(), func(b simulator.Shipment) bool { return b.Title != title })
	if len(all) != 1 || all[0].Rejected != "" {
		t.Fatalf("the service has accepted it %d times, want once and without complaint", len(all))
	}
	if got := s.sim.Violations(); len(got) > 0 {
		t.Errorf("the service complains: %q", got)
	}
	return all[0]
}

// typesPostalCode types the recipient's postal code, and waits for the announcement of its city.
func (v *visitor) typesPostalCode(code, place string) {
	v.t.Helper()
	v.Fill("#postnummer", code)
	v.WaitAnnounced("Poststed er satt til " + place)
	if got := v.Value("#poststed"); got != place {
		v.t.Errorf("%s: the place is %q, want %q", code, got, place)
	}
}

// replyAddress is the municipality's own.
var replyAddress = map[string]string{"svar-navn": "Fjordvik kommune", "svar-adresse1": "Rådhuset", "svar-postnummer": "7713", "svar-poststed": "Steinkjer"}

// sendsToOrganization finds a receiving system while a shipment is written, and sends to it with a link to reply.
func sendsToOrganization(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	title := "Tegninger [klar] " + mark()
	v.newShipment()
	v.Fill("#tittel", title)
	v.Check("[name=hvem][value=organisasjon]")
	v.ClickText("button", "Finn mottakersystem")
	v.wantHeading("Mottakersystem")
	v.glance("shipment-receivers")
	v.Fill("#orgnr", "987 654 325")
	v.Select("#niva", "Nivå 4")
	v.ClickText("button", "Vis treff")
	v.WaitText("tbody", "ePhorte sikker")
	v.wantText(".panel-head", "2 mottakersystem")
	v.ClickText("button", "Bruk i forsendelsen ePhorte sikker")
	v.wantText("[role=status]", "Mottakeren og forsendelsestypen er fylt inn")
	if got := []string{v.Value("#nummer"), v.Value("#type"), v.Value("#tittel")}; !slices.Equal(got, []string{"987654325", "Byggesøknad", title}) {
		t.Errorf("the form holds %q", got)
	}
	v.fillAll(map[string]string{"navn": "Nordvik kommune", "adresse1": "Storgata 1"})
	v.typesPostalCode("0150", "Oslo")
	v.typesPostalCode("7713", "Steinkjer")
	v.wantText("#storrelse", "0 kB av 350 MB")
	v.WaitText("#stand li:first-child", ": klar") // nothing is saved yet
	v.attach(file(t, ".pdf", pdftest.Make(1)))
	v.WaitText("#storrelse", "1 kB av 350 MB")
	v.unfold("#svarlenke")
	v.fillAll(replyAddress)
	v.Check("#svarlenke")
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary", "Svarlenke krever svaradresse med organisasjonsnummer.")
	v.Fill("#svar-nummer", "974760673")
	v.check()
	v.wantText("main", "får mottakeren en lenke for å svare")
	v.glance("shipment-review-organization")
	v.post()
	v.awaitShipment("Lest")
	got := s.shipped(t, title)
	if sent := string(got.Metadata); got.OrganizationNumber != "987654325" || !strings.Contains(sent, `"svarPaForsendelseLink":true`) || !strings.Contains(sent, "974760673") {
		t.Errorf("the service got %s", sent)
	}
}

// fillsInEveryField does so without scripts, finds each value at the service, and tells it that the shipment was read.
func fillsInEveryField(t *testing.T, b *browsertest.Browser) {
	s := newShipmentStack(t)
	v := s.as(t, b, withoutScript, "kari")
	title, reference, reader := "Alle felt [digitalt] "+mark(), "Ref-"+mark(), nationalID()
	v.newShipment()
	v.ClickText("button", "Legg til lenke")
	v.fillAll(map[string]string{"lenke-0-ledetekst": "Klag her:", "lenke-0-adresse": "javascript:alert(1)", "lenke-0-tekst": "Klageskjema"})
	v.Check("[name=hvem][value=organisasjon]")
	v.unfold("#adresse2")
	v.unfold("#type")
	v.fillAll(map[string]string{
		"nummer": "974760673", "navn": "Nordvik kommune", "adresse1": "Storgata 1", "adresse2": "Oppgang B", "adresse3": "Etasje 3", "postnummer": "7713",
		"poststed": "Steinkjer", "tittel": title, "kontering": "4100-SFO", "referanse": reference, "type": "Byggesøknad",
	})
	v.Upload("#fil", file(t, ".pdf", pdftest.Make(2)))
	v.ClickText("button", "Last opp valgte filer")
	v.unfold("[id$=-ekstra][id^=dok-]")
	v.Fill("[id$=-type][id^=dok-]", "Vedtaksbrev")
	v.Fill("[id$=-ekstra][id^=dok-]", "Arkivnr = 7")
	v.unfold("#svarlenke")
	v.fillAll(replyAddress)
	v.fillAll(map[string]string{"svar-nummer": "974760673", "svar-adresse2": "Andre etasje", "svar-adresse3": "Dør 3", "svar-pa": "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02"})
	v.unfold("#eksponert")
	v.Fill("#eksponert", reader+"\n812345672")
	v.Check("#taushetsbelagt")
	v.Check("#niva4")
	v.unfold("#sak-saksaar")
	v.fillAll(map[string]string{
		"sak-saksaar": "20267", "sak-sakssekvens": "12", "sak-journalaar": "2025", "sak-journalsekvens": "3", "sak-journalpost": "4", "sak-posttype": "U",
		"sak-journalstatus": "J", "sak-journaldato": "31.02.2026", "sak-dokumentdato": "19.11.2026", "sak-tittel": "Klagesak", "sak-saksbehandler": "Kari Saksbehandler", "sak-ekstra": "Skole = Nord",
	})
	v.unfold("#import-saksaar")
	v.fillAll(map[string]string{
		"import-saksaar": "2024", "import-sakssekvens": "5", "import-posttype": "I", "import-journalstatus": "M", "import-dokumentdato": "18.11.2026", "import-tittel": "Svarsak",
	})
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary h2", "Du må rette fire feil")
	v.glance("shipment-fields-problems")
	v.fillAll(map[string]string{"lenke-0-adresse": "https://fjordvik.example/klage", "sak-saksaar": "2026", "sak-journaldato": "20.11.2026"})
	v.Uncheck("#niva4")
	v.check()
	v.wantText(".ds-alert[data-color=warning]", "2 til kan hente alle filene")
	v.glance("shipment-review-fields")
	v.post()
	v.awaitShipment("Sendt digitalt")
	v.glance("shipment-fields")
	v.wantSentEveryField(s.shipped(t, title), reference, reader)
	v.readsElsewhere(s, title, reader)
}

// wantSentEveryField finds each value that was typed where the service got it.
func (v *visitor) wantSentEveryField(got simulator.Shipment, reference, reader string) {
	v.t.Helper()
	for _, want := range []string{
		`"adresse2":"Oppgang B"`, `"adresse3":"Etasje 3"`, `"konteringsKode":"4100-SFO"`, `"eksternReferanse":"` + reference + `"`, `"forsendelsesType":"Byggesøknad"`,
		`"dokumentType":"Vedtaksbrev"`, `{"key":"Arkivnr","value":"7"}`, `"adresse2":"Andre etasje"`, `"adresse3":"Dør 3"`, `"svarPaForsendelse":{"id":"5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02"}`,
		`{"urlLenke":"https://fjordvik.example/klage","urlTekst":"Klageskjema","ledeTekst":"Klag her:"}`, `"eksponertFor":["` + reader + `","812345672"]`, `"taushetsbelagtPost":true`,
		`"saksSekvensNummer":12,"saksAar":2026,"journalAar":2025,"journalSekvensNummer":3,"journalPostNummer":4,"journalPostType":"U","journalStatus":"J"`,
		`"tittel":"Klagesak","saksBehandler":"Kari Saksbehandler","ekstraMetadata":[{"key":"Skole","value":"Nord"}]`,
		`"saksSekvensNummer":5,"saksAar":2024,"journalPostType":"I","journalStatus":"M"`, `"tittel":"Svarsak"`, `"krevNiva4Innlogging":false`,
	} {
		if !strings.Contains(string(got.Metadata), want) {
			v.t.Errorf("the service did not get %s", want)
		}
	}
}

// readsElsewhere tells the service who read the shipment, from its page.
func (v *visitor) readsElsewhere(s *stack, title, reader string) {
	v.t.Helper()
	v.ClickText("summary", "Flere valg")
	v.ClickText("link", "Sett som lest")
	v.Fill("#leser", reader)
	v.ClickText("button", "Sett som lest")
	v.wantText(".ds-error-summary", "Kryss av for at forsendelsen er lest.")
	v.glance("shipment-read-elsewhere")
	v.Check("#bekreft")
	v.ClickText("button", "Sett som lest")
	v.wantText("[role=status]", "Tjenesten har fått vite at forsendelsen er lest")
	v.wantText("section[aria-labelledby=historikk]", "Satt som lest utenfor tjenesten")
	if got := s.shipped(v.t, title); got.ReadBy != reader || got.ReadSystem != "Utsending" {
		v.t.Errorf("the service was told %q", got.ReadSystem)
	}
	v.awaitShipment("Lest")
}
