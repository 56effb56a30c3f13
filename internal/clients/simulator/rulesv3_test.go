package simulator_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv3"
)

const (
	personV3       = "02813299952"
	organizationV3 = "812345672" // without a receiving system of that type
	sendV3         = "/api/v3/kontoer/" + account + "/forsendelser/"
)

func addressV3() map[string]any {
	return map[string]any{"adresselinje1": "Storgata 1", "postnummer": "0155", "poststed": "Oslo"}
}

func replyV3() map[string]any {
	return map[string]any{"navn": "Prøve kommune", "type": "ORGANISASJON", "digitalId": organizationV3, "adresse": addressV3()}
}

// newDraftV3 is a shipment of a kind, with no more than that demands.
func newDraftV3(kind string) *draft {
	d := newDraftV2()
	d.path = kind
	d.metadata["eksternReferanse"] = "sak 17"
	switch kind {
	case "person", "organisasjon":
		number := map[string]string{"person": personV3, "organisasjon": organizationV3}[kind]
		d.metadata["mottaker"] = map[string]any{"navn": "Kari Testesen", "digitalId": number, "adresse": addressV3()}
	case "print":
		d.metadata["mottaker"] = map[string]any{"navn": "Kari Testesen", "adresse": addressV3()}
	case "nhn":
		delete(d.metadata, "mottaker")
		delete(d.metadata, "dokumenter")
		d.metadata["mottakertype"] = "FASTLEGE"
		d.metadata["avsenderKontakt"] = map[string]any{"fornavn": "Sak", "etternavn": "Behandler", "telefonnummer": "99999999"}
		d.metadata["pasient"] = map[string]any{"fornavn": "Kari", "etternavn": "Prøve", "fodselsnummer": personV3}
	}
	return d
}

func (g *rig) shipV3(t *testing.T, d *draft) reply {
	t.Helper()
	r := g.request(t, http.MethodPost, sendV3+d.path, d.body(t))
	r.Header.Set("IntegrasjonId", integration)
	r.Header.Set("IntegrasjonPassord", "passord1")
	r.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
	return g.do(r)
}

// signedV3 makes the first document one to sign.
func (d *draft) signedV3(now time.Time) *draft {
	return d.set("dokumenter.0.skalSigneres", true).set("svarSendesTil", replyV3()).
		set("signering", map[string]any{"signaturType": "AVANSERT_SIGNATUR", "signeringUtloper": now.Add(48 * time.Hour).Format(time.RFC3339)})
}

func TestV3TakesWhatItMust(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"person", "organisasjon", "print", "nhn"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			if got := g.shipV3(t, newDraftV3(kind)); got.status != http.StatusOK || len(g.sim.Shipments()) != 1 {
				t.Errorf("got status %d, %s, %q, want it accepted", got.status, got.body, g.sim.Violations())
			}
		})
	}
	t.Run("optional null", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		if got := g.shipV3(t, newDraftV3("person").signedV3(g.clock.Now()).set("lenker", json.RawMessage("null")).set("konteringskode", json.RawMessage("null"))); got.status != http.StatusOK {
			t.Errorf("got status %d, %q, want it accepted", got.status, g.sim.Violations())
		}
	})
}

