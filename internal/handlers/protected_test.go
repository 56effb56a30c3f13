package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// protect marks a person whom only the team lead may see.
func (s *site) protect(t *testing.T, number dispatch.NationalID, phone dispatch.Phone) {
	t.Helper()
	lead := s.asUser(t, teamLead)
	p := dispatch.Protection{Number: number, Phone: phone, Viewers: []dispatch.UserID{lead.User}, Reason: "Adressesperre etter vedtak"}
	if err := items.In(s.store).Protected.Protect(t.Context(), s.oppvekst.Account.ID, p, lead.Actor); err != nil {
		t.Fatal(err)
	}
}

// nameOf is a user's name.
func (s *site) nameOf(t *testing.T, who string) (name string) {
	t.Helper()
	s.one(t, &name, `SELECT name FROM users WHERE subject = $1`, who)
	return name
}

// TestProtectedItem: whatever a route does with an item to a protected person, it is not found for those who are not named, be it made before
// the person was marked or after.
func TestProtectedItem(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	own := s.browser(t, caseworker)
	lead := s.browser(t, teamLead)
	before := s.queued(t, caseworker, storetest.ToPhone("90000100", "Hemmelig"))
	s.protect(t, "15844112349", "90000100")
	after := s.queued(t, teamLead, storetest.ToPhone("90000100", "Hemmelig"))
	for _, id := range []dispatch.ItemID{before, after} {
		if got := lead.get("/k/oppvekst/sms/" + string(id)); got.StatusCode != http.StatusOK {
			t.Errorf("the named gets %d", got.StatusCode)
		}
		for _, r := range table {
			if !ofSMS(r) || strings.Contains(r.path, "trekk-tilbake") {
				continue
			}
			address := strings.NewReplacer(":konto", "oppvekst", ":id", string(id)).Replace(r.path)
			got := own.do(r.method, address, formType, whole().Encode())
			if want := strings.Fields(r.want)[2]; got.StatusCode != http.StatusNotFound && want != "403" || strings.Contains(got.body, "Hemmelig") {
				t.Errorf("%s %s: got %d, want 404 and no word of it", r.method, r.path, got.StatusCode)
			}
		}
	}
}

// TestProtectedInLists: those who are not named see in lists only that there is somebody; they find nothing, and files hold nothing.
func TestProtectedInLists(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	own, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	id := s.shipment(t, caseworker, "Vedtak om skyss")
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected' WHERE id = $1`, id)
	s.protect(t, dispatch.NationalID(shipmentForm("").Number), "")
	for _, path := range []string{"", "/utsendinger", "/forsendelser", "/oppfolging"} {
		seen, named := own.get("/k/oppvekst"+path), lead.get("/k/oppvekst"+path)
		for _, word := range []string{"Vedtak om skyss", "Ola Nordmann", "/forsendelser/" + string(id)} {
			if strings.Contains(seen.body, word) {
				t.Errorf("%q shows %s", path, word)
			}
		}
		if path != "" && !strings.Contains(seen.body, "Skjermet person") {
			t.Errorf("%q does not show that there is somebody", path)
		}
		if path != "" && !strings.Contains(named.body, "Vedtak om skyss") {
			t.Errorf("%q hides it from the named", path)
		}
	}
	for _, words := range []string{"Vedtak", "Ola", shipmentForm("").Number} {
		if got := own.follow(t, own.post("/k/oppvekst/sok", fields("q", words)).location()); strings.Contains(got.body, "Skjermet person") || strings.Contains(got.body, string(id)) {
			t.Errorf("a search for %q finds it", words)
		}
	}
	as := s.as(t, teamLead)
	for r, err := range lists.In(s.store).Items.Each(t.Context(), as.Account.ID, lists.ListQuery{Viewer: as.User}) {
		t.Errorf("a file holds %s, %v", r.ID, err)
	}
}

