package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// fixUnreached corrects the number of the only row of a draft to those whom an earlier job did not reach, leaves the row out, and takes it
// back in.
func fixUnreached(t *testing.T, b *browser, draft string) {
	t.Helper()
	wantWords(t, b.get(draft+"/endre"), "Hva som skjedde sist", "Rett nummeret, eller utelat raden")
	form := b.get(draft + "/ikke-nadd")
	row, _ := form.page(t).Find("input[name=rad]").Attr("value")
	save := func(pairs ...string) answer {
		return b.post(draft+"/ikke-nadd", fields(append([]string{"rad", row}, pairs...)...))
	}
	if got := save("nummer-"+row, "12"); got.StatusCode != http.StatusUnprocessableEntity || got.page(t).Find(`input[aria-invalid="true"]`).Length() != 1 {
		t.Errorf("a wrong number is answered with %d", got.StatusCode)
	}
	saved := func(words []string, pairs ...string) {
		t.Helper()
		save(pairs...)
		wantWords(t, b.get(draft+"/endre"), words...)
	}
	saved([]string{"1 rad er rettet", "→ ••• •• 567", "Gjelder ••• •• "}, "nummer-"+row, "41 23 45 67")
	saved([]string{"Ingen rader er endret"}, "nummer-"+row, "41 23 45 67")
	wantWords(t, b.get(draft+"/ikke-nadd"), "→ ••• •• 567")
	saved([]string{"1 utelatt", "Kan sendes til 0", "Utelatt 1", "Mottakeren er utelatt. Ta mottakeren med igjen, eller slett utkastet."}, "utelat-"+row, "true")
	if words := b.get(draft + "/endre").page(t).Find("main").Text(); strings.Contains(words, "0 av mottakerne") {
		t.Error("a draft without recipients counts telephone numbers")
	}
	wantWords(t, b.get("/k/oppvekst/utkast"), "mottakeren er utelatt")
	if at := b.get(draft + "/feil").location(); at != draft+"/ikke-nadd" {
		t.Errorf("the rows that were left out lead to %q", at)
	}
	if n := b.get(draft + "/ikke-nadd").page(t).Find(`input[name="utelat-` + row + `"]`).Length(); n != 1 {
		t.Errorf("a row that was left out can be taken in by %d", n)
	}
	b.post(draft+"/ikke-nadd", fields("rad", row, "etter", "0"))
	wantWords(t, b.get(draft+"/endre"), "1 tatt med igjen", "Kan sendes til 1")
	saved([]string{"1 utelatt"}, "utelat-"+row, "true")
	saved([]string{"1 tatt med igjen", "Kan sendes til 1"})
}

// TestStoppedJobIsTakenUp: the list, the text and the corrected rows of a job that was stopped go into a new draft.
func TestStoppedJobIsTakenUp(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	job := newList(t, b, "nokkel", uuid.NewString(), "fil", "fil:"+people)
	b.post(job+"/endre", fields("tekst", "Hei ((fornavn))", "mate", "traceable"))
	b.send(job)
	b.post(job+"/stopp", fields())
	wantWords(t, b.get(job), "Etterpå kan du lage et utkast til dem her.")
	s.makeItems(t)
	stopped := b.get(job)
	if strings.Contains(stopped.body, "3 stoppet") || strings.Contains(stopped.body, "på nytt") {
		t.Error("it is said to have been sent, or twice that it was stopped")
	}
	wantWords(t, stopped, "Ingen fikk meldingen.", "Send til dem som ikke fikk den", "Lag utkast til 3 mottakere", "4 utelatte rader er ikke med i utkastet.")
	draft := strings.TrimSuffix(b.post(job+"/igjen", fields("nokkel", uuid.NewString())).location(), "/endre")
	if b.get(job).page(t).Find(`#jobb a[href="`+draft+`"]`).Length() != 1 {
		t.Error("the stopped job does not lead to the draft that was made of it")
	}
	for _, path := range []string{"/endre", "/kontroll", "/ikke-nadd"} {
		page := b.get(draft + path)
		wantWords(t, page, "Ingenting var feil.")
		for _, word := range []string{"der det er feil", "rett nummer", "Rett nummer"} {
			if strings.Contains(page.body, word) {
				t.Errorf("%s says %q, where nothing was wrong", path, word)
			}
		}
	}
	wantWords(t, b.get(draft+"/endre"), "Kan sendes til 3", "Hei ((fornavn))", "Stoppet")
	if review := b.get(draft + "/kontroll"); review.StatusCode != http.StatusOK || strings.Contains(review.body, "tidligere i dag") {
		t.Errorf("the review says that the list has had what nobody got, or is not there: %d", review.StatusCode)
	}
	if sent := b.send(draft); sent.location() != draft {
		t.Fatalf("the draft is not sent: %d %s", sent.StatusCode, sent.location())
	}
	s.makeItems(t)
	s.deliverAs(t, "90000102", "accepted")
	wantWords(t, b.get(job), "3 er tatt med i en ny utsending.")
}

// TestWhatNobodyGotIsNoRepeat: a job that was stopped before anything was tried does not count as sent earlier today.
func TestWhatNobodyGotIsNoRepeat(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	made := func() string {
		job := newList(t, b, "nokkel", uuid.NewString(), "fil", "fil:Mobil\n90000101\n90000102\n")
		b.post(job+"/endre", fields("tekst", "Møtet er flyttet.", "mate", "traceable"))
		return job
	}
	job := made()
	b.send(job)
	b.post(job+"/stopp", fields())
	s.makeItems(t)
	again := made()
	if review := b.get(again + "/kontroll"); review.seen() == "" || strings.Contains(review.body, "tidligere i dag") {
		t.Errorf("the review counts what nobody got, or is not there: %d", review.StatusCode)
	}
	b.send(again)
	if review := b.get(made() + "/kontroll"); !strings.Contains(review.body, "tidligere i dag") {
		t.Error("the review does not tell of what was sent")
	}
}
