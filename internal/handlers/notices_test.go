package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// TestNotices: people choose what they get by e-mail, to addresses of the municipality only.
func TestNotices(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const path = "/min-side/varsler"
	b := s.browser(t, caseworker)
	choice := func() registry.MailChoice {
		var user dispatch.UserID
		s.one(t, &user, `SELECT coalesce((SELECT user_id FROM mail_choices)::text, '01a00000-0000-7000-8000-000000000000')`)
		m, err := registry.In(s.store).MailChoices.Of(t.Context(), user)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for typed, want := range map[string]string{"": "problem.mail.empty", "kari": "problem.mail.form", "kari@annet.example": "problem.mail.domain", strings.Repeat("k", 250) + "@fjordvik.example": "problem.mail.long"} {
		got := b.post(path, fields(dispatch.FieldMail, typed, "morgen", "true"))
		if got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)[dispatch.FieldMail] == "" {
			t.Errorf("%q answers %d, want %s", typed, got.StatusCode, want)
		}
	}
	if got := b.post(path, fields(dispatch.FieldMail, "kari@fjordvik.example", "morgen", "true", "hendelser", "true")); got.location() != path {
		t.Fatalf("got %d", got.StatusCode)
	}
	if m := choice(); m != (registry.MailChoice{Address: "kari@fjordvik.example", Digest: true}) { // alarms are for leads
		t.Errorf("stored %+v", m)
	}
	if got := formOf(b.get(path).page(t), path); got[dispatch.FieldMail] != "kari@fjordvik.example" || got["morgen"] != "true" {
		t.Errorf("the form shows %v", got)
	}
	if got := b.post(path+"/prov", fields()); got.location() != path {
		t.Errorf("a trial answers %d", got.StatusCode)
	}
	if n, err := registry.In(s.store).Notices.Counts(t.Context(), s.now()); err != nil || n.Waiting != 2 { // the new address, and the button
		t.Errorf("the outbox holds %+v, %v", n, err)
	}
	b.post(path, fields(dispatch.FieldMail, ""))
	if m := choice(); m != (registry.MailChoice{}) {
		t.Errorf("the address is kept: %+v", m)
	}
}

// TestNoticesFitTheRoles: nobody is offered a notice that never comes to them.
func TestNoticesFitTheRoles(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const path = "/min-side/varsler"
	for who, want := range map[string][]string{caseworker: {"morgen"}, teamLead: {"morgen", "hendelser"}, systemAdmin: {"hendelser"}, accountAdmin: nil, auditor: nil} {
		b := s.browser(t, who)
		page := b.get(path).page(t)
		for _, name := range []string{"morgen", "hendelser"} {
			if got := page.Find(`input[name="`+name+`"]`).Length() > 0; got != slices.Contains(want, name) {
				t.Errorf("%s is offered %s: %t", who, name, got)
			}
		}
		if form := page.Find(`form[action="` + path + `"]`).Length(); (form > 0) != (len(want) > 0) {
			t.Errorf("%s has %d forms of notices", who, form)
		}
		if link := b.get("/min-side/visning").page(t).Find(`#menu-bruker a[href="` + path + `"]`).Length(); (link > 0) != (len(want) > 0) {
			t.Errorf("the menu of %s has %d links to it", who, link)
		}
	}
	s.browser(t, systemAdmin).post(path, fields(dispatch.FieldMail, "nora@fjordvik.example", "morgen", "true", "hendelser", "true"))
	n := 0
	s.one(t, &n, `SELECT count(*) FROM mail_choices WHERE alarms AND NOT digest`)
	if n != 1 {
		t.Error("an administrator has a digest of what they cannot follow up")
	}
}

// TestAlarmsLeadToIntegrations: an alarm about an integration has a link to its page.
func TestAlarmsLeadToIntegrations(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	id := string(s.oppvekst.Integration.ID)
	s.run(t, `UPDATE integrations SET stopped_at = now() WHERE id = $1`, id)
	if links := b.get("/admin/varsler").page(t).Find(`main a[href="/admin/integrasjoner/` + id + `"]`); links.Length() != 1 {
		t.Errorf("%d links", links.Length())
	}
}
