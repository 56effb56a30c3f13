package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// asUser is the sample account with another user of the site.
func (s *site) asUser(t *testing.T, who string) storetest.Sample {
	t.Helper()
	as := s.oppvekst
	s.one(t, &as.User, `SELECT id FROM users WHERE subject = $1`, who)
	as.Actor.User = as.User
	return as
}

// number reads a number past the store.
func (s *site) number(t testing.TB, query string, args ...any) (n int) {
	t.Helper()
	s.one(t, &n, query, args...)
	return n
}

// wantsReason checks that an act on a colleague's item asks for a reason, and makes no draft.
func (b *browser) wantsReason(address string, form url.Values) {
	b.t.Helper()
	const drafts = `SELECT count(*) FROM items WHERE state = 'draft'`
	before := b.s.number(b.t, drafts)
	if got := b.post(address, form); got.StatusCode != http.StatusOK || got.page(b.t).Find("[name="+dispatch.FieldReason+"]").Length() == 0 {
		b.t.Errorf("%s answers %d, and asks for no reason", address, got.StatusCode)
	}
	if b.s.number(b.t, drafts) != before {
		b.t.Errorf("%s makes a draft without a reason", address)
	}
}

// TestColleaguesItem: who follows up does for a colleague what the colleague may; what copies content takes the right to open it and
// a reason, and a stand-in has that right as long as the absence lasts.
func TestColleaguesItem(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	deputy := s.browser(t, caseworker)
	lead := s.browser(t, teamLead)
	theirs := s.asUser(t, teamLead) // the absent colleague is the lead, whose items a caseworker may not open
	mine := s.asUser(t, caseworker)
	mine.Queue(t, s.store, storetest.ToPhone("90000200", "Så begge arbeider her"))
	id := theirs.Queue(t, s.store, storetest.ToPhone("90000100", "Timen din er flyttet"))
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected' WHERE id = $1`, id)
	path := "/k/oppvekst/sms/" + string(id)
	copying := fields("nokkel", "0198f3a0-0000-7000-8000-0000000000a1")
	if body := deputy.get(path).body; strings.Contains(body, "Timen din er flyttet") || strings.Contains(body, path+"/kopier") {
		t.Error("a colleague without the right sees the text, or a button to copy it")
	}
	if got := deputy.post(path+"/kopier", copying); got.StatusCode != http.StatusForbidden {
		t.Errorf("copying answers %d, want 403", got.StatusCode)
	}
	if got := deputy.post(path+"/brev", copying); got.StatusCode != http.StatusForbidden {
		t.Errorf("the other way answers %d, want 403", got.StatusCode)
	}
	if got := lead.post("/k/oppvekst/fravar", fields("til-og-med", s.now().AddDate(0, 0, 2).Format("02.01.2006"), "stedfortreder", string(mine.User))); got.location() != "/k/oppvekst/fravar" {
		t.Fatalf("the absence answers %d: %v", got.StatusCode, problems(t, got))
	}
	if body := deputy.get("/k/oppvekst/oppfolging?hvem=borte").body; !strings.Contains(body, "Du er stedfortreder for") || !strings.Contains(body, path) {
		t.Error("the worklist does not tell the stand-in")
	}
	got := deputy.post(path+"/kopier", copying)
	if got.StatusCode != http.StatusOK || !strings.Contains(got.body, `name="nokkel" value="0198f3a0-0000-7000-8000-0000000000a1"`) {
		t.Fatalf("without a reason it answers %d", got.StatusCode)
	}
	if got := deputy.post(path+"/kopier", fields("nokkel", copying.Get("nokkel"), dispatch.FieldReason, "x")); got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a poor reason answers %d", got.StatusCode)
	}
	copying.Set(dispatch.FieldReason, "Kollegaen er syk")
	got = deputy.post(path+"/kopier", copying)
	if got.StatusCode != http.StatusSeeOther || !strings.HasSuffix(got.location(), "/endre") {
		t.Fatalf("with a reason it answers %d to %q", got.StatusCode, got.location())
	}
	if !strings.Contains(deputy.get(got.location()).body, "Timen din er flyttet") {
		t.Error("the draft has not the text")
	}
	if n := s.number(t, `SELECT count(*) FROM audit_events WHERE action = 'item.copied' AND object_id = $1 AND actor_id = $2 AND details::text LIKE '%Kollegaen er syk%'`, id, mine.User); n != 1 {
		t.Errorf("%d lines of the event log tell the reason", n)
	}
	if again := deputy.post(path+"/kopier", copying); again.location() != got.location() {
		t.Errorf("a second click leads to %q", again.location())
	}
	s.run(t, `UPDATE absences SET until = (now() AT TIME ZONE 'Europe/Oslo')::date - 1`)
	copying.Set("nokkel", "0198f3a0-0000-7000-8000-0000000000a2")
	if got := deputy.post(path+"/kopier", copying); got.StatusCode != http.StatusForbidden {
		t.Errorf("after the absence it answers %d, want 403", got.StatusCode)
	}
}

