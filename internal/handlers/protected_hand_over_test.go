package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// TestProtectedHandOver: drafts and follow-ups about a protected person go only to users named for that person. This holds before the
// first review too, and for taking a draft back.
func TestProtectedHandOver(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kari, ingrid := s.browser(t, caseworker), s.browser(t, teamLead)
	s.protect(t, dispatch.NationalID(shipmentForm("").Number), "90000100")
	letter, _ := s.listDraft(t, teamLead, "Vedtak om skyss")
	own, _ := s.listDraft(t, caseworker, "Noe annet")
	at := "/k/oppvekst/utkast/"
	to, lead := s.asUser(t, caseworker), s.asUser(t, teamLead)
	got := ingrid.post(at+string(letter)+"/overlat", fields("til", string(to.User)))
	if got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Kollegaen kan ikke sende til denne mottakeren") {
		t.Errorf("got %d", got.StatusCode)
	}
	if got := kari.get(at + string(letter)).StatusCode; got != http.StatusNotFound {
		t.Errorf("the colleague gets %d", got)
	}
	if got := kari.post(at+string(own)+"/overlat", fields("til", string(lead.User))); got.StatusCode != http.StatusSeeOther {
		t.Errorf("to a named one: %d", got.StatusCode)
	}
	if got := kari.post(at+string(own)+"/ta-tilbake", fields()).StatusCode; got != http.StatusNotFound {
		t.Errorf("taken back: %d", got)
	}

	to.Queue(t, s.store, storetest.ToPhone("90000300", "Hei")) // who works on the account
	lead.Draft(t, s.store, storetest.ToPhone("90000100", "Timen er flyttet"))
	free := lead.Draft(t, s.store, storetest.ToPhone("90000200", "Timen er flyttet"))
	lead.JobDraft(t, s.store, storetest.ListOf([]string{"navn"}, storetest.Row(2, "90000100", "Åse")), items.JobText{Text: "Hei, ((navn))!", Segments: 2})
	rejected := lead.Queue(t, s.store, storetest.ToPhone("90000100", "Hei"))
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected' WHERE id = $1`, rejected)
	if got := ingrid.post("/k/oppvekst/overlat", fields("fra", string(lead.User), "til", string(to.User), "utkast", "true", "oppfolginger", "true")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	if n := s.number(t, `SELECT count(*) FROM items WHERE created_by = $1 AND state = 'draft'`, to.User); n != 1 {
		t.Errorf("%d drafts were given, want the one to somebody else", n)
	}
	if got := kari.get("/k/oppvekst/sms/" + string(free) + "/kontroll").StatusCode; got != http.StatusOK {
		t.Errorf("that one: %d", got)
	}
	left, err := items.In(s.store).HandOvers.TheirOpen(t.Context(), s.oppvekst.Account.ID, lead.User)
	if want := (dispatch.HandOverCounts{FollowUps: 1, Drafts: 4}); err != nil || left != want {
		t.Errorf("left: %+v, %v; want %+v", left, err, want)
	}
}
