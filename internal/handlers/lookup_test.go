package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

const (
	oppslag  = "/k/oppvekst/oppslag"
	why      = "Varsle om stengt skole"
	somebody = "02813299990"
	noOne    = "02813299996"
	company  = "974760673"
	theirs   = "+4790999120" // the phone of the company
)

// register is a contact register of a test's own: internal/upstream tests how the real one is called. It answers what it is
// told to, and notes what it was asked.
type register struct {
	mu     sync.Mutex
	known  map[dispatch.LookupNumber]dispatch.Contact
	broken map[int]string // error id of a call that fails, by its number
	asked  [][]dispatch.LookupNumber
	before func()
}

func (r *register) answer(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.before != nil {
		r.before()
	}
	var question struct {
		Numbers []dispatch.LookupNumber `json:"fnrOrgnrs"`
	}
	if json.NewDecoder(request.Body).Decode(&question) != nil {
		refuse(w, http.StatusBadRequest, upstreamError)
		return
	}
	call := len(r.asked)
	r.asked = append(r.asked, question.Numbers)
	if id := r.broken[call]; id != "" {
		refuse(w, http.StatusInternalServerError, id)
		return
	}
	contacts := []map[string]string{}
	for _, n := range question.Numbers {
		contact, ok := r.known[n]
		if !ok {
			contact = dispatch.Contact{Number: n, Status: dispatch.ContactNotFound}
		}
		contacts = append(contacts, map[string]string{
			"fnrOrgnr": contact.Number.Reveal(), "telefonnummer": contact.Phone.Reveal(), "telefonnummerStatus": string(contact.Status),
		})
	}
	tell(w, contacts)
}

// knowing is a register that knows a person and a company.
func knowing() *register {
	return &register{broken: map[int]string{}, known: map[dispatch.LookupNumber]dispatch.Contact{
		somebody: {Number: somebody, Phone: "+4790000118", Status: dispatch.ContactValid},
		company:  {Number: company, Phone: theirs, Status: dispatch.ContactValid},
	}}
}

func asking(numbers string) []string {
	return []string{"nokkel", uuid.NewString(), "numre", numbers, "formal", why}
}

// lookUp posts the form and follows to the answers.
func (b *browser) lookUp(numbers string) *goquery.Document {
	b.t.Helper()
	got := b.post(oppslag, fields(asking(numbers)...))
	if got.StatusCode != http.StatusSeeOther || got.location() != oppslag+"#svar" {
		b.t.Fatalf("got %d to %q: %s", got.StatusCode, got.location(), got.body)
	}
	return b.get(oppslag).page(b.t)
}

