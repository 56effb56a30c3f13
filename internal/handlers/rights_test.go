package handlers_test

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

const rights = "/admin/rettigheter"

// right is the form of a mapping.
func right(claim string, role dispatch.Role, account string) url.Values {
	return fields("verdi", claim, "rolle", string(role), "konto", cmp.Or(account, "-"))
}

// mapping is the path of the act that removes a mapping.
func (s *site) mapping(t *testing.T, f url.Values) string {
	t.Helper()
	accounts, err := registry.In(s.store).Accounts.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mappings, err := registry.In(s.store).Roles.Mappings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	slugs := map[dispatch.AccountID]string{"": "-"}
	for _, a := range accounts {
		slugs[a.ID] = a.Slug
	}
	for _, m := range mappings {
		if m.Claim == f.Get("verdi") && string(m.Role) == f.Get("rolle") && slugs[m.Account] == f.Get("konto") {
			return rights + "/" + m.ID + "/fjern"
		}
	}
	t.Fatalf("no mapping %v", f)
	return ""
}

// newMapping makes a mapping that nobody has, and returns its id.
func (s *site) newMapping(t *testing.T) string {
	t.Helper()
	f := right(uuid.NewString(), dispatch.RoleAuditor, "")
	if err := s.store.MapRole(t.Context(), f.Get("verdi"), "", dispatch.RoleAuditor); err != nil {
		t.Fatal(err)
	}
	return strings.Split(s.mapping(t, f), "/")[3]
}

// TestRights: a mapping takes effect, and its deletion too, at the next request.
func TestRights(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	tor := s.browser(t, noRights)
	const page = "/k/oppvekst/sms"
	says := func(a answer) string { t.Helper(); return flash(b.get(a.location()).page(t)) }

	if got := tor.get(page).StatusCode; got != http.StatusNotFound {
		t.Fatalf("without rights: got %d", got)
	}
	if got := says(b.post(rights, right(" "+noRights+" ", dispatch.RoleCaseworker, "oppvekst"))); got != "Rettigheten er gitt, og gjelder med en gang" {
		t.Errorf("got %q", got)
	}
	if got := tor.get(page).StatusCode; got != http.StatusOK {
		t.Errorf("with the right: got %d", got)
	}
	if text := b.get(rights).page(t).Find(`tr:contains("` + noRights + `")`).Text(); !strings.Contains(text, "Saksbehandler") || !strings.Contains(text, "Konto oppvekst") {
		t.Errorf("the page says %q", text)
	}
	remove := s.mapping(t, right(noRights, dispatch.RoleCaseworker, "oppvekst"))
	asks := b.get(remove)
	wantWords(t, asks, "Fjern rettigheten", "Verdien gir ikke lenger rollen saksbehandler på kontoen Konto oppvekst.", "Én person hadde verdien sist de logget inn, og mister rollen:")
	if got := problems(t, b.post(remove, fields()))["begrunnelse"]; got != "Skriv hvorfor." {
		t.Errorf("without a reason: %q", got)
	}
	if got := says(b.post(remove, because)); got != "Rettigheten er fjernet, og gjelder ikke lenger" || tor.get(page).StatusCode != http.StatusUnauthorized {
		t.Errorf("got %q", got)
	}
	if got := says(b.post(remove, because)); !strings.HasPrefix(got, "Noen andre har allerede endret dette.") {
		t.Errorf("removed twice: %q", got)
	}
}

// TestRightThatIsThere: of several values, the page names the one that gives the role already, and saves the others.
func TestRightThatIsThere(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	if got := b.post(rights, right(caseworker+"\nny-gruppe", dispatch.RoleCaseworker, "oppvekst")); got.StatusCode != http.StatusSeeOther {
		t.Errorf("got %d", got.StatusCode)
	}
	wantWords(t, b.get(rights), "De nye rettighetene gjelder med en gang. Ga rollen fra før: "+caseworker)
	if n := countRows(t, s, `SELECT count(*) FROM role_mappings WHERE claim_value = 'ny-gruppe'`); n != 1 {
		t.Errorf("%d rights of the new value", n)
	}
}

