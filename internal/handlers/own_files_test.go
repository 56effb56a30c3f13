package handlers_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/handlers"
	"utsending/internal/pdf"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// ownFiles is a site on which a draft's list says which file each row has; what is in a PDF is not looked at.
type ownFiles struct {
	*site
	*browser
	t     *testing.T
	draft dispatch.ItemID
	at    string // of the list
}

const ownPeople = "Navn;Adresse;Postnr;Sted;Filnavn\nOla;Storgata 1;7713;Steinkjer;ola.pdf\nKari;Storgata 2;7713;Steinkjer;KARI\nSiv;Storgata 3;7713;Steinkjer;siv.pdf\n"

func newOwnFiles(t *testing.T, list string) ownFiles {
	t.Helper()
	s := newSiteWith(t, siteOptions{app: func(o handlers.Options) http.Handler {
		o.PDF = pdf.New(pdf.Options{Command: []string{"/nothing/inspectpdf"}})
		return handlers.New(o)
	}})
	draft, _ := s.listDraft(t, caseworker, "Faktura")
	o := ownFiles{s, s.browser(t, caseworker), t, draft, "/k/oppvekst/utkast/" + string(draft) + "/flere"}
	o.list(list)
	return o
}

func (o ownFiles) list(list string) {
	o.t.Helper()
	kind, body := listForm("liste", list)
	if got := o.do(http.MethodPost, o.at+"/liste", kind, body); got.StatusCode != http.StatusSeeOther {
		o.t.Fatalf("list: got %d", got.StatusCode)
	}
}

// choose lets each row have the file that it names.
func (o ownFiles) choose() {
	o.t.Helper()
	if got := o.post(o.at, fields("fordeling", "filer", "filkolonne", "filnavn")); got.location() != o.at+"/filer" {
		o.t.Fatalf("own files: got %d to %q", got.StatusCode, got.location())
	}
}

// upload sends files, names and contents in turn, to where files of rows come.
func (o ownFiles) upload(query string, named ...string) answer {
	o.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(named); i += 2 {
		part, err := w.CreateFormFile("fil", named[i])
		if err == nil {
			_, err = part.Write([]byte(named[i+1]))
		}
		if err != nil {
			o.t.Fatal(err)
		}
	}
	_ = w.Close()
	return o.do(http.MethodPost, o.at+"/filer"+query, w.FormDataContentType(), b.String())
}

// looked makes as if the files had been looked at.
func (o ownFiles) looked() {
	o.run(o.t, `UPDATE documents SET found = '', pages = 1 + length(own_name) % 3 WHERE own_name <> '' AND found = 'unchecked'`)
	o.run(o.t, `UPDATE jobs SET looked = ''`)
}

// tick has a person look at every letter.
func (o ownFiles) tick() {
	o.t.Helper()
	for range 9 {
		key := o.get(o.at+"/kontroll").page(o.t).Find("[name=sett-del]:not([disabled])").AttrOr("value", "")
		if key == "" {
			return
		}
		o.browser.post(o.at+"/sett", fields("sett-del", key))
	}
}

// sent tells which files each recipient got.
func (o ownFiles) sent() (list []string) {
	o.t.Helper()
	o.makeItems(o.t)
	job := o.follow(o.t, strings.TrimSuffix(o.at, "/flere")).Request.URL.Path
	as := o.as(o.t, caseworker)
	for it, err := range items.In(o.store).ShipmentJobs.EachShipment(o.t.Context(), as.Account.ID, dispatch.JobID(job[strings.LastIndex(job, "/")+1:])) {
		if err != nil {
			o.t.Fatal(err)
		}
		sent, err := items.In(o.store).Shipments.ByID(o.t.Context(), as.Account.ID, it.ID)
		if err != nil {
			o.t.Fatal(err)
		}
		var names []string
		for _, d := range sent.Documents {
			names = append(names, d.FileName)
		}
		list = append(list, fmt.Sprint(it.Recipient.Postal.Name, names))
	}
	return list
}

