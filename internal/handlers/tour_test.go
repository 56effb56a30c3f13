package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// TestTour: the first day leads everybody only to where they may go, each role to places of its own.
func TestTour(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for who, least := range map[string]int{noRights: 1, caseworker: 5, teamLead: 7, accountAdmin: 4, systemAdmin: 6, auditor: 6} {
		b := s.browser(t, who)
		page := b.get("/kom-i-gang").page(t)
		links := page.Find("main .steps a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
		if len(links) < least {
			t.Errorf("%s gets %d steps, want at least %d: %q", who, len(links), least, links)
		}
		for _, link := range links {
			if got := b.get(link).StatusCode; got != http.StatusOK {
				t.Errorf("%s is led to %s, which answers %d", who, link, got)
			}
		}
	}
}

// TestHelpForRights: Hjelp and Kom i gang show what the user's roles allow, and tell users without roles that they have none.
func TestHelpForRights(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for who, has := range map[string][]string{
		caseworker: {"sms", "brev", "oppfolging", "ord"}, accountAdmin: nil, systemAdmin: {"administrere", "kontrollere"}, auditor: {"kontrollere", "ord"}, noRights: nil,
	} {
		page := s.browser(t, who).get("/hjelp").page(t)
		for _, id := range []string{"sms", "brev", "pdf", "oppfolging", "ord", "administrere", "kontrollere"} {
			want := slices.Contains(has, id) || id == "pdf" && who == caseworker
			if got := page.Find("#"+id).Length() > 0; got != want {
				t.Errorf("%s: the chapter %q is shown: %t", who, id, got)
			}
		}
	}
	tor := s.browser(t, noRights)
	for _, address := range []string{"/hjelp", "/kom-i-gang"} {
		if got := tor.get(address).page(t).Find("main").Text(); !strings.Contains(got, "Du har ingen roller ennå") || strings.Contains(got, "Se hvilken konto") {
			t.Errorf("%s says to somebody without roles: %q", address, got)
		}
	}
	if got := s.browser(t, systemAdmin).get("/kom-i-gang").page(t).Find("main").Text(); strings.Contains(got, "Se hvilken konto") {
		t.Error("an administrator without an account is told to see which one they work on")
	}
}
