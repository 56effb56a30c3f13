package handlers_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/queue"
	"utsending/internal/store/storetest"
)

// jobFor is a job of the caseworker's for one route: a draft, or one that was sent.
func (s *site) jobFor(t *testing.T, route string) dispatch.JobID {
	t.Helper()
	sample, list, text := s.as(t, caseworker), storetest.ListOf(nil, storetest.Row(1, "90000123")), items.JobText{Text: "Hei der", Segments: 1}
	if slices.Contains(ofJobDraft, route) {
		return sample.JobDraft(t, s.store, list, text)
	}
	return sample.SendJob(t, s.store, list, text)
}

// listForm is a multipart form; a value that begins with "fil:" is a file of that content.
func listForm(pairs ...string) (contentType, body string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		if content, ok := strings.CutPrefix(pairs[i+1], "fil:"); ok {
			part, _ := w.CreateFormFile(pairs[i], "liste.csv")
			_, _ = io.WriteString(part, content)
			continue
		}
		_ = w.WriteField(pairs[i], pairs[i+1])
	}
	_ = w.Close()
	return w.FormDataContentType(), b.String()
}

const people = "Mobil;Fornavn\n90000101;Kari\n90000102;Ola\n123;Per\n90000101;Kari igjen\n+4670123456;Åse\n41047800155x;Feil\n90000103;\n"

// newList posts a list and returns the address of its draft.
func newList(t *testing.T, b *browser, pairs ...string) string {
	t.Helper()
	kind, body := listForm(pairs...)
	got := b.do(http.MethodPost, "/k/oppvekst/sms/ny/flere", kind, body)
	if got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d, want the draft: %s", got.StatusCode, got.body)
	}
	return strings.TrimSuffix(got.Header.Get("Location"), "/endre")
}

// wantWords expects texts on a page.
func wantWords(t *testing.T, got answer, words ...string) {
	t.Helper()
	page := strings.Join(strings.Fields(strings.ReplaceAll(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(got.body, " "), "\u00a0", " ")), " ")
	for _, w := range words {
		if !strings.Contains(page, w) {
			t.Errorf("%q is not on the page (%d): %s", w, got.StatusCode, page)
		}
	}
}

