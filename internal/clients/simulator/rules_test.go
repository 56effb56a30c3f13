package simulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
)

// breaches says for each rule of V1 how to break it, and nothing else.
func breaches(now time.Time) map[string]*draft {
	day := 24 * time.Hour
	all := map[string]*draft{
		"tittel is missing":                                     newDraft().set("tittel", " "),
		"avgivendeSystem is missing":                            newDraft().set("avgivendeSystem", nil),
		"konteringsKode does not fit its pattern":               newDraft().set("konteringsKode", "a_b"),
		"mottaker is missing":                                   newDraft().set("mottaker", nil),
		"eksponertFor holds something else than 9 or 11 digits": newDraft().set("eksponertFor", []any{person, "1234567890"}),
		"svarPaForsendelse is not a uuid":                       newDraft().set("svarPaForsendelse", map[string]any{"id": "17"}),
		"krevNiva4Innlogging without kryptert":                  newDraft().set("krevNiva4Innlogging", true),
		"filnavn is missing":                                    newDraft().set("dokumenter.0.filnavn", ""),
		"filnavn is over 226 characters":                        newDraft().set("dokumenter.0.filnavn", strings.Repeat("ø", 223)+".pdf"),
		"filnavn is given twice":                                newDraft().add("VEDTAK.pdf", "application/pdf", "to"),
		"mimeType is missing":                                   newDraft().set("dokumenter.0.mimeType", nil),
		"a file to be printed is not PDF":                       newDraft().set("dokumenter.0.mimeType", "text/xml"),
		"giroarkSider holds a page below 1":                     newDraft().set("dokumenter.0.giroarkSider", []any{2, 0}),
		"signaturType is unknown":                               newDraft().signed(now).set("signaturType", "Avansert"),
		"skalSigneres on more than one document":                newDraft().signed(now).add("b.pdf", "application/pdf", "to", "skalSigneres", true),
		"skalSigneres on a document that is not PDF": newDraft().set("kunDigitalLevering", true).signed(now).
			set("dokumenter.0.mimeType", "text/plain"),
		"skalSigneres without fodselsNummer": newDraft().signed(now).
			set("mottaker.digitalAdresse", map[string]any{"organisasjonsNummer": map[string]any{"id": employer}}),
		"skalSigneres without signeringUtloper":     newDraft().signed(now).set("signeringUtloper", nil),
		"signeringUtloper is less than a day ahead": newDraft().signed(now).set("signeringUtloper", now.Add(day-2*time.Minute).UnixMilli()),
		"skalSigneres without signaturType":         newDraft().signed(now).set("signaturType", nil),
		"urlLenke is not a link with http, https or ftp": newDraft().set("lenker", []any{
			map[string]any{"urlLenke": "file:///etc/passwd", "urlTekst": "Les"}}),
		"urlTekst is missing": newDraft().set("lenker", []any{map[string]any{"urlLenke": "https://example.no"}}),
		"svarPaForsendelseLink without an organisation number in svarSendesTil": newDraft().
			set("svarPaForsendelseLink", true).set("svarSendesTil", person1()),
		"there is nothing to print":                 newDraft().set("dokumenter.0.ekskluderesFraUtskrift", true),
		"a document is empty":                       newDraft().add("tom.pdf", "application/pdf", ""),
		"the documents are too large to be printed": newDraft().add("stor.pdf", "application/pdf", strings.Repeat("x", 1000)),
		"a file left out of the print is not PDF":   newDraft().add("x.xml", "text/xml", "<x/>", "ekskluderesFraUtskrift", true),
		"filnavn holds an invalid character":        newDraft().set("dokumenter.0.filnavn", "sak:1.pdf"),
	}
	for _, field := range []string{"mottaker", "svarSendesTil"} {
		for text, d := range addressBreaches(field) {
			all[field+text] = d
		}
	}
	return all
}

func addressBreaches(field string) map[string]*draft {
	with := func(path string, value any) *draft {
		d := newDraft()
		if field != "mottaker" {
			d.set(field, person1())
		}
		return d.set(field+path, value)
	}
	return map[string]*draft{
		".postAdresse is missing":                    with(".postAdresse", nil),
		".postAdresse.navn is missing":               with(".postAdresse.navn", " "),
		".postAdresse.postSted is missing":           with(".postAdresse.postSted", nil),
		".postAdresse.postNummer is missing":         with(".postAdresse.postNummer", nil),
		".postAdresse.land is missing":               with(".postAdresse.land", nil),
		".postAdresse.postNummer is not four digits": with(".postAdresse.postNummer", "155"),
		".digitalAdresse is not one of a person and an organisation": with(".digitalAdresse", map[string]any{
			"fodselsNummer": person, "organisasjonsNummer": map[string]any{"id": employer}}),
		".fodselsNummer is not eleven digits":     with(".digitalAdresse.fodselsNummer", person[1:]),
		".organisasjonsNummer is not nine digits": with(".digitalAdresse", map[string]any{"organisasjonsNummer": map[string]any{"id": person}}),
	}
}