// TestProtectedSending: only the named send to a protected person, alone or in a list; the page says who they are.
func TestProtectedSending(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	own, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	draft := s.draft(t, caseworker, storetest.ToPhone("90000100", "Timen din er flyttet"))
	s.protect(t, "15844112349", "90000100")
	got := own.send("/k/oppvekst/sms/" + string(draft))
	if got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Mottakeren er skjermet") || got.page(t).Find("#feil-tittel").Text() != "Ingenting er sendt" || !strings.Contains(got.body, s.nameOf(t, teamLead)) {
		t.Errorf("sending answers %d, and does not say who may", got.StatusCode)
	}
	if n := s.number(t, `SELECT count(*) FROM items WHERE state = 'queued'`); n != 0 {
		t.Errorf("%d were sent", n)
	}
	theirs := s.draft(t, teamLead, storetest.ToPhone("90000100", "Timen din er flyttet"))
	if got := lead.send("/k/oppvekst/sms/" + string(theirs)); got.StatusCode != http.StatusSeeOther {
		t.Errorf("the named gets %d", got.StatusCode)
	}
}

// TestProtectedJob: a list with a protected person is not sent by who is not named, and its rows are told.
func TestProtectedJob(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	own := s.browser(t, caseworker)
	s.browser(t, teamLead)
	s.protect(t, "15844112349", "90000100")
	job := s.as(t, caseworker).JobDraft(t, s.store, storetest.ListOf([]string{"navn"}, storetest.Row(2, "90000200", "Ola"), storetest.Row(3, "90000100", "Åse")),
		items.JobText{Text: "Hei, ((navn))!", Segments: 2})
	got := own.send("/k/oppvekst/jobber/" + string(job))
	if got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Listen har skjermede mottakere") {
		t.Errorf("sending answers %d", got.StatusCode)
	}
	if n := s.number(t, `SELECT count(*) FROM jobs WHERE sent_at IS NOT NULL`); n != 0 {
		t.Errorf("%d lists were sent", n)
	}
}

// TestProtectedOnPaper: a shipment to a protected person that may be printed goes only when another of the named has approved it; to others
// who approve, it does not exist.
func TestProtectedOnPaper(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	own, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	kari, ingrid := s.asUser(t, caseworker), s.asUser(t, teamLead)
	p := dispatch.Protection{Number: dispatch.NationalID(shipmentForm("").Number), Viewers: []dispatch.UserID{kari.User}, Reason: "Adressesperre etter vedtak"}
	if err := items.In(s.store).Protected.Protect(t.Context(), s.oppvekst.Account.ID, p, kari.Actor); err != nil {
		t.Fatal(err)
	}
	draft, _ := s.listDraft(t, caseworker, "Vedtak om skyss")
	at := "/k/oppvekst/utkast/" + string(draft)
	version := own.get(at+"/kontroll").page(t).Find(`input[name="versjon"]`).AttrOr("value", "")
	if got := own.send(at, "versjon", version); got.StatusCode != http.StatusUnprocessableEntity || s.number(t, `SELECT count(*) FROM items WHERE state = 'queued'`) != 0 {
		t.Fatalf("it goes without a second person: %d", got.StatusCode)
	}
	if err := s.askFor(t, at); err != nil {
		t.Fatal(err)
	}
	var approval string
	s.one(t, &approval, `SELECT id FROM approvals WHERE 'protected' = ANY(reasons)`)
	decide := "/k/oppvekst/godkjenning/" + approval
	if got := lead.get(decide); got.StatusCode != http.StatusNotFound {
		t.Errorf("who is not named sees what waits: %d", got.StatusCode)
	}
	s.run(t, `INSERT INTO protected_viewers SELECT id, $1 FROM protected_people`, ingrid.User)
	if got := lead.post(decide+"/godkjenn", fields("sett", lead.get(decide).seen())); got.StatusCode != http.StatusSeeOther || s.number(t, `SELECT count(*) FROM items WHERE state = 'queued'`) != 1 {
		t.Errorf("one of the named cannot approve it: %d", got.StatusCode)
	}
}

