package handlers_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"

	"utsending/internal/store/registry"
)

// TestJobIsUndone: a job that was just sent says the same as one SMS does, and tells of the rows that were left out; what the list
// has counted is not shown as recipients.
func TestJobIsUndone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.oppvekst.Account
	a.UndoWindow = time.Minute
	if _, err := registry.In(s.store).Accounts.Save(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	b := s.browser(t, caseworker)
	job := newList(t, b, "nokkel", uuid.NewString(), "fil", "fil:"+people)
	b.post(job+"/endre", fields("tekst", "Hei ((Fornavn)), velkommen", "mate", "traceable"))
	b.send(job)
	got := b.get(job)
	page := got.page(t)
	if tag := strings.TrimSpace(page.Find("#jobb .status-now .ds-tag").Text()); tag != "Sendes straks" {
		t.Errorf("the tag says %q", tag)
	}
	var buttons []string
	page.Find("#jobb .status .actions .ds-button").Each(func(_ int, b *goquery.Selection) { buttons = append(buttons, b.Text()) })
	if left := page.Find("#jobb [data-nedtelling]").Length(); left != 1 || !slices.Equal(buttons, []string{"Angre", "Endre tidspunktet"}) {
		t.Errorf("%d countdowns, and %q", left, buttons)
	}
	for _, word := range []string{"Planlagt", "startet", "Startet", "starter"} {
		if strings.Contains(got.body, word) {
			t.Errorf("the page says %q of what waits to be undone", word)
		}
	}
	wantWords(t, got, "Utsendingen er tatt imot for sending. Under ser du hvordan det går.", "4 av de 7 radene i listen er utelatt og blir ikke sendt.")
	if bad := b.get(job + "/feil.csv"); !strings.HasPrefix(bad.body, "\ufeffMottaker;fornavn;Hva er feil\r\n123;Per;") {
		t.Errorf("the rows that were left out are %d %q", bad.StatusCode, bad.body)
	}
	if other := s.browser(t, teamLead).get(job); strings.Contains(other.body, "feil.csv") {
		t.Error("somebody else is offered the rows")
	}
	row := b.get("/k/oppvekst/jobber").page(t).Find("tbody tr").First()
	if n := strings.TrimSpace(row.Find("td").Eq(2).Text()); n != "3" || !strings.Contains(row.Text(), "Sendes straks") {
		t.Errorf("the list says %q: %s", n, row.Text())
	}
	b.post(job+"/stopp", fields())
	wantWords(t, b.get(job), "Utsendingen er stoppet", "Stoppet", "Ingen fikk meldingen.")
	if strings.Contains(b.get(job).body, "Startet") {
		t.Error("it is said to have started")
	}
}
