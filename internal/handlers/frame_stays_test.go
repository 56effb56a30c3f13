package handlers_test

import (
	"strings"
	"testing"
)

// TestTheFrameStays: pages that belong to no account keep the navigation of the one that the user was on; those of administrators do not, and who is
// not logged in gets none.
func TestTheFrameStays(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	pages := []string{"/hjelp", "/nytt", "/personvern", "/tilgjengelighet", "/ordliste", "/min-side/visning", "/min-side/innlogginger", "/driftsstatus", "/kontoer", "/finnes-ikke", "/k/oppvekst/finnes-ikke", "/k/hemmelig/"}
	b.get("/k/oppvekst/")
	for _, path := range pages {
		page := b.get(path).page(t)
		if page.Find(`.nav a[href="/k/oppvekst/utsendinger"], .nav a[href="/k/oppvekst/sms"]`).Length() == 0 || page.Find("#menu-konto").Length() != 1 {
			t.Errorf("%s: the navigation is gone", path)
		}
		if path == "/k/hemmelig/" && strings.Contains(page.Find(".top").Text(), "hemmelig") {
			t.Error("the frame names an account that is none")
		}
	}
	if page := s.browser(t, systemAdmin).get("/admin/levering").page(t); page.Find(`.nav a[href^="/k/"]`).Length() != 0 {
		t.Error("an administrator's page has an account's navigation")
	}
	if page := s.browser(t, nobody).get("/hjelp").page(t); page.Find(".nav, #menu-konto").Length() != 0 {
		t.Error("who is not logged in gets a navigation")
	}
}
