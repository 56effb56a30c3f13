package handlers_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// shipmentTemplate makes a template of shipments out of a draft of the team lead's, and returns its address.
func (s *site) shipmentTemplate(t *testing.T, b *browser, name string, pairs ...string) string {
	t.Helper()
	id, document := s.listDraft(t, teamLead, "Vedtak")
	for i, pair := range pairs {
		pairs[i] = strings.ReplaceAll(pair, "{dokument}", string(document))
	}
	at := "/k/oppvekst/utkast/" + string(id)
	if got := b.post(at, typed(append(pairs, "neste", "mal")...)).location(); got != at+"/mal" {
		t.Fatalf("the draft leads to %q", got)
	}
	return b.post(at+"/mal", fields("nokkel", uuid.NewString(), "navn", name)).location()
}

// TestShipmentTemplate: a draft's choices become a template, shipments begin with it and say so, and a change is a version.
func TestShipmentTemplate(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET shipment_integration_id = sms_integration_id WHERE id = $1`, s.oppvekst.Account.ID)
	lead, b := s.browser(t, teamLead), s.browser(t, caseworker)
	template := s.shipmentTemplate(t, lead, "Vedtak om skyss", "tittel", "Vedtak om skoleskyss", "kontering", "4100", "levering", "digitalt", "niva4", "true", "krypter", "true",
		"referanse", "2026/77", "svar-pa", uuid.NewString(), "eksponert", "974760673\n12047800155", "skal-signeres", "true", "signer", "{dokument}",
		"signatur", "AVANSERT_SIGNATUR", "frist", s.now().In(dispatch.Oslo).AddDate(0, 0, 10).Format("02.01.2006"), "sak-tittel", "Skyss")
	if !strings.HasPrefix(template, "/k/oppvekst/maler/") {
		t.Fatalf("got %q", template)
	}
	page := b.get(template).page(t).Find("main").Text()
	for _, want := range []string{"Vedtak om skoleskyss", "4100", "bare digitalt", "nivå 4", "974\u00a0760\u00a0673", "innen 10 dager", "Skyss"} {
		if !strings.Contains(page, want) {
			t.Errorf("the template does not say %q: %s", want, page)
		}
	}
	for _, never := range []string{"12047800155", "Ola Nordmann", "Storgata", "2026/77", "brev.pdf"} {
		if strings.Contains(page, never) {
			t.Errorf("the template holds %q, which belongs to one shipment", never)
		}
	}
	id := template[strings.LastIndex(template, "/")+1:]
	if got := b.get("/k/oppvekst/maler").page(t).Find("#brevmaler").Closest("section").Find("button[name=mal]").AttrOr("value", ""); got != id {
		t.Errorf("the list offers %q", got)
	}
	draft := b.post("/k/oppvekst/forsendelser/ny", fields("nokkel", uuid.NewString(), "mal", id)).location()
	form := b.get(draft).page(t)
	for field, want := range map[string]string{"#tittel": "Vedtak om skoleskyss", "#kontering": "4100", "#navn": "", "#nummer": "", "#referanse": "", "#svar-pa": "",
		"#frist": s.now().In(dispatch.Oslo).AddDate(0, 0, 10).Format("02.01.2006"), "#land": "Norge", "#sak-tittel": "Skyss"} {
		if got := form.Find(field).AttrOr("value", "?"); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	if form.Find("#niva4[checked]").Length() != 1 || !strings.Contains(form.Find(".head").Text(), "Fra malen Vedtak om skyss, versjon 1") {
		t.Errorf("level 4 is not chosen, or the draft does not say where it is from: %q", form.Find(".head").Text())
	}
	t.Run("gets a new version, and the shipment says the old one", func(t *testing.T) {
		changed, _ := s.listDraft(t, teamLead, "Vedtak")
		at := "/k/oppvekst/utkast/" + string(changed)
		lead.post(at, typed("tittel", "Nytt vedtak", "neste", "mal"))
		onto := lead.get(at+"/mal").page(t).Find("#mal option").Last().AttrOr("value", "")
		if got := lead.post(at+"/mal", fields("nokkel", uuid.NewString(), "navn", "", "mal", onto)).location(); got != template {
			t.Fatalf("got %q", got)
		}
		again := lead.post(at+"/mal", fields("nokkel", uuid.NewString(), "navn", "", "mal", onto))
		if got := problems(t, again)["mal"]; again.StatusCode != http.StatusUnprocessableEntity || got == "" {
			t.Errorf("got %d %q for a version that somebody has changed since", again.StatusCode, got)
		}
		page := b.get(template).page(t)
		if got := page.Find("main").Text(); !strings.Contains(got, "Nytt vedtak") || !strings.Contains(got, "Ingrid Lunde") || page.Find("table tbody tr").Length() != 2 {
			t.Errorf("the template says %q", got)
		}
		if got := b.get(draft).page(t).Find(".head").Text(); !strings.Contains(got, "versjon 1") {
			t.Errorf("the draft says %q", got)
		}
		if got := b.get(template + "/versjoner/1").page(t).Find("main").Text(); !strings.Contains(got, "Vedtak om skoleskyss") {
			t.Error("the first version is gone")
		}
	})
	t.Run("is sent, and its page says which version", func(t *testing.T) {
		shipment := s.shipment(t, caseworker, "Vedtak")
		s.run(t, `UPDATE shipments SET template_id = $1, template_version = 1 WHERE item_id = $2`, id, shipment)
		if got := b.get("/k/oppvekst/forsendelser/" + string(shipment)).page(t).Find("main").Text(); !strings.Contains(got, "Fra malen Vedtak om skyss, versjon 1") {
			t.Errorf("its page says %q", got)
		}
	})
	t.Run("is counted where it was used", func(t *testing.T) {
		c := s.as(t, caseworker)
		sent, err := items.In(s.store).Drafts.Begin(t.Context(), c.Account.ID, c.Actor, uuid.NewString(), dispatch.DraftFields{Title: "Vedtak"},
			dispatch.TemplateUse{ID: dispatch.TemplateID(id), Version: 1})
		if err == nil {
			err = items.In(s.store).Drafts.Queue(t.Context(), c.Account, sent, c.Actor, 1, dispatch.Shipment{Title: "Vedtak", SourceSystem: "Utsending"})
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := b.get("/k/oppvekst/maler").page(t).Find("#brevmaler").Closest("section").Find("tbody td").Eq(1).Text(); !strings.Contains(got, "1 utsending siste") {
			t.Errorf("the list says %q", got)
		}
		if got := b.get(template).page(t).Find("#brukt").Closest("section").Find("td.num").Text(); got != "1" {
			t.Errorf("its page counts %q", got)
		}
	})
	t.Run("is no text of an SMS, nor begun from elsewhere", func(t *testing.T) {
		if got := b.get("/k/oppvekst/sms/ny").page(t).Find("#mal").Length(); got != 0 {
			t.Error("it is offered to an SMS")
		}
		if got := lead.get(template + "/endre").StatusCode; got != http.StatusNotFound {
			t.Errorf("its text can be edited: %d", got)
		}
		if got := s.browser(t, outsider).post("/k/helse/forsendelser/ny", fields("nokkel", uuid.NewString(), "mal", id)).StatusCode; got != http.StatusNotFound {
			t.Errorf("got %d on another account", got)
		}
		text := s.template(t, teamLead, "Påminnelse", "Hei")
		if got := b.post("/k/oppvekst/forsendelser/ny", fields("nokkel", uuid.NewString(), "mal", string(text))).StatusCode; got != http.StatusNotFound {
			t.Errorf("got %d for a text", got)
		}
		lead.post(template+"/arkiver", fields("versjon", "2"))
		if got := b.post("/k/oppvekst/forsendelser/ny", fields("nokkel", uuid.NewString(), "mal", id)).StatusCode; got != http.StatusNotFound {
			t.Errorf("got %d for one that is not in use", got)
		}
	})
	t.Run("has a name", func(t *testing.T) {
		draft, _ := s.listDraft(t, teamLead, "Vedtak")
		if got := problems(t, lead.post("/k/oppvekst/utkast/"+string(draft)+"/mal", fields("nokkel", uuid.NewString(), "navn", " ")))["navn"]; got == "" {
			t.Error("one without a name was saved")
		}
	})
	t.Run("stands sealed", func(t *testing.T) {
		var clear int
		err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `
			SELECT count(*) FROM template_versions WHERE template_id = $1 AND (position('skoleskyss' IN encode(choices, 'escape')) > 0 OR text <> '')`, id).Scan(&clear)
		if err != nil || clear != 0 {
			t.Errorf("%d versions stand in clear, %v", clear, err)
		}
	})
	if _, err := items.In(s.store).Templates.UsedVersion(t.Context(), s.helse.Account.ID, dispatch.TemplateUse{ID: dispatch.TemplateID(id), Version: 1}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %v for another account", err)
	}
}

// TestOnePageOfTemplates: the buttons of a page have one form key, and each begins a shipment from its own template, once.
func TestOnePageOfTemplates(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET shipment_integration_id = sms_integration_id WHERE id = $1`, s.oppvekst.Account.ID)
	lead, b := s.browser(t, teamLead), s.browser(t, caseworker)
	key := uuid.NewString()
	begin := func(template string) string {
		return b.post("/k/oppvekst/forsendelser/ny", fields("nokkel", key, "mal", template[strings.LastIndex(template, "/")+1:])).location()
	}
	one, two := s.shipmentTemplate(t, lead, "Skyss", "tittel", "Skoleskyss"), s.shipmentTemplate(t, lead, "Plass", "tittel", "Barnehageplass")
	first := begin(one)
	if same := begin(one); same != first {
		t.Errorf("pressed twice, a button makes %q and %q", first, same)
	}
	if got := b.get(begin(two)).page(t).Find("#tittel").AttrOr("value", ""); got != "Barnehageplass" {
		t.Errorf("the second template's button opens a draft with the title %q", got)
	}
}
