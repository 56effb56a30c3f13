package handlers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// TestOverviewTellsAJobOnce: of the latest, a job is one row that leads to it and tells how many it has.
func TestOverviewTellsAJobOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, kari := s.browser(t, caseworker), s.asUser(t, caseworker)
	s.queued(t, caseworker, message("Før"))
	var list []dispatch.JobRow
	for i := range 7 {
		list = append(list, storetest.Row(i+1, fmt.Sprintf("9000010%d", i), "Åse"))
	}
	job := kari.SendJob(t, s.store, storetest.ListOf([]string{"navn"}, list...), items.JobText{Text: "Hei, ((navn))!", Segments: 7})
	s.makeItems(t)
	s.queued(t, caseworker, message("Etter"))
	page := b.get("/k/oppvekst/").page(t)
	if got := strings.Join(rows(page), "|"); got != "Etter|Hei, ((navn))!|Før" {
		t.Errorf("the latest: %q", got)
	}
	row := page.Find(`main tbody a[href="/k/oppvekst/jobber/` + string(job) + `"]`).Closest("tr")
	if text := strings.Join(strings.Fields(row.Text()), " "); !strings.Contains(text, "7 SMS") {
		t.Errorf("the job says %q", text)
	}
}

// TestPagesTellOfABlockedChannel: what the worklist says of a channel that sends nothing, the overview and the lists of that
// kind say too.
func TestPagesTellOfABlockedChannel(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.run(t, `UPDATE accounts SET shipment_integration_id = $2 WHERE id = $1`, s.oppvekst.Account.ID, s.shipmentIntegration(t, "Brev", dispatch.EnvironmentTest))
	says := func(path string) string { return b.get(path).page(t).Find("main .ds-alert").Text() }
	const alert = "SMS sendes ikke nå. "
	pages := map[string]bool{"/k/oppvekst/": true, "/k/oppvekst/utsendinger": true, "/k/oppvekst/sms": true, "/k/oppvekst/forsendelser": false}
	for path := range pages {
		if got := says(path); strings.Contains(got, "sendes ikke nå") {
			t.Errorf("%s: while all works it says %q", path, got)
		}
	}
	s.run(t, `UPDATE integrations SET stopped_at = now() WHERE id = $1`, s.oppvekst.Integration.ID)
	for path, tells := range pages {
		if got := says(path); strings.Contains(got, alert+"Integrasjonen er stoppet") != tells {
			t.Errorf("%s: of the stopped integration it says %q", path, got)
		}
	}
	s.run(t, `UPDATE integrations SET stopped_at = NULL, refused_at = now(), refused_key = 'reason.unauthorized' WHERE id = $1`, s.oppvekst.Integration.ID)
	if got := says("/k/oppvekst/"); !strings.Contains(got, alert+"Tjenesten avviser innloggingen vår.") {
		t.Errorf("of the refused one the overview says %q", got)
	}
}

// TestOverview: who sends sees what they have sent, who leads what all have; every number leads to as many rows.
func TestOverview(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.rejected(t, caseworker, message("Nei"))
	s.sendsOfEveryOutcome(t)
	s.run(t, `UPDATE accounts SET shipment_integration_id = $2 WHERE id = $1`, s.oppvekst.Account.ID, s.shipmentIntegration(t, "Brev", dispatch.EnvironmentTest))
	draft, _ := s.listDraft(t, caseworker, "Et utkast")
	s.draft(t, caseworker, message("Et utkast til"))
	of := map[string]*goquery.Document{}
	for _, who := range []string{caseworker, teamLead, auditor} {
		t.Run(names[who], func(t *testing.T) {
			b := s.browser(t, who)
			page := b.get("/k/oppvekst/?periode=7").page(t)
			of[who] = page
			own, causes := who == caseworker, 0
			page.Find("main #folg-opp .causes a").Each(func(_ int, a *goquery.Selection) {
				causes++
				path, n := a.AttrOr("href", ""), a.Find(".cause-n").Text()
				if got := b.rowsOf(t, path); fmt.Sprint(got) != n {
					t.Errorf("%s: %d rows, and the page says %s", path, got, n)
				}
				if strings.Contains(path, "hvem=sendt") != own || !strings.Contains(a.Text(), "Eldste") {
					t.Errorf("%s is of all, or without age: %q", path, a.Text())
				}
			})
			if causes < 3 {
				t.Errorf("%d causes to follow up", causes)
			}
			latest := len(rows(page))
			page.Find("main .main-link").Closest("table").Remove()
			for path, n := range numbers(t, page) {
				if got := b.rowsOf(t, path); got != n {
					t.Errorf("%s: %d rows, and the page says %d", path, got, n)
				}
				if own := strings.Contains(path, "avsender="); own != (who == caseworker) {
					t.Errorf("%s to %s", path, who)
				}
			}
			if latest != 5 {
				t.Errorf("%d latest items", latest)
			}
			if has := page.Find(`main a[href="/k/oppvekst/utkast/`+string(draft)+`"]`).Length() == 1; has != (who == caseworker) {
				t.Errorf("the caseworker's draft %s is shown: %t", draft, has)
			}
			if n := b.get("/k/oppvekst/utkast").page(t).Find("main table.drafts tbody tr").Length(); who == caseworker && (n != 2 || page.Find(`main a[href="/k/oppvekst/utkast"]`).Text() != "Se alle 2 utkast") {
				t.Errorf("there are %d drafts, and the page says %q", n, page.Find(`main a[href="/k/oppvekst/utkast"]`).Text())
			}
		})
	}
	if figures(of[caseworker])["SMS"] == figures(of[teamLead])["SMS"] {
		t.Error("the caseworker sees the numbers of all")
	}
	t.Run("a lead can see what they have sent themselves", func(t *testing.T) {
		b := s.browser(t, teamLead)
		page := b.get("/k/oppvekst/?periode=7&hvem=meg").page(t)
		if all, own := figures(of[teamLead])["SMS"], figures(page)["SMS"]; all == own || !strings.HasPrefix(own, "3") {
			t.Errorf("own %q, all %q", own, all)
		}
		if got := figures(s.browser(t, caseworker).get("/k/oppvekst/?periode=7&hvem=alle").page(t))["SMS"]; got != figures(of[caseworker])["SMS"] {
			t.Errorf("a caseworker sees %q by an address", got)
		}
	})
	t.Run("what wants a person keeps itself fresh", func(t *testing.T) {
		b := s.browser(t, caseworker)
		whole, part := b.get("/k/oppvekst/").page(t), b.get("/k/oppvekst/", fragment("folg-opp")...)
		if got, want := outer(t, part.page(t).Find("#folg-opp")), outer(t, whole.Find("#folg-opp")); got != want || !strings.Contains(got, "<a ") {
			t.Errorf("the part differs from what the page holds:\n%s\n%s", got, want)
		}
	})
}
