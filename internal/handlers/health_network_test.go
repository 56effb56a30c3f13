package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// healthForm is the form of a shipment to a patient's general practitioner.
func healthForm(version string) url.Values {
	return fields("versjon", version, "hvem", "helsenett", "helsemottaker", "fastlege", "pasient-nummer", "028132 99952", "pasient-fornavn", "Ola", "pasient-etternavn", "Nordmann",
		"kontakt-fornavn", "Sak", "kontakt-etternavn", "Behandler", "kontakt-telefon", "74 00 00 00", "beskrivelse", "Epikrise", "tittel", "Epikrise fra korttid", "avgivende", "Utsending", "land", "Norge")
}

// TestHealthNetwork: an account that is turned on sends into the health network, on a generation that can.
func TestHealthNetwork(t *testing.T) {
	t.Parallel()
	s, admin := newSetup(t)
	b := s.browser(t, caseworker)
	turn := func(t *testing.T, on string) answer {
		t.Helper()
		form, page := fields(), admin.get(accountSetup+"/oppvekst").page(t)
		for name, value := range formOf(page, accountSetup+"/oppvekst") {
			form.Set(name, value)
		}
		form.Set("sms-integrasjon", page.Find("select[name=sms-integrasjon] option[selected]").AttrOr("value", ""))
		form.Set("helse", on)
		return admin.post(accountSetup+"/oppvekst", form)
	}
	s.sendOver(t, dispatch.IntegrationShipmentV2)
	if page := admin.get(accountSetup + "/oppvekst").page(t); page.Find("#helse").Length() != 0 || !strings.Contains(page.Find("main").Text(), "Helsenettet kan ikke slås på") {
		t.Error("V2 offers the health network, or does not say why not")
	}
	s.sendOver(t, dispatch.IntegrationShipmentV3)
	id, _ := s.listDraft(t, caseworker, "Vedtak")
	base := "/k/oppvekst/utkast/" + string(id)
	if b.get(base).page(t).Find("[name=hvem][value=helsenett]").Length() != 0 {
		t.Error("it is offered before it is turned on")
	}
	if got := b.post(base, healthForm("1")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	if says := problems(t, b.get(base+"?kontrollert=ja")); !strings.Contains(says["helse"], "ikke slått på for helsenettet") {
		t.Errorf("not turned on: got %q", says)
	}
	if got := turn(t, "true"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("turned on: got %d: %q", got.StatusCode, problems(t, got))
	}
	page := b.get(base).page(t)
	for name, want := range healthForm("2") {
		if got := held(page, name); got != want[0] {
			t.Errorf("%s: the form holds %q, want %q", name, got, want[0])
		}
	}
	review := b.get(base + "/kontroll").page(t).Find("main").Text()
	for _, want := range []string{"Til fastlegen til Ola Nordmann, i helsenettet", "Om pasienten Ola Nordmann", "Fødselsnummer 028132\u00a099952", "Kontaktperson: Sak Behandler, 74 00 00 00", "Epikrise", "skrives aldri ut"} {
		if !strings.Contains(review, want) {
			t.Errorf("the review does not say %q", want)
		}
	}
	if got := b.post(base+"/send", fields("versjon", "2")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	item := b.get("/k/oppvekst/forsendelser/" + string(id))
	shown := item.page(t).Find("main").Text()
	for _, want := range []string{"Fastlegen til pasienten", "Ola Nordmann", "028132 •••••", "Sak Behandler", "Epikrise"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the shipment's page does not say %q", want)
		}
	}
	if strings.Contains(item.body, "02813299952") || strings.Contains(shown, "på papir") {
		t.Error("the patient's number is not masked, or paper is offered")
	}
	t.Run("it is found by the patient's number", func(t *testing.T) {
		found := b.post("/k/oppvekst/sok", fields("q", "02813299952"))
		if got := rows(b.get(found.location()).page(t)); len(got) != 1 {
			t.Errorf("got %q", got)
		}
	})
	t.Run("nothing of the patient is stored in the clear but the name that lists show", func(t *testing.T) {
		var clear bool
		err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `
			SELECT h::text LIKE '%02813299952%' OR h::text LIKE '%74 00 00 00%' OR position('Behandler'::bytea IN h.form || h.content) > 0
			FROM shipments h WHERE item_id = $1`, id).Scan(&clear)
		if err != nil || clear {
			t.Errorf("got %t, %v", clear, err)
		}
	})
	t.Run("a copy holds the same", func(t *testing.T) {
		s.run(t, `UPDATE items SET state = 'accepted', status = 'LEVERT_NHN_MOTTAKER', upstream_id = $2, accepted_at = now(), status_at = now() WHERE id = $1`, id, uuid.NewString())
		made := b.post("/k/oppvekst/forsendelser/"+string(id)+"/kopier", fields("nokkel", uuid.NewString()))
		page := b.get(made.location()).page(t)
		for name, want := range healthForm("1") {
			if got := held(page, name); name != "versjon" && got != want[0] {
				t.Errorf("%s: the copy holds %q, want %q", name, got, want[0])
			}
		}
	})
	t.Run("an account that goes back says why not", func(t *testing.T) {
		s.sendOver(t, dispatch.IntegrationShipmentV2)
		id, _ := s.listDraft(t, caseworker, "Vedtak")
		page := b.get("/k/oppvekst/utkast/" + string(id)).page(t)
		if page.Find("[name=hvem][value=helsenett]").Length() != 0 || !strings.Contains(page.Find("#helse").Text(), "kan ikke sende dit") {
			t.Errorf("got %q", page.Find("#helse").Text())
		}
		if got := turn(t, ""); got.StatusCode != http.StatusSeeOther {
			t.Errorf("saved on V2: got %d", got.StatusCode)
		}
		if page = b.get("/k/oppvekst/utkast/" + string(id)).page(t); !strings.Contains(page.Find("#helse").Text(), "kan ikke sende dit") {
			t.Error("what is not asked for on V2 was turned off")
		}
	})
}

