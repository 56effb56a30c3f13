package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
)

// TestASecondTabsTextSurvives: a form overtaken by another tab shows both texts, keeps its own, and can save it.
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
	t.Run("of a shipment", func(t *testing.T) {
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
	t.Run("of an SMS to many", func(t *testing.T) {
		form := "/k/oppvekst/jobber/" + string(s.jobFor(t, ofJobDraft[0])) + "/endre"
		seen := b.get(form).page(t).Find("[name=sett]").AttrOr("value", "")
		post := func(seen, text string) answer {
			return b.post(form, fields("sett", seen, "mate", "traceable", "tekst", text))
		}
		holds := func() string { return b.get(form).page(t).Find("[name=tekst]").Text() }
		post(seen, "Den første teksten")
		page := shows(t, post(seen, "Den andre teksten"), "Den andre teksten", "Den første teksten")
		if got := holds(); got != "Den første teksten" {
			t.Errorf("kept %q before anybody chose", got)
		}
		post(page.Find("[name=sett]").AttrOr("value", ""), "Den andre teksten")
		if got := holds(); got != "Den andre teksten" {
			t.Errorf("kept %q after it was chosen", got)
		}
	})
	t.Run("of an account's settings, and of its rules for PDFs", func(t *testing.T) {
		admin := s.browser(t, accountAdmin)
		for form, names := range map[string][2]string{"/k/oppvekst/innstillinger": {dispatch.FieldWatchWords, "hemmelig"}, "/k/oppvekst/innstillinger/pdf": {dispatch.FieldSideMargin, "17"}} {
			typed := func(value string) url.Values {
				f := heldForm(admin.get(form).page(t))
				f.Set(names[0], value)
				return f
			}
			here, there := typed(names[1]), typed("18")
			if got := admin.post(form, there); got.StatusCode != http.StatusSeeOther {
				t.Fatalf("%s: the first gets %d", form, got.StatusCode)
			}
			got := admin.post(form, here)
			page := got.page(t)
			if table := page.Find("table").Text(); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(table, names[1]) || !strings.Contains(table, "18") {
				t.Errorf("%s: got %d with the table %q", form, got.StatusCode, table)
			}
			here.Set("versjon", page.Find("[name=versjon]").First().AttrOr("value", ""))
			if got := admin.post(form, here); got.StatusCode != http.StatusSeeOther {
				t.Errorf("%s: chosen, it gets %d", form, got.StatusCode)
			}
			if now := heldForm(admin.get(form).page(t)).Get(names[0]); strings.TrimSpace(now) != names[1] {
				t.Errorf("%s: holds %q after it was chosen", form, now)
			}
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
