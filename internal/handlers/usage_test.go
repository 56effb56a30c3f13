package handlers_test

import (
	"strings"
	"testing"
)

// TestUsage: administrators see which account uses what, and when it was used last; nothing that was sent.
func TestUsage(t *testing.T) {
	t.Parallel()
	s, nora := newSetup(t)
	s.accepted(t, caseworker, message("Hei der"))
	s.run(t, `UPDATE accounts SET approval_rule = '{"recipients": 2, "templates": true}', sms_limit = 500 WHERE slug = 'oppvekst'`)
	s.run(t, `UPDATE integrations SET environment = 'test' WHERE id = $1`, s.oppvekst.Integration.ID)
	got := nora.get("/admin/bruk")
	row := strings.Join(strings.Fields(got.page(t).Find(`tr:contains("Konto oppvekst")`).Text()), " ")
	for _, want := range []string{s.oppvekst.Integration.Name, "SMS", "klienthemmelighet", "Kontoen sendte sist i dag", "Godkjenning av det som sendes, godkjenning av maler, grense for SMS i måneden"} {
		if !strings.Contains(row, want) {
			t.Errorf("%q is missing: %s", want, row)
		}
	}
	other := strings.Join(strings.Fields(got.page(t).Find(`tr:contains("Konto helse")`).Text()), " ")
	if !strings.Contains(other, "Ingenting er sendt.") || strings.Contains(other, "100 siste") || strings.Contains(got.body, "Hei der") {
		t.Errorf("the other account: %s", other)
	}
	// What the integration did for somebody else says nothing of the account.
	s.run(t, `UPDATE accounts SET sms_integration_id = $1 WHERE slug = 'helse'`, s.oppvekst.Integration.ID)
	s.run(t, `UPDATE items SET created_at = now() - interval '3 days'`)
	s.run(t, `UPDATE accounts SET sms_integration_id = $1 WHERE slug = 'oppvekst'`, s.helse.Integration.ID)
	got = nora.get("/admin/bruk")
	other = strings.Join(strings.Fields(got.page(t).Find(`tr:contains("Konto helse")`).Text()), " ")
	if !strings.Contains(other, s.oppvekst.Integration.Name) || !strings.Contains(other, "Ingenting er sendt.") || strings.Contains(other, "i dag") {
		t.Errorf("an account that has not sent anything over the shared integration: %s", other)
	}
	row = strings.Join(strings.Fields(got.page(t).Find(`tr:contains("Konto oppvekst")`).Text()), " ")
	if !strings.Contains(row, "Kontoen sendte sist i dag") {
		t.Errorf("what was made three days ago was sent today: %s", row)
	}
	s.run(t, `UPDATE items SET accepted_at = NULL`)
	for range 99 {
		s.queued(t, caseworker, message("Hei"))
	}
	row = strings.Join(strings.Fields(nora.get("/admin/bruk").page(t).Find(`tr:contains("Konto oppvekst")`).Text()), " ")
	if !strings.Contains(row, "Ingenting er sendt. Bare de 100 siste som er laget på kontoen, er undersøkt.") {
		t.Errorf("where not all was looked at: %s", row)
	}
	if link := nora.get("/admin/kontoer").page(t).Find(`main a[href="/admin/bruk"]`).Length(); link != 1 {
		t.Error("the list of accounts does not lead there")
	}
}