func TestJobFromListToResult(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := newList(t, b, "nokkel", uuid.NewString(), "fil", "fil:"+people)
	wantWords(t, b.get(draft+"/endre"), "Rader i listen 7", "Kan sendes til 4", "Herav utenlandske 1", "står flere ganger 1", "Med feil 2", "((fornavn))")

	// A placeholder that the list has no column for.
	got := b.post(draft+"/endre", fields("tekst", "Hei ((etternavn))", "mate", "traceable"))
	wantWords(t, got, "Meldingen har flettefeltet «etternavn», men listen har ingen slik kolonne.")
	if got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("got %d, want 422", got.StatusCode)
	}
	b.post(draft+"/endre", fields("tekst", "Hei ((Fornavn)), velkommen", "mate", "traceable"))
	wantWords(t, b.get(draft+"/kontroll"), "3 mottakere får meldingen", "Utelatt og blir ikke sendt: 2 rader med feil, 1 gjentatt rad og 1 rad som mangler noe meldingen skal flette inn.", "Hei Kari, velkommen", "Send til 3 mottakere")

	wantWords(t, b.get(draft+"/feil"), "Rad 4", "minst åtte siffer", "fornavn: Per", "Rad 5 ", "Mottakeren står også på rad 2.", "Rad 8", "Raden mangler «fornavn»")
	bad := b.get(draft + "/feil.csv")
	if !strings.HasPrefix(bad.body, "\ufeffMottaker;fornavn;Hva er feil\r\n123;Per;") || strings.Count(bad.body, "\r\n") != 5 {
		t.Errorf("the file of bad rows is %q", bad.body)
	}
	b.post(draft+"/feil", fields("rad", "4", "mottaker-4", "90000104", "rad", "8", "felt-8-0", "Eli", "mottaker-8", "90000103", "rad", "5", "mottaker-5", "90000101"))
	wantWords(t, b.get(draft+"/kontroll"), "5 mottakere får meldingen", "Utelatt og blir ikke sendt: 1 rad med feil og 1 gjentatt rad.")

	sent := b.send(draft)
	if sent.StatusCode != http.StatusSeeOther || sent.Header.Get("Location") != draft {
		t.Fatalf("got %d to %q, want the job's page", sent.StatusCode, sent.Header.Get("Location"))
	}
	if again := b.send(draft); again.Header.Get("Location") != draft {
		t.Errorf("a second click leads to %q", again.Header.Get("Location"))
	}
	wantWords(t, b.get(draft), "SMS til 5 mottakere", "Venter", "5 meldinger")
	s.makeItems(t)
	s.deliverAs(t, "90000102", "rejected")
	wantWords(t, b.get(draft), "Kunne ikke sendes", "1 melding", "Lag utkast til 1 mottaker")
	wantWords(t, b.get("/k/oppvekst/sms?jobb="+strings.TrimPrefix(draft, "/k/oppvekst/jobber/")+"&gruppe=ikke-sendt"), "bare meldinger fra én utsending: Kunne ikke sendes", "••• •• 102")

	csv := b.get(draft + "/resultat.csv")
	if lines := strings.Split(strings.TrimSpace(csv.body), "\r\n"); len(lines) != 6 || !strings.Contains(csv.body, "••• •• 102") || strings.Contains(csv.body, "90000102") || !strings.Contains(csv.body, "Hei Ola") || !strings.Contains(csv.body, "'+46 ••• 456") {
		t.Errorf("the result is %q", csv.body)
	}
	others := s.browser(t, teamLead).get(draft + "/resultat.csv")
	if strings.Contains(others.body, "90000102") || strings.Contains(others.body, "Hei") || !strings.Contains(others.body, "••• •• 102") {
		t.Errorf("another person's result is %q", others.body)
	}
	book := b.get(draft + "/resultat.xlsx")
	z, err := zip.NewReader(strings.NewReader(book.body), int64(len(book.body)))
	if err != nil || len(z.File) != 5 {
		t.Fatalf("the workbook cannot be opened: %v", err)
	}

	retry := b.post(draft+"/igjen", fields("nokkel", uuid.NewString())).Header.Get("Location")
	wantWords(t, b.get(retry), "Rader i listen 1", "Hei ((Fornavn)), velkommen")
	wantWords(t, b.get("/k/oppvekst/jobber"), "– til 1 som ikke fikk den")
	old := b.get(draft)
	retried := strings.TrimSuffix(retry, "/endre")
	fixUnreached(t, b, retried)
	if wantWords(t, old, "Du har et utkast til 1 mottaker"); strings.Contains(old.body, "Lag utkast til") || old.page(t).Find(`#jobb a[href="`+retried+`"]`).Length() != 1 {
		t.Error("a second draft is offered, or the way to the first is missing")
	}
	if sent := b.send(retried); sent.StatusCode != http.StatusSeeOther {
		t.Fatalf("the draft is not sent: %d", sent.StatusCode)
	}
	old = b.get(draft)
	if wantWords(t, old, "1 som ikke nådde frem, er tatt med i en annen utsending."); strings.Contains(old.body, "Lag utkast til") || old.page(t).Find(`#sendt-igjen a[href="`+retried+`"]`).Length() != 1 {
		t.Error("it can be sent once more, or the way to what was sent is missing")
	}
	if log := s.log.String(); strings.Contains(log, "90000102") || strings.Contains(log, "velkommen") {
		t.Error("the log holds something personal")
	}
}

// TestSameListAgain: sending the same list with the same text again today requires confirmation.
func TestSameListAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := func(list string) string {
		d := newList(t, b, "liste", list)
		b.post(d+"/endre", fields("tekst", "Hei alle", "mate", "traceable"))
		return d
	}
	first := draft("90000101\n90000102")
	b.send(first)
	again := draft("+4790000102\n90000101")
	wantWords(t, b.get(again+"/kontroll"), "tidligere i dag", "Send likevel")
	got := b.send(again)
	if got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("got %d, want a question", got.StatusCode)
	}
	if got := b.send(again, "likevel", "true"); got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != again {
		t.Errorf("got %d, want it sent anyway", got.StatusCode)
	}
	if other := b.get(draft("90000101\n90000103") + "/kontroll"); strings.Contains(other.body, `name="likevel"`) {
		t.Error("another list is asked about")
	}
}

