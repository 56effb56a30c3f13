package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

// TestSameDaySamePerson: the review tells what the recipient was sent today: one's own words, of a colleague's only when and from
// whom. It is logged, and counts as a search unless one sends.
func TestSameDaySamePerson(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	review := func(b *browser, number, text string) string {
		_, filled := form(number, text)
		return b.post("/k/oppvekst/sms/ny", fields(filled...)).location()
	}
	kari, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	first := review(kari, "90000123", "Timen er flyttet")
	if got := kari.get(first).page(t).Find("#i-dag").Length(); got != 0 {
		t.Error("something is told before anything was sent")
	}
	if got := kari.send(strings.TrimSuffix(first, "/kontroll")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	wantWords(t, kari.get(review(kari, "+4790000123", "Igjen")), "Mottakeren fikk SMS-en «Timen er flyttet» i dag kl.", "av deg", "Du kan sende likevel")
	others := lead.get(review(lead, "90000123", "Fra en annen"))
	wantWords(t, others, "Mottakeren fikk en SMS i dag kl.", "av Kari Nordmann")
	if strings.Contains(others.body, "Timen er flyttet") {
		t.Error("a colleague's words are told")
	}
	if got := kari.get(review(kari, "90000124", "En annen")).page(t).Find("#i-dag").Length(); got != 0 {
		t.Error("another recipient's is told")
	}
	for i := range dispatch.NumbersPerHour {
		kari.get(review(kari, "900010"+string(rune('0'+i/10))+string(rune('0'+i%10)), "Prøver"))
	}
	wantWords(t, kari.get(review(kari, "90000199", "En til")), "Du har spurt om mange nummer den siste timen")
}
