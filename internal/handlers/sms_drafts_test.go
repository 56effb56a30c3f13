package handlers_test

import (
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

// TestDraftsOfSMS: the page of drafts lists one's own SMS too, with a masked recipient, until they are sent.
func TestDraftsOfSMS(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.draft(t, caseworker, message("Timen er flyttet"))
	page := s.browser(t, caseworker).get("/k/oppvekst/utkast").page(t)
	row := page.Find("table tbody tr")
	if got := squeezed(row); row.Length() != 1 || !strings.Contains(got, "Timen er flyttet") || !strings.Contains(got, "123") || strings.Contains(page.Text(), "90000123") {
		t.Errorf("got %q", got)
	}
	if got := row.Find("a").AttrOr("href", ""); got != "/k/oppvekst/sms/"+string(id)+"/kontroll" {
		t.Errorf("it leads to %q", got)
	}
	if got := s.browser(t, teamLead).get("/k/oppvekst/utkast").page(t).Find("table tbody tr").Length(); got != 0 {
		t.Errorf("a colleague sees %d", got)
	}
	s.run(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, id)
	if got := s.browser(t, caseworker).get("/k/oppvekst/utkast").page(t).Find("table tbody tr").Length(); got != 0 {
		t.Errorf("%d are left after sending", got)
	}
}

// TestReviewOfSMSDoubts: the review says again what the form said in passing: a number with wrong check digits, and words in brackets.
func TestReviewOfSMSDoubts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	review := func(m dispatch.SMS) string {
		return squeezed(b.get("/k/oppvekst/sms/" + string(s.draft(t, caseworker, m)) + "/kontroll").page(t).Find("main"))
	}
	got := review(dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12847800000"}, Text: "Hei [navn]"})
	for _, want := range []string{"Kontrollsifrene stemmer ikke", "Dette står slik i meldingen: [navn]"} {
		if !strings.Contains(got, want) {
			t.Errorf("the review does not say %q: %s", want, got)
		}
	}
	if got := review(message("Hei Ola")); strings.Contains(got, "stemmer ikke") || strings.Contains(got, "står slik") {
		t.Errorf("a text without faults: %s", got)
	}
}
