package handlers_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestUnseen: a change in another tab is not sent from a review that shows the state before; the review is shown
// again, and then sends what it shows.
func TestUnseen(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		draft  func(*testing.T, *site, *browser) string
		change func(*testing.T, *browser, string)
		shown  string // what the review that comes again shows
	}{
		{"an SMS", func(t *testing.T, _ *site, b *browser) string {
			_, filled := form("90000123", "Original tekst")
			return strings.TrimSuffix(b.post("/k/oppvekst/sms/ny", fields(filled...)).location(), "/kontroll")
		}, func(t *testing.T, b *browser, at string) {
			_, changed := form("90000123", "Endret tekst")
			b.post(at+"/endre", fields(changed...))
		}, "Endret tekst"},
		{"the text of a job", jobListDraft, func(t *testing.T, b *browser, at string) {
			b.post(at+"/endre", fields("tekst", "Endret tekst", "mate", "traceable"))
		}, "Endret tekst"},
		{"the list of a job", jobListDraft, func(t *testing.T, b *browser, at string) {
			kind, body := listForm("liste", "90000101\n90000102\n90000103")
			b.do(http.MethodPost, at+"/liste", kind, body)
		}, "3 mottakere får meldingen"},
		{"the title of a shipment to many", shipmentsDraft, func(t *testing.T, b *browser, at string) {
			draft := strings.TrimSuffix(at, "/flere")
			form := heldForm(b.get(draft).page(t))
			form.Set("tittel", "Endret tittel")
			b.post(draft, form)
		}, "Endret tittel"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			b := s.browser(t, caseworker)
			at := test.draft(t, s, b)
			before := b.get(at + "/kontroll").seen()
			test.change(t, b, at)
			got := b.post(at+"/send", fields("sett", before))
			wantWords(t, got, "Utkastet er endret i en annen fane", test.shown)
			if heading := got.page(t).Find("#feil-tittel").Text(); heading != "Ingenting er sendt" { // there is nothing to correct
				t.Errorf("the heading is %q", heading)
			}
			if n := countRows(t, s, `SELECT (SELECT count(*) FROM items WHERE state <> 'draft') + (SELECT count(*) FROM jobs WHERE state <> 'draft')`); got.StatusCode != http.StatusUnprocessableEntity || n != 0 {
				t.Fatalf("got %d, and %d are sent", got.StatusCode, n)
			}
			if again := b.post(at+"/send", fields("sett", got.seen())); again.StatusCode != http.StatusSeeOther {
				t.Errorf("what the review shows now: got %d", again.StatusCode)
			}
		})
	}
}

func jobListDraft(t *testing.T, _ *site, b *browser) string {
	at := newList(t, b, "liste", "90000101\n90000102")
	b.post(at+"/endre", fields("tekst", "Original tekst", "mate", "traceable"))
	return at
}

func shipmentsDraft(t *testing.T, s *site, _ *browser) string {
	draft, _ := s.shipmentJob(t, false)
	return "/k/oppvekst/utkast/" + string(draft) + "/flere"
}
