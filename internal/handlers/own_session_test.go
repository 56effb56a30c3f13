package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

const signIns = "/min-side/innlogginger"

// TestOwnSignIns: every login with its address and browser, this one marked, and a way to end the others.
func TestOwnSignIns(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	other, gone, b := s.browser(t, caseworker), s.browser(t, caseworker), s.browser(t, caseworker)
	s.browser(t, teamLead)
	gone.post("/logg-ut", fields())
	text := strings.Join(strings.Fields(b.get(signIns).page(t).Find("main").Text()), " ")
	for _, want := range []string{"127.0.0.1, annen nettleser", "Denne nettleseren nå", "Fortsatt innlogget", "Du logget ut", "under ett minutt"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	b.get(signIns).page(t).Find("tbody tr").Each(func(_ int, row *goquery.Selection) {
		ended := strings.Contains(row.Text(), "Du logget ut")
		if lasted := strings.TrimSpace(row.Find(".num").Text()); ended != (lasted == "under ett minutt") || !ended && lasted != "pågår" {
			t.Errorf("ended: %t, and it says %q of how long it lasted", ended, lasted)
		}
	})
	if n := b.get(signIns).page(t).Find("tbody tr").Length(); n != 3 {
		t.Errorf("got %d logins, want one's own three", n)
	}
	got := b.post(signIns+"/avslutt", fields())
	if says := flash(b.get(got.location()).page(t)); says != "Én annen innlogging er avsluttet" {
		t.Errorf("got %q", says)
	}
	if n := other.get("/k/oppvekst/sms").StatusCode; n != http.StatusUnauthorized {
		t.Errorf("the other browser gets %d, want 401", n)
	}
	page := b.get(signIns).page(t)
	if page.Find(`form[action$="/avslutt"]`).Length() != 0 || !strings.Contains(page.Text(), "Du avsluttet den fra en annen nettleser") {
		t.Error("there is still another to end, or the page does not say that it was")
	}
	if n := s.audits(t, "session.end_others"); n != 1 {
		t.Errorf("the event log has %d lines, want one", n)
	}
}

// TestIdleWarning: pages tell when the session ends; requests by scripts do not extend it, and the button does.
func TestIdleWarning(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	left := func(d *goquery.Document) string { return d.Find("#okt").AttrOr("data-okt", "") }
	page := b.get("/k/oppvekst/sms/ny").page(t)
	if line := page.Find("main .no-js").Text(); !strings.Contains(line, "Du blir logget ut kl. ") {
		t.Errorf("without script the form says %q", line)
	}
	s.later(25 * time.Minute)
	for range 2 {
		if got := left(b.get(signIns, fragment("okt")...).page(t)); len(got) != 3 || got > "300" {
			t.Errorf("%s seconds are left after 25 minutes, want less than 300", got)
		}
	}
	got := b.post("/min-side/fortsett", fields(), fragment("okt")...)
	if n := left(got.page(t)); got.StatusCode != http.StatusOK || n < "1790" || len(n) != 4 {
		t.Errorf("got %d with %s seconds after the button, want half an hour", got.StatusCode, n)
	}
	s.later(25 * time.Minute)
	if got := b.post("/min-side/fortsett", fields(), "Referer", s.server.URL+"/k/oppvekst/sms/ny"); got.location() != "/k/oppvekst/sms/ny" {
		t.Errorf("without script the button leads to %q", got.location())
	}
	s.later(31 * time.Minute)
	if got := b.get(signIns, fragment("okt")...).StatusCode; got != http.StatusUnauthorized {
		t.Errorf("got %d after half an hour, want 401", got)
	}
	if got := s.browser(t, caseworker).get(signIns); !strings.Contains(got.body, "Avsluttet fordi den ikke ble brukt") {
		t.Error("the page does not say that the session was idle")
	}
}

// TestLastMoment: the button does not extend an expired session, and the page says so.
func TestLastMoment(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	s.run(t, `UPDATE sessions SET expires_at = expires_at`)
	for range 23 { // ten hours less some minutes, in use all the time
		s.later(25 * time.Minute)
		b.get("/kontoer")
	}
	page := b.get("/k/oppvekst/sms").page(t)
	if page.Find(`#okt form`).Length() != 0 || !strings.Contains(page.Find("#okt").Text(), "Du må logge inn på nytt innen kl.") {
		t.Errorf("the page says %q", page.Find("#okt").Text())
	}
}