// TestFilesOfRowsFromListToSending: files are matched with rows and shown; nothing goes while one is missing, and the review shows each
// row's own file.
func TestFilesOfRowsFromListToSending(t *testing.T) {
	t.Parallel()
	o := newOwnFiles(t, ownPeople)
	form := o.get(o.at).page(t)
	if form.Find("#filkolonne option[selected]").AttrOr("value", "") != "filnavn" || form.Find("[name=fordeling][checked]").AttrOr("value", "") != "filer" {
		t.Error("the form does not propose the column of file names")
	}
	wantWords(t, o.post(o.at, fields("fordeling", "filer", "filkolonne", "hund")), "Velg kolonnen i listen som har filnavnene")
	o.choose()
	wantWords(t, o.get(o.at+"/filer"), "Rader uten fil 3", "Filer som ingen får 0", "3 rader har et filnavn som ikke er lastet opp", "«KARI» er ikke lastet opp")
	if got := o.get(o.at + "/kontroll"); got.location() != o.at+"/filer" {
		t.Errorf("the review without files leads to %q", got.location())
	}
	if got := o.send(o.at, "likevel", "true"); got.location() != o.at+"/filer" {
		t.Errorf("sending without files: %d to %q", got.StatusCode, got.location())
	}
	if got := o.upload("", "Kari.pdf", "%PDF-1.7 til Kari", "OLA.PDF", "%PDF-1.7 til Ola", "per.pdf", "%PDF-1.7 til Per"); got.location() != o.at+"/filer" {
		t.Fatalf("upload: got %d %s", got.StatusCode, got.location())
	}
	o.looked()
	wantWords(t, o.get(o.at+"/filer"), "3 filer er lastet opp", "Filer som har én mottaker 2", "Rader uten fil 1", "Filer som ingen får 1", "1 fil som ingen får", "per.pdf")
	if got := o.get(o.at + "/kontroll"); got.location() != o.at+"/filer" {
		t.Errorf("the review with a file missing leads to %q", got.location())
	}
	o.upload("", "siv.pdf", "%PDF-1.7 til Siv")
	o.looked()
	wantWords(t, o.get(o.at+"/filer"), "Rader uten fil 0", "Se over og send")
	o.tick()
	wantWords(t, o.get(o.at+"/kontroll"), "3 mottakere får hvert sitt brev", "OLA.PDF 1 side", "Kari.pdf 2 sider", "siv.pdf", "Hver mottaker får sin egen fil", "Send 3 forsendelser")
	if got := o.send(o.at, "likevel", "true"); got.StatusCode != http.StatusSeeOther || !strings.Contains(got.location(), "/jobber/") {
		t.Fatalf("not sent: %d to %q", got.StatusCode, got.location())
	}
	if diff := cmp.Diff([]string{"Ola[OLA.PDF brev.pdf]", "Kari[Kari.pdf brev.pdf]", "Siv[siv.pdf brev.pdf]"}, o.sent()); diff != "" {
		t.Error(diff)
	}
	wantWords(t, o.follow(t, strings.TrimSuffix(o.at, "/flere")), "Hver mottaker får sin egen fil")
	if got := o.upload("", "sen.pdf", "%PDF-1.7"); got.StatusCode != http.StatusSeeOther || !strings.Contains(got.location(), "/jobber/") {
		t.Errorf("a file after sending: %d to %q", got.StatusCode, got.location())
	}
}

// TestFilesThatCannotBeARows are told by name, and stop their row or are not taken in.
func TestFilesThatCannotBeARows(t *testing.T) {
	t.Parallel()
	o := newOwnFiles(t, ownPeople+"Per;Storgata 4;7713;Steinkjer;mappe/per.pdf\nEva;Storgata 5;7713;Steinkjer;\nÅse;Storgata 6;7713;Steinkjer;Siv.PDF\n")
	o.choose()
	got := o.upload("", "ola.pdf", "PK\x03\x04 en arbeidsbok", "kari.pdf", "", "Ola", "%PDF-1.7 en annens", strings.Repeat("a", 300)+".pdf", "%PDF-1.7", ".pdf", "%PDF-1.7", "../siv.pdf", "%PDF-1.7")
	if got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("got %d", got.StatusCode)
	}
	wantWords(t, got, "«Ola» er ikke lastet opp: det ligger allerede en fil med dette navnet her", "Filnavnet er for langt", "Filen mangler navn",
		"2 rader har samme filnavn som en annen. Ingen av dem får filen", "Flere rader (4, 7) har filnavnet «Siv.PDF»", "«mappe/per.pdf» er en sti", "Raden har ikke noe filnavn",
		"ola.pdf er ikke en PDF, selv om navnet sier det", "kari.pdf er tom", "1 fil som ingen får", "2 rader må rettes av andre grunner")
	page := o.get(o.at + "/feil")
	for field, want := range map[string]string{"felt4-2": "ola.pdf er ikke en PDF", "felt4-3": "kari.pdf er tom", "felt4-4": "Flere rader", "felt4-5": "er en sti", "felt4-6": "ikke noe filnavn"} {
		if got := problems(t, page)[field]; !strings.Contains(got, want) {
			t.Errorf("%s says %q, want %q", field, got, want)
		}
	}
	for _, to := range []string{"/kontroll", "/feil.csv"} {
		if got := o.get(o.at + to); got.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s: %d", to, got.StatusCode)
		}
	}
	var same []string
	for range 40 {
		same = append(same, "OLA.PDF", "%PDF-1.7")
	}
	many := o.upload("", same...)
	wantWords(t, many, "Og 20 filer til er ikke lastet opp")
	if n := many.page(t).Find(".ds-error-summary li").Length(); n != 21 {
		t.Errorf("%d problems stand in the summary", n)
	}
	if got := o.upload(""); got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("no file: %d", got.StatusCode)
	}
	o.list("Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\n")
	wantWords(t, o.get(o.at+"/kontroll"), "Listen har ingen kolonne som heter «filnavn»")
	o.browser.post(o.at, fields("fordeling", "like"))
	wantWords(t, o.get(o.at+"/kontroll"), "1 mottaker får brevet")
}

