package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
)

// everyField is a form to an organisation in which every field of V1 has something but the signing.
func everyField(document dispatch.DocumentID) url.Values {
	file := "dok-" + string(document)
	return fields("versjon", "1", "hvem", "organisasjon", "nummer", "974760673", "navn", "Nordvik kommune", "adresse1", "Storgata 1", "adresse2", "B", "adresse3", "C",
		"postnummer", "7713", "poststed", "Steinkjer", "land", "Norge", "tittel", "Vedtak", "avgivende", "Utsending", "kontering", "4100", "referanse", "2026/12",
		"levering", "papir", "tosidig", "true", "farger", "true", "type", "Byggesøknad", "taushetsbelagt", "true", "eksponert", "12847800155\n974760673",
		"svar-navn", "Fjordvik", "svar-nummer", "974760673", "svar-adresse1", "Rådhuset", "svar-adresse2", "S2", "svar-adresse3", "S3", "svar-postnummer", "7713",
		"svar-poststed", "Steinkjer", "svar-land", "Norge", "svarlenke", "true", "svar-pa", "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02",
		"lenke-0-ledetekst", "Klag her:", "lenke-0-adresse", "https://fjordvik.example/klage", "lenke-0-tekst", "Klageskjema",
		"lenke-1-ledetekst", "", "lenke-1-adresse", "ftp://fjordvik.example", "lenke-1-tekst", "Filer",
		file+"-type", "Vedtaksbrev", file+"-ekstra", "Arkivnr = 7", "sensitiv-"+string(document), "true", file+"-giro", "2",
		"sak-saksaar", "2026", "sak-sakssekvens", "12", "sak-journalaar", "2025", "sak-journalsekvens", "3", "sak-journalpost", "4", "sak-posttype", "U",
		"sak-journalstatus", "J", "sak-journaldato", "20.11.2026", "sak-dokumentdato", "19.11.2026", "sak-tittel", "Klagesak", "sak-saksbehandler", "Kari",
		"sak-ekstra", "Skole = Nord", "import-saksaar", "2024", "import-sakssekvens", "5", "import-posttype", "I", "import-journalstatus", "M",
		"import-dokumentdato", "18.11.2026", "import-tittel", "Svarsak")
}

// TestWrongFieldsAreNamed: when several fields of a form have the same problem, the list above it tells which, and one alone is told plainly.
func TestWrongFieldsAreNamed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	above := func(pairs ...string) string {
		id, document := s.listDraft(t, caseworker, "Vedtak")
		typed := everyField(document)
		for i := 0; i+1 < len(pairs); i += 2 {
			typed.Set(pairs[i], pairs[i+1])
		}
		typed.Set("neste", "kontroll")
		got := b.led(t, b.post("/k/oppvekst/utkast/"+string(id), typed))
		return strings.Join(strings.Fields(got.page(t).Find(".ds-error-summary").Text()), " ")
	}
	two := above("sak-dokumentdato", "i går", "import-dokumentdato", "i morgen", "dag", "snart")
	for _, want := range []string{
		"Arkivmetadata fra avgivende system, Dokumentets dato: Skriv datoen som dd.mm.åååå", "Arkivmetadata for import, Dokumentets dato: Skriv datoen som", "Dag: Skriv datoen som",
	} {
		if !strings.Contains(two, want) {
			t.Errorf("got %q, want %q", two, want)
		}
	}
	if one := above("sak-dokumentdato", "i går"); !strings.Contains(one, "Skriv datoen som") || strings.Contains(one, "Dokumentets dato:") {
		t.Errorf("got %q of one", one)
	}
}

