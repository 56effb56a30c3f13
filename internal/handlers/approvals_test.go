package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// wantsApproval lets the account of the caseworker ask for approval of everything.
func (s *site) wantsApproval(t *testing.T, rule dispatch.ApprovalRule) {
	t.Helper()
	s.oppvekst.Account.Approval = rule
	if _, err := registry.In(s.store).Accounts.Save(t.Context(), s.oppvekst.Account); err != nil {
		t.Fatal(err)
	}
}

// everything is the rule that asks for approval of all.
var everything = dispatch.ApprovalRule{Recipients: 1}

// waiting is where an approver finds what waits for so long.
func waiting(t *testing.T, b *browser) string {
	t.Helper()
	return b.get("/k/oppvekst/godkjenning").page(t).Find("tbody a").First().AttrOr("href", "")
}

// approvalAddress fills in a route of approvals: an SMS of the caseworker's that waits, or a shipment to many with a part.
func (s *site) approvalAddress(t *testing.T, path string) string {
	t.Helper()
	as := s.as(t, caseworker)
	var a dispatch.Approval
	var document dispatch.DocumentID
	var err error
	switch {
	case strings.Contains(path, ":del"):
		draft, job := s.shipmentJob(t, true)
		s.seeParts(t, "/k/oppvekst/utkast/"+string(draft)+"/flere")
		if err = s.askFor(t, "/k/oppvekst/utkast/"+string(draft)+"/flere"); err == nil {
			a, err = items.In(s.store).Approvals.LastOfJob(t.Context(), as.Account.ID, job)
		}
	case strings.Contains(path, ":dokument"):
		var draft dispatch.ItemID
		draft, document = s.listDraft(t, caseworker, "Vedtak")
		if err = items.In(s.store).Approvals.AskShipment(t.Context(), as.Account, draft, as.Actor, 1, dispatch.Shipment{}); err == nil {
			a, err = items.In(s.store).Approvals.Last(t.Context(), as.Account.ID, draft)
		}
	default:
		draft := s.draft(t, caseworker, message("Hei"))
		if err = items.In(s.store).Approvals.AskSMS(t.Context(), as.Account, draft, as.Seen(t, s.store, draft), as.Actor); err == nil {
			a, err = items.In(s.store).Approvals.Last(t.Context(), as.Account.ID, draft)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(":id", string(a.ID), ":dokument", string(document), ":del", "1", ":side", "1").Replace(path)
}

// withdrawable fills in a route that takes back what the caseworker asked for.
func (s *site) withdrawable(t *testing.T, path string) string {
	t.Helper()
	as, in := s.as(t, caseworker), items.In(s.store)
	id, err := "", error(nil)
	switch {
	case strings.Contains(path, "/sms/"):
		draft := s.draft(t, caseworker, message("Hei"))
		id, err = string(draft), in.Approvals.AskSMS(t.Context(), as.Account, draft, as.Seen(t, s.store, draft), as.Actor)
	case strings.Contains(path, "/jobber/"):
		job := s.smsJobDraft(t)
		id, err = string(job), in.Approvals.AskJob(t.Context(), as.Account, job, as.SeenJob(t, s.store, job), as.Actor, true)
	default:
		draft, _ := s.listDraft(t, caseworker, "Vedtak")
		id, err = string(draft), in.Approvals.AskShipment(t.Context(), as.Account, draft, as.Actor, 1, dispatch.Shipment{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(path, ":id", id, 1)
}

// seeParts looks a shipment to many over, and says of each part in doubt that it was looked at.
func (s *site) seeParts(t *testing.T, at string) {
	t.Helper()
	b, seen := s.browser(t, caseworker), fields()
	b.get(at + "/kontroll").page(t).Find(`input[name="sett-del"]`).Each(func(_ int, box *goquery.Selection) { seen.Add("sett-del", box.AttrOr("value", "")) })
	if got := b.post(at+"/sett", seen); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the parts are not seen: %d", got.StatusCode)
	}
}

// askFor presses the button of a review that asks for approval.
func (s *site) askFor(t *testing.T, draft string) error {
	t.Helper()
	b := s.browser(t, caseworker)
	review := b.get(draft + "/kontroll")
	version := review.page(t).Find(`input[name="versjon"]`).AttrOr("value", "")
	if got := b.post(draft+"/send", fields("sett", review.seen(), "versjon", version, "godkjenning", "ja", "likevel", "true")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s is not asked for: %d %s", draft, got.StatusCode, got.page(t).Find(".ds-error-summary").Text())
	}
	return nil
}

// smsJobDraft stores a job of SMS to two, ready to be sent.
func (s *site) smsJobDraft(t *testing.T) dispatch.JobID {
	t.Helper()
	as := s.as(t, caseworker)
	return as.JobDraft(t, s.store, storetest.ListOf([]string{"navn"}, storetest.Row(2, "90000123", "Ola"), storetest.Row(3, "90000124", "Åse")),
		items.JobText{Text: "Hei, ((navn))!", Segments: 2})
}

// TestApproval walks from the sender's review to what is sent, for each kind: the review asks instead of sending, what waits is
// fixed, the approver sees what will go, and it goes when they have approved it.
func TestApproval(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.wantsApproval(t, everything)
	kari, ingrid := s.browser(t, caseworker), s.browser(t, teamLead)
	sms := "/k/oppvekst/sms/" + string(s.draft(t, caseworker, message("Hei, Ola.")))
	job := "/k/oppvekst/jobber/" + string(s.smsJobDraft(t))
	letter, document := s.listDraft(t, caseworker, "Vedtak om skyss")
	toOne := "/k/oppvekst/utkast/" + string(letter)
	many, list := s.shipmentJob(t, true)
	toMany := "/k/oppvekst/utkast/" + string(many) + "/flere"
	s.seeParts(t, toMany)
	for _, test := range []struct {
		name, what, draft, edit, list string
		sees                          []string
		files                         []string // below the approval
		item                          bool
		sent                          string // the page of what was approved
	}{
		{"an SMS", "SMS til én mottaker", sms, sms + "/endre", "/k/oppvekst/utkast", []string{"900 00 123", "Hei, Ola."}, nil, true, sms},
		{"an SMS to many", "SMS til 2 mottakere", job, job + "/endre", "/k/oppvekst/jobber", []string{"Hei, Ola!", "Hei, Åse!"}, nil, false, job},
		{"a shipment", "Forsendelse til én mottaker", toOne, toOne, "/k/oppvekst/utkast", []string{"Vedtak om skyss", "Ola Nordmann"}, []string{"/dokumenter/" + string(document), "/dokumenter/" + string(document) + "/sider/1"}, true, "/k/oppvekst/forsendelser/" + string(letter)},
		{"a shipment to many", "Forsendelse til 1 mottaker", toMany, toMany, "/k/oppvekst/jobber", []string{"Vedtak", "Ola Nordmann"}, []string{"/flere/deler/1", "/flere/deler/1/sider/1"}, false, "/k/oppvekst/jobber/" + string(list)},
	} {
		t.Run(test.name, func(t *testing.T) {
			review := kari.get(test.draft + "/kontroll")
			wantWords(t, review, "En kollega må godkjenne dette før det sendes", "Antall mottakere (grensen er nå 1)", "Be om godkjenning")
			if head := review.page(t).Find("h1").Text(); head != "Se over og be om godkjenning" {
				t.Errorf("the sender's page is headed %q", head)
			}
			version := review.page(t).Find(`input[name="versjon"]`).AttrOr("value", "")
			if got := kari.post(test.draft+"/send", fields("sett", review.seen(), "versjon", version, "likevel", "true")); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Be om godkjenning.") {
				t.Errorf("sent without: %d", got.StatusCode)
			}
			_ = s.askFor(t, test.draft)
			for _, path := range []string{test.draft + "/kontroll", test.edit} {
				got := kari.follow(t, path)
				wantWords(t, got, "Venter på godkjenning siden", "Trekk tilbake")
				if head := got.page(t).Find("h1").Text(); head != test.what || strings.Contains(got.body, "Du kan sende likevel") {
					t.Errorf("headed %q, or it says that it can be sent", head)
				}
				if back := got.page(t).Find("main a.back").AttrOr("href", ""); back != test.list {
					t.Errorf("the way back is %q", back)
				}
				if n := got.page(t).Find(`form[action$="/send"] button, form[action$="/forkast"], .panel-head a`).Length(); n != 0 {
					t.Errorf("%s: %d ways to change or send what waits", path, n)
				}
			}
			at := waiting(t, ingrid)
			page := ingrid.get(at)
			if head, back := page.page(t).Find("h1").Text(), page.page(t).Find("main a.back").AttrOr("href", ""); head != test.what || back != "/k/oppvekst/godkjenning" {
				t.Errorf("the approver's page is headed %q and leads back to %q", head, back)
			}
			wantWords(t, page, append([]string{"Kari Nordmann ba om godkjenning", "Godkjenn og send", "Hva må endres?"}, test.sees...)...)
			for _, file := range test.files {
				if got := ingrid.get(at + file); got.StatusCode != http.StatusOK {
					t.Errorf("%s: got %d", file, got.StatusCode)
				}
				if !strings.Contains(page.body, at+file) {
					t.Errorf("the page does not show %s", file)
				}
			}
			for name, got := range map[string]answer{"the sender's": kari.follow(t, test.draft+"/kontroll"), "the approver's": page} {
				if strings.Contains(got.body, "etter at du har sendt") {
					t.Errorf("%s page says that its reader sends", name)
				}
			}
			if strings.Contains(page.body, "/utkast/") || page.page(t).Find(".panel-head a").Length() > 0 {
				t.Error("the approver is led to the sender's draft")
			}
			if got := ingrid.post(at+"/godkjenn", fields("sett", "noe annet")); got.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("approved what was not shown: %d", got.StatusCode)
			}
			approved := ingrid.post(at+"/godkjenn", fields("sett", page.seen()))
			if !strings.HasPrefix(approved.location(), test.sent) {
				t.Fatalf("not approved: %d %s %s", approved.StatusCode, approved.location(), approved.page(t).Find(".ds-error-summary").Text())
			}
			if got := ingrid.get(approved.location()); flash(got.page(t)) != "Godkjent og lagt i kø for sending" || got.page(t).Find(`form[action^="`+test.sent+`"]`).Length() == 0 {
				t.Errorf("the approver is told %q, or cannot stop it: %d", flash(got.page(t)), got.StatusCode)
			}
			for _, again := range []answer{ingrid.get(at), ingrid.post(at+"/godkjenn", fields("sett", page.seen())), ingrid.post(at+"/returner", fields("merknad", "Nei"))} {
				if again.StatusCode != http.StatusSeeOther {
					t.Errorf("what is decided answers %d", again.StatusCode)
				}
			}
			if test.item {
				wantWords(t, kari.follow(t, strings.Replace(test.draft, "/utkast/", "/forsendelser/", 1)), "Bedt om godkjenning", "Godkjent", "Ingrid Lunde")
			}
		})
	}
	var read, files int
	db := storetest.DB(t, s.database)
	err := db.QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE action = 'approval.read'), count(*) FILTER (WHERE action = 'document.read' AND details->>'reason' = 'Bedt om å godkjenne')
		FROM audit_events WHERE actor_name = 'Ingrid Lunde'`).Scan(&read, &files)
	if err != nil || read != 4 || files != 4 {
		t.Errorf("the event log has %d reads of what waited and %d of files, %v; want 4 and 4", read, files, err)
	}
}

// TestReturned: what is returned is a draft again, with the note where its sender meets it; without a note nothing is returned.
func TestReturned(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.wantsApproval(t, everything)
	kari, ingrid := s.browser(t, caseworker), s.browser(t, teamLead)
	id := s.draft(t, caseworker, message("Hei, Ola."))
	sms := "/k/oppvekst/sms/" + string(id)
	_ = s.askFor(t, sms)
	at := waiting(t, ingrid)
	got := ingrid.post(at+"/returner", fields("merknad", "  "))
	if ps := problems(t, got); got.StatusCode != http.StatusUnprocessableEntity || ps["merknad"] == "" {
		t.Errorf("returned without a note: %d %v", got.StatusCode, ps)
	}
	ingrid.post(at+"/returner", fields("merknad", "Møtet er & blir torsdag."))
	for _, path := range []string{sms + "/kontroll", sms + "/endre"} {
		wantWords(t, kari.get(path), "Ingrid Lunde returnerte dette", "Møtet er &amp; blir torsdag.")
	}
	_, changed := form("90000123", "Hei, Ola. Torsdag.")
	if got := kari.post(sms+"/endre", fields(changed...)).location(); got != sms+"/kontroll" {
		t.Errorf("changed, it leads to %s", got)
	}
	_ = s.askFor(t, sms)
	page := ingrid.get(waiting(t, ingrid))
	wantWords(t, page, "Torsdag.")
	if s.state(t, id) != dispatch.StateDraft {
		t.Error("it has gone")
	}
}

// TestWithdrawn: the sender takes it back while an approver reads it, who then approves nothing.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.wantsApproval(t, everything)
	kari, ingrid := s.browser(t, caseworker), s.browser(t, teamLead)
	id := s.draft(t, caseworker, message("Hei, Ola."))
	sms := "/k/oppvekst/sms/" + string(id)
	_ = s.askFor(t, sms)
	at := waiting(t, ingrid)
	page := ingrid.get(at)
	if got := kari.post(sms+"/trekk-tilbake", fields()); got.StatusCode != http.StatusSeeOther {
		t.Errorf("not withdrawn: %d", got.StatusCode)
	}
	wantWords(t, kari.follow(t, sms), "Trukket tilbake. Det er et utkast igjen.", "Be om godkjenning")
	got := ingrid.post(at+"/godkjenn", fields("sett", page.seen()))
	if shown := flash(ingrid.get(got.location()).page(t)); !strings.Contains(shown, "Du har ikke godkjent noe") || s.state(t, id) != dispatch.StateDraft {
		t.Errorf("the approver is told %q, and it is %s", shown, s.state(t, id))
	}
	for _, foreign := range []*browser{ingrid, s.browser(t, outsider)} {
		if got := foreign.post(sms+"/trekk-tilbake", fields()).StatusCode; got != http.StatusNotFound {
			t.Errorf("somebody else withdraws: %d", got)
		}
	}
}

// TestApproverLosesTheRight: whoever has lost it since the page was made approves nothing.
func TestApproverLosesTheRight(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.wantsApproval(t, everything)
	ingrid := s.browser(t, teamLead)
	id := s.draft(t, caseworker, message("Hei, Ola."))
	_ = s.askFor(t, "/k/oppvekst/sms/"+string(id))
	at := waiting(t, ingrid)
	page := ingrid.get(at)
	s.run(t, `UPDATE role_mappings SET role = 'caseworker' WHERE role = 'team_lead'`)
	for _, act := range []answer{ingrid.post(at+"/godkjenn", fields("sett", page.seen())), ingrid.post(at+"/returner", fields("merknad", "Nei")), ingrid.get(at), ingrid.get("/k/oppvekst/godkjenning")} {
		if act.StatusCode != http.StatusForbidden {
			t.Errorf("%s: got %d", act.Request.URL.Path, act.StatusCode)
		}
	}
	if s.state(t, id) != dispatch.StateDraft {
		t.Errorf("it is %s", s.state(t, id))
	}
}

// TestNobodyApprovesTheirOwn: a team lead's own is others' to approve, and an approver who does not send may.
func TestNobodyApprovesTheirOwn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.wantsApproval(t, everything)
	if err := s.store.MapRole(t.Context(), auditor, s.oppvekst.Account.ID, dispatch.RoleApprover); err != nil {
		t.Fatal(err)
	}
	ingrid, other := s.browser(t, teamLead), s.browser(t, auditor)
	as := s.as(t, teamLead)
	id := as.Draft(t, s.store, message("Hei, Ola."))
	if err := items.In(s.store).Approvals.AskSMS(t.Context(), as.Account, id, as.Seen(t, s.store, id), as.Actor); err != nil {
		t.Fatal(err)
	}
	list := ingrid.get("/k/oppvekst/godkjenning")
	wantWords(t, list, "Ditt eget. En kollega må godkjenne det.")
	if waiting(t, ingrid) != "" {
		t.Error("one's own is led to")
	}
	at := waiting(t, other)
	page := other.get(at)
	for _, act := range []answer{ingrid.get(at), ingrid.post(at+"/godkjenn", fields("sett", page.seen())), ingrid.post(at+"/returner", fields("merknad", "Nei"))} {
		if act.StatusCode != http.StatusNotFound {
			t.Errorf("one's own answers %d", act.StatusCode)
		}
	}
	if got := other.post(at+"/godkjenn", fields("sett", page.seen())); got.StatusCode != http.StatusSeeOther || s.state(t, id) != dispatch.StateQueued {
		t.Errorf("approved: %d, and it is %s", got.StatusCode, s.state(t, id))
	}
	wantWords(t, other.get("/k/oppvekst/"), "Til godkjenning")
}

// TestApprovalAfterItsTime: what was to go at a time that has passed cannot be approved, only returned.
func TestApprovalAfterItsTime(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.wantsApproval(t, everything)
	ingrid := s.browser(t, teamLead)
	id := s.draft(t, caseworker, message("Hei, Ola."))
	as := s.as(t, caseworker)
	s.run(t, `UPDATE sms SET send_at = now() - interval '1 minute' WHERE item_id = $1`, id)
	if err := items.In(s.store).Approvals.AskSMS(t.Context(), as.Account, id, as.Seen(t, s.store, id), as.Actor); err != nil {
		t.Fatal(err)
	}
	at := waiting(t, ingrid)
	page := ingrid.get(at)
	wantWords(t, page, "Dette kan ikke sendes slik det er nå", "Returner")
	if page.page(t).Find(`form[action$="/godkjenn"]`).Length() != 0 {
		t.Error("it can be approved")
	}
	if got := ingrid.post(at+"/godkjenn", fields("sett", as.Seen(t, s.store, id))); got.StatusCode != http.StatusUnprocessableEntity || s.state(t, id) != dispatch.StateDraft {
		t.Errorf("approved all the same: %d", got.StatusCode)
	}
}

// TestApprovalRuleIsSet: the account's own administrator says what has to be approved.
func TestApprovalRuleIsSet(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, accountAdmin)
	at := "/k/oppvekst/innstillinger"
	price := ""
	save := func(recipients, cost string) answer {
		version := b.get(at).page(t).Find(`input[name="versjon"]`).First().AttrOr("value", "")
		return b.post(at, fields("versjon", version, "angre", "0", "godkjenning-antall", recipients, "godkjenning-kostnad", cost, "godkjenning-sensitivt", "true", "pris-sms", price))
	}
	for _, wrong := range []string{"0", "-1", "mange", "50001"} {
		if ps := problems(t, save(wrong, "")); ps["godkjenning-antall"] == "" {
			t.Errorf("%s is taken", wrong)
		}
	}
	for _, wrong := range []string{"0", "-1", "mye", "10000001", "0,001"} {
		if ps := problems(t, save("", wrong)); ps["godkjenning-kostnad"] == "" {
			t.Errorf("%s kroner is taken", wrong)
		}
	}
	if ps := problems(t, save("", "2 500,50")); !strings.Contains(ps["godkjenning-kostnad"], "virker ikke uten priser") {
		t.Errorf("a limit that nothing is held against is taken: %v", ps)
	}
	price = "0,45"
	if got := save("1 000", "2 500,50"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("not saved: %d", got.StatusCode)
	}
	page := b.get(at).page(t)
	if got := page.Find("#godkjenning-antall").AttrOr("value", ""); got != "1000" || page.Find("#godkjenning-sensitivt[checked]").Length() != 1 {
		t.Errorf("the form shows %q", got)
	}
	if got := page.Find("#godkjenning-kostnad").AttrOr("value", ""); strings.Join(strings.Fields(got), "") != "2500,50" {
		t.Errorf("the form shows %q kroner", got)
	}
}
