package simulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
)

// breachesV2 says for each rule of V2 how to break it, and nothing else.
func breachesV2(now time.Time) map[string]*draft {
	day := 24 * time.Hour
	long := strings.Repeat("x", 101)
	link := map[string]any{"url": "https://example.no", "tekst": "Les"}
	all := map[string]*draft{
		"tittel is missing":              newDraftV2().set("tittel", " "),
		"tittel is over 1000 characters": newDraftV2().set("tittel", strings.Repeat("ø", 1001)),
		"mottaker is missing":            newDraftV2().set("mottaker", nil),
		"mottaker.digitalId is missing where nothing may be printed": newDraftV2().set("kunDigitalLevering", true).set("mottaker.digitalId", nil),
		"konteringskode does not fit its pattern":                    newDraftV2().set("konteringskode", "a b"),
		"eksponertFor holds something else than 9 or 11 digits":      newDraftV2().set("eksponertFor", []any{person, "1234567890"}),
		"eksponertFor holds a number twice":                          newDraftV2().set("eksponertFor", []any{person, person}),
		"giroarkSider holds a page twice":                            newDraftV2().set("dokumenter.0.giroarkSider", []any{2, 2}),
		"giroarkSider holds a page below 1":                          newDraftV2().set("dokumenter.0.giroarkSider", []any{2, 0}),
		"svarPaForsendelse is not a uuid":                            newDraftV2().set("svarPaForsendelse", "17"),
		"krevNiva4Innlogging without kryptert":                       newDraftV2().set("krevNiva4Innlogging", true),
		"a date is not ISO 8601 with an offset":                      newDraftV2().set("metadataForImport", map[string]any{"dokumentetsDato": "2026-01-01T00:00:00"}),
		"lenker holds more than five":                                newDraftV2().set("lenker", []any{link, link, link, link, link, link}),
		"avgivendeSystem is over 100 characters":                     newDraftV2().set("avgivendeSystem", long),
		"forsendelsestype is over 100 characters":                    newDraftV2().set("forsendelsestype", long),
		"eksternReferanse is over 100 characters":                    newDraftV2().set("eksternReferanse", long),
		"korrelasjonsid is over 100 characters":                      newDraftV2().set("korrelasjonsid", long),
		"filnavn is missing":                                         newDraftV2().set("dokumenter.0.filnavn", ""),
		"filnavn is over 226 characters":                             newDraftV2().set("dokumenter.0.filnavn", strings.Repeat("ø", 223)+".pdf"),
		"filnavn is given twice":                                     newDraftV2().addV2("VEDTAK.pdf", "application/pdf", "to"),
		"filnavn holds an invalid character":                         newDraftV2().set("dokumenter.0.filnavn", `sak\1.pdf`),
		"mimeType is missing":                                        newDraftV2().set("dokumenter.0.mimeType", nil),
		"a file to be printed is not PDF":                            newDraftV2().set("dokumenter.0.mimeType", "text/xml"),
		"a file left out of the print is not PDF":                    newDraftV2().addV2("x.xml", "text/xml", "<x/>", "skalEkskluderesFraUtskrift", true),
		"signaturType is unknown":                                    newDraftV2().signedV2(now).set("signaturType", "Avansert"),
		"skalSigneres on more than one document":                     newDraftV2().signedV2(now).addV2("b.pdf", "application/pdf", "to", "skalSigneres", true),
		"skalSigneres on a document that is not PDF":                 newDraftV2().set("kunDigitalLevering", true).signedV2(now).set("dokumenter.0.mimeType", "text/plain"),
		"skalSigneres without a national id in digitalId":            newDraftV2().signedV2(now).set("mottaker.digitalId", employer),
		"skalSigneres without signeringUtloper":                      newDraftV2().signedV2(now).set("signeringUtloper", nil),
		"signeringUtloper is less than a day ahead":                  newDraftV2().signedV2(now).set("signeringUtloper", now.Add(day-2*time.Minute).Format(time.RFC3339)),
		"skalSigneres without signaturType":                          newDraftV2().signedV2(now).set("signaturType", nil),
		"url is not a link with http, https or ftp":                  newDraftV2().set("lenker", []any{map[string]any{"url": "file:///etc/passwd", "tekst": "Les"}}),
		"tekst is missing":                                           newDraftV2().set("lenker", []any{map[string]any{"url": "https://example.no"}}),
		"svarPaForsendelseLink without an organisation number in svarSendesTil": newDraftV2().
			set("svarPaForsendelseLink", true).set("svarSendesTil", personV2()),
		"there is nothing to print":                 newDraftV2().set("dokumenter.0.skalEkskluderesFraUtskrift", true),
		"a document is empty":                       newDraftV2().addV2("tom.pdf", "application/pdf", ""),
		"the documents are too large to be printed": newDraftV2().addV2("stor.pdf", "application/pdf", strings.Repeat("x", 1000)),
	}
	for _, field := range []string{"mottaker", "svarSendesTil"} {
		for text, d := range addressBreachesV2(field) {
			all[field+text] = d
		}
	}
	return all
}

