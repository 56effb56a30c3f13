package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// TestTemplateChangeIsApproved: a new template is offered to nobody before a colleague has approved it, and a changed one is what it
// was. The approver sees both beside each other, with what changed marked, and returns it with a note or takes it into use.
func TestTemplateChangeIsApproved(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.wantsApproval(t, dispatch.ApprovalRule{Templates: true})
	admin, lead, kari := s.browser(t, accountAdmin), s.browser(t, teamLead), s.browser(t, caseworker)
	wantWords(t, admin.get("/k/oppvekst/maler/ny"), "En kollega må godkjenne malen før den tas i bruk.", "Be om godkjenning")
	at := admin.post("/k/oppvekst/maler/ny", templateForm("Påminnelse", "Hei ((fornavn)). Timen er i dag.", "", "")).location()
	page := admin.get(at)
	wantWords(t, page, "Jonas Vik ba om godkjenning av malen", "Den kan ikke brukes før den er godkjent.")
	if page.page(t).Find(`a[href$="/endre"]`).Length() != 0 || admin.get(at+"/endre").location() != at {
		t.Error("it can be changed while it waits")
	}
	wantWords(t, kari.get("/k/oppvekst/maler"), "Påminnelse", "Venter på godkjenning")
	offered := func() string { return kari.get("/k/oppvekst/sms/ny").page(t).Find("#mal option").Text() }
	if strings.Contains(offered(), "Påminnelse") {
		t.Errorf("it is offered: %q", offered())
	}
	id := at[strings.LastIndex(at, "/")+1:]
	chosen := kari.post("/k/oppvekst/sms/ny", fields("mal", id+":nb", "mal-hent", "hent")).page(t)
	if got := chosen.Find("#tekst").Text(); strings.Contains(got, "Timen er") {
		t.Errorf("its text is taken: %q", got)
	}
	wantWords(t, lead.get("/k/oppvekst/godkjenning"), "Ny mal: Påminnelse", "Malen er ny eller endret", "Jonas Vik")
	ask := waiting(t, lead)
	wantWords(t, lead.get(ask), "Malen er ny.", "Timen er i dag.")
	if got := admin.get(ask).StatusCode; got != http.StatusForbidden { // who has no right to approve
		t.Errorf("the author: %d", got)
	}
	decide := func(what string, pairs ...string) answer {
		t.Helper()
		return lead.post(ask+"/"+what, fields(append(pairs, "sett", lead.get(ask).seen())...))
	}
	if got := decide("godkjenn"); got.location() != "/k/oppvekst/godkjenning" {
		t.Fatalf("approved: %d", got.StatusCode)
	}
	wantWords(t, lead.get("/k/oppvekst/godkjenning"), "Godkjent. Malen er tatt i bruk.", "Ingenting venter")
	if !strings.Contains(offered(), "Påminnelse") {
		t.Errorf("it is not offered: %q", offered())
	}

	change := func(text string) {
		t.Helper()
		version := admin.get(at+"/endre").page(t).Find("input[name=versjon]").AttrOr("value", "")
		if got := admin.post(at+"/endre", templateForm("Påminnelse", text, "", version)); got.location() != at {
			t.Fatalf("the change: %d %s", got.StatusCode, summary(got.page(t)))
		}
	}
	change("Hei ((fornavn)). Timen er i morgen.")
	ask = waiting(t, lead)
	rows := lead.get(ask).page(t).Find("#forslag").Closest("section").Find("tbody tr").Eq(1)
	now, then := rows.Find("td").Eq(0), rows.Find("td").Eq(1)
	if !strings.Contains(now.Find("del").Text(), "dag") || now.Find("ins").Length() != 0 || strings.Contains(now.Text(), "morgen") {
		t.Errorf("now: %q", now.Text())
	}
	if !strings.Contains(then.Find("ins").Text(), "morgen") || then.Find("del").Length() != 0 || strings.Contains(then.Text(), "dag") {
		t.Errorf("then: %q", then.Text())
	}
	wantWords(t, kari.get(at), "Timen er i dag.", "Til den er godkjent, brukes versjon 1.")
	if got := lead.post(at+"/endre", templateForm("Påminnelse", "Noe annet", "", "1")); got.StatusCode != http.StatusUnprocessableEntity ||
		!strings.Contains(summary(got.page(t)), "En annen endring av malen venter") {
		t.Errorf("another change: %d %q", got.StatusCode, summary(got.page(t)))
	}
	if got := lead.get(lead.post(at+"/versjoner/1/tilbake", fields("versjon", "1")).location()); flash(got.page(t)) != "En endring av malen venter på godkjenning. Malen kan endres igjen når det er avgjort." {
		t.Errorf("restored meanwhile: %q", flash(got.page(t)))
	}
	if got := decide("returner"); got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("without a note: %d", got.StatusCode)
	}
	decide("returner", "merknad", "Skriv klokkeslettet.")
	wantWords(t, admin.get(at), "Skriv klokkeslettet.", "Versjon 1 brukes som før.", "Ikke godkjent")
	if got := admin.get(at + "/endre").page(t).Find("#tekst").Text(); !strings.Contains(got, "i morgen") {
		t.Errorf("the author goes on from %q", got)
	}
	if got := lead.get(at + "/endre").page(t).Find("#tekst").Text(); !strings.Contains(got, "i dag") {
		t.Errorf("others go on from %q", got)
	}

	change("Hei ((fornavn)). Timen er i morgen kl. 10.")
	if got := admin.get(admin.post(at+"/trekk-tilbake", nil).location()).page(t); flash(got) != "Trukket tilbake. Endringen venter ikke lenger på godkjenning." {
		t.Errorf("withdrawn: %q", flash(got))
	}
	change("Hei ((fornavn)). Timen er i morgen kl. 11.")
	ask = waiting(t, lead)
	s.run(t, `UPDATE role_mappings SET role = 'auditor' WHERE role = 'account_admin'`) // the author's rights go; what they wrote is a colleague's to decide
	if got := admin.post(at+"/trekk-tilbake", nil).StatusCode; got != http.StatusForbidden {
		t.Errorf("withdrawn without the right: %d", got)
	}
	if got := decide("godkjenn"); got.StatusCode != http.StatusSeeOther || !strings.Contains(s.current(t, dispatch.TemplateID(id)).Text, "kl. 11") {
		t.Errorf("approved: %d", got.StatusCode)
	}
}