// TestEveryFieldOfAShipment: what is typed is kept, said on review, sent, and shown afterwards.
func TestEveryFieldOfAShipment(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, document := s.listDraft(t, caseworker, "Vedtak")
	base := "/k/oppvekst/utkast/" + string(id)
	typed := everyField(document)
	if got := b.post(base, typed); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	page := b.get(base).page(t)
	for name, want := range typed {
		if got := held(page, name); name != "versjon" && got != want[0] {
			t.Errorf("%s: the form holds %q, want %q", name, got, want[0])
		}
	}
	review := b.get(base + "/kontroll").page(t).Find("main").Text()
	for _, want := range []string{
		"974\u00a0760\u00a0673", "Svar sendes til Fjordvik, Rådhuset, S2, S3, 7713 Steinkjer.", "får mottakeren en lenke for å svare", "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02",
		"Klag her: Klageskjema (https://fjordvik.example/klage)", "Filer (ftp://fjordvik.example)", "type Vedtaksbrev", "Arkivnr = 7", "Forsendelsestype er Byggesøknad.",
		"2 til kan hente alle filene", "Fødselsnummer 128478\u00a000155", "Sendes som taushetsbelagt post.", "Saksår 2026", "Journaldato 20.11.2026", "Skole Nord", "Tittel i arkivet Svarsak",
	} {
		if !strings.Contains(review, want) {
			t.Errorf("the review does not say %q", want)
		}
	}
	if got := b.post(base+"/send", fields("versjon", "2")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	item := b.get("/k/oppvekst/forsendelser/" + string(id))
	shown := item.page(t).Find("main").Text()
	for _, want := range []string{
		"Fjordvik, Rådhuset, S2, S3, 7713 Steinkjer", "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02", "Klageskjema", "Vedtaksbrev", "Arkivnr", "Byggesøknad", "Taushetsbelagt post",
		"128478 •••••", "2025", "Klagesak", "Svarsak", "19.11.2026",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the shipment's page does not say %q", want)
		}
	}
	if strings.Contains(item.body, "12847800155") || strings.Contains(item.body, "128478\u00a000155") {
		t.Error("the number of somebody else who may fetch the files is not masked")
	}
	revealed := b.post("/k/oppvekst/forsendelser/"+string(id)+"/vis", fields())
	if !strings.Contains(revealed.body, "128478\u00a000155") {
		t.Error("the number is not shown when it is asked for")
	}
}

// held is what a field of a page holds.
func held(page *goquery.Document, name string) string {
	field := page.Find(`main [name="` + name + `"]`)
	switch {
	case field.Is("textarea"):
		return strings.TrimPrefix(field.Text(), "\n")
	case field.Is("[type=radio]"), field.Is("[type=checkbox]"):
		return field.Filter("[checked]").AttrOr("value", "")
	}
	return field.AttrOr("value", "")
}

// TestProblemsOfAShipmentsFields: what is wrong is told at its field, which is in sight.
func TestProblemsOfAShipmentsFields(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for name, tt := range map[string]struct{ field, typed, at string }{
		"a link to script":      {"lenke-0-adresse", "javascript:alert(1)", "lenke-0-adresse"},
		"a link without a text": {"lenke-0-tekst", "", "lenke-0-tekst"},
		"half an address":       {"svar-postnummer", "", "svar-postnummer"},
		"a link to nobody":      {"svar-nummer", "", "svarlenke"},
		"no id":                 {"svar-pa", "2026/12", "svar-pa"},
		"others who are nobody": {"eksponert", "12", "eksponert"},
		"secrecy to a person":   {"hvem", "person", "nummer"},
		"level 4":               {"niva4", "true", "niva4"},
		"a year of five digits": {"sak-saksaar", "20267", "sak-saksaar"},
		"31 February":           {"import-dokumentdato", "31.02.2026", "import-dokumentdato"},
		"a pair without a sign": {"sak-ekstra", "Skole", "sak-ekstra"},
	} {
		t.Run(name, func(t *testing.T) {
			id, document := s.listDraft(t, caseworker, "Vedtak")
			typed := everyField(document)
			typed.Set(tt.field, tt.typed)
			typed.Set("neste", "kontroll")
			got := b.led(t, b.post("/k/oppvekst/utkast/"+string(id), typed))
			if got.StatusCode != http.StatusUnprocessableEntity {
				t.Fatalf("got %d, want 422", got.StatusCode)
			}
			page := got.page(t)
			field := page.Find(`#` + tt.at + `[aria-invalid=true]`)
			if field.Length() != 1 || page.Find(`#`+tt.at+`-s`).Text() == "" || page.Find(`.ds-error-summary a[href="#`+tt.at+`"]`).Length() != 1 {
				t.Errorf("%s does not tell: %s", tt.at, page.Find(".ds-error-summary").Text())
			}
			if field.ParentsFiltered("details").Length() != field.ParentsFiltered("details[open]").Length() {
				t.Error("it is folded away")
			}
		})
	}
}

