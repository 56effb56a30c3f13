package handlers_test

import (
	"strings"
	"testing"
)

// TestBadgeOnEveryPage: the number of what needs follow-up stands in the navigation of every page, those of no account and errors too.
func TestBadgeOnEveryPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.rejected(t, caseworker, message("Hei der"))
	b := s.browser(t, caseworker)
	b.get("/k/oppvekst/")
	for _, path := range []string{"/k/oppvekst/", "/hjelp", "/nytt", "/personvern", "/tilgjengelighet", "/ordliste", "/driftsstatus", "/min-side/varsler", "/admin/kontoer", "/k/oppvekst/sms/finnes-ikke", "/finnes-ikke"} {
		if got := strings.TrimSpace(b.get(path).page(t).Find(".nav #merke .count [aria-hidden]").Text()); got != "1" {
			t.Errorf("%s: the badge says %q", path, got)
		}
	}
}

// TestAuditorKeepsTheAccount: an auditor of accounts keeps the account's menu and role, and the way back, on the pages of the whole system; who
// administers it has none there.
func TestAuditorKeepsTheAccount(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, auditor)
	b.get("/k/oppvekst/")
	for _, path := range []string{"/admin/logg", "/admin/innsyn", "/admin/oppbevaring", "/admin/tilgangskontroll"} {
		page := b.get(path).page(t)
		if name := page.Find(".switch-account b").Text(); name != s.oppvekst.Account.Name {
			t.Errorf("%s: the header names the account %q", path, name)
		}
		if role := page.Find(".switch-user small").Text(); role != "Revisor" {
			t.Errorf("%s: the role is %q", path, role)
		}
		for _, link := range []string{"/k/oppvekst/", "/admin/tilgangskontroll", "/admin/logg"} {
			if page.Find(`.nav a[href="`+link+`"]`).Length() != 1 {
				t.Errorf("%s: the menu does not lead to %s", path, link)
			}
		}
	}
	if page := s.browser(t, systemAdmin).get("/admin/logg").page(t); page.Find(".switch-account").Length() != 0 {
		t.Error("an administrator without accounts has one")
	}
}
