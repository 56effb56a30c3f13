package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// owner is who follows an item up; empty: nobody.
func (s *site) owner(t *testing.T, id dispatch.ItemID) dispatch.UserID {
	t.Helper()
	f, err := lists.In(s.store).FollowUps.ByID(t.Context(), s.oppvekst.Account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return f.Owner
}

// TestProtectedAssign: a follow-up about a protected person can be assigned only to users named for that person, by each of the ways to
// assign. A user who is no longer named loses it.
func TestProtectedAssign(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kari, ingrid := s.browser(t, caseworker), s.browser(t, teamLead)
	worker, lead := s.asUser(t, caseworker), s.asUser(t, teamLead)
	theirs := s.rejected(t, caseworker, storetest.ToPhone("90000100", "Hemmelig")) // of the caseworker, before it was protected
	other := s.rejected(t, caseworker, message("Noe annet"))
	ended := s.rejected(t, caseworker, storetest.ToPhone("90000100", "Fulgt opp"))
	for _, id := range []dispatch.ItemID{theirs, ended} {
		kari.post("/k/oppvekst/oppfolging/ta", fields("ta", string(id)))
	}
	kari.finish(kari.post(bulkAt+"?arbeidsliste=ja", ticked("done", ended)), "begrunnelse", "Ringt")
	s.protect(t, "15844112349", "90000100")
	if s.owner(t, theirs) != "" || s.number(t, `SELECT count(*) FROM follow_ups WHERE owner_id = $1`, worker.User) != 0 {
		t.Error("who may not see it any more still has it")
	}

	kari.post("/k/oppvekst/oppfolging/ta", fields("ta", string(theirs)))
	if s.owner(t, theirs) != "" {
		t.Error("who is not named has taken it")
	}
	at := "/k/oppvekst/sms/" + string(theirs) + "/fulgt-opp"
	if page := ingrid.get(at).page(t); page.Find(`[name="ansvarlig"] option[value="sender"]`).Text() != "Den som sendte (Kari Nordmann)" {
		t.Error("the item's page does not offer its sender by name")
	}
	for _, to := range []string{"sender", string(worker.User)} {
		got := ingrid.post(at, fields("ansvarlig", to))
		if got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(problems(t, got)["ansvarlig"], "ikke navngitt") || s.owner(t, theirs) != "" {
			t.Errorf("on its own page, to %s: got %d, %q has it", to, got.StatusCode, s.owner(t, theirs))
		}
	}
	for _, to := range []string{"sender", string(worker.User)} {
		done := ingrid.finish(ingrid.post(bulkAt+"?arbeidsliste=ja", ticked("assign", theirs, other)), "ansvarlig", to)
		if left := ingrid.get(done.location()).page(t).Find("#utenom").Text(); !strings.Contains(left, "1 går til en skjermet person") || strings.Contains(left, "Hemmelig") {
			t.Errorf("to %s, left out: %q", to, left)
		}
		if s.owner(t, theirs) != "" || s.owner(t, other) != worker.User {
			t.Errorf("to %s: %q and %q have them", to, s.owner(t, theirs), s.owner(t, other))
		}
	}
	if ingrid.finish(ingrid.post(bulkAt+"?arbeidsliste=ja", ticked("assign", theirs)), "ansvarlig", "me"); s.owner(t, theirs) != lead.User {
		t.Errorf("the named could not take it: %q has it", s.owner(t, theirs))
	}

	var person dispatch.ProtectedID
	s.one(t, &person, `SELECT id FROM protected_people`)
	both := dispatch.Protection{Viewers: []dispatch.UserID{lead.User, worker.User}, Reason: "Vikar"}
	if err := items.In(s.store).Protected.NameViewers(t.Context(), s.oppvekst.Account.ID, person, both, lead.Actor); err != nil {
		t.Fatal(err)
	}
	ingrid.post(at, fields("ansvarlig", string(worker.User)))
	if s.owner(t, theirs) != worker.User {
		t.Errorf("%q has it, not the colleague who is named now", s.owner(t, theirs))
	}
	both.Viewers = both.Viewers[:1]
	if err := items.In(s.store).Protected.NameViewers(t.Context(), s.oppvekst.Account.ID, person, both, lead.Actor); err != nil {
		t.Fatal(err)
	}
	if s.owner(t, theirs) != "" {
		t.Error("who is not named any more still has it")
	}
}
