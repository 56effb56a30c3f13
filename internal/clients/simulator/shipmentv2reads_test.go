package simulator_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
)

func TestStatusOfV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{TokenLifetime: time.Hour})
	id := g.shippedV2(t, newDraftV2())
	first := fmt.Sprintf(`{"id":%q,"sisteStatusEndring":"2026-03-02T10:00:00+01:00","status":"MOTTATT"}`, id)
	checkJSON(t, g.search(t, `{"forsendelseIds":["`+strings.ToUpper(id)+`"]}`), `{"statuser":[`+first+`]}`)
	var seen []string
	for range 4 {
		seen = append(seen, g.statusV2(t, id))
		g.clock.advance(pace)
	}
	if want := []string{"MOTTATT", "AKSEPTERT", "VARSLET", "LEST"}; !slices.Equal(seen, want) {
		t.Errorf("got %q, want %q", seen, want)
	}
	g.checkViolations(t)
}

func TestStatusSearch(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	a, b := g.shippedV2(t, newDraftV2()), g.shippedV2(t, newDraftV2().titled("[status 404]"))
	elsewhere := newDraftV2()
	elsewhere.path = "kontoer/" + stranger + "/forsendelser"
	c := g.shippedV2(t, elsewhere)
	d := g.shipped(t, newDraft())
	t.Run("leaves out what is unknown, of another account, of V1 or made to be missing", func(t *testing.T) {
		got := g.search(t, fmt.Sprintf(`{"forsendelseIds":[%q,%q,%q,%q,%q]}`, stranger, b, c, d, a))
		checkJSON(t, got, fmt.Sprintf(`{"statuser":[{"id":%q,"sisteStatusEndring":"2026-03-02T10:00:00+01:00","status":"MOTTATT"}]}`, a))
	})
	g.checkViolations(t)
	thousand := strings.Repeat(`"`+stranger+`",`, 999) + `"` + stranger + `"`
	t.Run("takes a thousand ids", func(t *testing.T) {
		checkJSON(t, g.search(t, `{"forsendelseIds":[`+thousand+`]}`), `{"statuser":[]}`)
	})
	for body, line := range map[string]string{
		`{"forsendelseIds":[]}`: "the list has not 1 to 1000 items",
		`{}`:                    "the list has not 1 to 1000 items",
		`{"forsendelseIds":[` + thousand + `,"` + a + `"]}`: "the list has not 1 to 1000 items",
		`{"forsendelseIds":["17"]}`:                         "an id is not a uuid",
		`{"forsendelseIds":[{"id":"` + a + `"}]}`:           "field forsendelseIds has the wrong type",
		`{"ids":[]}`:    `unknown field "ids"`,
		`["` + a + `"]`: "body is not a JSON object",
	} {
		t.Run("refuses: "+line, func(t *testing.T) {
			before := len(g.sim.Violations())
			checkError(t, g.search(t, body), http.StatusBadRequest)
			if got := g.sim.Violations()[before:]; !slices.Equal(got, []string{shipmentv2.OpStatuses + ": " + line}) {
				t.Errorf("got violations %q, want %q", got, line)
			}
		})
	}
}

func TestReferencesOfV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	reference := "2026/17 æ&?"
	a := g.shippedV2(t, newDraftV2().set("eksternReferanse", reference).set("avgivendeSystem", "Utsending"))
	g.clock.advance(time.Second)
	b := g.shippedV2(t, newDraftV2().set("eksternReferanse", reference))
	g.shipped(t, newDraft().set("eksternReferanse", reference))
	query := "?eksternRef=2026%2F17%20%C3%A6%26%3F"
	checkJSON(t, g.getV2(t, sendV2+query), fmt.Sprintf(`{"forsendelseIds":[%q,%q]}`, a, b))
	checkJSON(t, g.getV2(t, sendV2+"/metadata"+query), fmt.Sprintf(`{"forsendelser":[`+
		`{"id":%q,"dato":"2026-03-02T10:00:00+01:00","avgivendeSystem":"Utsending"},`+
		`{"id":%q,"dato":"2026-03-02T10:00:01+01:00"}]}`, a, b))
	checkJSON(t, g.getV2(t, sendV2+"?eksternRef=x"), `{"forsendelseIds":[]}`)
	checkJSON(t, g.getV2(t, sendV2+"/metadata?eksternRef=x"), `{"forsendelser":[]}`)
	checkJSON(t, g.getV2(t, "kontoer/"+stranger+"/forsendelser"+query), `{"forsendelseIds":[]}`)
	g.checkViolations(t)
	for _, path := range []string{sendV2, sendV2 + "/metadata", sendV2 + "?eksternref=x", sendV2 + "?eksternRef=x&eksternRef=y"} {
		checkError(t, g.getV2(t, path), http.StatusBadRequest)
	}
	if got := len(g.sim.Violations()); got != 4 {
		t.Errorf("got %d violations, want 4", got)
	}
}

