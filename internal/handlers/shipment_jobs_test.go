package handlers_test

import (
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// shipmentJob stores a complete draft of the caseworker's with a list of one, and a slice if the file is divided.
func (s *site) shipmentJob(t *testing.T, divided bool) (dispatch.ItemID, dispatch.JobID) {
	t.Helper()
	as := s.as(t, caseworker)
	draft, document := s.listDraft(t, caseworker, "Vedtak")
	id, err := items.In(s.store).ShipmentJobs.Create(t.Context(), as.Account.ID, draft, as.Actor)
	if err == nil {
		_, err = items.In(s.store).Rows.Fill(t.Context(), as.Account.ID, id, as.Actor, storetest.ListOf(nil, storetest.ShipmentRow(2, "12047800155", "Ola Nordmann")))
	}
	if err == nil && divided {
		of := dispatch.Division{Document: document, Pages: 2}
		err = items.In(s.store).Slices.Divide(t.Context(), as.Account.ID, id, as.Actor, of, func(add items.AddSlice) error {
			return add(strings.NewReader("%PDF-1.7 del"), dispatch.Document{FileName: "brev.pdf", MimeType: dispatch.MimePDF, Pages: 2})
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return draft, id
}

// shipmentJobAddress fills in the path of a route of shipments to many, made for this request only.
func (s *site) shipmentJobAddress(t *testing.T, path string) string {
	t.Helper()
	draft, job := s.shipmentJob(t, strings.Contains(path, ":del"))
	if as := s.as(t, caseworker); strings.Contains(path, "/filer") {
		if err := items.In(s.store).OwnFiles.Use(t.Context(), as.Account.ID, job, as.Actor, "fil"); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.HasSuffix(path, "/brev-igjen") {
		return strings.NewReplacer(":id", string(draft), ":del", "1", ":side", "1").Replace(path)
	}
	b := s.browser(t, caseworker)
	if got := b.send("/k/oppvekst/utkast/"+string(draft)+"/flere", "likevel", "true"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("not sent: %d", got.StatusCode)
	}
	s.makeItems(t)
	s.run(t, `UPDATE items SET state = 'rejected', reason_at = now() WHERE job_id = $1`, job)
	return strings.Replace(path, ":id", string(job), 1)
}

const shipmentPeople = "Fødselsnummer;Navn;Adresse;Postnr;Poststed\n12047800155;Ola Nordmann;Storgata 1;7713;Steinkjer\n" +
	"987654325;Firma AS;Storgata 2;7713;Steinkjer\n1204780015;Per Nordmann;Storgata 3;7713;Steinkjer\n;Åse Nordmann;Storgata 4;;Steinkjer\n" +
	";ola  NORDMANN;Storgata 1;7713;Steinkjer\n;Kari Nordmann;Storgata 5;150;Oslo\n"

// newShipmentList posts a list to a new shipment's draft, and returns the address of the draft.
func (s *site) newShipmentList(t *testing.T, b *browser, pairs ...string) string {
	t.Helper()
	draft, _ := s.listDraft(t, caseworker, "Vedtak")
	at := "/k/oppvekst/utkast/" + string(draft)
	kind, body := listForm(pairs...)
	got := b.do(http.MethodPost, at+"/flere/liste", kind, body)
	if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != at+"/flere" {
		t.Fatalf("got %d, want the list: %s", got.StatusCode, got.body)
	}
	return at
}

func TestShipmentsFromListToResult(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "fil", "fil:"+shipmentPeople)
	wantWords(t, b.get(at+"/flere"), "Rader i listen 6", "Kan sendes til 3", "Står flere ganger 1", "Med feil 2", "3 rader må rettes")
	wantWords(t, b.get(at), "Forsendelsen går til 3 mottakere fra en liste")
	for _, to := range []string{at + "/kontroll", at + "/flere/kontroll"} {
		if got := b.follow(t, to); !strings.Contains(got.body, "Rader som må rettes") {
			t.Errorf("%s leads to %.300s", to, got.body)
		}
	}
	if got := b.send(at+"/flere", "likevel", "true"); got.StatusCode != http.StatusSeeOther || !strings.HasSuffix(got.Header.Get("Location"), "/feil") {
		t.Errorf("sending with faulty rows: %d to %s", got.StatusCode, got.Header.Get("Location"))
	}
	if got := b.post(at+"/send", fields("versjon", "1")); !strings.HasSuffix(got.Header.Get("Location"), "/flere/kontroll") {
		t.Errorf("sent to one, though there is a list: %s", got.Header.Get("Location"))
	}

	file := b.get(at + "/flere/feil.csv").body
	rows, err := csvRows(file)
	if err != nil || len(rows) != 4 || rows[1][1] != "Per Nordmann" || rows[2][8] != "Postnummer: Skriv inn postnummer." {
		t.Fatalf("the file of faulty rows (%v): %q", err, rows)
	}

	got := b.post(at+"/flere/feil", fields("rad", "4", "nummer-4", "01810100155", "rad", "5", "postnummer-5", "7713", "rad", "6", "likevel-6", "true"))
	if got.Header.Get("Location") != at+"/flere" {
		t.Fatalf("after the faults: %d %s", got.StatusCode, got.Header.Get("Location"))
	}
	page := b.get(at + "/flere/kontroll")
	wantWords(t, page, "6 mottakere får hvert sitt brev", "blir det 1 ark i hvert brev og 6 til sammen", "Firma AS", "987 654 325", "0150 Oslo", "Send 6 forsendelser")
	if got := b.send(at + "/flere"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("not sent: %d", got.StatusCode)
	}
	job := b.follow(t, at)
	wantWords(t, job, "Forsendelse til 6 mottakere", "Denne utsendingen er allerede tatt imot for sending")
	path := job.Request.URL.Path
	wantLive(t, b.get(path, "Accept", "text/html; fragment=jobb"), true)
	s.makeItems(t)
	wantLive(t, b.get(path, "Accept", "text/html; fragment=jobb"), false)
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_at = now() WHERE job_position = 3`)
	wantWords(t, b.get(path), "Venter 5 forsendelser", "Kunne ikke sendes 1 forsendelse", "Lag utkast til 1 mottaker")
	wantWords(t, b.get("/k/oppvekst/forsendelser?jobb="+path[strings.LastIndex(path, "/")+1:]+"&gruppe=ikke-sendt"), "Firma AS", "Listen viser bare forsendelser fra én utsending: Kunne ikke sendes")
	wantWords(t, b.get("/k/oppvekst/jobber"), "Vedtak Forsendelse")

	result, err := csvRows(b.get(path + "/resultat.csv").body)
	if err != nil || len(result) != 7 || result[2][1] != "Firma AS" || result[2][2] != "987654325" || result[2][3] != "Kunne ikke sendes" || result[1][2] != "120478 •••••" {
		t.Errorf("the result (%v): %q", err, result)
	}
	masked, _ := csvRows(s.browser(t, teamLead).get(path + "/resultat.csv").body)
	if len(masked) != 7 || strings.Contains(masked[1][2], "12047800155") || masked[2][2] != "987654325" || masked[4][2] != "" {
		t.Errorf("the team lead's: %q", masked)
	}

	again := b.post(path+"/brev-igjen", fields("nokkel", "0b7d9c2a-68a1-4e5f-9d3c-0d5a4c1f2b3e"))
	wantWords(t, b.get(again.Header.Get("Location")), "Rader i listen 1", "Kan sendes til 1")
	review := b.get(again.Header.Get("Location") + "/kontroll")
	wantWords(t, review, "1 mottaker får brevet", "Firma AS", "Dette utkastet går bare til dem en tidligere masseutsending ikke nådde", "Hva som skjedde sist", "Rad 3: Firma AS Kunne ikke sendes:")
	if to := review.page(t).Find("#ny-utsending a").AttrOr("href", ""); to != path {
		t.Errorf("the notice leads to %q", to)
	}
	second := b.follow(t, b.post(path+"/brev-igjen", fields("nokkel", "0b7d9c2a-68a1-4e5f-9d3c-0d5a4c1f2b3f")).Header.Get("Location"))
	wantWords(t, second, "Det er ingen å sende på nytt til, eller de er allerede med i et utkast.", "Du har et utkast til 1 mottaker som ikke er sendt", "Fortsett på utkastet")
	if drafts := b.get("/k/oppvekst/utkast"); strings.Count(drafts.page(t).Find("main").Text(), "Vedtak – til 1 som ikke fikk det") != 1 {
		t.Error("there is not one draft to those whom it did not reach")
	}

	list := again.Header.Get("Location")
	draft := strings.TrimSuffix(list, "/flere")
	if form := b.get(list + "/feil?rad=3").page(t).Find("main form"); form.Find("[name=navn-3]").Length() != 1 {
		t.Error("the row cannot be corrected")
	}
	b.post(list+"/feil", fields("rad", "3", "en", "ja", "utelat-3", "true"))
	wantWords(t, b.get(draft), "Ingen på listen er igjen å sende til.")
	wantWords(t, b.get(list+"/feil?rad=3"), "Utelatte rader", "De som er utelatt, får ikke forsendelsen.")
	wantWords(t, b.get(list+"/feil?rad=3"), "Ta med raden igjen")
	wantWords(t, b.get(b.post(list+"/feil", fields("rad", "3", "en", "ja")).location()), "Raden er tatt med igjen", "1 mottaker får brevet")
	b.post(list+"/feil", fields("rad", "3", "en", "ja", "utelat-3", "true"))
	wantWords(t, b.get(b.post(list+"/feil", fields("rad", "3", "utelat-3", "true")).location()), "Ingen rader er endret")
	wantWords(t, b.get(b.post(list+"/feil", fields("rad", "3")).location()), "1 tatt med igjen", "Kan sendes til 1")
	wantWords(t, b.get(draft), "Forsendelsen går til 1 mottaker fra en liste.")
	seen := b.get(list+"/kontroll").page(t).Find("[name=sett]").AttrOr("value", "")
	s.run(t, `INSERT INTO items (id, account_id, kind, created_by, form_key, state, due_at, due_since, origin_id, origin_kind)
		SELECT gen_random_uuid(), account_id, kind, created_by, gen_random_uuid(), 'queued', now(), now(), id, 'replaces' FROM items WHERE job_position = 3 AND state = 'rejected'`)
	for _, page := range []string{draft, list + "/feil"} {
		if to := b.get(page).location(); to != list {
			t.Errorf("%s leads to %q, want %q", page, to, list)
		}
	}
	if forms := b.get(list).page(t).Find("main form"); forms.Length() != 1 || forms.AttrOr("action", "") != draft+"/forkast" {
		t.Errorf("of a draft that can only be deleted there are %d forms, the first %q", forms.Length(), forms.AttrOr("action", ""))
	}
	stale := b.post(list+"/send", fields("sett", seen, "likevel", "true"))
	if to := stale.location(); to != list {
		t.Errorf("the review that was open leads to %q", to)
	}
}

func csvRows(body string) ([][]string, error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff")))
	r.Comma = ';'
	return r.ReadAll()
}

// TestShipmentLists: problems of a list as a whole are shown on the list's page.
func TestShipmentLists(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for _, c := range []struct{ name, list, want string }{
		{"no headings", "12047800155;Ola Nordmann;Storgata 1;7713;Steinkjer\n", "Vi finner ingen kolonne med navn"},
		{"nobody", "Navn;Adresse\n", "Listen har ingen mottakere"},
		{"nothing", "", "Velg en fil eller lim inn mottakere"},
		{"a PDF", "%PDF-1.7", "verken en CSV-fil eller en Excel-fil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			draft, _ := s.listDraft(t, caseworker, "Vedtak")
			kind, body := listForm("liste", c.list)
			got := b.do(http.MethodPost, "/k/oppvekst/utkast/"+string(draft)+"/flere/liste", kind, body)
			if got.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("got %d", got.StatusCode)
			}
			wantWords(t, got, c.want)
		})
	}
}

// TestRowsAreHeldAgainstTheShipment: the validation of rows depends on the draft, also after a change of it.
func TestRowsAreHeldAgainstTheShipment(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Navn;Fnr;Adresse;Postnr;Sted\nOla;12047800155;;;\nKari;;Storgata 1;7713;Steinkjer\n")
	wantWords(t, b.get(at+"/flere"), "Kan sendes til 1", "Med feil 1")
	save := func(delivery string) {
		got := b.post(at, fields("versjon", "1", "tittel", "Vedtak", "avgivende", "Utsending", "levering", delivery))
		if got.StatusCode != http.StatusSeeOther {
			t.Fatalf("not saved: %d", got.StatusCode)
		}
	}
	save("digitalt")
	faults := b.follow(t, at+"/flere/kontroll")
	wantWords(t, faults, "Rad 3", "1 rad må rettes eller utelates først")
	if strings.Contains(faults.body, "Rad 2") {
		t.Error("a digital shipment needs no address")
	}
	if got := b.post(at+"/flere/feil", fields("neste", "utelat")); got.Header.Get("Location") != at+"/flere" {
		t.Errorf("after leaving out all: %s", got.Header.Get("Location"))
	}
	wantWords(t, b.get(at+"/flere"), "1 utelatt", "Utelatt 1")
	wantWords(t, b.get(at+"/flere/kontroll"), "1 mottaker får brevet", "1 rad er utelatt")
	b.post(at+"/flere/feil", fields("rad", "3", "nummer-3", "01810100155"))
	wantWords(t, b.get(at+"/flere/kontroll"), "2 mottakere får hvert sitt brev")
	if got := b.post(at+"/flere/forkast", fields()); got.Header.Get("Location") != at {
		t.Errorf("after the list is dropped: %s", got.Header.Get("Location"))
	}
	if got := b.get(at); strings.Contains(got.body, "fra en liste") {
		t.Error("the draft still goes to a list")
	}
}

// TestDivisionsThatDoNotFit are told before anything is divided.
func TestDivisionsThatDoNotFit(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft, document := s.listDraft(t, caseworker, "Vedtak") // of two pages
	at := "/k/oppvekst/utkast/" + string(draft) + "/flere"
	kind, body := listForm("liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\nKari;Storgata 2;7713;Steinkjer\nPer;Storgata 3;7713;Steinkjer")
	b.do(http.MethodPost, at+"/liste", kind, body)
	for _, c := range []struct{ pages, file, want string }{
		{"3", string(document), "Filen har 2 sider, som ikke går opp med 3 sider til hver. 2 blir til overs."},
		{"1", string(document), "Filen gir 2 brev, men listen har 3 rader"},
		{"0", string(document), "Skriv hvor mange sider hver mottaker skal ha"},
		{"to", string(document), "Skriv hvor mange sider hver mottaker skal ha"},
		{"1", "", "Velg hvilken PDF som skal deles"},
	} {
		got := b.post(at, fields("fordeling", "deler", "fordelt-fil", c.file, "sider", c.pages))
		if got.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s pages: got %d", c.pages, got.StatusCode)
		}
		wantWords(t, got, c.want)
	}
	wantWords(t, b.get(at+"/kontroll"), "3 mottakere får hvert sitt brev")
}

// TestForeignShipmentJobs: the list of another person's draft is not there, and a job of shipments is no SMS.
func TestForeignShipmentJobs(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	draft, job := s.shipmentJob(t, true)
	lead, own := s.browser(t, teamLead), s.browser(t, caseworker)
	for _, part := range []string{"", "/feil", "/feil.csv", "/kontroll", "/deler/1"} {
		if got := lead.get("/k/oppvekst/utkast/" + string(draft) + "/flere" + part); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s of another's draft: %d", part, got.StatusCode)
		}
	}
	for _, part := range []string{"endre", "feil", "kontroll"} {
		if got := own.get("/k/oppvekst/jobber/" + string(job) + "/" + part); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s as if it were an SMS: %d", part, got.StatusCode)
		}
	}
	if got := own.get("/k/oppvekst/utkast/" + string(draft) + "/flere/deler/2"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a part that is not there: %d", got.StatusCode)
	}
	if got := own.get("/k/oppvekst/utkast/" + string(draft) + "/flere/deler/1"); got.body != "%PDF-1.7 del" || s.audits(t, "document.read") != 1 {
		t.Errorf("the part: %d %q, read %d times", got.StatusCode, got.body, s.audits(t, "document.read"))
	}
}

// led returns the final address of a redirect chain.
func (b *browser) led(t *testing.T, a answer) answer {
	t.Helper()
	if a.StatusCode != http.StatusSeeOther {
		return a
	}
	return b.follow(t, a.location())
}

// follow follows redirects, a few times.
func (b *browser) follow(t *testing.T, address string) answer {
	t.Helper()
	for range 5 {
		got := b.get(address)
		if got.StatusCode != http.StatusSeeOther {
			return got
		}
		address = got.Header.Get("Location")
	}
	t.Fatalf("%s leads round in circles", address)
	return answer{}
}

// TestSlicesInDoubtAreLookedAt: a slice that may be another person's is sent only after a person has looked at that very
// slice, also without script. The look is stored for the slice's content and its recipient.
func TestSlicesInDoubtAreLookedAt(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, as := s.browser(t, caseworker), s.as(t, caseworker)
	draft, document := s.listDraft(t, caseworker, "Vedtak")
	at := "/k/oppvekst/utkast/" + string(draft) + "/flere"
	list := func(people string) {
		t.Helper()
		kind, body := listForm("liste", "Navn;Adresse;Postnr;Poststed\n"+people)
		if got := b.do(http.MethodPost, at+"/liste", kind, body); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("list: got %d", got.StatusCode)
		}
	}
	divide := func(contents ...string) {
		t.Helper()
		job, err := items.In(s.store).ShipmentJobs.ByID(t.Context(), as.Account.ID, draft, as.User)
		if err != nil {
			t.Fatal(err)
		}
		err = items.In(s.store).Slices.Divide(t.Context(), as.Account.ID, job.ID, as.Actor, dispatch.Division{Document: document, Pages: 2}, func(add items.AddSlice) error {
			for i, content := range contents {
				r := readShipment([]string{"Ola Nordmann", "Kari Nordmann", "Per Hansen"}[i])
				if r.LaterRead = true; i == 1 {
					r.Later = []dispatch.PageWords{{Page: 2, Words: readShipment("Siv Berg").Words}}
				}
				d := dispatch.Document{FileName: "brev.pdf", MimeType: dispatch.MimePDF, Pages: 2, Reading: r}
				if err := add(strings.NewReader("%PDF-1.7 "+content), d); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	tick := func() string {
		return b.get(at+"/kontroll").page(t).Find("[name=sett-del]:not([disabled])").AttrOr("value", "")
	}
	unsent := func() {
		t.Helper()
		if got := b.send(at, "likevel", "true"); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Noen av brevene kan være til en annen") {
			t.Fatalf("got %d from sending, want that a person looks first", got.StatusCode)
		}
	}
	const people = "Ola Nordmann;Storgata 1;7713;Steinkjer\nKari Nordmann;Storgata 1;7713;Steinkjer\nSiv Berg;Storgata 1;7713;Steinkjer\n"
	list(people)
	divide("en", "to", "tre")
	review := b.get(at + "/kontroll")
	wantWords(t, review, "2 brev kan være til andre enn mottakerne", "En senere side har også en adresse øverst", "Første side nevner ikke mottakeren", "det er til Siv Berg")
	if strings.Contains(review.body, "det er til Ola Nordmann") {
		t.Error("the right shipment is in doubt")
	}
	unsent()
	first := tick()
	if got := b.post(at+"/sett", fields("sett-del", first)); got.StatusCode != http.StatusSeeOther || !strings.Contains(got.Header.Get("Location"), "#rad-4") {
		t.Fatalf("after the first: %d to %s", got.StatusCode, got.Header.Get("Location"))
	}
	unsent()
	b.post(at+"/sett", fields("sett-del", "00ff", "sett-del", "tull", "sett-del", first))
	unsent()
	divide("en", "to", "tre")
	wantWords(t, b.get(at+"/kontroll"), "1 brev kan være til en annen enn mottakeren")
	divide("en", "annet", "tre")
	wantWords(t, b.get(at+"/kontroll"), "2 brev kan være til andre")
	b.post(at+"/sett", fields("sett-del", tick()))
	second := tick()
	if got := b.post(at+"/sett", fields("sett-del", second)); got.Header.Get("Location") != at+"/kontroll" {
		t.Errorf("after the last: %s", got.Header.Get("Location"))
	}
	list(strings.Replace(people, "Siv Berg", "Siri Berg", 1))
	wantWords(t, b.get(at+"/kontroll"), "1 brev kan være til en annen enn mottakeren", "det er til Siri Berg")
	if got := s.browser(t, teamLead).post(at+"/sett", fields("sett-del", tick())); got.StatusCode != http.StatusNotFound {
		t.Errorf("another person ticks: %d", got.StatusCode)
	}
	b.post(at+"/sett", fields("sett-del", tick()))
	if got := b.send(at); got.StatusCode != http.StatusSeeOther || !strings.Contains(got.Header.Get("Location"), "/jobber/") {
		t.Errorf("not sent: %d %s", got.StatusCode, got.Header.Get("Location"))
	}
	if n := s.audits(t, "job.parts_seen"); n != 4 {
		t.Errorf("%d looks stand in the event log, want 4", n)
	}
}

// TestAnErrorIsNotAnEmptyList: if a draft's list cannot be read, the draft is not shown, checked or sent as one
// without a list.
func TestAnErrorIsNotAnEmptyList(t *testing.T) {
	t.Parallel()
	s, _ := newSetup(t)
	s.overV1(t)
	b := s.browser(t, caseworker)
	draft, job := s.shipmentJob(t, false)
	s.run(t, `UPDATE jobs SET content = 'nonsense' WHERE id = $1`, job)
	at := "/k/oppvekst/utkast/" + string(draft)
	as := s.as(t, caseworker)
	d, err := items.In(s.store).Drafts.ByID(t.Context(), as.Account.ID, draft, as.User)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.post(at+"/send", fields("versjon", strconv.Itoa(d.Version))); got.StatusCode != http.StatusInternalServerError {
		t.Errorf("sending: %d, to %s", got.StatusCode, got.Header.Get("Location"))
	}
	for _, address := range []string{at, at + "/kontroll"} {
		if got := b.get(address); got.StatusCode != http.StatusInternalServerError {
			t.Errorf("%s: %d", address, got.StatusCode)
		}
	}
	if _, err := items.In(s.store).Drafts.ByID(t.Context(), as.Account.ID, draft, as.User); err != nil {
		t.Errorf("it is no draft any more: %v", err)
	}
}

// TestNewShipmentToMany: the list of jobs begins a draft with its list.
func TestNewShipmentToMany(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET shipment_integration_id = $2 WHERE id = $1`, s.oppvekst.Account.ID, s.shipmentIntegration(t, "Brev", dispatch.EnvironmentTest))
	b := s.browser(t, caseworker)
	form := b.get("/k/oppvekst/jobber").page(t).Find(`form[action$="/forsendelser/ny"] button[name=flere]`)
	got := b.post("/k/oppvekst/forsendelser/ny", fields("flere", form.AttrOr("value", "")))
	if !strings.HasSuffix(got.location(), "/flere") {
		t.Fatalf("got %d %s, want the draft's list", got.StatusCode, got.location())
	}
	wantWords(t, b.get(got.location()), "Mottakerne kommer fra en liste")
}

// wantLive checks that the fragment that refreshes a job's page tells that its shipments are being made, and that it asks again then.
func wantLive(t *testing.T, part answer, making bool) {
	t.Helper()
	if got := strings.Contains(part.body, "Gjør klar forsendelsene"); got != making || making && part.page(t).Find("#jobb").AttrOr("data-live-etter", "") == "" {
		t.Errorf("told that they are being made: %t, want %t; or it is not asked again", got, making)
	}
}