// TestOneRowGetsAnotherFile: on the row's own page its file is replaced, or named anew; the former goes, and no other row loses its own.
func TestOneRowGetsAnotherFile(t *testing.T) {
	t.Parallel()
	o := newOwnFiles(t, ownPeople)
	o.choose()
	o.upload("", "ola.pdf", "%PDF-1.7 feil", "kari.pdf", "%PDF-1.7 til Kari", "siv.pdf", "%PDF-1.7 til Siv", "ny siv.pdf", "%PDF-1.7 ny til Siv")
	o.looked()
	o.get(o.at + "/filer")
	wantWords(t, o.get(o.at+"/feil?rad=2"), "ola.pdf", "Last opp filen")
	wrong := o.upload("?rad=2", "kari.pdf", "%PDF-1.7")
	if wrong.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a file that another row has: %d", wrong.StatusCode)
	}
	wantWords(t, wrong, "det ligger allerede en fil med dette navnet")
	if got := o.upload("?rad=2", "vedtak 7.pdf", "%PDF-1.7 til Ola", "enda en.pdf", "%PDF-1.7"); got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("two files for a row: %d", got.StatusCode)
	}
	if got := o.upload("?rad=9", "vedtak 9.pdf", "%PDF-1.7"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a file for a row that is not there: %d", got.StatusCode)
	}
	o.browser.post(o.at+"/feil", fields("rad", "4", "en", "ja", "felt4-4", "NY SIV"))
	o.looked()
	wantWords(t, o.get(o.at+"/filer"), "vedtak 7.pdf", "kari.pdf", "ny siv.pdf", "Filer som har én mottaker 3", "Rader uten fil 0", "Filer som ingen får 1")
	page := o.get(o.at + "/filer").page(t)
	o.browser.post(o.at+"/filer/fjern", fields("overflodige", "ja", "sett", page.Find("#overflodige").Parent().Parent().Find("[name=sett]").AttrOr("value", "")))
	wantWords(t, o.get(o.at+"/filer"), "1 fil er fjernet", "Filer som ingen får 0")
	o.tick()
	o.send(o.at, "likevel", "true")
	if diff := cmp.Diff([]string{"Ola[vedtak 7.pdf brev.pdf]", "Kari[kari.pdf brev.pdf]", "Siv[ny siv.pdf brev.pdf]"}, o.sent()); diff != "" {
		t.Error(diff)
	}
}

// TestAFileIsRemoved: its row has none then, and one that is uploaded alone by script is answered with its line.
func TestAFileIsRemoved(t *testing.T) {
	t.Parallel()
	o := newOwnFiles(t, ownPeople)
	o.choose()
	kind, body := listForm("fil", "fil:%PDF-1.7")
	one := func(name string) answer {
		return o.do(http.MethodPost, o.at+"/filer", kind, strings.Replace(body, "liste.csv", name, 1), "Accept", "text/html; fragment=dokument")
	}
	if got := one("ola.pdf"); got.StatusCode != http.StatusOK || !strings.Contains(got.body, `data-navn="ola.pdf"`) {
		t.Errorf("got %d %s", got.StatusCode, got.body)
	}
	if got := one("OLA"); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "det ligger allerede en fil") {
		t.Errorf("the same name: %d %s", got.StatusCode, got.body)
	}
	file := o.get(o.at+"/filer").page(t).Find("#rad-2 [name=egen-fil]").AttrOr("value", "")
	for _, who := range []string{teamLead, ""} {
		if who == "" {
			continue
		}
		lead := o.site.browser(t, who)
		if got := lead.post(o.at+"/filer/fjern", fields("egen-fil", file)); got.StatusCode != http.StatusNotFound {
			t.Errorf("another person removes it: %d", got.StatusCode)
		}
		for _, path := range []string{"/filer", "/deler/1"} {
			if got := lead.get(o.at + path); got.StatusCode != http.StatusNotFound {
				t.Errorf("%s of another person's: %d", path, got.StatusCode)
			}
		}
		if got := lead.do(http.MethodPost, o.at+"/filer", kind, body); got.StatusCode != http.StatusNotFound {
			t.Errorf("another person uploads: %d", got.StatusCode)
		}
	}
	if got := o.get(o.at + "/deler/1"); got.StatusCode != http.StatusOK || got.body != "%PDF-1.7" {
		t.Errorf("the file: %d %q", got.StatusCode, got.body)
	}
	o.browser.post(o.at+"/filer/fjern", fields("egen-fil", file))
	wantWords(t, o.get(o.at+"/filer"), "1 fil er fjernet", "Rader uten fil 3")
	o.browser.post(o.at+"/filer/fjern", fields("egen-fil", file))
	wantWords(t, o.get(o.at+"/filer"), "Ingen filer er fjernet")
	o.browser.post(o.at, fields("fordeling", "like"))
	if got := o.get(o.at + "/filer"); got.location() != o.at {
		t.Errorf("the page of files where all get the same leads to %q", got.location())
	}
	wantWords(t, one("ola.pdf"), "radene har ikke lenger egne filer")
}

