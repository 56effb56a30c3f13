package handlers_test

import (
	"net/http"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// TestTour: the first day leads everybody only to where they may go, each role to places of its own.
func TestTour(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for who, least := range map[string]int{noRights: 3, caseworker: 5, teamLead: 7, accountAdmin: 4, systemAdmin: 8, auditor: 6} {
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