// TestLinksOfADraft: the buttons of the links work without script, each saving what was typed.
func TestLinksOfADraft(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, _ := s.listDraft(t, caseworker, "Vedtak")
	base := "/k/oppvekst/utkast/" + string(id)
	version := 0
	act := func(button string, texts ...string) string {
		t.Helper()
		version++
		form := fields("versjon", string(rune('0'+version)), "neste", button, "tittel", "Skrevet")
		for i, text := range texts {
			form.Set(dispatch.LinkField(i, "adresse"), "https://a.example")
			form.Set(dispatch.LinkField(i, "tekst"), text)
		}
		got := b.post(base, form)
		if got.StatusCode != http.StatusSeeOther || got.location() != base+"#lenker" {
			t.Fatalf("%s: got %d to %q", button, got.StatusCode, got.location())
		}
		page := b.get(base).page(t)
		if held(page, "tittel") != "Skrevet" {
			t.Errorf("%s: what was typed is lost", button)
		}
		return strings.Join(page.Find(`[name^="lenke-"][name$="-tekst"]`).Map(func(_ int, f *goquery.Selection) string { return f.AttrOr("value", "") }), "|")
	}
	for _, step := range []struct {
		button string
		typed  []string
		want   string
	}{
		{"lenke-ny", nil, ""}, {"lenke-ny", []string{"a"}, "a|"}, {"lenke-ny", []string{"a", "b"}, "a|b|"}, {"lenke-opp-1", []string{"a", "b"}, "b|a"},
		{"lenke-ned-0", []string{"b", "a"}, "a|b"}, {"lenke-fjern-0", []string{"a", "b"}, "b"},
	} {
		if got := act(step.button, step.typed...); got != step.want {
			t.Errorf("%s: got %q, want %q", step.button, got, step.want)
		}
	}
}

// TestAccountFillsInItsShipments: an account's defaults stand in a new draft.
func TestAccountFillsInItsShipments(t *testing.T) {
	t.Parallel()
	s, admin := newSetup(t)
	b := s.browser(t, caseworker)
	form := fields("versjon", "1", "navn", "Oppvekst", "angre", "0", "svar-navn", "Fjordvik", "svar-nummer", "974760673", "svar-adresse1", "Rådhuset",
		"svar-postnummer", "7713", "svar-poststed", "", "svar-land", "Norge", "sak-posttype", "U", "import-journalstatus", "M")
	form.Set("versjon", admin.get("/admin/kontoer/oppvekst").page(t).Find("[name=versjon]").AttrOr("value", ""))
	if got := admin.post("/admin/kontoer/oppvekst", form); got.StatusCode != http.StatusUnprocessableEntity || got.page(t).Find("#svar-poststed[aria-invalid=true]").Length() != 1 {
		t.Fatalf("got %d from half an address", got.StatusCode)
	}
	form.Set("svar-poststed", "Steinkjer")
	if got := admin.post("/admin/kontoer/oppvekst", form); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	draft := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
	page := b.get(draft).page(t)
	for name, want := range map[string]string{"svar-navn": "Fjordvik", "svar-nummer": "974760673", "svar-poststed": "Steinkjer", "sak-posttype": "U", "import-journalstatus": "M"} {
		if got := held(page, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestStand: how far a shipment has come is told of what is typed, and the draft is saved with it, in the version that it has then.
func TestStand(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, document := s.listDraft(t, caseworker, "Vedtak")
	base := "/k/oppvekst/utkast/" + string(id)
	typed := everyField(document)
	stand := func() []string {
		page := b.post(base+"/stand", typed, "Accept", "text/html; fragment=stand").page(t)
		typed.Set("versjon", page.Find("#lagret").AttrOr("data-versjon", ""))
		if got := page.Find("#lagret").Text(); !strings.Contains(got, "Lagret kl. ") {
			t.Errorf("it says %q", got)
		}
		return page.Find("#stand .sum li").Map(func(_ int, li *goquery.Selection) string { return strings.TrimSpace(li.Text()) })
	}
	ready := stand()
	if len(ready) != 4 || strings.Contains(strings.Join(ready, " "), "mangler") {
		t.Errorf("of a whole shipment: %q", ready)
	}
	typed.Set("navn", "")
	if got := stand(); !strings.Contains(got[0], "mangler") || strings.Contains(got[1], "mangler") {
		t.Errorf("without a name: %q", got)
	}
	after := b.get(base).page(t)
	for name, want := range map[string]string{"versjon": "3", "navn": "", "kontering": "4100"} {
		if got := held(after, name); got != want {
			t.Errorf("%s became %q, want %q", name, got, want)
		}
	}
	typed.Set("versjon", "2") // another tab has the one after
	if got := b.post(base+"/stand", typed, "Accept", "text/html; fragment=stand"); got.StatusCode != http.StatusConflict {
		t.Errorf("an older tab gets %d", got.StatusCode)
	}
}
