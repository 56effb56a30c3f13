package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestTextToManyIsCountedForEachRow: while a text to many is written, the longest message is shown with its fields filled in, and
// how many rows cost how much; the review says the same.
func TestTextToManyIsCountedForEachRow(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	list := "Mobil;Fornavn;Sted\n90000101;Kari;her\n90000102;Đorđe;her\n90000103;Ola;" + strings.Repeat("langt borte ", 15) + "\n90000104;;der\n"
	draft := newList(t, b, "nokkel", uuid.NewString(), "liste", list)
	const text = "Hei ((Fornavn)), møt opp ((Sted)). Hilsen Fjordvik. Ta med deg det du trenger for dagen."
	count := func(text, mode string) answer {
		return b.post(draft+"/teller", fields("tekst", text, "mate", mode), fragment("sms-teller")...)
	}

	got := count(text, "traceable")
	wantWords(t, got, "5 SMS-deler til sammen", "1 mottaker får 1 SMS-del", "2 mottakere får 2 SMS-deler", "1 melding har tegn", "1 rad mangler et felt", "Den lengste meldingen, rad 4", "møt opp langt borte")
	if n := b.get(draft + "/endre").page(t).Find("form[data-sms]").Find("#sms-linje, #sms-varsel, #sms-advarsler, #sms-teller, #sms-visning").Length(); n != 5 {
		t.Errorf("the page has %d of the five parts", n)
	}
	wantWords(t, count("Møt opp nå", "fast"), "4 SMS-deler til sammen", "4 mottakere får 1 SMS-del")
	wantWords(t, count("Hei ((etternavn))", "traceable"), "Listen har ikke flettefeltene i teksten: ((etternavn))")
	wantWords(t, count("Se www.fjordvik.example.no – 12847800028", "traceable"), "fødselsnummer", "lenke", "tankestrek", "Bytt til vanlige tegn")

	replaced := b.post(draft+"/endre", fields("tekst", "Møt ((Fornavn)) – nå", "mate", "traceable", "bytt", "tekst"))
	if got := strings.TrimSpace(replaced.page(t).Find("#tekst").Text()); replaced.StatusCode != http.StatusOK || got != "Møt ((Fornavn)) - nå" {
		t.Errorf("got %d with %q", replaced.StatusCode, got)
	}

	b.post(draft+"/endre", fields("tekst", text, "mate", "traceable"))
	wantWords(t, b.get(draft+"/kontroll"), "Det blir 5 SMS-deler til sammen", "1 mottaker får 1 SMS-del", "2 mottakere får 2 SMS-deler", "Den lengste meldingen, rad 4", "Kontoen har brukt eller satt av 0 SMS-deler")
}

// TestRowThatIsCorrectedIsCounted: a row's message is previewed while its fields are corrected, and the button
// replaces look-alike characters in them.
func TestRowThatIsCorrectedIsCounted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft := newList(t, b, "nokkel", uuid.NewString(), "liste", "Mobil;Fornavn;Sted\n90000101;Ola;her\n90000102;;“der”\n")
	b.post(draft+"/endre", fields("tekst", "Hei ((Fornavn)), møt opp ((Sted))", "mate", "traceable"))
	wantWords(t, b.get(draft+"/feil"), "Hei , møt opp “ der ”", "anførselstegn", "Bytt til vanlige tegn")
	wantWords(t, b.post(draft+"/feil/teller", fields("rad", "3", "felt-3-0", "Kari", "felt-3-1", "“der”"), fragment("sms-teller")...), "Hei Kari, møt opp “ der ”", "1 SMS-del")
	if got := b.post(draft+"/feil/teller", fields("rad", "2", "felt-2-0", "Kari")); got.StatusCode != http.StatusNotFound {
		t.Errorf("a row without faults: got %d", got.StatusCode)
	}
	b.post(draft+"/feil", fields("rad", "3", "mottaker-3", "90000102", "felt-3-0", "“Kari”", "felt-3-1", "“der”", "bytt", "rad-3"))
	wantWords(t, b.get(draft+"/kontroll"), "Hei &#34;Kari&#34;, møt opp &#34;der&#34;")

	if got := s.browser(t, teamLead).post(draft+"/teller", fields("tekst", "Hei")); got.StatusCode != http.StatusNotFound && got.StatusCode != http.StatusForbidden {
		t.Errorf("another's draft: got %d", got.StatusCode)
	}
}