func TestFastJob(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := newList(t, b, "liste", "12047800155\n90000101\n90000102")
	wantWords(t, b.post(draft+"/endre", fields("tekst", "Hei ((fornavn))", "mate", "fast")), "Flettefelt kan bare brukes når sendingen er sporbar.")
	b.post(draft+"/endre", fields("tekst", "Hei alle", "mate", "fast"))
	wantWords(t, b.get(draft+"/kontroll"), "2 mottakere får meldingen", "Utelatt og blir ikke sendt: 1 rad", "kan ikke spores")
	b.send(draft)
	wantWords(t, b.get(draft), "ikke tilgjengelig for denne typen utsending")
}

// TestJobSentLater: a planned job shows its time, is moved to another time, and is stopped.
func TestJobSentLater(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	day := time.Now().In(dispatch.Oslo).AddDate(0, 0, 2).Format("02.01.2006")
	job := newList(t, b, "liste", "90000101\n90000102")
	wrong := b.post(job+"/endre", fields("tekst", "Hei alle", "mate", "traceable", "dag", "31.02.2027", "klokkeslett", "12.00"))
	if got := problems(t, wrong)["dag"]; wrong.StatusCode != http.StatusUnprocessableEntity || got == "" {
		t.Errorf("got %d %q", wrong.StatusCode, got)
	}
	b.post(job+"/endre", fields("tekst", "Hei alle", "mate", "traceable", "dag", day, "klokkeslett", "12.00"))
	if page := b.get(job + "/endre").page(t); page.Find("#dag").AttrOr("value", "") != day || page.Find("#klokkeslett").AttrOr("value", "") != "12.00" {
		t.Error("the draft does not show the time")
	}
	if got := b.get(job + "/kontroll").page(t).Find("#planlagt").Text(); !strings.Contains(got, "kl. 12.00") {
		t.Errorf("the review says %q", got)
	}
	b.send(job)
	s.makeItems(t)
	page := b.get(job).page(t)
	if got := strings.TrimSpace(page.Find("#jobb .status-now .ds-tag").Text()); got != "Planlagt" || !strings.Contains(page.Find("#jobb").Text(), "kl. 12.00") {
		t.Errorf("got %q: %s", got, page.Find("#jobb").Text())
	}
	wantWords(t, b.get("/k/oppvekst/jobber"), "Planlagt")

	if page := b.get(job + "/tidspunkt").page(t); page.Find("#dag").AttrOr("value", "") != day || page.Find("#klokkeslett").AttrOr("value", "") != "12.00" {
		t.Error("the form does not show the time")
	}
	wrong = b.post(job+"/tidspunkt", fields("dag", day, "klokkeslett", "25"))
	if got := problems(t, wrong)["klokkeslett"]; wrong.StatusCode != http.StatusUnprocessableEntity || got == "" {
		t.Errorf("got %d %q", wrong.StatusCode, got)
	}
	if got := wrong.page(t).Find("#feil-tittel").Text(); got != "Du må rette én feil først" { // it is sent already, and stays planned
		t.Errorf("the summary says %q", got)
	}
	if got := b.post(job+"/tidspunkt", fields("dag", day, "klokkeslett", "13:30")).location(); got != job {
		t.Errorf("got %q", got)
	}
	wantWords(t, b.get(job), "Tidspunktet er endret", "kl. 13.30")
	for _, it := range s.oppvekstItems(t) {
		if got := it.DueSince.In(dispatch.Oslo).Format("02.01.2006 15.04"); got != day+" 13.30" {
			t.Errorf("an item is due %s", got)
		}
	}
	b.post(job+"/stopp", fields())
	wantWords(t, b.get(job), "Stoppet", "Ingen fikk meldingen.")
	if got := b.get(job + "/tidspunkt").location(); got != job {
		t.Errorf("its time leads to %q", got)
	}
}

