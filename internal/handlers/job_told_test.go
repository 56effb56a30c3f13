package handlers_test

import (
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// sentToTwo is the address of a job with two SMS in the queue.
func (s *site) sentToTwo(t *testing.T, b *browser) string {
	t.Helper()
	job := newList(t, b, "liste", "90000101\n90000102")
	b.post(job+"/endre", fields("tekst", "Hei", "mate", "traceable"))
	b.send(job)
	s.makeItems(t)
	return job
}

// TestWhoHalted: the page of a job says who paused or stopped it, to colleagues too, until it goes on.
func TestWhoHalted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	job := s.sentToTwo(t, b)
	lead.post(job+"/pause", fields())
	wantWords(t, b.get(job), "Satt på pause av "+names[teamLead])
	lead.post(job+"/fortsett", fields())
	if text := b.get(job).page(t).Find("main").Text(); strings.Contains(text, "av "+names[teamLead]) {
		t.Error("a job that goes on says who paused it")
	}
	b.post(job+"/stopp", fields())
	wantWords(t, lead.get(job), "Stoppet av "+names[caseworker])
}

// TestTypedDraftIsNamed: lists name the draft of an SMS to many by its autosaved text.
func TestTypedDraftIsNamed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	job := newList(t, b, "liste", "90000101\n90000102")
	form := heldForm(b.get(job + "/endre").page(t))
	form.Set("tekst", "Møtet er flyttet")
	b.keeps(t, job+"/lagre", form)
	for _, list := range []string{"/k/oppvekst/utkast", "/k/oppvekst/jobber"} {
		wantWords(t, b.get(list), "Møtet er flyttet")
	}
}

// TestDraftInsteadIsTold: the page of a refused item leads to the reader's own draft to be sent in its place.
func TestDraftInsteadIsTold(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := "/k/oppvekst/sms/" + string(s.turnedDown(t))
	draft := b.post(at+"/kopier", fields("nokkel", uuid.NewString())).location()
	if got := b.get(at).page(t).Find("#utkastet a").AttrOr("href", ""); got == "" || got != draft {
		t.Errorf("the page leads to %q, want %q", got, draft)
	}
	if again := b.post(at+"/kopier", fields("nokkel", uuid.NewString())).location(); again != draft {
		t.Errorf("asking once more leads to %q", again)
	}
	if n := s.browser(t, teamLead).get(at).page(t).Find("#utkastet").Length(); n != 0 {
		t.Error("a colleague is told of the draft")
	}
}

// TestRowsAreToldWhereTheyAre: a job's page counts those in another job and those with an item of their own. An item's page leads to the
// reader's draft to several. The form of a second copy says that the first one has been sent.
func TestRowsAreToldWhereTheyAre(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	job := s.sentToTwo(t, b)
	s.deliverAs(t, "90000101", "rejected")
	s.deliverAs(t, "90000102", "rejected")
	draft := strings.TrimSuffix(b.post(job+"/igjen", fields("nokkel", uuid.NewString())).location(), "/endre")
	var refused []string
	b.get("/k/oppvekst/sms?jobb=" + path.Base(job)).page(t).Find("main tbody a[href^='/k/oppvekst/sms/']").Each(func(_ int, a *goquery.Selection) {
		refused = append(refused, a.AttrOr("href", ""))
	})
	if len(refused) != 2 {
		t.Fatalf("got %q", refused)
	}
	at := refused[0]
	wantWords(t, b.get(at), "Du har et utkast til 2 mottakere, med denne mottakeren")
	if n := s.browser(t, teamLead).get(at).page(t).Find("#listeutkastet").Length(); n != 0 {
		t.Error("a colleague is told of the draft")
	}
	copied := func() string {
		return strings.TrimSuffix(b.post(at+"/kopier", fields("nokkel", uuid.NewString())).location(), "/endre")
	}
	first := copied()
	b.send(first)
	second := copied()
	wantWords(t, b.get(second+"/endre"), "Noe er allerede laget i stedet")
	if got := b.get(at).page(t).Find("#utkastet a").AttrOr("href", ""); got != second+"/endre" {
		t.Errorf("the item leads to the draft %q, want %q", got, second)
	}
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected' WHERE id = $1`, path.Base(first))
	for _, page := range []string{"/endre", "/kontroll"} { // the first copy came to nothing too, so that nobody gets two
		if text := b.get(second + page).page(t).Find("#allerede").Text(); text != "" {
			t.Errorf("%s says %q", page, text)
		}
	}
	b.send(second)
	if n := s.number(t, `SELECT count(*) FROM items WHERE id = $1 AND state = 'queued'`, path.Base(second)); n != 1 {
		t.Error("what may be sent is not sent")
	}
	if n := s.number(t, `SELECT count(*) FROM items WHERE id = $1 AND origin_id = $2`, path.Base(second), path.Base(first)); n != 1 {
		t.Error("the second copy does not replace the first one, which could be sent again besides")
	}
	wantWords(t, b.get(first), "Laget i stedet: SMS fra")
	if n := b.get(at).page(t).Find("#listeutkastet").Length(); n != 0 {
		t.Error("the item that was sent again leads to the draft, which cannot be sent to its recipient")
	}
	review := b.get(draft + "/kontroll").page(t)
	out := review.Find("a:contains('Utelat raden')").AttrOr("href", "")
	if n := b.get(out).page(t).Find("input[type=checkbox][checked]").Length(); n != 1 {
		t.Errorf("%s has %d boxes ticked", out, n)
	}
	if text := review.Find("section[aria-labelledby=melding]").Text(); !strings.Contains(text, "Hei") || strings.Contains(text, "Du kan sende likevel") {
		t.Errorf("the message is shown as %q", text)
	}
	row := b.get(out).page(t).Find("input[type=checkbox][checked]").AttrOr("name", "")
	form := fields("rad", strings.TrimPrefix(row, "utelat-"), row, "true", "etter", "0")
	if got := b.post(draft+"/ikke-nadd", form); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d %v", got.StatusCode, problems(t, got))
	}
	b.send(draft)
	wantWords(t, b.get(job), "1 som ikke nådde frem, er tatt med i en annen utsending.", "1 som ikke nådde frem, er tatt med i en egen utsending.")
}