func squeezed(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

// rowsOf are the rows of the answers as they are seen.
func rowsOf(page *goquery.Document) (rows []string) {
	page.Find("tbody tr").Each(func(_ int, tr *goquery.Selection) {
		tr.Find(".ds-sr-only").Remove()
		var cells []string
		tr.Find("td").Each(func(_ int, td *goquery.Selection) { cells = append(cells, squeezed(td)) })
		rows = append(rows, strings.Join(cells, " | "))
	})
	return rows
}

func TestLookup(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{register: knowing()})
	b := s.browser(t, caseworker)
	page := b.lookUp(somebody + "\n\n" + noOne + "\n" + company + "\n" + somebody)
	want := []string{
		"1 | 028132 ••••• Kontrollsifrene stemmer ikke. Se over nummeret. | ••• •• 118 | Gyldig",
		"3 | 028132 ••••• Kontrollsifrene stemmer ikke. Se over nummeret. | Ikke oppgitt | Ikke funnet",
		"4 | 974 760 673 | ••• •• 120 | Gyldig",
	}
	if got := rowsOf(page); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := squeezed(page.Find(".panel-head p")); got != "3 oppslag: 2 gyldige, 1 ikke funnet" {
		t.Errorf("got %q", got)
	}
	if got := squeezed(page.Find("main")); !strings.Contains(got, "Formål: "+why) || !strings.Contains(got, "1 nummer sto flere ganger") {
		t.Errorf("got %q", got)
	}
	html, _ := page.Html()
	for _, secret := range []string{somebody, noOne, theirs, theirs[3:], "90000118"} {
		if strings.Contains(html, secret) {
			t.Errorf("the page holds %s", secret)
		}
	}
	t.Run("is seen by nobody else, nor on another account", func(t *testing.T) {
		for _, other := range []*browser{s.browser(t, teamLead), s.browser(t, caseworker)} {
			if got := rowsOf(other.get(oppslag).page(t)); len(got) > 0 {
				t.Errorf("got %q", got)
			}
		}
	})
	t.Run("is never kept by a browser", func(t *testing.T) {
		if got := b.get(oppslag).Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("may be narrowed to a group", func(t *testing.T) {
		if got := rowsOf(b.get(oppslag + "?vis=ikke-funnet").page(t)); len(got) != 1 || !strings.HasPrefix(got[0], "3 ") {
			t.Errorf("got %q", got)
		}
		for _, odd := range []string{"?vis=ugyldig", "?vis=tull", "?side=99", "?side=-1", "?side=x"} {
			if got := rowsOf(b.get(oppslag + odd).page(t)); len(got) != 3 {
				t.Errorf("%s: got %d rows", odd, len(got))
			}
		}
	})
	t.Run("is forgotten when told to", func(t *testing.T) {
		b.post(oppslag+"/glem", fields())
		page := b.get(oppslag).page(t)
		if got := rowsOf(page); len(got) > 0 || flash(page) != "Svarene fra kontaktregisteret er slettet" {
			t.Errorf("got %q, %q", got, flash(page))
		}
	})
}

func TestLookupIsForgotten(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{register: knowing()})
	b := s.browser(t, caseworker)
	if n := len(rowsOf(b.lookUp(somebody))); n != 1 {
		t.Fatalf("got %d rows", n)
	}
	s.ahead.Store(int64(15*time.Minute - 5*time.Second))
	if n := len(rowsOf(b.get(oppslag).page(t))); n != 1 {
		t.Errorf("got %d rows before the time is up", n)
	}
	s.ahead.Store(int64(15*time.Minute + time.Second))
	if n := len(rowsOf(b.get(oppslag).page(t))); n != 0 {
		t.Errorf("got %d rows after a quarter of an hour", n)
	}
	for _, path := range []string{"/igjen", "/sms"} {
		if got := b.post(oppslag+path, fields()); got.location() != oppslag {
			t.Errorf("%s: got %d to %q", path, got.StatusCode, got.location())
		}
	}
	s.ahead.Store(0)
	b.lookUp(somebody)
	b.post("/logg-ut", fields())
	var left int
	if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT count(*) FROM session_lookups`).Scan(&left); err != nil || left > 0 {
		t.Errorf("%d look-ups are left after logout, %v", left, err)
	}
}

func TestLookupOfManyWithAFailure(t *testing.T) {
	t.Parallel()
	r := knowing()
	r.broken[1] = upstreamError
	s := newSiteWith(t, siteOptions{register: r})
	b := s.browser(t, caseworker)
	var list strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&list, "0281%07d\n", i)
	}
	page := b.lookUp(list.String())
	if got := squeezed(page.Find("[aria-labelledby=uten-svar]")); !strings.Contains(got, "Vi mangler svar om 1\u00a0000 av 2\u00a0500 nummer") && !strings.Contains(got, "Vi mangler svar om 1 000 av 2 500 nummer") ||
		!strings.Contains(got, "Tjenesten svarte med en feil.") || !strings.Contains(got, "001–2") || !strings.Contains(got, upstreamError) {
		t.Errorf("got %q", got)
	}
	if n := len(rowsOf(page)); n != 100 {
		t.Errorf("got %d rows on the first page", n)
	}
	if got := rowsOf(b.get(oppslag + "?side=11").page(t)); len(got) != 100 || !strings.Contains(got[0], "Uten svar") {
		t.Errorf("got %d rows, %q", len(got), got[0])
	}
	if got := b.post(oppslag+"/igjen", fields()); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	if again := r.asked[3]; len(again) != 1000 || again[0] != "02810001000" {
		t.Errorf("asked again for %d", len(again))
	}
	page = b.get(oppslag).page(t)
	if n := page.Find("[aria-labelledby=uten-svar]").Length(); n > 0 || !strings.Contains(squeezed(page.Find(".panel-head p")), "500 ikke funnet") {
		t.Errorf("got %q", squeezed(page.Find("main")))
	}
	t.Run("each is in the event log", func(t *testing.T) {
		want := "lookup 2500 2500 " + why + " false 127.0.0.1, lookup 1000 1000 " + why + " true 127.0.0.1"
		if got := s.audited(t); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// audited are the look-ups in the event log.
func (s *site) audited(t *testing.T) string {
	t.Helper()
	var log string
	err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `
		SELECT coalesce(string_agg(concat_ws(' ', action, details->>'asked', details->>'persons', details->>'purpose', details->>'again', origin), ', ' ORDER BY id), '')
		FROM audit_events WHERE action LIKE 'lookup%' AND actor_id IS NOT NULL AND account_id IS NOT NULL`).Scan(&log)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func TestLookupTellsWhatIsOdd(t *testing.T) {
	t.Parallel()
	r := knowing()
	r.known[noOne] = dispatch.Contact{Number: "02813299991", Status: dispatch.ContactValid} // a stranger, and noOne is left out
	s := newSiteWith(t, siteOptions{register: r})
	page := s.browser(t, caseworker).lookUp(somebody + "\n" + noOne)
	got := squeezed(page.Find("main"))
	for _, want := range []string{"Vi mangler svar om 1 av 2 nummer", "utelot noen av numrene", "Uten svar: linje 2.", "1 nummer som du ikke spurte om"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q without %q", got, want)
		}
	}
}

func TestLookupProblems(t *testing.T) {
	t.Parallel()
	r := knowing()
	s := newSiteWith(t, siteOptions{register: r})
	b := s.browser(t, caseworker)
	got := b.post(oppslag, fields("numre", somebody+"\nKari\n123", "formal", ""))
	page := got.page(t)
	if got.StatusCode != http.StatusUnprocessableEntity || page.Find(".ds-error-summary li").Length() != 3 || squeezed(page.Find(".ds-error-summary h2")) != "Du må rette tre feil før du kan slå opp" {
		t.Errorf("got %d: %s", got.StatusCode, squeezed(page.Find(".ds-error-summary")))
	}
	if typed := page.Find("#numre").Text(); !strings.Contains(typed, somebody+"\nKari\n123") {
		t.Errorf("got %q in the field", typed)
	}
	if got := b.post(oppslag, fields(asking(strings.Repeat("02813299990\n", 30000))...)); got.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(got.body, "Listen er for stor") {
		t.Errorf("got %d for a list without end", got.StatusCode)
	}
	if len(r.asked) > 0 || s.audited(t) != "" {
		t.Errorf("asked %d times, log %q", len(r.asked), s.audited(t))
	}
}

func TestLookupIsMadeOnce(t *testing.T) {
	t.Parallel()
	r := knowing()
	s := newSiteWith(t, siteOptions{register: r})
	b := s.browser(t, caseworker)
	form := fields(asking(somebody)...)
	for range 3 {
		if got := b.post(oppslag, form); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("got %d", got.StatusCode)
		}
	}
	if len(r.asked) != 1 {
		t.Errorf("asked %d times, want once", len(r.asked))
	}
}

func TestLookupLimits(t *testing.T) {
	t.Parallel()
	r := knowing()
	s := newSiteWith(t, siteOptions{register: r})
	b := s.browser(t, caseworker)
	for range dispatch.LookupsPerHour {
		b.lookUp(somebody)
	}
	got := b.post(oppslag, fields(asking(somebody)...))
	if page := got.page(t); got.StatusCode != http.StatusTooManyRequests || !strings.Contains(squeezed(page.Find(".ds-error-summary")), "Du har gjort 20 oppslag den siste timen") || page.Find("#formal").AttrOr("value", "") != why {
		t.Errorf("got %d: %s", got.StatusCode, squeezed(page.Find("main")))
	}
	if len(r.asked) != dispatch.LookupsPerHour {
		t.Errorf("asked %d times", len(r.asked))
	}
	s.browser(t, teamLead).lookUp(somebody) // each person's own
	s.run(t, `UPDATE audit_events SET at = at - interval '1 hour'`)
	b.lookUp(somebody)
}

// TestLookupIsLoggedFirst: no query is made without a line in the event log.
func TestLookupIsLoggedFirst(t *testing.T) {
	t.Parallel()
	r := knowing()
	s := newSiteWith(t, siteOptions{register: r})
	var before string
	r.before = func() { before = s.audited(t) }
	s.browser(t, caseworker).lookUp(somebody + "\n" + company)
	if want := "lookup 2 1 " + why + " false 127.0.0.1"; before != want {
		t.Errorf("got %q when the register was asked, want %q", before, want)
	}
}

// TestLookupLeavesNothing: the numbers are in no log, and nowhere in clear in the database.
func TestLookupLeavesNothing(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{register: knowing()})
	b := s.browser(t, caseworker)
	b.lookUp(somebody + "\n" + company)
	b.post(oppslag, fields("numre", somebody+"x", "formal", why))
	secrets := []string{somebody, company, "974 760 673", theirs[3:], "90000118"}
	everything := map[string]string{"the log": s.log.String()}
	db := storetest.DB(t, s.database)
	for _, table := range []string{"sessions", "session_lookups", "audit_events", "items", "sms", "users"} {
		var rows string
		if err := db.QueryRowContext(t.Context(), `SELECT coalesce(string_agg(r::text, ' '), '') FROM `+table+` r`).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		everything[table] = rows
	}
	if everything["session_lookups"] == "" {
		t.Error("nothing is kept")
	}
	for where, content := range everything {
		for _, secret := range secrets {
			if strings.Contains(content, secret) || strings.Contains(content, fmt.Sprintf("%x", secret)) {
				t.Errorf("%s holds %s", where, secret)
			}
		}
	}
}

func TestLookupLeadsToADraft(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, numbers, field, value, revealed string
	}{
		{"to a person by national id", somebody + "\n" + noOne, "#fnr", somebody, "0"},
		{"to an organisation by the phone that was found", company + "\n" + noOne, "#telefonnummer", theirs, "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSiteWith(t, siteOptions{register: knowing()})
			b := s.browser(t, caseworker)
			key := b.lookUp(tt.numbers).Find(`form[action$="/oppslag/sms"] input[name=nokkel]`).AttrOr("value", "")
			got := b.post(oppslag+"/sms", fields("nokkel", key))
			if got.StatusCode != http.StatusSeeOther || !strings.HasSuffix(got.location(), "/endre") || strings.Contains(got.location(), tt.value) {
				t.Fatalf("got %d to %q", got.StatusCode, got.location())
			}
			page := b.get(got.location()).page(t)
			if got := page.Find(tt.field).AttrOr("value", ""); got != tt.value || page.Find("#tekst").Text() != "" {
				t.Errorf("got %q in %s, and the text %q", got, tt.field, page.Find("#tekst").Text())
			}
			var revealed string
			if err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT count(*)::text FROM events WHERE kind = 'revealed'`).Scan(&revealed); err != nil || revealed != tt.revealed {
				t.Errorf("got %s reveals, want %s; %v", revealed, tt.revealed, err)
			}
			if got := b.post(strings.Replace(got.location(), "/endre", "/send", 1), fields()); !strings.HasSuffix(got.location(), "/endre") {
				t.Errorf("a draft without a text leads to %q", got.location())
			}
		})
	}
	t.Run("not when nobody can be sent to", func(t *testing.T) {
		t.Parallel()
		s := newSiteWith(t, siteOptions{register: knowing()})
		b := s.browser(t, caseworker)
		if n := b.lookUp(noOne).Find(`form[action$="/oppslag/sms"]`).Length(); n > 0 {
			t.Error("the button is there")
		}
		if got := b.post(oppslag+"/sms", fields("nokkel", uuid.NewString())); got.location() != oppslag+"#svar" {
			t.Errorf("got %d to %q", got.StatusCode, got.location())
		}
	})
}

