package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// TestWorklistOrderAndSearch: the worklist begins with the oldest, or with the newest if that is chosen, is searched by words that are in no address, and an act
// on all of it acts on what was found only.
func TestWorklistOrderAndSearch(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	first := s.rejected(t, caseworker, message("Den første"))
	second := s.rejected(t, caseworker, message("Den andre"))
	s.run(t, `UPDATE follow_ups SET since = since - interval '1 hour' WHERE item_id = $1`, first)
	letter := s.shipment(t, caseworker, "Vedtak om plass")
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_at = now() WHERE id = $1`, letter)

	links := func(address string) (paths []string) {
		for _, a := range b.get(address).page(t).Find("tbody .main-link").EachIter() {
			paths = append(paths, a.AttrOr("href", ""))
		}
		return paths
	}
	oldest := links("/k/oppvekst/oppfolging")
	turn := b.get("/k/oppvekst/oppfolging?hvem=sendt").page(t).Find(".worklist-tools > a").AttrOr("href", "")
	if turn != "/k/oppvekst/oppfolging?hvem=sendt&rekkefolge=nyeste" {
		t.Errorf("turns round by %q", turn)
	}
	newest := links(turn)
	slices.Reverse(oldest)
	if len(newest) != 3 || !slices.Equal(newest, oldest) || !strings.HasSuffix(newest[2], string(first)) || !strings.HasSuffix(newest[1], string(second)) {
		t.Errorf("newest first %q, the oldest first in reverse %q", newest, oldest)
	}
	person := b.get("/k/oppvekst/oppfolging").page(t).Find(`tbody a[href$="/person"]`)
	if person.Length() != 3 || b.get(person.First().AttrOr("href", "")).StatusCode != http.StatusOK {
		t.Errorf("%d rows lead to all that was sent to their recipient", person.Length())
	}

	form := b.get("/k/oppvekst/oppfolging?rekkefolge=nyeste").page(t).Find("main form[role=search]")
	found := b.post(form.AttrOr("action", ""), fields(dispatch.FieldSearch, "plass vedt"))
	if at := found.location(); !strings.HasPrefix(at, "/k/oppvekst/oppfolging?rekkefolge=nyeste&sok=") || strings.Contains(at, "plass") {
		t.Fatalf("leads to %q", at)
	}
	page := b.get(found.location()).page(t)
	if got := links(found.location()); len(got) != 1 || !strings.HasSuffix(got[0], string(letter)) || !strings.Contains(page.Text(), "«plass vedt»") {
		t.Errorf("found %q", got)
	}
	if got := page.Find(".print-only").Text(); !strings.Contains(got, "Utvalg: Alle, Søk: plass vedt, De nyeste først.") {
		t.Errorf("on paper: %q", got)
	}
	asked := b.post(page.Find("form[data-utvalg]").AttrOr("action", ""), fields("omfang", "alle", "handling", string(dispatch.BulkAssign)))
	if text := asked.page(t).Find("#virkning").Text(); asked.StatusCode != http.StatusOK || strings.Contains(text, "3") {
		t.Errorf("the effect on all that was found: %d, %q", asked.StatusCode, text)
	}
	if got := s.browser(t, teamLead).get(found.location()); got.StatusCode != http.StatusNotFound {
		t.Errorf("another's search: got %d", got.StatusCode)
	}
	for _, bad := range []string{"sok=x", "sok=%00", "rekkefolge=x", "rekkefolge=nyeste&eldre=1_x"} {
		if got := b.get("/k/oppvekst/oppfolging?" + bad); got.StatusCode >= 500 {
			t.Errorf("%s: got %d", bad, got.StatusCode)
		}
	}
}

// TestColleaguesSMSAreNamedByTemplate: an SMS and a job of a colleague are named by the template that they were written from.
func TestColleaguesSMSAreNamedByTemplate(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.queued(t, caseworker, storetest.ToPhone("90000123", "Hemmelig"))
	lead := s.browser(t, teamLead)
	name := func() string {
		return strings.Join(strings.Fields(lead.get("/k/oppvekst/sms").page(t).Find("tbody .cell-main").Text()), " ")
	}
	if got := name(); got != "SMS til ••• •• 123" {
		t.Errorf("without a template: %q", got)
	}
	s.run(t, `INSERT INTO templates (id, account_id, name) VALUES ('00000000-0000-7000-8000-000000000001', $1, 'Timen er flyttet')`, s.oppvekst.Account.ID)
	s.run(t, `INSERT INTO template_versions (account_id, template_id, version, name, text, created_by) VALUES ($1, '00000000-0000-7000-8000-000000000001', 1, 'Timen er flyttet', 'Hei', $2)`, s.oppvekst.Account.ID, s.oppvekst.User)
	s.run(t, `UPDATE sms SET template_id = '00000000-0000-7000-8000-000000000001', template_version = 1, template_form = 'nb' WHERE item_id = $1`, id)
	if got := name(); got != "Timen er flyttet Til ••• •• 123" {
		t.Errorf("with a template: %q", got)
	}
}
