package handlers_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/store/lists"
)

// leadAnswer is one of the first answers on the team lead's page: its number, and where that leads.
func leadAnswer(page *goquery.Document, id string) (value, path string) {
	of := page.Find("#" + id + " .answer-value")
	return strings.ReplaceAll(strings.TrimSpace(of.Text()), "\u00a0", " "), of.Find("a").AttrOr("href", "")
}

// TestLeadNow: the first answers of the team lead's page are the numbers of their lists.
func TestLeadNow(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET shipment_integration_id = $2 WHERE id = $1`, s.oppvekst.Account.ID, s.shipmentIntegration(t, "Brev", dispatch.EnvironmentTest))
	b := s.browser(t, teamLead)

	t.Run("of nothing", func(t *testing.T) {
		page := b.get("/k/oppvekst/ledelse").page(t)
		for id, want := range map[string]string{"na-feilet": "0", "na-ulest": "0", "na-venter": "0", "na-kostnad": "Ikke kjent"} {
			if value, path := leadAnswer(page, id); value != want || path != "" {
				t.Errorf("%s: %q to %q", id, value, path)
			}
		}
		if strings.Contains(page.Find("main").Text(), "0\u00a0%") {
			t.Error("a share of nothing is 0 %")
		}
	})

	s.sendsOfEveryOutcome(t)
	s.run(t, `UPDATE items SET created_at = created_at - interval '9 days', status_at = status_at - interval '9 days', accepted_at = accepted_at - interval '9 days'
		WHERE account_id = $1 AND status = 'VARSLET' AND abs(hashtext(id::text)) % 2 = 0`, s.oppvekst.Account.ID)
	s.run(t, `UPDATE items SET reason_at = now() - interval '3 days' WHERE account_id = $1 AND state = 'rejected' AND abs(hashtext(id::text)) % 3 = 0`, s.oppvekst.Account.ID)
	page := b.get("/k/oppvekst/ledelse").page(t)
	for _, id := range []string{"na-feilet", "na-ulest", "na-venter"} {
		value, path := leadAnswer(page, id)
		if n, err := strconv.Atoi(value); err != nil || n == 0 || b.rowsOf(t, path) != n {
			t.Errorf("%s: %q, and %s has %d rows", id, value, path, b.rowsOf(t, path))
		}
	}
	parts := 0
	page.Find(".answer-parts li").Each(func(_ int, li *goquery.Selection) {
		a := li.Find("a")
		a.Find(".ds-sr-only").Remove()
		path, text := a.AttrOr("href", ""), strings.ReplaceAll(a.Text(), "\u00a0", "")
		if strings.Contains(path, "/oppfolging") {
			return // rows of another kind
		}
		parts++
		if n, err := strconv.Atoi(text); err != nil || b.rowsOf(t, path) != n {
			t.Errorf("%s: %q, and %d rows", path, text, b.rowsOf(t, path))
		}
	})
	if parts < 3 {
		t.Errorf("%d places are told of", parts)
	}
	for _, picture := range []string{"na-feilet", "na-ulest", "na-venter"} {
		of := page.Find("#" + picture + " .spark")
		if of.Find("svg rect").Length() == 0 || !strings.Contains(of.Find("[role=img]").AttrOr("aria-label", ""), "siste 30 dager") {
			t.Errorf("%s has no picture, or none in words", picture)
		}
	}
	if page.Find("[style]").Length() != 0 {
		t.Error("inline styles")
	}

	t.Run("the list says what it shows", func(t *testing.T) {
		for spor, says := range map[string]string{"feilet": "Feilet eller uavklart siden i går", "ulest": "Ulest i Altinn", "hos-oss": "Skulle vært sendt"} {
			list := b.get("/k/oppvekst/utsendinger?spor=" + spor).page(t)
			if !strings.Contains(list.Find("main").Text(), says) || len(rows(list)) == 0 {
				t.Errorf("%s: not said, or %d rows", spor, len(rows(list)))
			}
		}
		if got := b.get("/k/oppvekst/utsendinger?spor=hva-som-helst"); got.StatusCode != http.StatusOK {
			t.Errorf("an unknown question: %d", got.StatusCode)
		}
	})
	t.Run("the month's cost against the budget", func(t *testing.T) {
		s.run(t, `UPDATE accounts SET price_sms = 40 WHERE id = $1`, s.oppvekst.Account.ID)
		page := b.get("/k/oppvekst/ledelse").page(t)
		if value, path := leadAnswer(page, "na-kostnad"); !strings.HasSuffix(value, " kr") || path == "" || !strings.Contains(page.Find("#na-kostnad").Text(), "ikke noe budsjett") {
			t.Errorf("without a budget: %q to %q", value, path)
		}
		s.run(t, `UPDATE accounts SET budget = 100000, budget_rule = 'warn' WHERE id = $1`, s.oppvekst.Account.ID)
		if text := b.get("/k/oppvekst/ledelse").page(t).Find("#na-kostnad").Text(); !strings.Contains(text, "av budsjettet på 1\u00a0000\u00a0kr") {
			t.Errorf("with a budget: %q", text)
		}
	})
	t.Run("another account's are not counted", func(t *testing.T) {
		value, _ := leadAnswer(b.get("/k/oppvekst/ledelse").page(t), "na-feilet")
		s.rejected(t, outsider, message("Andres"))
		if got, _ := leadAnswer(b.get("/k/oppvekst/ledelse").page(t), "na-feilet"); got != value {
			t.Errorf("%s, and %s before", got, value)
		}
	})
}

// TestLeadTellsWhatIsSought: an uncertain shipment that the program itself looks for is in no list of failures yet; the card says how many
// there are, since the figures under it count them.
func TestLeadTellsWhatIsSought(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, teamLead)
	id := s.shipment(t, caseworker, "Vedtak")
	s.run(t, `UPDATE items SET state = 'uncertain', recover_at = now() + interval '1 minute' WHERE id = $1`, id)
	card := func() string {
		return strings.Join(strings.Fields(b.get("/k/oppvekst/ledelse").page(t).Find("#na-feilet").Closest(".answer").Text()), " ")
	}
	if got := card(); !strings.Contains(got, "Vi leter selv etter én uavklart forsendelse. Den er ikke med i tallet.") || strings.Contains(got, "Ingenting har feilet") {
		t.Errorf("the only one: the card says %q", got)
	}
	s.rejected(t, caseworker, message("Nei"))
	page := b.get("/k/oppvekst/ledelse").page(t)
	if value, path := leadAnswer(page, "na-feilet"); value != "1" || b.rowsOf(t, path) != 1 || !strings.Contains(card(), "Vi leter selv etter én uavklart") {
		t.Errorf("beside a failed one: %s, %d rows, and the card says %q", value, b.rowsOf(t, path), card())
	}
	s.run(t, `UPDATE items SET recover_at = NULL WHERE id = $1`, id)
	if value, _ := leadAnswer(b.get("/k/oppvekst/ledelse").page(t), "na-feilet"); value != "2" || strings.Contains(card(), "Vi leter selv") {
		t.Errorf("given up: %s, and the card says %q", value, card())
	}
	s.run(t, `UPDATE items SET recover_at = now(), reason_at = now() - interval '3 days' WHERE id = $1`, id)
	if got := card(); strings.Contains(got, "Vi leter selv") {
		t.Errorf("an old one: the card says %q", got)
	}
}

// TestLeadHours: the best hour to send is told where enough letters were read, of the hours of Oslo, folded or not.
func TestLeadHours(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET shipment_integration_id = $2 WHERE id = $1`, s.oppvekst.Account.ID, s.shipmentIntegration(t, "Brev", dispatch.EnvironmentTest))
	b := s.browser(t, teamLead)
	told := func() string {
		return b.get("/k/oppvekst/ledelse?periode=7").page(t).Find("#timer").Closest("details").Text()
	}
	if got := told(); !strings.Contains(got, "for få forsendelser") {
		t.Errorf("of nothing: %q", got)
	}
	s.sendsOfEveryOutcome(t)
	s.run(t, `UPDATE items SET status = 'LEST', state = 'accepted', accepted_at = date_trunc('day', now() AT TIME ZONE 'Europe/Oslo') AT TIME ZONE 'Europe/Oslo' + interval '9 hours 59 minutes',
		status_at = date_trunc('day', now() AT TIME ZONE 'Europe/Oslo') AT TIME ZONE 'Europe/Oslo' + interval '11 hours' WHERE account_id = $1 AND kind = 'shipment'`, s.oppvekst.Account.ID)
	want := "Forsendelser som ble overlevert kl. 09–10, ble raskest lest: 100\u00a0% av de leste innen 4 timer."
	if got := told(); !strings.Contains(got, want) {
		t.Errorf("before folding: %q", got)
	}
	if err := lists.In(s.store).Statistics.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := told(); !strings.Contains(got, want) {
		t.Errorf("after folding: %q", got)
	}
}