// TestChoicesForFilesOfRows: the form of the draft knows that each recipient has a file, though the draft has none, and what it says of that
// file goes for all: sensitive, its type, giro pages, and that it is to be signed.
func TestChoicesForFilesOfRows(t *testing.T) {
	t.Parallel()
	o := newOwnFiles(t, ownPeople)
	o.choose()
	o.run(t, `DELETE FROM documents WHERE item_id = $1`, o.draft)
	at := strings.TrimSuffix(o.at, "/flere")
	o.upload("", "ola.pdf", "%PDF-1.7 til Ola", "kari.pdf", "%PDF-1.7 til Kari", "siv.pdf", "%PDF-1.7 til Siv")
	o.looked()
	page := o.get(at)
	if strings.Contains(page.body, "Last opp minst ett dokument") {
		t.Error("the form asks for a file")
	}
	wantWords(t, page, "Hver mottaker får sin egen fil")
	slot := page.page(t).Find("[name=egen-del]").AttrOr("value", "")
	if slot == "" || page.page(t).Find("[name=signer] option[value='"+slot+"']").Length() != 1 {
		t.Fatal("the file cannot be chosen to be signed")
	}
	if got := o.browser.post(at, fields("versjon", "1", "tittel", "Faktura", "avgivende", "Utsending", "egen-del", slot, "sensitiv-"+slot, "true", "dok-"+slot+"-giro", "1", "dok-"+slot+"-type", "Faktura", "neste", "kontroll")); got.location() != o.at {
		t.Fatalf("got %d to %q", got.StatusCode, got.location())
	}
	if got := o.get(at).page(t); got.Find("[name='dok-"+slot+"-giro']").AttrOr("value", "") != "1" || got.Find("[name='sensitiv-"+slot+"'][checked]").Length() != 1 {
		t.Error("the form has forgotten what was chosen")
	}
	o.tick()
	o.send(o.at, "likevel", "true")
	o.makeItems(t)
	var n int
	if err := storetest.DB(t, o.database).QueryRowContext(t.Context(), `
		SELECT count(*) FROM documents WHERE item_id IS NOT NULL AND sensitive AND giro_pages = '{1}' AND document_type = 'Faktura'`).Scan(&n); err != nil || n != 3 {
		t.Errorf("%d files have what was chosen, want 3, %v", n, err)
	}
}

// TestFilesNamedByRecipients: where the column of names says which file a row has, another file for a row changes no recipient, and a
// corrected name moves no file.
func TestFilesNamedByRecipients(t *testing.T) {
	t.Parallel()
	o := newOwnFiles(t, ownPeople)
	if got := o.post(o.at, fields("fordeling", "filer", "filkolonne", "navn")); got.location() != o.at+"/filer" {
		t.Fatalf("own files: got %d to %q", got.StatusCode, got.location())
	}
	o.upload("", "Ola.pdf", "%PDF-1.7 til Ola", "Kari.pdf", "%PDF-1.7 til Kari", "Siv.pdf", "%PDF-1.7 til Siv")
	o.looked()
	o.upload("?rad=2", "vedtak 7.pdf", "%PDF-1.7 et annet til Ola")
	o.looked()
	o.browser.post(o.at+"/feil", fields("rad", "4", "en", "ja", "navn-4", "Kari"))
	o.tick()
	o.send(o.at, "likevel", "true")
	if diff := cmp.Diff([]string{"Ola[vedtak 7.pdf brev.pdf]", "Kari[Kari.pdf brev.pdf]", "Kari[Siv.pdf brev.pdf]"}, o.sent()); diff != "" {
		t.Error(diff)
	}
}