// TestTemplateOfLettersIsApproved: nobody approves their own, and no letter begins with what waits.
func TestTemplateOfLettersIsApproved(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET shipment_integration_id = sms_integration_id WHERE id = $1`, s.oppvekst.Account.ID)
	s.run(t, `UPDATE accounts SET approval_rule = '{"templates": true}' WHERE id = $1`, s.oppvekst.Account.ID)
	if err := s.store.MapRole(t.Context(), auditor, s.oppvekst.Account.ID, dispatch.RoleApprover); err != nil {
		t.Fatal(err)
	}
	lead, approver, kari := s.browser(t, teamLead), s.browser(t, auditor), s.browser(t, caseworker)
	at := s.shipmentTemplate(t, lead, "Vedtak om skyss", "tittel", "Vedtak om skoleskyss", "niva4", "true")
	begin := func() answer {
		return kari.post("/k/oppvekst/forsendelser/ny", fields("nokkel", uuid.NewString(), "mal", at[strings.LastIndex(at, "/")+1:]))
	}
	if got := begin().StatusCode; got != http.StatusNotFound {
		t.Errorf("begun with what waits: %d", got)
	}
	wantWords(t, lead.get("/k/oppvekst/godkjenning"), "Ditt eget. En kollega må godkjenne det.")
	ask := waiting(t, approver)
	if got := lead.get(ask).StatusCode; got != http.StatusNotFound {
		t.Errorf("one's own: %d", got)
	}
	page := approver.get(ask)
	wantWords(t, page, "Vedtak om skoleskyss", "nivå 4")
	if got := approver.post(ask+"/godkjenn", fields("sett", page.seen())); got.StatusCode != http.StatusSeeOther {
		t.Errorf("approved: %d", got.StatusCode)
	}
	if got := begin().StatusCode; got != http.StatusSeeOther {
		t.Errorf("begun: %d", got)
	}
	if got := approver.post(ask+"/godkjenn", fields("sett", page.seen())); flash(approver.get(got.location()).page(t)) == "" {
		t.Error("nothing is said to who comes second")
	}
}
