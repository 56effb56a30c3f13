package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

const reason = "Klage fra mottakeren"

// reasonsOf returns the event log's reasons of one act on an item, in order.
func (s *site) reasonsOf(t *testing.T, action, id string) string {
	t.Helper()
	var reasons string
	err := storetest.DB(t, s.database).QueryRowContext(t.Context(),
		`SELECT coalesce(string_agg(u.name || ': ' || coalesce(details->>'reason', '–'), ', ' ORDER BY a.id), '') FROM audit_events a JOIN users u ON u.id = a.actor_id
		WHERE action = $1 AND object_id = $2`, action, id).Scan(&reasons)
	if err != nil {
		t.Fatal(err)
	}
	return reasons
}

// colleague lets another caseworker of oppvekst log in: the group of whoever has no rights gets one.
func (s *site) colleague(t *testing.T) *browser {
	t.Helper()
	if err := s.store.MapRole(t.Context(), noRights, s.oppvekst.Account.ID, dispatch.RoleCaseworker); err != nil {
		t.Fatal(err)
	}
	return s.browser(t, noRights)
}

// TestOpenOthersSMS: with a logged reason, in that answer only, for people with the right; for nobody else.
func TestOpenOthersSMS(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const text, number = "Legetimen er flyttet", "90000123"
	id := string(s.accepted(t, caseworker, message(text)))
	address := "/k/oppvekst/sms/" + id
	for _, who := range []string{teamLead, auditor} {
		b := s.browser(t, who)
		if got := b.get(address); strings.Contains(got.body, text) || got.page(t).Find(`a[href$="/apne"]`).Length() != 1 {
			t.Errorf("%s: the text is shown, or nothing leads to it", who)
		}
		for _, no := range []string{"", "abc", "Spurt av 12047800155", strings.Repeat("a", 201)} {
			if got := b.post(address+"/apne", fields("begrunnelse", no)); got.StatusCode != http.StatusUnprocessableEntity || strings.Contains(got.body, text) {
				t.Errorf("%s: got %d for the reason %q, want 422", who, got.StatusCode, no)
			}
		}
		got := b.post(address+"/apne", fields("begrunnelse", reason))
		if !strings.Contains(got.body, text) || strings.Contains(got.body, number) {
			t.Errorf("%s: the text is not shown, or the number is", who)
		}
		if n := got.page(t).Find("#sms[data-live-etter]").Length(); n != 0 {
			t.Errorf("%s: the page would take the text away by itself", who)
		}
		if b.get(address, fragment("sms")...); strings.Contains(b.get(address).body, text) {
			t.Errorf("%s: the text is still shown without a reason", who)
		}
		again := got.page(t).Find(`form[action$="/vis"] input[name=begrunnelse]`).AttrOr("value", "")
		if got := b.post(address+"/vis", fields("begrunnelse", again)); !strings.Contains(got.page(t).Find("#nummer").Text(), number) {
			t.Errorf("%s: the number is not shown with the reason %q", who, again)
		}
	}
	want := names[teamLead] + ": " + reason + ", " + names[auditor] + ": " + reason
	for _, action := range []string{"item.opened", "item.revealed"} {
		if got := s.reasonsOf(t, action, id); got != want {
			t.Errorf("%s: the event log has %q, want %q", action, got, want)
		}
	}
	if got := s.browser(t, caseworker).get(address); !strings.Contains(got.body, "Innholdet ble åpnet av en annen") || strings.Contains(got.body, reason) {
		t.Error("its sender is not told that it was opened, or reads why")
	}
	for name, b := range map[string]*browser{"a colleague": s.colleague(t), "an account administrator": s.browser(t, accountAdmin), "an administrator": s.browser(t, systemAdmin)} {
		for _, act := range []string{"/apne", "/vis"} {
			got := b.post(address+act, fields("begrunnelse", reason))
			if got.StatusCode != http.StatusForbidden && got.StatusCode != http.StatusNotFound || strings.Contains(got.body, text) || strings.Contains(got.body, number) {
				t.Errorf("%s gets %d for %s", name, got.StatusCode, act)
			}
		}
		if got := b.get(address); strings.Contains(got.body, text) {
			t.Errorf("%s sees the text", name)
		}
	}
}