// TestV3Refuses breaks the rules of single values, and those that the kinds have of their own.
func TestV3Refuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		draft *draft
		want  string
	}{
		"a required field that is missing":       {newDraftV3("person").set("tittel", nil), "tittel is missing"},
		"an empty string":                        {newDraftV3("person").set("konteringskode", ""), "konteringskode breaks 1-20"},
		"a long name":                            {newDraftV3("print").set("mottaker.navn", strings.Repeat("ø", 101)), "mottaker.navn breaks 1-100"},
		"a long line":                            {newDraftV3("person").set("mottaker.adresse.adresselinje1", strings.Repeat("ø", 71)), "mottaker.adresse.adresselinje1 breaks 1-70"},
		"a country in words":                     {newDraftV3("person").set("mottaker.adresse.landkode", "Norge"), "mottaker.adresse.landkode breaks"},
		"an address of null":                     {newDraftV3("person").set("mottaker.adresse", json.RawMessage("null")), "mottaker.adresse is null"},
		"a level that does not exist":            {newDraftV3("person").set("sikkerhetsniva", "NIVA4"), "sikkerhetsniva breaks"},
		"a shipment that is no uuid":             {newDraftV3("print").set("svarPaForsendelseId", "17"), "svarPaForsendelseId breaks uuid"},
		"a page below 1":                         {newDraftV3("print").set("dokumenter.0.giroarkSide", 0), "giroarkSide breaks"},
		"a pair without a value":                 {newDraftV3("organisasjon").set("dokumenter.0.ekstraMetadata", []any{map[string]any{"key": "a", "value": ""}}), "value breaks 1-500"},
		"a year before 1000":                     {newDraftV3("organisasjon").set("metadataForImport", map[string]any{"saksaar": 999}), "saksaar breaks"},
		"a reply address without its type":       {newDraftV3("print").set("svarSendesTil", map[string]any{"navn": "X", "digitalId": organizationV3, "adresse": addressV3()}), "svarSendesTil.type is missing"},
		"a long title into the health network":   {newDraftV3("nhn").set("tittel", strings.Repeat("x", 201)), "tittel breaks 1-200"},
		"colour":                                 {newDraftV3("person").set("utskriftskonfigurasjon", map[string]any{"utskriftMedFarger": true}), "unknown field"},
		"two giro pages":                         {newDraftV3("person").set("dokumenter.0.giroarkSider", []any{1, 3}), "unknown field"},
		"archive metadata to a person":           {newDraftV3("person").set("metadataForImport", map[string]any{}), "unknown field"},
		"confidential mail to a person":          {newDraftV3("person").set("taushetsbelagtPost", true), "unknown field"},
		"signing by an organisation":             {newDraftV3("organisasjon").set("dokumenter.0.skalSigneres", true), "unknown field"},
		"links on paper":                         {newDraftV3("print").set("lenker", []any{}), "unknown field"},
		"digital only on paper":                  {newDraftV3("print").set("kunDigitalLevering", true), "unknown field"},
		"a number on paper":                      {newDraftV3("print").set("mottaker.digitalId", personV3), "unknown field"},
		"a reply address for a doctor":           {newDraftV3("nhn").set("svarSendesTil", replyV3()), "unknown field"},
		"documents in the metadata for a doctor": {newDraftV3("nhn").set("dokumenter", []any{}), "unknown field"},
		"two documents for a doctor":             {newDraftV3("nhn").withFile("to.pdf"), "more parts than dokumenter"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			got := g.shipV3(t, tt.draft)
			if got.status != http.StatusBadRequest || !strings.Contains(got.body, tt.want) || len(g.sim.Shipments()) > 0 {
				t.Errorf("got status %d, %s, want 400 with %q", got.status, got.body, tt.want)
			}
		})
	}
}

// withFile adds a part only.
func (d *draft) withFile(name string) *draft {
	d.files = append(d.files, part{name: "filer_9", fileName: name, contentType: "application/pdf", content: "%PDF-1.7"})
	return d
}