// TestAbsence: one says that oneself is away; a lead says it of others; nobody stands in who is away, or works elsewhere.
func TestAbsence(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	kari, ingrid := s.asUser(t, caseworker), s.asUser(t, teamLead)
	for _, one := range []storetest.Sample{kari, ingrid} {
		one.Queue(t, s.store, storetest.ToPhone("90000200", "Hei"))
	}
	const path = "/k/oppvekst/fravar"
	day := func(n int) string { return s.now().AddDate(0, 0, n).Format("02.01.2006") }
	for name, tt := range map[string]struct{ until, deputy, wrong string }{
		"no day": {"", "", "til-og-med"}, "a day that was": {day(-1), "", "til-og-med"}, "no date": {"i morgen", "", "til-og-med"}, "too long": {day(400), "", "til-og-med"},
		"oneself": {day(1), string(kari.User), "stedfortreder"}, "a stranger": {day(1), "0198f3a0-0000-7000-8000-0000000000ff", "stedfortreder"}, "no id": {day(1), "x", "stedfortreder"},
	} {
		if got := b.post(path, fields("til-og-med", tt.until, "stedfortreder", tt.deputy)); got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)[tt.wrong] == "" {
			t.Errorf("%s: %d, %v", name, got.StatusCode, problems(t, got))
		}
	}
	if got := b.post(path, fields("hvem", string(ingrid.User), "til-og-med", day(1))); got.StatusCode != http.StatusForbidden {
		t.Errorf("a caseworker says of another: %d", got.StatusCode)
	}
	if got := lead.post(path, fields("hvem", string(kari.User), "til-og-med", day(1))); got.location() != path {
		t.Errorf("a lead says it: %d", got.StatusCode)
	}
	if got := lead.post(path, fields("til-og-med", day(1), "stedfortreder", string(kari.User))); got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("somebody absent stands in: %d", got.StatusCode)
	}
	if got := b.post(path+"/avslutt", fields("hvem", string(ingrid.User))); got.StatusCode != http.StatusNotFound {
		t.Errorf("a caseworker ends another's: %d", got.StatusCode)
	}
	if got := b.post(path+"/avslutt", fields("hvem", string(kari.User))); got.location() != path {
		t.Errorf("one's own: %d", got.StatusCode)
	}
	if n := s.number(t, `SELECT count(*) FROM absences`); n != 0 {
		t.Errorf("%d absences are left", n)
	}
}

// TestHandOverAll: a lead gives what somebody has open to a colleague: drafts with their content, and follow-ups.
func TestHandOverAll(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	lead, other := s.browser(t, teamLead), s.browser(t, caseworker)
	from, to := s.oppvekst, s.asUser(t, caseworker)
	to.Queue(t, s.store, storetest.ToPhone("90000200", "Hei"))
	rejected := from.Queue(t, s.store, storetest.ToPhone("90000100", "Hei"))
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected' WHERE id = $1`, rejected)
	draft := from.Draft(t, s.store, storetest.ToPhone("90000300", "Utkastets tekst"))
	const path = "/k/oppvekst/overlat"
	if body := lead.get(path + "?fra=" + string(from.User)).body; !strings.Contains(body, "Saker å følge opp (1)") || !strings.Contains(body, "Utkast (1)") {
		t.Error("the page does not tell what is open")
	}
	for name, f := range map[string][]string{
		"nothing ticked": {"fra", string(from.User), "til", string(to.User)}, "to themselves": {"fra", string(from.User), "til", string(from.User), "utkast", "true"},
		"to nobody": {"fra", string(from.User), "utkast", "true"}, "from a stranger": {"fra", "0198f3a0-0000-7000-8000-0000000000ff", "til", string(to.User), "utkast", "true"},
	} {
		if got := lead.post(path, fields(f...)); got.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, got.StatusCode)
		}
	}
	if got := other.post(path, fields("fra", string(from.User), "til", string(to.User), "utkast", "true")); got.StatusCode != http.StatusForbidden {
		t.Errorf("a caseworker: %d", got.StatusCode)
	}
	if got := lead.post(path, fields("fra", string(from.User), "til", string(to.User), "utkast", "true", "oppfolginger", "true")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	if !strings.Contains(other.get("/k/oppvekst/sms/"+string(draft)+"/endre").body, "Utkastets tekst") {
		t.Error("the draft is not the colleague's")
	}
	f, err := lists.In(s.store).FollowUps.ByID(t.Context(), s.oppvekst.Account.ID, rejected)
	if err != nil || f.Owner != to.User {
		t.Errorf("the follow-up is %+v, %v", f, err)
	}
	if left, err := items.In(s.store).HandOvers.TheirOpen(t.Context(), s.oppvekst.Account.ID, from.User); err != nil || !left.None() {
		t.Errorf("left: %+v, %v", left, err)
	}
}
