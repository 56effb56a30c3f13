package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

func TestItemFragment(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := string(s.accepted(t, caseworker, message("Hei der")))
	address := "/k/oppvekst/sms/" + id
	b.get(address) // looking at it the first time pulls the next read forward

	t.Run("is the part of the page and nothing else", func(t *testing.T) {
		whole, part := b.get(address), b.get(address, fragment("sms")...)
		if !strings.HasPrefix(strings.TrimSpace(part.body), `<div class="stack" id="sms"`) || strings.Contains(part.body, "<html") {
			t.Errorf("got %q", part.body[:min(len(part.body), 200)])
		}
		if got, want := outer(t, part.page(t).Find("#sms")), outer(t, whole.page(t).Find("#sms")); got != want {
			t.Errorf("the part differs from what the page holds:\n%s\n%s", got, want)
		}
	})
	t.Run("is kept apart from the page by caches", func(t *testing.T) {
		for _, a := range []answer{b.get(address), b.get(address, fragment("sms")...)} {
			if got := a.Header.Values("Vary"); !slices.Contains(got, "Accept") || !slices.Contains(got, "Cookie") {
				t.Errorf("got Vary %q, want Accept and Cookie", got)
			}
		}
	})
	t.Run("is refused without a word when nobody is logged in", func(t *testing.T) {
		if got := s.browser(t, nobody).get(address, fragment("sms")...); got.StatusCode != http.StatusUnauthorized || got.body != "" {
			t.Errorf("got %d with %q", got.StatusCode, got.body)
		}
	})
	t.Run("asks to be asked for again until the status is settled", func(t *testing.T) {
		if got := b.get(address, fragment("sms")...).page(t).Find("#sms").AttrOr("data-live-etter", ""); got != "3" {
			t.Errorf("got %q seconds for a fresh one, want 3", got)
		}
		s.run(t, `UPDATE items SET status = 'LEVERT', settled_at = now() WHERE id = $1`, id)
		if got, has := b.get(address, fragment("sms")...).page(t).Find("#sms").Attr("data-live-etter"); has {
			t.Errorf("got %q seconds for a settled one, want none", got)
		}
	})
	t.Run("leaves the message about what was done to the page", func(t *testing.T) {
		b.post(address+"/avbryt", fields())
		if got := flash(b.get(address, fragment("sms")...).page(t)); got != "" {
			t.Errorf("the part says %q", got)
		}
		if got := flash(b.get(address).page(t)); !strings.HasPrefix(got, "Meldingen er allerede endret") {
			t.Errorf("the page says %q", got)
		}
	})
	t.Run("does not keep the session alive", func(t *testing.T) {
		idle := s.browser(t, caseworker)
		s.ahead.Store(int64(29 * time.Minute))
		t.Cleanup(func() { s.ahead.Store(0) })
		if got := idle.get(address, fragment("sms")...).StatusCode; got != http.StatusOK {
			t.Fatalf("got %d after 29 minutes, want 200", got)
		}
		s.ahead.Store(int64(31 * time.Minute))
		if got := idle.get(address).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("got %d after 31 minutes, want 401", got)
		}
	})
}

func outer(t *testing.T, s *goquery.Selection) string {
	t.Helper()
	html, err := goquery.OuterHtml(s)
	if err != nil {
		t.Fatal(err)
	}
	return html
}

