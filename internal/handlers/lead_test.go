package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/store/lists"
)

// figures are the key figures of the page, by their names.
func figures(page *goquery.Document) map[string]string {
	found := map[string]string{}
	page.Find(".figures > div").Each(func(_ int, one *goquery.Selection) {
		found[one.Find("dt").Text()] = strings.TrimSpace(one.Find("dd").Text())
	})
	return found
}

func TestLead(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, teamLead)
	s.run(t, `UPDATE accounts SET price_sms = 45, price_print = 1650 WHERE id = $1`, s.oppvekst.Account.ID)
	for range 3 {
		s.rejected(t, caseworker, message("Nei"))
	}
	id := s.accepted(t, caseworker, message("Ja"))
	s.run(t, `UPDATE items SET status = 'LEVERT', status_at = now() WHERE id = $1`, id)
	s.draft(t, caseworker, message("Utkast"))
	s.rejected(t, outsider, message("Andres"))
	shipment := s.acceptedShipment(t)
	s.run(t, `UPDATE items SET status = 'PRINTET', status_at = now() WHERE id = $1`, shipment)

	t.Run("counts what was sent, and nothing of others", func(t *testing.T) {
		page := b.get("/k/oppvekst/ledelse?periode=i-dag").page(t)
		got := figures(page)
		for label, want := range map[string]string{"SMS": "4", "Forsendelser": "1", "Levert eller skrevet ut": "2"} {
			if !strings.HasPrefix(got[label], want) {
				t.Errorf("%s: got %q, want %s", label, got[label], want)
			}
		}
		if !strings.Contains(page.Find("#feil").Closest("details").Text(), "Kunne ikke sendes") {
			t.Error("the failures are not there")
		}
		if cost := page.Find("#kostnad").Closest("details").Find("tfoot td").Text(); cost != "16,95\u00a0kr" {
			t.Errorf("cost: got %q", cost)
		}
		if cost := page.Find("#kostnad").Closest("details").Find("tbody tr").Eq(1).Text(); !strings.Contains(cost, "Ingen pris") {
			t.Errorf("what has no price costs %q", cost)
		}
		if page.Find(".chart-plot").First().Find("rect").Length() != 2 || page.Find("[style]").Length() != 0 {
			t.Error("the chart is not drawn, or with inline styles")
		}
	})
	t.Run("counts the same after folding", func(t *testing.T) {
		before := figures(b.get("/k/oppvekst/ledelse").page(t))
		if err := lists.In(s.store).Statistics.Fold(t.Context()); err != nil {
			t.Fatal(err)
		}
		for label, value := range figures(b.get("/k/oppvekst/ledelse").page(t)) {
			if before[label] != value {
				t.Errorf("%s: %q, and %q before", label, value, before[label])
			}
		}
	})
	t.Run("takes a period of one's own", func(t *testing.T) {
		if got := b.get("/k/oppvekst/ledelse?periode=egen&fra=1.1.2020&til=31.1.2020"); got.StatusCode != http.StatusOK || !strings.HasPrefix(figures(got.page(t))["SMS"], "0") {
			t.Errorf("got %d: %q", got.StatusCode, figures(got.page(t)))
		}
		for _, query := range []string{"fra=1.1.2020&til=", "fra=2.1.2020&til=1.1.2020", "fra=1.1.2020&til=1.6.2021", "fra=x&til=y"} {
			if got := b.get("/k/oppvekst/ledelse?periode=egen&" + query); got.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%s: got %d", query, got.StatusCode)
			}
		}
		wantWords(t, b.get("/k/oppvekst/ledelse?periode=egen&fra=x&til=y"), "Fra og med: Skriv datoen som dd.mm.åååå", "Til og med: Skriv datoen som dd.mm.åååå")
	})
	t.Run("comes as a file too", func(t *testing.T) {
		got := b.get("/k/oppvekst/ledelse.csv?periode=i-dag")
		if got.StatusCode != http.StatusOK || !strings.Contains(got.body, ";4;1;") || s.audits(t, "statistics.export") != 1 {
			t.Errorf("got %d: %s", got.StatusCode, got.body)
		}
	})
}