// TestJobFromTemplate: the text of a job is taken from a template, its fields are filled by the list's columns, and the
// job's page says which template it was.
func TestJobFromTemplate(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := string(s.template(t, teamLead, "Møte", "Hei ((Fornavn)). Møt ((rom))."))
	job := newList(t, b, "liste", "Mobil;Fornavn\n90000101;Kari\n90000102;Ola")
	wantWords(t, b.get(job+"/endre"), "Ingen mal", "Møte")

	filled := b.post(job+"/endre", fields("tekst", " ", "mate", "traceable", "mal", id+":nb")).page(t)
	if text, use := filled.Find("#tekst").Text(), filled.Find("input[name=mal-brukt]").AttrOr("value", ""); text != "Hei ((Fornavn)). Møt ((rom))." || use != id+":nb:1" {
		t.Errorf("got %q from %q", text, use)
	}
	if draft := b.get(job + "/endre").page(t); strings.TrimSpace(draft.Find("#tekst").Text()) != "" {
		t.Error("a choice alone was stored")
	}
	asks := b.post(job+"/endre", fields("tekst", "Mine ord", "mate", "traceable", "mal", id+":nb", "mal-hent", "hent"), fragment("mal-valg")...).page(t)
	if asks.Find("button[name=mal-bytt]").Length() != 1 || asks.Find("h1").Length() != 0 {
		t.Error("what was typed is replaced without a question, or the answer is no part of the page")
	}
	wrong := b.post(job+"/endre", fields("tekst", "Hei ((Fornavn)). Møt ((rom)).", "mate", "traceable", "mal", id+":nb", "mal-brukt", id+":nb:1"))
	wantWords(t, wrong, "Meldingen har flettefeltet «rom», men listen har ingen slik kolonne.")

	b.post(job+"/endre", fields("tekst", "Hei ((Fornavn)).", "mate", "traceable", "mal", id+":nb", "mal-brukt", id+":nb:1"))
	if got := b.get(job+"/endre").page(t).Find("#mal option[selected]").AttrOr("value", ""); got != id+":nb" {
		t.Errorf("the draft shows the template %q", got)
	}
	b.send(job)
	s.makeItems(t)
	wantWords(t, b.get(job), "Teksten er hentet fra malen Møte, versjon 1.")
	for _, it := range s.oppvekstItems(t) {
		if want := (dispatch.TemplateUse{ID: dispatch.TemplateID(id), Version: 1, Form: dispatch.FormBokmal}); it.Template != want {
			t.Errorf("an item was written from %v, want %v", it.Template, want)
		}
	}

	other := newList(t, b, "liste", "90000101")
	b.post(other+"/endre", fields("tekst", "Hei.", "mate", "traceable", "mal-brukt", uuid.NewString()+":nb:1"))
	if got := b.get(other+"/endre").page(t).Find("input[name=mal-brukt]").AttrOr("value", ""); got != "" {
		t.Errorf("a template that the account has not was kept: %q", got)
	}
}