// TestLookupLeadsToAJob: several who can be sent to make the draft of a job, people by national id and organisations by the
// phone that was found, which nobody is shown.
func TestLookupLeadsToAJob(t *testing.T) {
	t.Parallel()
	const branch = "974760754" // has the company's phone
	register := knowing()
	register.known[branch] = dispatch.Contact{Number: branch, Phone: theirs, Status: dispatch.ContactValid}
	s := newSiteWith(t, siteOptions{register: register})
	b := s.browser(t, caseworker)
	page := b.lookUp(noOne + "\n" + somebody + "," + company + "\n\n" + branch)
	send := page.Find(`form[action$="/oppslag/sms"]`)
	if got := squeezed(send); got != "Skriv SMS til de 3 gyldige" {
		t.Errorf("got %q", got)
	}
	key := send.Find("input[name=nokkel]").AttrOr("value", "")
	at := b.post(oppslag+"/sms", fields("nokkel", key)).location()
	if again := b.post(oppslag+"/sms", fields("nokkel", key)).location(); again != at || !strings.HasSuffix(at, "/endre") {
		t.Fatalf("the same form leads to %q and %q", at, again)
	}
	job := strings.TrimSuffix(at, "/endre")
	wantWords(t, b.get(at), "Rader i listen 3", "Kan sendes til 2", "står flere ganger 1")
	wantWords(t, b.get(job+"/feil"), "Rad 4", "Mottakeren står også på rad 3.")
	// A recipient that is typed into the faulty row counts for nothing: what it is told would tell whether it is one of the
	// phones that the register gave.
	said := map[string]bool{}
	for _, typed := range []string{theirs, strings.TrimPrefix(theirs, "+47"), "90000199", noOne, ""} {
		got := b.post(job+"/feil", fields("rad", "4", "mottaker-4", typed))
		said[got.location()+squeezed(b.get(job+"/feil").page(t).Find("main"))] = true
	}
	if len(said) != 1 {
		t.Errorf("what is typed into a faulty row is told %d things, want one", len(said))
	}
	b.post(at, fields("tekst", "Skolen er stengt.", "mate", "traceable"))
	b.send(job)
	s.makeItems(t)
	var sent []string
	for _, it := range s.oppvekstItems(t) {
		sent = append(sent, it.Recipient.NationalID.Reveal()+it.Recipient.Phone.Reveal())
	}
	if slices.Sort(sent); !slices.Equal(sent, []string{theirs, somebody}) {
		t.Errorf("it goes to %q", sent)
	}
	for _, path := range []string{at, job + "/feil", job + "/feil.csv", job, job + "/resultat.csv", "/k/oppvekst/sms"} {
		if got := b.get(path); strings.Contains(got.body, theirs[3:]) {
			t.Errorf("%s tells the phone that the register gave", path)
		}
	}
	if got := b.get(job + "/resultat.csv").body; strings.Contains(got, somebody) || !strings.Contains(got, dispatch.NationalID(somebody).Masked()) || !strings.Contains(got, "120") {
		t.Errorf("the result is %q", got)
	}
	s.deliverAs(t, theirs, "failed")
	for _, it := range s.oppvekstItems(t) {
		if it.State == "failed" {
			b.post("/k/oppvekst/sms/"+string(it.ID)+"/kopier", fields("nokkel", uuid.NewString()))
		}
	}
	if n := countRows(t, s, `SELECT count(*) FROM events WHERE kind = 'revealed'`); n != 1 {
		t.Errorf("%d reveals are noted for the copy that shows the phone, want 1", n)
	}
	again := strings.TrimSuffix(b.post(job+"/igjen", fields("nokkel", uuid.NewString())).location(), "/endre")
	b.send(again, "likevel", "true")
	b.post(again+"/endre", fields("tekst", "Skolen er stengt.", "mate", "traceable"))
	b.send(again, "likevel", "true")
	s.makeItems(t)
	if got := b.get(again + "/resultat.csv").body; strings.Contains(got, theirs[3:]) || !strings.Contains(got, "120") {
		t.Errorf("the result of the second is %q", got)
	}
}

func TestLookupWithoutSMS(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		`UPDATE accounts SET sms_integration_id = NULL`: "ikke er satt opp for SMS", `UPDATE accounts SET disabled_at = now()`: "Kontoen er deaktivert",
	} {
		r := knowing()
		s := newSiteWith(t, siteOptions{register: r})
		b := s.browser(t, caseworker)
		b.lookUp(noOne + "\n" + somebody)
		s.run(t, statement)
		page := b.get(oppslag).page(t)
		if got := squeezed(page.Find("main")); !strings.Contains(got, want) || page.Find("#numre").Length() > 0 {
			t.Errorf("got %q, want %q and no form", got, want)
		}
		if got := b.post(oppslag, fields(asking(somebody)...)); got.location() != oppslag || len(r.asked) != 1 {
			t.Errorf("got %d to %q, and asked %d times", got.StatusCode, got.location(), len(r.asked))
		}
	}
}
