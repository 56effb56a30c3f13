package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
)

// TestASecondTabsTextSurvives: a form that another tab was faster than shows both texts, keeps its own, and saves it when
// that is what is wanted.
func TestASecondTabsTextSurvives(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	shows := func(t *testing.T, got answer, here, there string) *goquery.Document {
		t.Helper()
		page := got.page(t)
		if got.StatusCode != http.StatusConflict || heading(page) != "Utkastet er endret i en annen fane" {
			t.Fatalf("got %d with the heading %q", got.StatusCode, heading(page))
		}
		table := page.Find("table").Text()
		if !strings.Contains(table, here) || !strings.Contains(table, there) {
			t.Errorf("got the table %q, want %q and %q", table, here, there)
		}
		return page
	}
	t.Run("of a letter", func(t *testing.T) {
		draft := b.post("/k/oppvekst/forsendelser/ny", fields()).location()
		seen := b.get(draft).page(t).Find("#utkast [name=versjon]").AttrOr("value", "")
		b.post(draft, fields("versjon", seen, "tittel", "Den første", "navn", "Kari"))
		page := shows(t, b.post(draft, fields("versjon", seen, "tittel", "Den andre", "navn", "Kari")), "Den andre", "Den første")
		if got := page.Find("[name=tittel]").AttrOr("value", ""); got != "Den andre" {
			t.Errorf("the form holds %q", got)
		}
		if got := b.get(page.Find("section[aria-labelledby=begge] a").AttrOr("href", "")).page(t).Find("[name=tittel]").AttrOr("value", ""); got != "Den første" {
			t.Errorf("the link leads to %q", got)
		}
		b.post(draft, fields("versjon", page.Find("#utkast [name=versjon]").AttrOr("value", ""), "tittel", "Den andre", "navn", "Kari"))
		if got := b.get(draft).page(t).Find("[name=tittel]").AttrOr("value", ""); got != "Den andre" {
			t.Errorf("after saving again the draft holds %q", got)
		}
	})
	t.Run("of an SMS", func(t *testing.T) {
		id := string(s.draft(t, caseworker, message("Hei der")))
		form := "/k/oppvekst/sms/" + id + "/endre"
		seen := b.get(form).page(t).Find("[name=sett]").AttrOr("value", "")
		post := func(seen, text string) answer {
			return b.post(form, fields("sett", seen, "mottaker", "telefonnummer", "telefonnummer", "90000123", "tekst", text))
		}
		post(seen, "Den første teksten")
		page := shows(t, post(seen, "Den andre teksten"), "Den andre teksten", "Den første teksten")
		if got := s.oppvekst.Item(t, s.store, dispatch.ItemID(id)).Text; got != "Den første teksten" {
			t.Errorf("kept %q before anybody chose", got)
		}
		post(page.Find("[name=sett]").AttrOr("value", ""), "Den andre teksten")
		if got := s.oppvekst.Item(t, s.store, dispatch.ItemID(id)).Text; got != "Den andre teksten" {
			t.Errorf("kept %q after it was chosen", got)
		}
	})
}
