package handlers_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// TestFollowUpsKeepThemselvesFresh: the page polls its own rows; new ones are announced, and move none of them.
func TestFollowUpsKeepThemselvesFresh(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	first := s.rejected(t, caseworker, message("Den første"))
	s.uncertain(t, caseworker, message("Den andre"))
	whole := b.get("/k/oppvekst/oppfolging?rekkefolge=nyeste").page(t)
	again := func() *goquery.Document {
		t.Helper()
		return b.get(whole.Find("#sak").AttrOr("data-live", ""), fragment("sak")...).page(t)
	}
	if got, want := outer(t, again().Find("#sak")), outer(t, whole.Find("#sak")); got != want {
		t.Errorf("the part differs from what the page holds:\n%s\n%s", got, want)
	}
	s.rejected(t, caseworker, message("Den tredje"))
	part := again()
	if got := part.Find("#sak > p.panel-body").Text(); !strings.Contains(got, "1 ny utsending.") {
		t.Errorf("what is new: got %q", got)
	}
	if got := part.Find("tbody tr").Length(); got != 2 || strings.Contains(part.Text(), "Den tredje") {
		t.Errorf("%d rows: what is new has pushed the others away", got)
	}
	s.run(t, `UPDATE follow_ups SET done_at = now() WHERE item_id = $1`, first)
	if part := again(); part.Find("tbody tr").Length() != 1 || strings.Contains(part.Text(), "Den første") {
		t.Errorf("what is done is still there: %s", part.Text())
	}
	s.run(t, `UPDATE follow_ups SET done_at = now() WHERE account_id = $1`, s.oppvekst.Account.ID)
	if got := again().Text(); !strings.Contains(got, "Ingenting trenger oppfølging akkurat nå.") {
		t.Errorf("when all is done: got %q", got)
	}
}
