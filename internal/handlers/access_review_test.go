package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

const review = "/admin/tilgangskontroll"

// TestAccessReview: roles with their last use, a sign-off with its history, overdue after half a year; an auditor
// reads it for their own accounts.
func TestAccessReview(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.browser(t, outsider)
	kari := s.browser(t, caseworker)
	kari.post("/k/oppvekst/sms/"+string(s.queued(t, caseworker, message("Hei der")))+"/vis", fields())
	b := s.browser(t, systemAdmin)
	row := func(b *browser, name string) string {
		return strings.Join(strings.Fields(b.get(review).page(t).Find(`tr:contains("`+name+`")`).Text()), " ")
	}
	if got := row(b, names[caseworker]); !strings.Contains(got, "Saksbehandler"+caseworker) || strings.Contains(got, "Ingenting registrert") || strings.Contains(got, "Ikke brukt") {
		t.Errorf("of who has just acted the page says %q", got)
	}
	if got := b.get(review).page(t).Find(`section:has(#konto-oppvekst) p:contains("Ingen har logget inn det siste året med")`).Text(); !strings.Contains(got, teamLead) || strings.Contains(got, caseworker) {
		t.Errorf("of a value that nobody has the page says %q", got)
	}
	if got := row(b, names[outsider]); !strings.Contains(got, "I dag kl.") || !strings.Contains(got, "Ingenting registrert") || strings.Contains(got, "Ikke brukt") {
		t.Errorf("of who got the role today, has logged in, and has done nothing the page says %q", got)
	}
	if got := row(b, names[systemAdmin]); !strings.Contains(got, "I dag kl.") || !strings.Contains(got, "Ingenting registrert") {
		t.Errorf("of an administrator who has only logged in the page says %q", got)
	}
	s.run(t, `UPDATE role_mappings SET created_at = now() - interval '7 months'`)
	for name, want := range map[string]bool{names[outsider]: true, names[caseworker]: false} {
		if got := row(b, name); strings.Contains(got, "Ikke brukt på et halvt år") != want {
			t.Errorf("half a year later the page says %q", got)
		}
		if first := b.get(review).page(t).Find(`section[aria-labelledby=ubrukt] li:contains("` + name + `")`).Length(); (first == 1) != want {
			t.Errorf("half a year later %s stands %d times among what to look at first", name, first)
		}
	}
	wantWords(t, b.get(review), "Ingen har sett over tilgangene ennå", "Ingen ennå.")
	if got := b.post(review, fields("merknad", strings.Repeat("x", 2001))); got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("got %d for a note that is too long", got.StatusCode)
	}
	seen := b.get(review).page(t).Find("[name=sett]").AttrOr("value", "")
	if err := s.store.MapRole(t.Context(), "flere", s.helse.Account.ID, dispatch.RoleTeamLead); err != nil {
		t.Fatal(err)
	}
	changed := b.post(review, fields("merknad", "Alt er riktig", "sett", seen))
	wantWords(t, changed, "Tilgangene er endret siden du åpnet siden", "Alt er riktig")
	if changed.StatusCode != http.StatusUnprocessableEntity || s.audits(t, "access.reviewed") != 0 {
		t.Errorf("got %d for what has changed since it was shown", changed.StatusCode)
	}
	got := b.post(review, fields("merknad", "Alt er riktig", "sett", changed.page(t).Find("[name=sett]").AttrOr("value", "")))
	wantWords(t, b.get(got.location()), "Bekreftelsen er lagret", "Neste gang er", names[systemAdmin], "Alt er riktig", "3 personer hadde tilgang.")
	if n := s.audits(t, "access.reviewed"); n != 1 {
		t.Errorf("the event log has %d lines, want one", n)
	}
	s.run(t, `UPDATE access_reviews SET at = now() - interval '7 months'`)
	wantWords(t, b.get(review), "Det er mer enn et halvt år siden")

	per := s.browser(t, auditor)
	body := per.get(review).body
	if !strings.Contains(body, names[caseworker]) || strings.Contains(body, names[outsider]) || strings.Contains(body, names[systemAdmin]+"</b>") {
		t.Error("an auditor does not see their account, or sees more")
	}
	if per.get(review).page(t).Find(`main form[action="`+review+`"], #slik`).Length() != 0 || !strings.Contains(body, "kontoene du reviderer") {
		t.Error("an auditor is offered to sign, or told how")
	}
	if err := s.store.MapRole(t.Context(), caseworker, s.helse.Account.ID, dispatch.RoleAuditor); err != nil {
		t.Fatal(err)
	}
	if body := kari.get(review).body; strings.Contains(body, names[auditor]) || !strings.Contains(body, names[outsider]) {
		t.Error("a caseworker here and auditor there sees this account, or not the other")
	}
}