// TestTheLastAdministrator: the page says beforehand that the only mapping to administrators cannot be removed, and asks for nothing.
func TestTheLastAdministrator(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	s.run(t, `DELETE FROM role_mappings WHERE role = 'system_admin' AND claim_value <> $1`, systemAdmin)
	at := s.mapping(t, right(systemAdmin, dispatch.RoleSystemAdmin, ""))
	for name, got := range map[string]answer{"before": b.get(at), "when posted": b.post(at, because)} {
		if got.StatusCode != http.StatusConflict || got.page(t).Find(`form[method="post"][action="`+at+`"] button`).Length() != 0 {
			t.Errorf("%s: got %d, or the button", name, got.StatusCode)
		}
		wantWords(t, got, "Dette er den siste som gir noen rollen administrator.")
		text := got.page(t).Find("main").Text()
		if n := strings.Count(text, "Dette er den siste"); n != 1 || strings.Contains(text, "mister rollen") || got.page(t).Find(`#virkning a[href="/admin/rettigheter#ny-rettighet"]`).Length() != 1 {
			t.Errorf("%s: the page says %q", name, text)
		}
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
		{"no role chosen", "rolle", "Velg en rolle.", right("drift", "", "oppvekst")},
		{"no account chosen", "konto", "Velg en konto, eller hele systemet.", fields("verdi", "drift", "rolle", "auditor")},
		{"a role that is none", "rolle", "Velg en rolle.", right("drift", "konge", "oppvekst")},
		{"an administrator of one account", "konto", "Administrator gjelder hele systemet. Revisor kan gjelde hele systemet eller én konto. De andre rollene gjelder én konto.", right("drift", dispatch.RoleSystemAdmin, "oppvekst")},
		{"a caseworker of everything", "konto", "Administrator gjelder hele systemet. Revisor kan gjelde hele systemet eller én konto. De andre rollene gjelder én konto.", right("drift", dispatch.RoleCaseworker, "")},
		{"what is there already", "verdi", "Verdien gir allerede denne rollen.", right(caseworker, dispatch.RoleCaseworker, "oppvekst")},
	} {
		got := b.post(rights, test.form)
		if says := problems(t, got)[test.field]; got.StatusCode != http.StatusUnprocessableEntity || says != test.says {
			t.Errorf("%s: got %d %q", test.name, got.StatusCode, says)
		}
		if held := strings.TrimSpace(got.page(t).Find("textarea[name=verdi][id=verdi]").Text()); held != strings.TrimSpace(test.form.Get("verdi")) {
			t.Errorf("%s: the value that was typed is lost", test.name)
		}
	}
	if got := b.post(rights, right("drift", dispatch.RoleAuditor, "nothing")).StatusCode; got != http.StatusNotFound {
		t.Errorf("an account that is not there: got %d, want 404", got)
	}
}

// TestLastAdministrator: one person with the right to give rights must remain.
func TestLastAdministrator(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	own, other := right(systemAdmin, dispatch.RoleSystemAdmin, ""), right("drift", dispatch.RoleSystemAdmin, "")
	got := b.post(s.mapping(t, own), because)
	if says := problems(t, got)["virkning"]; got.StatusCode != http.StatusConflict || !strings.HasPrefix(says, "Dette er den siste som gir noen rollen administrator.") {
		t.Errorf("got %d %q", got.StatusCode, says)
	}
	if got := b.post(rights+"/"+uuid.NewString()+"/fjern", because); got.StatusCode != http.StatusSeeOther {
		t.Errorf("one that was never there: got %d", got.StatusCode)
	}
	b.post(rights, other)
	if got := b.post(s.mapping(t, own), because).StatusCode; got != http.StatusSeeOther {
		t.Errorf("one of two: got %d", got)
	}
	if got := b.get(rights).StatusCode; got != http.StatusUnauthorized {
		t.Errorf("who has removed their own last right gets %d, want 401", got)
	}
}

// TestSeveralValues: one mapping per line; existing ones stay unchanged, and doubtful values get a message.
func TestSeveralValues(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	if got := b.post(rights, right(noRights+"\r\n\r\n "+caseworker+" \n"+auditor, dispatch.RoleCaseworker, "oppvekst")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	if got := s.browser(t, noRights).get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
		t.Errorf("the first of them gives nothing: %d", got)
	}
	if text := b.get(rights).page(t).Find(`tr:contains("` + auditor + `")`).Text(); !strings.Contains(text, "Reviderer det de selv sender") {
		t.Errorf("the page says %q of an auditor who sends", text)
	}
	b.post(rights, right(caseworker, dispatch.RoleSystemAdmin, ""))
	if text := b.get(rights).page(t).Find(`tr:contains("` + caseworker + `")`).Text(); !strings.Contains(text, "Administrator som også ser innhold") {
		t.Errorf("the page says %q of an administrator who sees items", text)
	}
}

// TestSessionsEndWithTheLastRight: a user with another right continues without the removed one; a user without any is
// logged out.
func TestSessionsEndWithTheLastRight(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	b.post(rights, right(teamLead, dispatch.RoleCaseworker, "helse"))
	last, one, other := s.browser(t, caseworker), s.browser(t, teamLead), s.browser(t, auditor)
	b.post(s.mapping(t, right(caseworker, dispatch.RoleCaseworker, "oppvekst")), because)
	b.post(s.mapping(t, right(teamLead, dispatch.RoleTeamLead, "oppvekst")), because)
	if got := last.get("/k/oppvekst/sms").StatusCode; got != http.StatusUnauthorized {
		t.Errorf("without a right left: got %d, want 401", got)
	}
	if got := last.get("/kontoer").StatusCode; got != http.StatusUnauthorized {
		t.Errorf("without a right left, on a page for all: got %d, want 401", got)
	}
	if got, still := one.get("/k/oppvekst/sms").StatusCode, one.get("/k/helse/sms").StatusCode; got != http.StatusNotFound || still != http.StatusOK {
		t.Errorf("with another right: got %d on the account that is gone and %d on the other", got, still)
	}
	if got := other.get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
		t.Errorf("somebody whom it does not concern: got %d", got)
	}
	if n := countRows(t, s, `SELECT count(*) FROM sign_ins WHERE ended_how = 'rights'`); n != 1 {
		t.Errorf("%d sessions are noted as ended, want 1", n)
	}
	if got := s.browser(t, caseworker).get("/min-side/innlogginger"); !strings.Contains(got.body, "Avsluttet fordi du mistet tilgangen") {
		t.Errorf("got %d: the page does not say why the session ended", got.StatusCode)
	}
}