// TestOpenedHiddenText: a text hidden by its sender stays hidden.
func TestOpenedHiddenText(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	m := message("Legetimen er flyttet")
	m.HideInReport = true
	address := "/k/oppvekst/sms/" + string(s.queued(t, caseworker, m))
	if got := s.browser(t, teamLead).post(address+"/apne", fields("begrunnelse", reason)); strings.Contains(got.body, m.Text) || got.StatusCode != http.StatusOK {
		t.Errorf("got %d, and the text", got.StatusCode)
	}
}

// TestSentFiles: sent files can be fetched by the sender, and by others with a reason, as downloads.
func TestSentFiles(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.shipment(t, caseworker, "Vedtak")
	item := "/k/oppvekst/forsendelser/" + string(id)
	file := item + "/dokumenter/" + string(s.filesOf(t, id)[0].ID)
	own, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	if own.get(item).page(t).Find(`a[href="`+file+`"]`).Length() != 1 {
		t.Error("the page does not lead its sender to the file")
	}
	wantFile(t, own.get(file))
	if got := lead.get(item).page(t); got.Find(`[href="`+file+`"], [action="`+file+`"]`).Length() != 0 {
		t.Error("the page leads a colleague to the file")
	}
	if got := lead.get(file); got.StatusCode != http.StatusForbidden {
		t.Errorf("the team lead gets %d by the address alone, want 403", got.StatusCode)
	}
	opened := lead.post(item+"/apne", fields("begrunnelse", reason)).page(t)
	again := opened.Find(`form[action="`+file+`"] input[name=begrunnelse]`).AttrOr("value", "")
	wantFile(t, lead.post(file, fields("begrunnelse", again)))
	if got := lead.post(file, fields()); got.StatusCode != http.StatusUnprocessableEntity || strings.Contains(got.body, "%PDF") {
		t.Errorf("the team lead gets %d without a reason, want 422", got.StatusCode)
	}
	if got := s.colleague(t).post(file, fields("begrunnelse", reason)); got.StatusCode != http.StatusForbidden {
		t.Errorf("a colleague gets %d, want 403", got.StatusCode)
	}
	if got, want := s.reasonsOf(t, "document.read", string(id)), names[caseworker]+": –, "+names[teamLead]+": "+reason; got != want {
		t.Errorf("the event log has %q, want %q", got, want)
	}
	if got := s.reasonsOf(t, "item.opened", string(id)); got != names[teamLead]+": "+reason {
		t.Errorf("the event log has %q", got)
	}
}

func wantFile(t *testing.T, got answer) {
	t.Helper()
	h := got.Header
	if got.StatusCode != http.StatusOK || !strings.HasPrefix(got.body, "%PDF") || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") ||
		h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") || h.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d with %v", got.StatusCode, h)
	}
}

// TestHandedOverIsTheNewOwners: an item sent from a draft that was handed over belongs to its new owner.
func TestHandedOverIsTheNewOwners(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.shipment(t, caseworker, "Vedtak")
	as := s.as(t, teamLead)
	s.run(t, `UPDATE items SET created_by = $2 WHERE id = $1`, id, as.User)
	file := "/k/oppvekst/forsendelser/" + string(id) + "/dokumenter/" + string(s.filesOf(t, id)[0].ID)
	wantFile(t, s.browser(t, teamLead).get(file))
	if got := s.browser(t, caseworker).get(file); got.StatusCode != http.StatusForbidden {
		t.Errorf("the first owner gets %d, want 403", got.StatusCode)
	}
}

// TestOwnAsAuditor: a person with only the auditor's role left needs a reason even for their own items.
func TestOwnAsAuditor(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	address := "/k/oppvekst/sms/" + string(s.queued(t, caseworker, message("Legetimen")))
	b := s.browser(t, caseworker)
	if err := s.store.MapRole(t.Context(), caseworker, s.oppvekst.Account.ID, dispatch.RoleAuditor); err != nil {
		t.Fatal(err)
	}
	who := store.Actor{User: s.as(t, teamLead).User}
	if err := registry.In(s.store).Roles.RemoveMapping(t.Context(), registry.RoleMapping{Claim: caseworker, Account: s.oppvekst.Account.ID, Role: dispatch.RoleCaseworker}, who); err != nil {
		t.Fatal(err)
	}
	if got := b.get(address); strings.Contains(got.body, "Legetimen") {
		t.Errorf("got %d with the text", got.StatusCode)
	}
	if got := b.post(address+"/apne", fields("begrunnelse", reason)); !strings.Contains(got.body, "Legetimen") {
		t.Errorf("got %d without the text", got.StatusCode)
	}
}