// TestProtectedPage: a lead marks a person, whom the page then shows to the named only; who looks is told, the person to the named only.
func TestProtectedPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	lead, own := s.browser(t, teamLead), s.browser(t, caseworker)
	kari := string(s.asUser(t, caseworker).User)
	id := s.queued(t, caseworker, storetest.ToPhone("90000100", "Timen din er flyttet"))
	const at = "/k/oppvekst/skjermede"
	for name, form := range map[string]url.Values{
		"no number":  fields("navngitte", kari, "begrunnelse", "Adressesperre etter vedtak"),
		"nobody":     fields("fodselsnummer", "15844112349", "begrunnelse", "Adressesperre etter vedtak"),
		"no reason":  fields("fodselsnummer", "15844112349", "navngitte", kari),
		"a stranger": fields("fodselsnummer", "15844112349", "navngitte", uuid.NewString(), "begrunnelse", "Adressesperre etter vedtak"),
		"no id":      fields("fodselsnummer", "15844112349", "navngitte", "1", "begrunnelse", "Adressesperre etter vedtak"),
	} {
		if got := lead.post(at, form); got.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: got %d", name, got.StatusCode)
		}
	}
	form := fields("fodselsnummer", "15844112349", "mobilnummer", "90000100", "navngitte", kari, "begrunnelse", "Adressesperre etter vedtak")
	if got := lead.post(at, form); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("marking answers %d", got.StatusCode)
	}
	if got := lead.post(at, form); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "allerede skjermet") {
		t.Errorf("marking twice answers %d", got.StatusCode)
	}
	if got := own.get("/k/oppvekst/sms/" + string(id)); got.StatusCode != http.StatusOK {
		t.Errorf("the named gets %d", got.StatusCode)
	}
	page := lead.get(at)
	if strings.Contains(page.body, "158441") || !strings.Contains(page.body, s.nameOf(t, caseworker)) || strings.Contains(page.body, string(id)) {
		t.Error("a lead who is not named sees whom, or not who looked")
	}
	var person string
	s.one(t, &person, `SELECT id FROM protected_people`)
	if got := lead.get(at + "/" + person); got.StatusCode != http.StatusNotFound {
		t.Errorf("a lead who is not named changes it: %d", got.StatusCode)
	}
	for _, act := range []string{"/navngitte", "/opphev"} {
		if got := lead.post(at+"/"+person+act, fields("navngitte", kari, "begrunnelse", "Vil se det selv", "grunn-opphev", "Vil se det selv")); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s by a lead who is not named: %d", act, got.StatusCode)
		}
	}
	s.run(t, `UPDATE sign_ins SET started_at = now() - interval '40 days' WHERE user_id = $1`, kari)
	if says := problems(t, lead.post(at+"/"+person+"/opphev", fields()))["grunn-opphev"]; says != "Skriv hvorfor skjermingen oppheves." {
		t.Errorf("ending it without a reason says %q", says)
	}
	if got := lead.post(at+"/"+person+"/opphev", fields("grunn-opphev", "Sperren er opphevet")); got.StatusCode != http.StatusSeeOther {
		t.Errorf("ending it after the named have gone answers %d", got.StatusCode)
	}
	if got := lead.get("/k/oppvekst/sms/" + string(id)); got.StatusCode != http.StatusOK {
		t.Errorf("after the end: %d", got.StatusCode)
	}
}

// protectedPerson is a person whom the team lead may see.
func (s *site) protectedPerson(t *testing.T) (id string) {
	t.Helper()
	if s.number(t, `SELECT count(*) FROM protected_people WHERE ended_at IS NULL`) == 0 {
		s.browser(t, teamLead) // who is named must have logged in
		s.protect(t, "15844112349", "")
	}
	s.one(t, &id, `SELECT id FROM protected_people WHERE ended_at IS NULL`)
	return id
}