// TestFileTypes: the form says which types of files each generation takes, as the domain does.
func TestFileTypes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.run(t, `UPDATE accounts SET shipment_defaults = '{"Health": true}' WHERE id = $1`, s.oppvekst.Account.ID)
	for _, row := range dispatch.GenerationRows() {
		s.sendOver(t, row.Kind)
		id, _ := s.listDraft(t, caseworker, "Vedtak")
		page := b.get("/k/oppvekst/utkast/" + string(id)).page(t)
		says, health := page.Find("#filtyper").Text(), page.Find("#filtyper-helsenett").Text()
		for _, to := range dispatch.AllAddressees() {
			if to == dispatch.ToHealth {
				if takes := row.Recipients&to != 0; takes != (health == "Til helsenettet sendes nøyaktig én PDF på høyst 18 MB. Tittelen kan være på høyst 200 tegn.") {
					t.Errorf("V%d: takes the health network: %t, and says %q", row.Generation, takes, health)
				}
				continue
			}
			said := strings.Contains(says, "utelates fra utskriften") || to != dispatch.ToPaper && strings.Contains(says, "til en mottaker med nummer")
			if takes := takesText(row.Generation, to); takes != said {
				t.Errorf("V%d to %d: takes other types than PDF: %t, and says %q", row.Generation, to, takes, says)
			}
		}
	}
}

// takesText tells whether a generation takes a text file for a recipient in any way, besides a PDF.
func takesText(g dispatch.Generation, to dispatch.Addressees) bool {
	for _, digital := range []bool{false, true} {
		f := shipmentForm("Vedtak")
		f.Number = "02813299952"
		switch f.DigitalOnly = digital; to {
		case dispatch.ToOrganization:
			f.RecipientKind, f.Number = "organisasjon", "974760673"
		case dispatch.ToPaper:
			f.Number = ""
		}
		f.Documents = map[dispatch.DocumentID]dispatch.DocumentFields{"b": {Exclude: true}}
		files := []dispatch.Document{{ID: "a", FileName: "a.pdf", MimeType: dispatch.MimePDF, Size: 1, Pages: 1}, {ID: "b", FileName: "b.txt", MimeType: "text/plain", Size: 1}}
		if _, ps := f.Parse(g, files, time.Now()); len(ps) == 0 {
			return true
		}
	}
	return false
}

// TestUnlistedTypes: where the service takes only the types that it lists, another one is refused on the form.
func TestUnlistedTypes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.sendOver(t, dispatch.IntegrationShipmentV3)
	id, _ := s.listDraft(t, caseworker, "Vedtak")
	base := "/k/oppvekst/utkast/" + string(id)
	form := func(version, kind string) url.Values {
		return fields("versjon", version, "hvem", "organisasjon", "nummer", "974760673", "navn", "Nordvik kommune", "adresse1", "Storgata 1", "postnummer", "7713", "poststed", "Steinkjer",
			"land", "Norge", "tittel", "Vedtak", "avgivende", "Utsending", "levering", "papir", "type", kind)
	}
	b.post(base, form("1", "Noe annet"))
	if says := problems(t, b.get(base+"?kontrollert=ja")); len(says) != 1 || says["type"] == "" {
		t.Errorf("got %q, want the type refused", says)
	}
	if chosen := b.get(base).page(t).Find("#type option[selected]").AttrOr("value", ""); chosen != "Noe annet" {
		t.Errorf("the form holds %q", chosen)
	}
	b.post(base, form("2", "Byggesøknad"))
	if got := b.get(base + "/kontroll"); got.StatusCode != http.StatusOK {
		t.Errorf("one that is listed: got %d, %q", got.StatusCode, problems(t, b.get(base+"?kontrollert=ja")))
	}
}