// TestRowsToLookAt: warnings of the list's reader are shown with row and column, and block nothing.
func TestRowsToLookAt(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	job := newList(t, b, "liste", "Fødselsnummer;Mobil\n;4790000101\n12847901258;123\n;+46 70 123 45 67\n;90000104\n;12")
	page := b.get(job + "/endre")
	wantWords(t, page, "Kan sendes til 4", "3 rader får meldingen, men du bør se over dem:", "Rad 2, Mobil: Vi leser nummeret som norsk, med +47 foran.",
		"Rad 3, Mobil: Telefonnummeret kan ikke brukes. Meldingen går til fødselsnummeret.", "Rad 4, Mobil: Utenlandsk nummer.")
	told := squeezed(page.page(t).Find("#se-over"))
	if strings.Contains(told, "Rad 5") || strings.Contains(told, "Rad 6,") || strings.Contains(page.body, "4790000101") {
		t.Errorf("a row without a warning is told of, or a number is shown: %s", told)
	}
	b.post(job+"/feil", fields("rad", "6", "mottaker-6", "4790000106"))
	wantWords(t, b.get(job+"/endre"), "4 rader får meldingen", "Rad 6: Vi leser nummeret som norsk, med +47 foran.")
	b.post(job+"/endre", fields("tekst", "Hei alle", "mate", "traceable"))
	wantWords(t, b.get(job+"/kontroll"), "5 mottakere får meldingen")

	var long strings.Builder
	for i := range 50 {
		fmt.Fprintf(&long, "47900001%02d\n", i)
	}
	b = s.browser(t, caseworker)
	job = newList(t, b, "liste", long.String())
	var rows int
	for at, n := job+"/endre", 0; at != "" && n < 9; n++ {
		doc := b.get(at).page(t)
		rows += doc.Find("#se-over li").Length()
		at = strings.TrimSuffix(doc.Find("#se-over a[rel=next]").AttrOr("href", ""), "#se-over")
	}
	if rows != 50 {
		t.Errorf("the windows show %d rows, want 50", rows)
	}
}

// TestHiddenJob: after sending, a hidden text is on no page of the job, in no list and no file, even for its sender.
func TestHiddenJob(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for _, mode := range []string{"traceable", "fast"} {
		job := newList(t, b, "liste", "90000101\n90000102")
		b.post(job+"/endre", fields("tekst", "Hemmelig beskjed", "mate", mode, "skjul", "true"))
		wantWords(t, b.get(job+"/kontroll"), "Hemmelig beskjed", "Teksten skjules i lister, resultat og statistikk.")
		if got := b.send(job, "likevel", "true").location(); got != job {
			t.Fatalf("sending leads to %q", got)
		}
		s.makeItems(t)
		pages := []string{job, job + "/resultat.csv", job + "/resultat.xlsx", "/k/oppvekst/jobber", "/k/oppvekst/sms", "/k/oppvekst/sms?jobb=" + strings.TrimPrefix(job, "/k/oppvekst/jobber/")}
		for _, it := range s.oppvekstItems(t) {
			if !it.HideInReport {
				t.Error("an item of the job does not hide its text")
			}
			pages = append(pages, "/k/oppvekst/sms/"+string(it.ID))
		}
		for _, page := range pages {
			got := b.get(page)
			if body := unzipped(got.body); got.StatusCode != http.StatusOK || strings.Contains(body, "Hemmelig") {
				t.Errorf("%s (%s) is answered with %d, or shows the text", page, mode, got.StatusCode)
			}
		}
	}
}

// unzipped is the text of the parts of a workbook; anything else is given back.
func unzipped(body string) string {
	z, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		return body
	}
	var all strings.Builder
	for _, f := range z.File {
		if in, err := f.Open(); err == nil {
			_, _ = io.Copy(&all, in) // what cannot be read shows nothing
		}
	}
	return all.String()
}

// TestLateJob: a draft whose planned time has passed is not sent.
func TestLateJob(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	text := items.JobText{Text: "Hei der", Segments: 1, Timing: dispatch.Timing{SendAt: time.Now().Add(-time.Minute)}}
	id := s.as(t, caseworker).JobDraft(t, s.store, storetest.ListOf(nil, storetest.Row(1, "90000123")), text)
	at := "/k/oppvekst/jobber/" + string(id)
	if got := b.send(at).location(); got != at+"/endre" {
		t.Errorf("got %q", got)
	}
	if got := problems(t, b.get(at+"/endre"))["dag"]; !strings.HasPrefix(got, "Tidspunktet er passert.") {
		t.Errorf("got %q", got)
	}
	wantWords(t, b.get(at+"/kontroll"), "Tidspunktet du valgte, er passert.")
}