// TestDecisionIsLogged: the event log has the decision about a job's uncertain SMS, and their number.
func TestDecisionIsLogged(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	job := s.sentToTwo(t, b)
	s.run(t, `UPDATE items SET state = 'uncertain', reason_key = 'reason.timeout', reason_at = now()`)
	b.post(job+"/avgjor", fields("valg", string(dispatch.DecisionDrop)))
	if n := s.number(t, `SELECT count(*) FROM audit_events WHERE action = 'job.resolve' AND details->>'detail' = 'drop' AND details->>'total' = '2'`); n != 1 {
		t.Error("the event log does not tell what was decided")
	}
	wantWords(t, s.browser(t, auditor).get("/admin/logg"), "Avgjorde uavklarte i en masseutsending", "Ikke send den", "Antall valgt: 2")
}

// TestRowsSentMeanwhile: of a draft to those whom a job did not reach, rows that were sent again by themselves must be left out: all pages
// count them alike, and their number cannot be corrected there.
func TestRowsSentMeanwhile(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	job := s.sentToTwo(t, b)
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_at = now()`)
	s.run(t, `UPDATE jobs SET state = 'done', done_at = now() WHERE sent_at IS NOT NULL`)
	failed := s.oppvekstItems(t)
	lead := s.browser(t, teamLead)
	wantWords(t, lead.led(t, lead.post(job+"/igjen", fields("nokkel", uuid.NewString()))), "Det blir logget at du lager et utkast av det, og hvorfor.")
	draft := strings.TrimSuffix(b.post(job+"/igjen", fields("nokkel", uuid.NewString())).location(), "/endre")
	wantWords(t, b.get(draft+"/endre"), "Kan sendes til 2")
	for i, want := range []struct{ edit, review string }{
		{"Kan sendes til 1 Må utelates 1", "1 av 2 rader må utelates først. Da er det 1 igjen."},
		{"Utkastet kan ikke sendes. Slett det når du har sett hvorfor.", "Ingen er igjen å sende til."},
	} {
		s.run(t, `INSERT INTO items (id, account_id, kind, created_by, form_key, state, due_at, due_since, origin_id, origin_kind)
			SELECT gen_random_uuid(), account_id, kind, created_by, gen_random_uuid(), 'queued', now(), now(), id, 'replaces' FROM items WHERE id = $1`, failed[i].ID)
		wantWords(t, b.get(draft+"/endre"), want.edit, "Er tatt med i en annen utsending.")
		review := b.get(draft + "/kontroll")
		wantWords(t, review, want.review)
		for _, word := range []string{"mottakere får meldingen", "til sammen", "de 2 første"} {
			if strings.Contains(review.body, word) {
				t.Errorf("the review says %q of what cannot be sent", word)
			}
		}
		if i == 0 {
			if n := b.get(draft + "/ikke-nadd").page(t).Find("input[name^=nummer-]").Length(); n != 1 {
				t.Errorf("%d numbers can be corrected, want 1", n)
			}
			wantWords(t, b.get(job), "Du har et utkast til 1 mottaker")
			both := []string{"rad", "1", "rad", "2", "etter", "0"}
			b.post(draft+"/ikke-nadd", fields(append(both, "utelat-1", "true")...)) // by choice
			const none = "Alle radene som er med, må utelates. Ta med noen av de utelatte igjen, eller slett utkastet."
			wantWords(t, b.get(draft+"/endre"), none)
			wantWords(t, b.get(draft+"/kontroll"), none)
			wantWords(t, b.get(job), "Ingen er igjen å sende det til.")
			b.post(draft+"/ikke-nadd", fields(append(both, "utelat-1", "true", "utelat-2", "true")...))
			if boxes := b.get(draft + "/ikke-nadd").page(t).Find("input[type=checkbox]"); boxes.Length() != 1 || boxes.AttrOr("name", "") != "utelat-1" {
				t.Errorf("%d rows can be taken in or left out, the first %q; the one that was sent again cannot", boxes.Length(), boxes.AttrOr("name", ""))
			}
			s.run(t, `UPDATE job_rows SET problem = '' WHERE job_id = $1`, path.Base(draft))
			s.run(t, `UPDATE jobs SET rows_valid = 2, rows_left_out = 0 WHERE id = $1`, path.Base(draft))
		}
	}
	onlyDeleted := func() {
		t.Helper()
		if at := b.get(draft + "/ikke-nadd").location(); at != draft+"/endre" {
			t.Errorf("the rows lead to %q", at)
		}
		if forms := b.get(draft + "/endre").page(t).Find("main form"); forms.Length() != 1 || forms.AttrOr("action", "") != draft+"/forkast" {
			t.Errorf("the draft has %d forms, %q", forms.Length(), forms.AttrOr("action", ""))
		}
		wantWords(t, b.get(draft+"/endre"), "Utkastet kan ikke sendes. Slett det når du har sett hvorfor.", "Hei")
		wantWords(t, b.get(job), "Du har et utkast", "som ikke kan sendes lenger", "Åpne utkastet")
	}
	onlyDeleted()
	b.post(draft+"/ikke-nadd", fields("rad", "1", "rad", "2", "utelat-1", "true", "utelat-2", "true", "etter", "0"))
	onlyDeleted() // nobody can be taken in again
}
