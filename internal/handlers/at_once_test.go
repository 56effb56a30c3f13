package handlers_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestPagesAtOnce: all users request pages concurrently while SMS are composed and sent; each gets their own answers.
// The race detector sees the pages by this test.
func TestPagesAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.queued(t, caseworker, message("Sendt"))
	s.shipment(t, caseworker, "Vedtak")
	for i, who := range everybody {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			b := s.browser(t, who) // logs in now: some pages want a fresh login, and the test may have waited for its turn
			for _, r := range table {
				path := strings.Replace(r.path, ":konto", "oppvekst", 1)
				if r.method != http.MethodGet || strings.ContainsAny(path, ":*") || strings.HasPrefix(path, "/oidc/") || strings.HasPrefix(path, "/logg-") {
					continue
				}
				if got, want := strconv.Itoa(b.get(path).StatusCode), strings.Fields(r.want)[i]; got != want {
					t.Errorf("%s: answered with %s, alone with %s", path, got, want)
				}
			}
		})
	}
	for _, who := range []string{caseworker, teamLead} {
		t.Run("sends/"+who, func(t *testing.T) {
			t.Parallel()
			b := s.browser(t, who)
			for range 5 {
				draft := b.post("/k/oppvekst/sms/ny", fields("nokkel", uuid.NewString(), "mottaker", "telefonnummer", "telefonnummer", "90000123", "tekst", "Hei")).location()
				if a := b.send(strings.TrimSuffix(draft, "/kontroll")); a.StatusCode != http.StatusSeeOther {
					t.Errorf("%s is not sent: %d", draft, a.StatusCode)
				}
			}
		})
	}
}
