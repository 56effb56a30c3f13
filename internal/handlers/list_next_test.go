package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// TestListLeadsToWhatTheDraftLacks: a list that came first is not reviewed before there is a title and a file.
func TestListLeadsToWhatTheDraftLacks(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET shipment_integration_id = $2 WHERE id = $1`, s.oppvekst.Account.ID, s.shipmentIntegration(t, "Brev", dispatch.EnvironmentTest))
	b := s.browser(t, caseworker)
	list := b.post("/k/oppvekst/forsendelser/ny", fields("flere", "true")).location()
	kind, body := listForm("liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\n")
	b.do(http.MethodPost, list+"/liste", kind, body)
	page := b.get(list)
	wantWords(t, page, "Skriv tittel og last opp filer", "Det er ingen filer i forsendelsen ennå", "Alle får alle filene som du laster opp")
	if strings.Contains(page.body, "Se over og send") {
		t.Error("the review is offered, which nothing can pass")
	}
	at := strings.TrimSuffix(list, "/flere")
	if got := b.post(list, fields("fordeling", "like", "neste", "utkast")).location(); got != at {
		t.Errorf("the button leads to %q", got)
	}
	b.post(at, fields("versjon", "1", "tittel", "Vedtak", "avgivende", "Utsending"))
	wantWords(t, b.get(list), "Last opp filer")

	whole := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\n")
	wantWords(t, b.get(whole+"/flere"), "Se over og send")
	b.post(whole, fields("versjon", "1", "tittel", "", "avgivende", "Utsending"))
	wantWords(t, b.get(whole+"/flere"), "Skriv tittel")
	if got := b.post(whole+"/flere", fields("fordeling", "like", "neste", "utkast")).location(); got != whole {
		t.Errorf("the button leads to %q", got)
	}
}

// TestDraftOfAListTellsOfItsRows: its summary counts them, and leads with the other errors first to those that must be corrected.
func TestDraftOfAListTellsOfItsRows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\nKari;Storgata 2;7713;Steinkjer\nPer;;7713;Steinkjer\n")
	b.get(at + "/flere")
	b.post(at, fields("versjon", "1", "tittel", "Vedtak", "avgivende", "Utsending"))
	page := b.get(at)
	wantWords(t, page, "2 mottakere fra listen.", "1 rad må rettes")
	if stand := page.page(t).Find("#stand"); strings.Contains(stand.Text(), "Skriv inn navn") || stand.Find(`a[href="`+at+`/flere/feil"]`).Length() != 1 {
		t.Errorf("the summary: %s", stand.Text())
	}
	untitled := b.led(t, b.post(at, fields("versjon", "2", "tittel", "", "avgivende", "Utsending", "neste", "kontroll")))
	if got := problems(t, untitled)["tittel"]; got == "" {
		t.Errorf("nothing is said of the title at %s", untitled.Request.URL)
	}
	if untitled.page(t).Find("details[open] [name=navn]").Length() > 0 {
		t.Error("the fields for one recipient are open, where nothing is wrong")
	}
	rows := b.led(t, b.post(at, fields("versjon", "3", "tittel", "Vedtak", "avgivende", "Utsending", "neste", "kontroll")))
	if rows.Request.URL.Path != at+"/flere/feil" {
		t.Errorf("the draft leads to %s", rows.Request.URL)
	}
	wantWords(t, rows, "1 rad må rettes eller utelates først")
	b.post(at+"/flere/feil", fields("rad", "4", "adresse1-4", "Storgata 3"))
	list := b.led(t, b.post(at, fields("versjon", "4", "tittel", "Vedtak", "avgivende", "Utsending", "neste", "kontroll")))
	if list.Request.URL.Path != at+"/flere" {
		t.Errorf("without errors it leads to %s", list.Request.URL)
	}
	wantWords(t, list, "Se over listen, og hva hver mottaker skal få, før du går videre.")
}

// TestDraftOfAListTellsItsDelivery: the recipients of a list have their numbers there, and the form does not say that all get paper.
func TestDraftOfAListTellsItsDelivery(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted;Fødselsnummer\nOla;Storgata 1;7713;Steinkjer;12047800155\n")
	b.post(at, fields("versjon", "1", "tittel", "Vedtak", "avgivende", "Utsending", "land", "Norge")) // the form has a country for one recipient
	page := b.get(at).page(t)
	if got := page.Find("#stand .sum li").Eq(2).Text(); !strings.Contains(got, "Leveres digitalt, ellers på papir") {
		t.Errorf("the delivery is told as %q", strings.Join(strings.Fields(got), " "))
	}
	if kinds := page.Find(`input[name=hvem]`); kinds.Length() < 2 || kinds.Not(`[data-gjelder=nummer]`).Length() != 0 {
		t.Errorf("of %d kinds of recipients, some leave a message about the number of another kind standing", kinds.Length())
	}
}

// TestStoppedShipmentsAreTakenUp: the draft says that nothing was wrong, why each did not get it, and leads to their rows.
func TestStoppedShipmentsAreTakenUp(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted\nOla Kortt;Storgata 1;7713;Steinkjer\nKari;Storgata 2;7713;Steinkjer\nPer;Storgata 3;7713;Steinkjer\n")
	b.post(at+"/flere/feil", fields("rad", "4", "utelat-4", "true"))
	b.post(at, fields("versjon", "1", "tittel", "Til ((navn))", "avgivende", "Utsending"))
	b.send(at + "/flere")
	job := b.follow(t, at).Request.URL.Path
	b.post(job+"/stopp", fields())
	s.makeItems(t)
	wantWords(t, b.get(job), "Ingen fikk brevet.", "1 utelatt rad er ikke med i utkastet. Den står i listen som ble lest inn.")
	again := func() (string, answer) {
		list := b.post(job+"/brev-igjen", fields("nokkel", uuid.NewString())).location()
		return list, b.get(list)
	}
	list, page := again()
	wantWords(t, page, "fordi den ble stoppet. Ingenting var feil", "Hva som skjedde sist", "Ola Kortt", "Stoppet", "Se alle 2 mottakerne")
	if strings.Contains(page.body, "der den var feil") {
		t.Error("an address is said to be wrong")
	}
	row := page.page(t).Find(`#ikke-nadd`).Parent().Parent().Find(`a[href="` + list + `/feil?rad=2"]`)
	if row.Length() != 1 {
		t.Fatal("nothing leads to the row")
	}
	b.post(list+"/feil", fields("rad", "2", "en", "ja", "navn-2", "Ola Kort"))
	wantWords(t, b.get(list+"/kontroll"), "Til Ola Kort ")
	b.post(strings.TrimSuffix(list, "/flere")+"/forkast", nil)
	s.run(t, `UPDATE items SET state = 'rejected', reason_at = now() WHERE job_id IS NOT NULL AND job_position = 2`)
	if _, page = again(); !strings.Contains(page.body, "der den var feil") {
		t.Error("an address that may be wrong is not told of")
	}
}