func TestBadLists(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for _, test := range []struct {
		name, want string
		pairs      []string
	}{
		{"nothing", "Filen er tom. Velg en annen fil eller lim inn mottakere.", []string{"liste", "  \r\n", "fil", "fil:"}},
		{"both", "enten en fil eller det du har limt inn", []string{"fil", "fil:90000101", "liste", "90000102"}},
		{"no numbers", "ingen kolonne med fødselsnummer eller telefonnummer", []string{"liste", "Kari\nOla"}},
		{"a zip that is no workbook", "skadet", []string{"fil", "fil:PK\x03\x04rot"}},
		{"too many rows", "Listen kan ha høyst 50", []string{"fil", "fil:" + many(50_001)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			kind, body := listForm(append([]string{"nokkel", uuid.NewString()}, test.pairs...)...)
			got := b.do(http.MethodPost, "/k/oppvekst/sms/ny/flere", kind, body)
			if got.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("got %d, want 422", got.StatusCode)
			}
			wantWords(t, got, test.want)
		})
	}
	if n := countRows(t, s, `SELECT count(*) FROM list_chunks`); n != 0 {
		t.Errorf("%d pieces of lists are left", n)
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "9%07d\n", i)
	}
	return b.String()
}

func countRows(t *testing.T, s *site, query string, args ...any) int {
	t.Helper()
	n := 0
	if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// makeItems makes the items of all jobs, as delivery does.
func (s *site) makeItems(t *testing.T) {
	t.Helper()
	if _, err := queue.In(s.store).Guards.Check(t.Context(), queue.Witness{}); err != nil {
		t.Fatal(err)
	}
	for n := 1; n > 0; {
		var err error
		if n, err = items.In(s.store).Maker.Make(t.Context(), recipients.Merge); err != nil {
			t.Fatal(err)
		}
	}
}

// deliverAs gives the message to a number an outcome, as an attempt would.
func (s *site) deliverAs(t *testing.T, number, state string) {
	t.Helper()
	for _, m := range s.oppvekstItems(t) {
		if m.Recipient.Phone.Reveal() != number {
			continue
		}
		_, err := storetest.DB(t, s.database).ExecContext(t.Context(), `
			UPDATE items SET state = $2, reason_key = 'reason.rejected', reason_at = now() WHERE id = $1`, m.ID, state)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("nothing goes to the number")
}

func (s *site) oppvekstItems(t *testing.T) (items []dispatch.SMSItem) {
	t.Helper()
	rows, _, _, err := lists.In(s.store).Items.List(t.Context(), s.oppvekst.Account.ID, lists.ListQuery{Viewer: s.as(t, caseworker).User, Page: store.Page{Limit: 50}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		items = append(items, s.oppvekst.Item(t, s.store, r.ID))
	}
	return items
}

// TestJobsTellWhatBecameOfThem: the state of a finished job has the same count in the list and on its page.
func TestJobsTellWhatBecameOfThem(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	var jobs []string
	for range 2 {
		job := newList(t, b, "liste", "90000101\n90000102\n90000103")
		b.post(job+"/endre", fields("tekst", "Hei", "mate", "fast"))
		b.send(job, "likevel", "true")
		s.makeItems(t)
		jobs = append(jobs, job)
		id := strings.TrimPrefix(job, "/k/oppvekst/jobber/")
		s.run(t, `UPDATE items SET state = CASE job_position WHEN $2 THEN 'failed' ELSE 'accepted' END, reason_at = now(), accepted_at = now() WHERE job_id = $1`, id, len(jobs))
	}
	s.run(t, `UPDATE jobs SET state = 'done' WHERE id = $1`, strings.TrimPrefix(jobs[0], "/k/oppvekst/jobber/"))
	list := b.get("/k/oppvekst/jobber").page(t).Find("#jobber tbody tr")
	for i, want := range []string{"Sendes", "Ferdig: 2 sendt, 1 kunne ikke sendes"} {
		if got := strings.TrimSpace(list.Eq(i).Find(".ds-tag").Text()); got != want {
			t.Errorf("row %d says %q, want %q", i, got, want)
		}
	}
	wantWords(t, b.get(jobs[0]), "Ferdig: 2 sendt, 1 kunne ikke sendes")
}