func addressBreachesV2(field string) map[string]*draft {
	with := func(path string, value any) *draft {
		return newDraftV2().set(field, personV2()).set(field+path, value)
	}
	return map[string]*draft{
		".navn is missing":                      with(".navn", " "),
		".poststed is missing":                  with(".poststed", nil),
		".postnummer is missing":                with(".postnummer", nil),
		".postnummer is not four digits":        with(".postnummer", "155"),
		".digitalId is neither 11 nor 9 digits": with(".digitalId", person[1:]),
	}
}

func TestShipmentRulesV2(t *testing.T) {
	t.Parallel()
	all := breachesV2(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	for _, rule := range shipmentv2.Rules() {
		d, ok := all[rule.Text]
		delete(all, rule.Text)
		t.Run(rule.Answer+" when "+rule.Text, func(t *testing.T) {
			t.Parallel()
			if !ok {
				t.Fatal("no test breaks this rule")
			}
			g := newRig(t, simulator.Options{PrintLimit: 1000, RefuseExcluded: true})
			got := g.shipV2(t, d)
			g.checkViolations(t, shipmentv2.OpSend+": "+rule.Text)
			if rule.Answer == "400" {
				checkError(t, got, http.StatusBadRequest)
				if n := len(g.sim.Shipments()); n != 0 {
					t.Errorf("got %d accepted, want 0", n)
				}
				return
			}
			checkRejectedV2(t, g, got, rule.Text)
		})
	}
	for text := range all {
		t.Errorf("got no rule %q", text)
	}
}

// checkRejectedV2 demands a shipment that was accepted and then becomes AVVIST.
func checkRejectedV2(t *testing.T, g *rig, got reply, rule string) {
	t.Helper()
	books := g.sim.Shipments()
	if got.status != http.StatusOK || len(books) != 1 || books[0].Rejected != rule {
		t.Fatalf("got status %d and %+v accepted, want 200 and one rejected for %q", got.status, books, rule)
	}
	g.clock.advance(pace)
	if got := g.statusV2(t, books[0].ID); got != "AVVIST" {
		t.Errorf("got %s, want AVVIST", got)
	}
}

func TestAddressesThatV2Takes(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*draft{
		"one abroad needs no postal code":        newDraftV2().set("mottaker.land", "Sverige").set("mottaker.postnummer", nil),
		"one abroad may have shipments in it":    newDraftV2().set("mottaker.land", "Sverige").set("mottaker.postnummer", "SE-111 22"),
		"a name and a number are enough digital": newDraftV2().set("kunDigitalLevering", true).set("mottaker", map[string]any{"navn": "Kari", "digitalId": person}),
		"one without a number is printed":        newDraftV2().set("mottaker.digitalId", nil),
		"an organisation has nine digits":        newDraftV2().set("mottaker.digitalId", employer),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			g.shippedV2(t, d)
			g.checkViolations(t)
		})
	}
}