func TestHistoriesOfV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	id := g.shippedV2(t, newDraftV2().signedV2(g.clock.Now()))
	plain := g.shippedV2(t, newDraftV2())
	checkJSON(t, g.getV2(t, "forsendelser/"+id+"/hendelser"), `{"hendelser":[`+
		`{"tidspunkt":"2026-03-02T10:00:00+01:00","hendelse":"Mottatt, og tildelt forsendelse-id"},`+
		`{"tidspunkt":"2026-03-02T10:00:00+01:00","hendelse":"Metadata er validert OK"},`+
		`{"tidspunkt":"2026-03-02T10:00:00+01:00","hendelse":"Orginaldokumenter er lagret (1 dokument)"}]}`)
	g.clock.advance(pace)
	checkJSON(t, g.getV2(t, "forsendelser/"+id+"/signeringshendelser"), `{"hendelser":[`+
		`{"tidspunkt":"2026-03-02T10:01:00+01:00","status":"VENTER_SIGNERING","hendelse":"Signeringsoppdrag av type AVANSERT_SIGNATUR registert og utløper 04.03.2026"}]}`)
	checkJSON(t, g.getV2(t, "forsendelser/"+plain+"/signeringshendelser"), `{"hendelser":[]}`)
	g.checkViolations(t)
}

func TestDocumentsOfV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	extra := []any{map[string]any{"key": "a", "value": "b"}}
	id := g.shippedV2(t, newDraftV2().signedV2(g.clock.Now()).addV2("b.pdf", "application/pdf", "to", "dokumentType", "V",
		"ekstraMetadata", extra, "inneholderPersonsensitivInformasjon", true))
	base := g.url + "/forsendelse/" + id + "/"
	path := "forsendelser/" + id + "/metadata"
	checkJSON(t, g.getV2(t, path), `{"dokumenter":[`+
		`{"filnavn":"vedtak.pdf","mimeType":"application/pdf","dokumentType":"","storrelse":15,`+
		`"sha256Hash":"432ae46abf3ab0d0f4b488b34773905a3c589d52e1b2837a0181a99270334a98",`+
		`"nedlasningUrl":"`+base+`1","kanSigneres":true,"signeringUrl":"`+base+`signer"},`+
		`{"filnavn":"b.pdf","mimeType":"application/pdf","dokumentType":"V","storrelse":2,`+
		`"sha256Hash":"663ea1bfffe5038f3f0cf667f14c4257eff52d77ce7f2a218f72e9286616ea39",`+
		`"nedlasningUrl":"`+base+`2","kanSigneres":false,"ekstraMetadata":[{"key":"a","value":"b"}],"inneholderPersonsensitivInformasjon":true}]}`)
	g.checkViolations(t)
}

func TestMarkReadOnV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	id := g.shippedV2(t, newDraftV2().titled("[print]"))
	lest := func(id, body string) reply {
		return g.do(g.v2(t, http.MethodPost, "forsendelser/"+id+"/lest", body))
	}
	if got := lest(id, `{"fnr":"`+person+`","tidspunkt":"2026-03-02T09:30:00+01:00"}`); got.status != http.StatusNoContent || got.body != "" {
		t.Errorf("got %d %q, want 204 and nothing", got.status, got.body)
	}
	lest(id, `{"fnr":"`+person+`","tidspunkt":"2026-03-02T09:31:00.5Z","eksterntSystemnavn":"Fag"}`)
	if got := g.statusV2(t, id); got != "LEST" {
		t.Errorf("got %s, want LEST", got)
	}
	book := g.sim.Shipments()[0]
	if at := time.Date(2026, 3, 2, 9, 31, 0, 5e8, time.UTC); book.ReadBy != person || book.ReadSystem != "Fag" || !book.ReadAt.Equal(at) {
		t.Errorf("got %+v, want it read by %s in Fag at %s", book, person, at)
	}
	g.checkViolations(t)
	for body, line := range map[string]string{
		`{"tidspunkt":"2026-03-02T09:30:00+01:00"}`:                                   "fnr is not eleven digits",
		`{"fnr":"` + person[1:] + `","tidspunkt":"2026-03-02T09:30:00+01:00"}`:        "fnr is not eleven digits",
		`{"fnr":"` + person + `"}`:                                                    "tidspunkt is not ISO 8601 with an offset",
		`{"fnr":"` + person + `","tidspunkt":"2026-03-02T09:30:00"}`:                  "tidspunkt is not ISO 8601 with an offset",
		`{"fnr":"` + person + `","tidspunkt":1}`:                                      "field tidspunkt has the wrong type",
		`{"lestAvFodselsNummer":"` + person + `","tidspunkt":"2026-03-02T09:30:00Z"}`: `unknown field "lestAvFodselsNummer"`,
	} {
		t.Run("refuses: "+line, func(t *testing.T) {
			before := len(g.sim.Violations())
			checkError(t, lest(id, body), http.StatusBadRequest)
			if got := g.sim.Violations()[before:]; !slices.Equal(got, []string{shipmentv2.OpMarkRead + ": " + line}) {
				t.Errorf("got violations %q, want %q", got, line)
			}
		})
	}
}

