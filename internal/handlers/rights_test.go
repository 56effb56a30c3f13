package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

const rights = "/admin/rettigheter"

// right is the form of a mapping.
func right(claim string, role dispatch.Role, account string) url.Values {
	return fields("verdi", claim, "rolle", string(role), "konto", account)
}

// TestRights: a mapping holds from the next request on, and is gone from the next request on.
func TestRights(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	tor := s.browser(t, noRights)
	const page = "/k/oppvekst/sms"
	says := func(a answer) string { t.Helper(); return flash(b.get(a.location()).page(t)) }

	if got := tor.get(page).StatusCode; got != http.StatusNotFound {
		t.Fatalf("without rights: got %d", got)
	}
	if got := says(b.post(rights, right(" "+noRights+" ", dispatch.RoleCaseworker, "oppvekst"))); got != "Endringen er lagret" {
		t.Errorf("got %q", got)
	}
	if got := tor.get(page).StatusCode; got != http.StatusOK {
		t.Errorf("with the right: got %d", got)
	}
	if text := b.get(rights).page(t).Find(`tr:contains("` + noRights + `")`).Text(); !strings.Contains(text, "Saksbehandler") || !strings.Contains(text, "Konto oppvekst") {
		t.Errorf("the page says %q", text)
	}
	remove := right(noRights, dispatch.RoleCaseworker, "oppvekst")
	if got := says(b.post(rights+"/fjern", remove)); got != "Endringen er lagret" || tor.get(page).StatusCode != http.StatusNotFound {
		t.Errorf("got %q", got)
	}
	if got := says(b.post(rights+"/fjern", remove)); !strings.HasPrefix(got, "Noen andre har allerede endret dette.") {
		t.Errorf("removed twice: %q", got)
	}
}

func TestBadRights(t *testing.T) {
	t.Parallel()
	_, b := newSetup(t)
	for _, test := range []struct {
		name, field, says string
		form              url.Values
	}{
		{"no value", "verdi", "Skriv inn verdien, høyst 200 tegn.", right("  ", dispatch.RoleAuditor, "oppvekst")},
		{"too long a value", "verdi", "Skriv inn verdien, høyst 200 tegn.", right(strings.Repeat("x", 201), dispatch.RoleAuditor, "oppvekst")},
		{"a role that is none", "rolle", "Velg en rolle.", right("drift", "konge", "oppvekst")},
		{"an administrator of one account", "konto", "Administrator gjelder hele systemet. De andre rollene gjelder én konto.", right("drift", dispatch.RoleSystemAdmin, "oppvekst")},
		{"an auditor of everything", "konto", "Administrator gjelder hele systemet. De andre rollene gjelder én konto.", right("drift", dispatch.RoleAuditor, "")},
		{"what is there already", "verdi", "Verdien gir allerede denne rollen.", right(caseworker, dispatch.RoleCaseworker, "oppvekst")},
	} {
		got := b.post(rights, test.form)
		if says := problems(t, got)[test.field]; got.StatusCode != http.StatusUnprocessableEntity || says != test.says {
			t.Errorf("%s: got %d %q", test.name, got.StatusCode, says)
		}
		if held := got.page(t).Find("input[name=verdi][id=verdi]").AttrOr("value", ""); held != strings.TrimSpace(test.form.Get("verdi")) {
			t.Errorf("%s: the value that was typed is lost", test.name)
		}
	}
	if got := b.post(rights, right("drift", dispatch.RoleAuditor, "nothing")).StatusCode; got != http.StatusNotFound {
		t.Errorf("an account that is not there: got %d, want 404", got)
	}
}

// TestLastAdministrator: somebody must be left who can give rights.
func TestLastAdministrator(t *testing.T) {
	t.Parallel()
	_, b := newSetup(t)
	own, other := right(systemAdmin, dispatch.RoleSystemAdmin, ""), right("drift", dispatch.RoleSystemAdmin, "")
	got := b.post(rights+"/fjern", own)
	if says := problems(t, got)["rettigheter"]; got.StatusCode != http.StatusConflict || !strings.HasPrefix(says, "Dette er den siste som gir noen rollen administrator.") {
		t.Errorf("got %d %q", got.StatusCode, says)
	}
	if got := b.post(rights+"/fjern", other); got.StatusCode != http.StatusSeeOther {
		t.Errorf("one that was never there: got %d", got.StatusCode)
	}
	b.post(rights, other)
	if got := b.post(rights+"/fjern", own).StatusCode; got != http.StatusSeeOther {
		t.Errorf("one of two: got %d", got)
	}
	if got := b.get(rights).StatusCode; got != http.StatusForbidden {
		t.Errorf("who has removed their own right gets %d, want 403", got)
	}
}