func TestCounting(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	tests := []struct {
		name, text, line, announced string
		warns                       bool
	}{
		{"nothing", "", "0 SMS-deler 160 tegn igjen i siste del", "Meldingen sendes som 0 SMS-deler.", false},
		{"a short text", "Hei", "1 SMS-del 157 tegn igjen i siste del", "Meldingen sendes som 1 SMS-del.", false},
		{"line breaks as one character", "a\r\nb", "1 SMS-del 157 tegn igjen i siste del", "Meldingen sendes som 1 SMS-del.", false},
		{"characters that cost more", "Vi ses – ok", "1 SMS-del 59 tegn igjen i siste del", "Meldingen sendes som 1 SMS-del.", true},
		{"several parts", strings.Repeat("x", 161), "2 SMS-deler 145 tegn igjen i siste del Fjern 1 tegn for å komme ned i 1 SMS-del.", "Meldingen sendes som 2 SMS-deler.", false},
		{"too long a text", strings.Repeat("x", 1602), "11 SMS-deler Fjern 2 tegn. En melding kan ha 1\u00a0600.", "Fjern 2 tegn. En melding kan ha 1\u00a0600.", false},
	}
	for _, test := range tests {
		t.Run("counts "+test.name, func(t *testing.T) {
			t.Parallel()
			a := b.post("/k/oppvekst/sms/teller", fields("tekst", test.text), fragment("sms-teller")...)
			page := a.page(t)
			var ids []string
			page.Find("body > *").Each(func(_ int, e *goquery.Selection) { ids = append(ids, e.AttrOr("id", "")) })
			if a.StatusCode != http.StatusOK || !slices.Equal(ids, []string{"sms-linje", "sms-varsel", "sms-advarsler", "sms-teller", "sms-visning"}) {
				t.Errorf("got %d with %q", a.StatusCode, ids)
			}
			if got := strings.Join(strings.FieldsFunc(page.Find("#sms-linje").Text(), func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }), " "); got != test.line {
				t.Errorf("got %q, want %q", got, test.line)
			}
			if got := page.Find("#sms-teller").AttrOr("data-kunngjor", ""); got != test.announced {
				t.Errorf("got %q to be read out, want %q", got, test.announced)
			}
			if _, hidden := page.Find("#sms-varsel").Attr("hidden"); hidden == test.warns {
				t.Errorf("the warning is hidden: %t", hidden)
			}
		})
	}
	t.Run("has every part that it answers on the page", func(t *testing.T) {
		t.Parallel()
		page := b.get("/k/oppvekst/sms/ny").page(t)
		if n := page.Find("form[data-sms]").Find("#sms-linje, #sms-varsel, #sms-advarsler, #sms-teller, #sms-visning").Length(); n != 5 {
			t.Errorf("the page has %d of the five", n)
		}
	})
}

func TestFieldCheck(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	tests := []struct{ name, field, value, id, want, color string }{
		{"a Norwegian number", "telefonnummer", "900 00 123", "telefonnummer-s", "Norsk mobilnummer.", "success"},
		{"a foreign number", "telefonnummer", "+46701234567", "telefonnummer-s", "Utenlandsk nummer.", "success"},
		{"a number of odd length", "telefonnummer", "900001234", "telefonnummer-s", "Norske nummer har åtte siffer.", "warning"},
		{"a number that cannot be used", "telefonnummer", "9000", "telefonnummer-s", "Telefonnummeret må ha minst åtte siffer.", "danger"},
		{"a national id that fits", "fnr", "12047800155", "fnr-s", "", ""},
		{"a national id with other check digits", "fnr", "12047800100", "fnr-s", "Kontrollsifrene stemmer ikke.", "warning"},
		{"a national id with shipments", "fnr", "1204780010x", "fnr-s", "Fødselsnummer skal bare ha siffer.", "danger"},
		{"nothing", "fnr", "", "fnr-s", "Skriv inn fødselsnummer.", "danger"},
	}
	for _, test := range tests {
		t.Run("says of "+test.name, func(t *testing.T) {
			t.Parallel()
			a := b.post("/k/oppvekst/sms/sjekk", fields(test.field, test.value), fragment(test.id)...)
			line := a.page(t).Find("body > p")
			if a.StatusCode != http.StatusOK || line.Length() != 1 || line.AttrOr("id", "") != test.id {
				t.Fatalf("got %d %q", a.StatusCode, a.body)
			}
			if got := line.Text(); !strings.HasPrefix(got, test.want) || test.color != "" && line.AttrOr("data-color", "") != test.color {
				t.Errorf("got %q in %q, want %q in %q", got, line.AttrOr("data-color", ""), test.want, test.color)
			}
			if problem := line.AttrOr("data-niva", "") == "feil"; problem != (test.color == "danger") {
				t.Errorf("marked as a problem: %t", problem)
			}
			if test.value != "" && strings.Contains(a.body, test.value) {
				t.Error("the answer repeats the number")
			}
		})
	}
}