// breachesV3 says for each rule across fields how to break it, and nothing else.
func breachesV3(now time.Time) map[string]*draft {
	link := map[string]any{"url": "https://example.no", "tekst": "Les"}
	pair := map[string]any{"key": "a", "value": "b"}
	all := map[string]*draft{
		"svarSendesTil.digitalId does not fit its type":                                 newDraftV3("print").set("svarSendesTil", replyV3()).set("svarSendesTil.type", "PERSON"),
		"eksponertFor holds something else than a person's or an organisation's number": newDraftV3("person").set("eksponertFor", []any{"02813299900"}),
		"eksponertFor holds a number twice":                                             newDraftV3("person").set("eksponertFor", []any{personV3, personV3}),
		"lenker holds more than five":                                                   newDraftV3("person").set("lenker", []any{link, link, link, link, link, link}),
		"sikkerhetsniva HOYESTE without kryptert":                                       newDraftV3("person").set("sikkerhetsniva", "HOYESTE"),
		"kanSvareViaEdialog without an organisation in svarSendesTil":                   newDraftV3("person").set("kanSvareViaEdialog", true),
		"adresse is missing where the shipment may be printed":                          newDraftV3("person").set("mottaker", map[string]any{"navn": "Kari", "digitalId": personV3}),
		"postnummer of a Norwegian address is not four digits":                          newDraftV3("print").set("mottaker.adresse.postnummer", "155"),
		"there is no document":                                                          newDraftV3("person").set("dokumenter", []any{}),
		"eksternReferanse is missing":                                                   newDraftV3("person").set("eksternReferanse", nil),
		"giroarkSide is a back side":                                                    newDraftV3("person").set("utskriftskonfigurasjon", map[string]any{"tosidig": true}).set("dokumenter.0.giroarkSide", 2),
		"filnavn is missing":                                                            newDraftV3("person").set("dokumenter.0.filnavn", " "),
		"filnavn is given twice":                                                        newDraftV3("person").addV2("VEDTAK.pdf", "application/pdf", "to"),
		"filnavn holds an invalid character":                                            newDraftV3("person").set("dokumenter.0.filnavn", `sak\1.pdf`),
		"mimeType is missing":                                                           newDraftV3("person").set("dokumenter.0.mimeType", " "),
		"a file to be printed is not PDF":                                               newDraftV3("print").set("dokumenter.0.mimeType", "text/xml"),
		"a file left out of the print is not PDF":                                       newDraftV3("person").addV2("x.xml", "text/xml", "<x/>", "skalEkskluderesFraUtskrift", true),
		"url is not a link with http, https or ftp":                                     newDraftV3("person").set("lenker", []any{map[string]any{"url": "file:///etc/passwd", "tekst": "Les"}}),
		"tekst is missing":                                                              newDraftV3("person").set("lenker", []any{map[string]any{"url": "https://example.no", "tekst": " "}}),
		"digitalId is not a person's":                                                   newDraftV3("person").set("mottaker.digitalId", "02813299900"),
		"signering without a document to be signed":                                     newDraftV3("person").signedV3(now).set("dokumenter.0.skalSigneres", false),
		"a document to be signed without an organisation in svarSendesTil":              newDraftV3("person").signedV3(now).set("svarSendesTil", nil),
		"skalSigneres on more than one document":                                        newDraftV3("person").signedV3(now).addV2("b.pdf", "application/pdf", "to", "skalSigneres", true),
		"skalSigneres on a document that is not PDF":                                    newDraftV3("person").set("kunDigitalLevering", true).signedV3(now).set("dokumenter.0.mimeType", "text/plain"),
		"skalSigneres without signeringUtloper":                                         newDraftV3("person").signedV3(now).set("signering", nil),
		"signeringUtloper is less than a day ahead":                                     newDraftV3("person").signedV3(now).set("signering.signeringUtloper", now.Add(23*time.Hour).Format(time.RFC3339)),
		"digitalId is not an organisation's":                                            newDraftV3("organisasjon").set("mottaker.digitalId", "987654329"),
		"ekstraMetadata holds more than 20, or a pair twice":                            newDraftV3("organisasjon").set("dokumenter.0.ekstraMetadata", []any{pair, pair}),
		"forsendelsestype is not one of the service's":                                  newDraftV3("organisasjon").set("forsendelsestype", "Fritt valgt"),
		"mottakerHerId is not there exactly for HER_ID":                                 newDraftV3("nhn").set("mottakertype", "HER_ID"),
		"a document is empty":                                                           newDraftV3("person").addV2("tom.pdf", "application/pdf", ""),
		"mottakerHerId is not in the address register":                                  newDraftV3("nhn").set("mottakertype", "HER_ID").set("mottakerHerId", 404),
		"the document for the health network is over 18 MB":                             newDraftV3("nhn").withContent(strings.Repeat("x", 18_000_001)),
		"the documents are too large to be printed":                                     newDraftV3("person").addV2("stor.pdf", "application/pdf", strings.Repeat("x", 1000)),
	}
	return all
}

// withContent replaces the content of the first document.
func (d *draft) withContent(content string) *draft {
	d.files[0].content = content
	return d
}

func TestEveryRuleOfV3(t *testing.T) {
	t.Parallel()
	// Rules that a tag of the value meets first.
	first := []string{"filnavn is over 226 characters", "giroarkSider holds a page below 1", "signaturType is unknown", "skalSigneres without signaturType", "skalSigneres without a national id in digitalId"}
	breaches := breachesV3(newRig(t, simulator.Options{}).clock.Now())
	for _, r := range shipmentv3.Rules() {
		d := breaches[r.Text]
		if d == nil {
			if !strings.Contains(strings.Join(first, "\n"), r.Text) {
				t.Errorf("no breach of %q", r.Text)
			}
			continue
		}
		t.Run(r.Text, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{PrintLimit: 1000, RefuseExcluded: true})
			got := g.shipV3(t, d)
			accepted := r.Answer != "400"
			if (got.status == http.StatusOK) != accepted || !strings.Contains(strings.Join(g.sim.Violations(), "\n"), r.Text) {
				t.Errorf("got status %d, %q, want %s", got.status, g.sim.Violations(), r.Answer)
			}
		})
		delete(breaches, r.Text)
	}
	for text := range maps.Keys(breaches) {
		t.Errorf("no rule %q", text)
	}
}

func TestAccessToV3(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Accounts: []string{account}, Health: []string{integration}})
	if got := g.shipV3(t, newDraftV3("nhn")); got.status != http.StatusBadRequest || !strings.Contains(got.body, "HER-id") {
		t.Errorf("got status %d, %s, want it refused for want of a HER-id", got.status, got.body)
	}
	d := newDraftV3("person")
	g.sim.DenyAccess("", account)
	if got := g.shipV3(t, d); got.status != http.StatusForbidden {
		t.Errorf("got status %d, want 403", got.status)
	}
	g.sim.RevokeIntegration(integration, "passord1")
	if got := g.shipV3(t, d); got.status != http.StatusUnauthorized {
		t.Errorf("got status %d, want 401", got.status)
	}
}
