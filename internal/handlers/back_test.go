package handlers_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestBackToTheList: the page of an item leads back to the list from which it was opened, with its filters, and else to the list of its kind.
func TestBackToTheList(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sms, letter := "/k/oppvekst/sms/"+string(s.rejected(t, caseworker, message("Hei"))), "/k/oppvekst/forsendelser/"+string(s.shipment(t, caseworker, "Vedtak"))
	found := b.post("/k/oppvekst/sok", fields("q", "hei")).location()
	back := func(path, from string) string {
		if strings.HasPrefix(from, "/") {
			from = s.server.URL + from
		}
		return b.get(path, "Referer", from).page(t).Find("main .back").AttrOr("href", "")
	}
	for _, list := range []string{"/k/oppvekst/oppfolging?hvem=meg", "/k/oppvekst/utsendinger?status=LEST", "/k/oppvekst/", "/k/oppvekst/sms", found} {
		if got := back(sms, list); got != list {
			t.Errorf("from %s: back to %s", list, got)
		}
		if got := back(letter, list); got != list {
			t.Errorf("the shipment, from %s: back to %s", list, got)
		}
	}
	approval := "/k/oppvekst/godkjenning"
	if got := back(sms, approval+"/"+uuid.NewString()); got != approval {
		t.Errorf("from what was just approved: back to %s", got)
	}
	for _, other := range []string{
		letter, "/k/oppvekst/sms/ny", "/k/helse/oppfolging", "/k/oppvekst/oppfolging/\"><script>", "//evil.example/k/oppvekst/oppfolging", "/k/oppvekst/../../admin/kontoer",
		"/k/oppvekst/utsendinger/visning", "/k/oppvekst/jobber/x", "https://evil.example/k/oppvekst/oppfolging", "",
	} {
		if got := back(sms, other); got != "/k/oppvekst/sms" {
			t.Errorf("from %q: back to %s", other, got)
		}
		if got := back(letter, other); got != "/k/oppvekst/forsendelser" {
			t.Errorf("the shipment, from %q: back to %s", other, got)
		}
	}
}