func TestDeleteDocumentsOfV2(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"": "ORIGINALDOKUMENTER", "?slettetype=ORIGINALDOKUMENTER": "ORIGINALDOKUMENTER", "?slettetype=ALLE": "ALLE",
		"?slettetype=alle": "", "?slettetype=": "", "?type=ALLE": "",
	} {
		t.Run("with the query "+query, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			id := g.shippedV2(t, newDraftV2())
			got := g.do(g.v2(t, http.MethodDelete, "forsendelser/"+id+"/dokumenter"+query, ""))
			book := g.sim.Shipments()[0]
			if book.DeletedHow != want || book.FilesDeleted != (want != "") {
				t.Errorf("got %q deleted, want %q", book.DeletedHow, want)
			}
			if want == "" {
				checkError(t, got, http.StatusBadRequest)
				return
			}
			if got.status != http.StatusNoContent || got.body != "" {
				t.Errorf("got %d %q, want 204 and nothing", got.status, got.body)
			}
			checkJSON(t, g.getV2(t, "forsendelser/"+id+"/metadata"), `{"dokumenter":[]}`)
			g.checkViolations(t)
		})
	}
}

func TestLookupsOfV2(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	checkJSON(t, g.getV2(t, "forsendelsestyper"), `{"forsendelsestyper":["Byggesøknad","Delingssøknad","ks.signertforsendelse"]}`)
	level4 := `{"id":"7f1c0001-0000-4000-8000-000000000002","navn":"ePhorte sikker","organisasjonsnummer":"987654325","forsendelseType":"Byggesøknad","niva":4}`
	signed := `{"id":"7f1c0001-0000-4000-8000-000000000003","navn":"Signert post","organisasjonsnummer":"987654325","forsendelseType":"ks.signertforsendelse","niva":4}`
	for query, want := range map[string]string{
		"":                                       "4",
		"?niva=4":                                level4 + "," + signed,
		"?forsendelseType=ks.signertforsendelse": signed,
		"?organisasjonsnummer=987654325&forsendelseType=Byggesøknad&niva=4": level4,
		"?organisasjonsnummer=812345672&niva=9":                             "",
	} {
		got := g.getV2(t, "mottakersystem"+query)
		if want == "4" {
			if n := strings.Count(got.body, `"id":`); n != 4 {
				t.Errorf("got %d systems, want 4", n)
			}
			continue
		}
		checkJSON(t, got, `{"mottakersystemer":[`+want+`]}`)
	}
	g.checkViolations(t)
	for _, query := range []string{
		"?organisasjonsnummer=98765432", "?organisasjonsnummer=", "?niva=10", "?niva=x", "?forsendelseType=", "?forsendelseType=.a",
		"?forsendelseType=a+b", "?forsendelseType=" + strings.Repeat("a", 101), "?organisasjonsNummer=987654325",
	} {
		checkError(t, g.getV2(t, "mottakersystem"+query), http.StatusBadRequest)
	}
	checkError(t, g.getV2(t, "mottakersystem/987654325"), http.StatusNotFound)
	if got := len(g.sim.Violations()); got != 10 {
		t.Errorf("got %d violations, want 10", got)
	}
}

func TestAVersionToCome(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Ahead: true})
	sent := g.shipV2(t, newDraftV2().set("eksternReferanse", "a").signedV2(g.clock.Now()))
	id := g.sim.Shipments()[0].ID
	field := `"nyttFelt":{"verdi":"ukjent"}`
	checkJSON(t, sent, `{"id":"`+id+`",`+field+`}`)
	g.clock.advance(2 * pace)
	g.fetchToken(t)
	if got := g.statusV2(t, id); got != "SENDT_ALTINN" {
		t.Errorf("got %s, want SENDT_ALTINN", got)
	}
	checkJSON(t, g.getV2(t, sendV2+"/metadata?eksternRef=a"), `{"forsendelser":[{"id":"`+id+
		`","dato":"2026-03-02T10:00:00+01:00","status":"SENDT_ALTINN",`+field+`}],`+field+`}`)
	for operation, r := range operationsV2(t, g, id) {
		if got := g.do(r); got.status == http.StatusOK && !strings.Contains(got.body, field) {
			t.Errorf("%s: got %s, want the field that nobody knows", operation, got.body)
		}
	}
	g.checkViolations(t)
}