// TestReviewCountsThoseWhoGetPaperOnly: recipients without a number, where others have one.
func TestReviewCountsThoseWhoGetPaperOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Fnr;Navn;Adresse;Postnr;Sted\n12047800155;Ola;Storgata 1;7713;Steinkjer\n;Kari;Storgata 2;7713;Steinkjer\n;Per;Storgata 3;7713;Steinkjer\n")
	wantWords(t, b.get(at+"/flere/kontroll"), "2 av mottakerne har ikke nummer i listen og får brevet bare på papir.")
	whole := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\n")
	if page := b.get(whole + "/flere/kontroll"); strings.Contains(page.body, "har ikke nummer i listen") {
		t.Error("the sentence about all says it already")
	}
}

// TestRowsOfAnotherDelivery: rows that were faulty only because the shipment was digital only do not count as faulty when it is not.
func TestRowsOfAnotherDelivery(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft, _ := s.listDraft(t, caseworker, "Vedtak")
	at := "/k/oppvekst/utkast/" + string(draft)
	kind, body := listForm("liste", "Navn;Adresse;Postnr;Poststed\nOla Nordmann;Storgata 1;7713;Steinkjer\nÅse Nordmann;Storgata 4;7713;Steinkjer\n")
	b.do(http.MethodPost, at+"/flere/liste", kind, body)
	choose := func(delivery string) string {
		page := b.get(at).page(t)
		form := fields("versjon", held(page, "versjon"), "side", held(page, "side"), "side-lagring", "1", "tittel", "Vedtak", "avgivende-system", "Utsending", "levering", delivery)
		return b.post(at+"/stand", form, "Accept", "text/html; fragment=stand").page(t).Text()
	}
	choose("digitalt")
	b.follow(t, at+"/flere/kontroll")
	if text := choose("digitalt"); !strings.Contains(text, "2 rader må rettes") {
		t.Errorf("digital only: %q", text)
	}
	if text := choose("begge"); strings.Contains(text, "må rettes") || !strings.Contains(text, "2 rader kontrolleres på nytt når du går videre") {
		t.Errorf("on paper too: %q", text)
	}
}
