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
	for _, want := range []string{s.oppvekst.Integration.Name, "SMS", "klienthemmelighet", "Siste utsending", "godkjenning av det som sendes, godkjenning av maler, grense for SMS i måneden"} {
		if !strings.Contains(row, want) {
			t.Errorf("%q is missing: %s", want, row)
		}
	}
	other := strings.Join(strings.Fields(got.page(t).Find(`tr:contains("Konto helse")`).Text()), " ")
	if !strings.Contains(other, "Ingenting sendt i det siste") || strings.Contains(got.body, "Hei der") {
		t.Errorf("the other account: %s", other)
	}
	if link := nora.get("/admin/kontoer").page(t).Find(`main a[href="/admin/bruk"]`).Length(); link != 1 {
		t.Error("the list of accounts does not lead there")
	}
}