func TestShipmentRules(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	all := breaches(now)
	for _, rule := range shipmentv1.Rules() {
		d, ok := all[rule.Text]
		delete(all, rule.Text)
		t.Run(rule.Answer+" when "+rule.Text, func(t *testing.T) {
			t.Parallel()
			if !ok {
				t.Fatal("no test breaks this rule")
			}
			g := newRig(t, simulator.Options{PrintLimit: 1000, RefuseExcluded: true})
			got := g.ship(t, d)
			g.checkViolations(t, "sendForsendelse: "+rule.Text)
			if rule.Answer == "400" {
				checkError(t, got, http.StatusBadRequest)
				if n := len(g.sim.Shipments()); n != 0 {
					t.Errorf("got %d accepted, want 0", n)
				}
				return
			}
			checkRejected(t, g, got, rule.Text)
		})
	}
	for text := range all {
		t.Errorf("got no rule %q", text)
	}
}

// checkRejected demands a shipment that was accepted and then becomes AVVIST.
func checkRejected(t *testing.T, g *rig, got reply, rule string) {
	t.Helper()
	books := g.sim.Shipments()
	if got.status != http.StatusOK || len(books) != 1 || books[0].Rejected != rule {
		t.Fatalf("got status %d and %+v accepted, want 200 and one rejected for %q", got.status, books, rule)
	}
	if got := g.shipmentStatus(t, books[0].ID); got != "MOTTATT" {
		t.Errorf("got %s, want MOTTATT", got)
	}
	g.clock.advance(pace)
	if got := g.shipmentStatus(t, books[0].ID); got != "AVVIST" {
		t.Errorf("got %s, want AVVIST", got)
	}
	history := g.history(t, books[0].ID)
	if got, want := history[len(history)-1], "Forsendelsen er avvist: "+rule; got != want {
		t.Errorf("got event %q, want %q", got, want)
	}
}

func TestInvalidCharactersInFileNames(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for _, c := range `"<>?*|:/\` {
		checkError(t, g.ship(t, newDraft().set("dokumenter.0.filnavn", "a"+string(c)+".pdf")), http.StatusBadRequest)
	}
}

func TestRulesAccept(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	long := strings.Repeat("ø", 222) + ".pdf"
	longest := newDraft().set("dokumenter.0.filnavn", long)
	longest.files = []part{document(long, "x")}
	replies := func() *draft {
		return newDraft().set("svarSendesTil", person1()).
			set("svarSendesTil.digitalAdresse", map[string]any{"organisasjonsNummer": map[string]any{"id": employer}})
	}
	for name, d := range map[string]*draft{
		"a digital shipment without place, code and country": newDraft().set("kunDigitalLevering", true).
			set("mottaker.postAdresse", map[string]any{"navn": "Kari"}),
		"a foreign code":                       newDraft().set("mottaker.postAdresse.land", "Sverige").set("mottaker.postAdresse.postNummer", "111 22"),
		"a recipient without number":           newDraft().set("mottaker.digitalAdresse", nil),
		"an organisation":                      newDraft().set("mottaker.digitalAdresse", map[string]any{"organisasjonsNummer": map[string]any{"id": employer}}),
		"a file name of 226 characters":        longest,
		"a digital file that is not PDF":       newDraft().set("kunDigitalLevering", true).add("x.xml", "text/xml", "<x/>"),
		"a file that is left out of the print": newDraft().add("x.mp4", "video/mp4", "x", "ekskluderesFraUtskrift", true),
		"a digital shipment over the limit":    newDraft().set("kunDigitalLevering", true).add("b.pdf", "application/pdf", strings.Repeat("x", 1000)),
		"a shipment at the limit":              newDraft().add("b.pdf", "application/pdf", strings.Repeat("x", 985)),
		"a digital shipment of links only":     linksOnly(),
		"a deadline one day ahead":             newDraft().signed(now).set("signeringUtloper", now.Add(24*time.Hour).UnixMilli()),
		"a billing code of 20 characters":      newDraft().set("konteringsKode", strings.Repeat("Å", 20)),
		"a link for replies":                   replies().set("svarPaForsendelseLink", true),
		"an address for replies only":          replies(),
		"a link with ftp":                      newDraft().set("lenker", []any{map[string]any{"urlLenke": "ftp://example.no", "urlTekst": "x"}}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{PrintLimit: 1000})
			g.shipped(t, d)
			g.checkViolations(t)
		})
	}
}

func linksOnly() *draft {
	d := newDraft().set("kunDigitalLevering", true).set("dokumenter", nil).
		set("lenker", []any{map[string]any{"urlLenke": "http://example.no", "urlTekst": "x"}})
	d.files = nil
	return d
}

func TestTheDeployedServiceIsMilder(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*draft{
		"without avgivendeSystem":         newDraft().set("avgivendeSystem", nil),
		"without land":                    newDraft().set("mottaker.postAdresse.land", nil),
		"without a code in another land":  newDraft().set("mottaker.postAdresse.land", "Irland").set("mottaker.postAdresse.postNummer", nil),
		"with null where nothing is told": newDraft().null("konteringsKode").null("svarSendesTil").null("dokumenter.0.giroarkSider"),
	} {
		t.Run("accepts a shipment "+name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{Wire: simulator.WireDeployed})
			g.shipped(t, d)
			g.checkViolations(t)
			checkError(t, newRig(t, simulator.Options{}).ship(t, d), http.StatusBadRequest)
		})
	}
}
