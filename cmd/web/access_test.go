package main_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// logsOut ends the session here and at the provider, and checks that the redirects have nothing personal.
func logsOut(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	m := toPhone("120", "Ikke for andres øyne.")
	v.send(s.oppvekst, m)
	v.awaitTag("Levert")
	v.Click("[popovertarget=menu-bruker]")
	v.WaitText("#menu-bruker", "Kari Nordmann")
	v.look("menu-user")
	v.ClickText("button", "Logg ut")
	v.wantHeading("Du er logget ut")
	v.glance("logged-out")
	for range 3 {
		v.Back()
		v.wantUnseen(m.text, m.phone, "Kari Nordmann")
	}
	v.Go("/")
	v.WaitText("h1", "Velg hvem du vil være") // the provider asks again
	v.Click(`button[value="liv"]`)
	v.wantText("main", "Ingenting er sendt ennå.")
}

// logsOutElsewhere ends the session at the provider, which loads our logout in a frame; the browser complains if it
// may not.
func logsOutElsewhere(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.Go("/")
	v.wantHeading("Oversikt")
	v.Go(s.issuer + "/end-session")
	v.WaitText("h1", "Du er logget ut")
	v.Go("/k/oppvekst/sms")
	v.wantHeading("Du er logget ut")
	v.Go("/")
	v.WaitText("h1", "Velg hvem du vil være")
}

// failsToLogIn sees the pages of failed logins.
func failsToLogIn(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.visitor(t, b, withoutScript)
	v.Go("/k/oppvekst/sms")
	v.wantHeading("Du er ikke logget inn")
	v.glance("401")
	v.ClickText("link", "Logg inn")
	v.WaitText("h1", "Velg hvem du vil være")
	v.ClickText("button", "Avbryt")
	v.wantHeading("Innloggingen ble ikke fullført")
	v.glance("login-cancelled")
	v.Go("/oidc/retur?state=gjettet&code=gjettet")
	v.wantHeading("Innloggingen ble ikke fullført")
	v.glance("login-failed")
	s.idp.FailToken(http.StatusInternalServerError)
	v.logIn("kari")
	v.wantHeading("Innloggingstjenesten svarer ikke akkurat nå")
	v.glance("login-down")
	s.idp.FailToken(0)
	v.Go("/k/oppvekst/sms/ny")
	v.ClickText("link", "Logg inn") // the provider has a session by now, and redirects back to the requested page
	v.wantHeading("Ny SMS")
}

// keepsRolesApart requests the same pages as every role.
func keepsRolesApart(t *testing.T, _ *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	m := message{nationalID: nationalID(), text: text("Bare for den som sendte den.")}
	item := "/k/oppvekst/sms/" + string(s.send(t, s.oppvekst, "kari", m))
	elsewhere := "/k/oppvekst/sms/" + string(s.send(t, s.helse, "liv", toPhone("120", "Fra Helse.")))
	pages := []string{"/k/oppvekst/sms", "/k/oppvekst/sms/ny", item, elsewhere, "/k/helse/sms", deliveryPage, "/kontoer"}
	for subject, want := range map[string][]int{
		"kari":   {200, 200, 200, 404, 404, 403, 200},
		"amir":   {200, 200, 200, 404, 200, 403, 200},
		"liv":    {404, 404, 404, 404, 200, 403, 200},
		"ingrid": {200, 200, 200, 404, 404, 403, 200},
		"jonas":  {403, 403, 403, 403, 404, 403, 200},
		"nora":   {404, 404, 404, 404, 404, 200, 200},
		"per":    {200, 403, 200, 404, 200, 403, 200},
		"tor":    {404, 404, 404, 404, 404, 403, 200},
	} {
		c := s.caller(t, subject)
		for i, page := range pages {
			status, body := c.get(page)
			if status != want[i] {
				t.Errorf("%s gets %d for %s, want %d", subject, status, page, want[i])
			}
			if subject != "kari" && len(search(page, body, []string{m.text, m.text[:16], m.nationalID})) > 0 {
				t.Errorf("%s sees the content on %s", subject, page)
			}
		}
		if subject == "kari" {
			continue
		}
		for _, act := range []string{"/vis", "/kopier"} { // refused without the right on the account, and to users other than the sender
			status, body := c.post(item+act, nil)
			asks := strings.Contains(body, `name="begrunnelse"`) // with the right to open others' content
			if status != http.StatusForbidden && status != http.StatusNotFound && !asks || len(search(item+act, body, []string{m.text, m.text[:16], m.nationalID})) > 0 {
				t.Errorf("%s gets %d for %s", subject, status, act)
			}
		}
	}
	s.keepsDraftsApart(t)
}

// keepsDraftsApart opens and changes another person's draft, as a colleague.
func (s *stack) keepsDraftsApart(t *testing.T) {
	t.Helper()
	by := s.user(t, "kari")
	id, err := items.In(s.store).SMS.SaveDraft(t.Context(), s.oppvekst.ID, by, uuid.NewString(),
		dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: dispatch.Phone(phone("120"))}, Text: text("Et utkast.")})
	if err != nil {
		t.Fatal(err)
	}
	amir, draft := s.caller(t, "amir"), "/k/oppvekst/sms/"+string(id)
	for _, page := range []string{draft, draft + "/kontroll", draft + "/endre"} {
		if status, _ := amir.get(page); status != http.StatusNotFound {
			t.Errorf("a colleague gets %d for %s", status, page)
		}
	}
	for _, act := range []string{draft + "/send", draft + "/forkast", draft + "/kopier", draft + "/vis"} {
		if status, _ := amir.post(act, nil); status != http.StatusNotFound {
			t.Errorf("a colleague gets %d for %s", status, act)
		}
	}
	if _, body := amir.get("/k/oppvekst/sms"); strings.Contains(body, string(id)) {
		t.Error("a colleague's list shows the draft")
	}
	if state := s.item(t, s.oppvekst, id).State; state != dispatch.StateDraft {
		t.Errorf("the draft is %s", state)
	}
}

// seesByRole checks what each role is offered.
func seesByRole(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	m := toPhone("120", "Kun for avsenderen.")
	id := s.send(t, s.oppvekst, "kari", m)
	s.await(t, s.oppvekst, id, dispatch.StateAccepted)

	per := s.as(t, b, withoutScript, "per")
	per.Go("/k/oppvekst/sms")
	per.wantNone(`a[href$="/sms/ny"]`, `a[href^="/admin"]:not([href$="/tilgangskontroll"], [href$="/logg"], [href$="/oppbevaring"], [href$="/innsyn"])`)
	per.wantUnseen(m.text, m.phone)
	per.glance("list-auditor")
	per.open(s.oppvekst, id)
	per.wantText("main", "Teksten vises når du åpner innholdet med en grunn.")
	per.wantUnseen(m.text, m.phone)
	per.wantNone(`main form:not(.secret, [action$="/arkivpakke"])`, "form.secret button")
	per.glance("item-auditor")
	per.Go("/k/oppvekst/sms/ny")
	per.wantHeading("Du har ikke tilgang til denne siden")
	per.glance("403")

	ingrid := s.as(t, b, onPhone, "ingrid")
	ingrid.open(s.oppvekst, id)
	ingrid.wantText("main", "Teksten vises når du åpner innholdet med en grunn.")
	ingrid.wantUnseen(m.text, m.phone)
	ingrid.wantNone("form.secret button")
	ingrid.glance("item-team-lead")
	ingrid.Go("/k/helse/sms")
	ingrid.wantHeading("Vi finner ikke siden")
	ingrid.glance("404")
	ingrid.Go("/k/oppvekst/sms")
	ingrid.Click("[popovertarget=sidemeny]")
	ingrid.WaitText("#sidemeny", "Ny SMS")
	ingrid.look("menu-phone")

	jonas := s.as(t, b, withoutScript, "jonas")
	jonas.Go("/")
	jonas.wantHeading("Maler")
	jonas.wantNone(`nav a[href$="/sms"]`, `nav a[href^="/admin"]`)
	jonas.glance("account-admin")
	tor := s.as(t, b, withoutScript, "tor")
	tor.Go("/")
	tor.wantHeading("Du har ikke tilgang til noen konto")
	tor.wantNone("nav a")
	tor.glance("no-account")
	nora := s.as(t, b, withoutScript, "nora")
	nora.Go("/")
	nora.wantHeading("Levering")
	if n := nora.Count("nav a"); n != 12 {
		t.Errorf("an administrator's menu has %d items, want 12", n)
	}
	s.switchesAccount(t, b)
}

// switchesAccount goes from one account to the other, and chooses colours.
func (s *stack) switchesAccount(t *testing.T, b *browsertest.Browser) {
	t.Helper()
	v := s.as(t, b, withoutScript, "amir")
	v.Go("/kontoer")
	v.glance("accounts")
	v.ClickText("link", "Helse og mestring")
	v.ClickText("link", "Ny SMS")
	v.Click("[popovertarget=menu-konto]")
	v.glance("menu-account")
	v.ClickText("link", "Oppvekst og utdanning")
	if got := v.Path(); got != "/k/oppvekst/sms/ny" {
		t.Errorf("the switch leads to %s", got)
	}
	v.Go("/")
	if got := v.Path(); got != "/k/oppvekst/" {
		t.Errorf("the front page leads to %s, want the account used last", got)
	}
	v.Go("/min-side/visning")
	v.glance("display")
	v.Check("#farger-dark")
	v.ClickText("button", "Lagre visningen")
	v.wantText("[role=status]", "Visningen er lagret")
	if v.Count("html[data-color-scheme=dark]") != 1 {
		t.Error("the page is not dark")
	}
	v.glance("display-saved")
}

// revealsNumber shows the whole number once, which is logged.
func revealsNumber(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	for _, m := range []message{toPhone("120", "Til et nummer."), {nationalID: nationalID(), text: text("Til en person.")}} {
		id := s.send(t, s.oppvekst, "kari", m)
		s.await(t, s.oppvekst, id, dispatch.StateAccepted)
		number := m.phone + m.nationalID
		v.open(s.oppvekst, id)
		v.wantText("#nummer", "••")
		v.wantUnseen(number)
		v.ClickText("button", "Vis")
		v.wantText("#nummer", number)
		v.look("item-revealed")
		v.open(s.oppvekst, id)
		v.wantText("#nummer", "••")
		v.wantUnseen(number)
		v.wantText(".timeline", "Hele nummeret ble vist")
		if n := v.Count(".timeline-item h3"); n < 4 {
			t.Errorf("the history has %d lines", n)
		}
	}
}

// opensOthers opens a colleague's sent item with a reason, and nobody else can.
func opensOthers(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	m := toPhone("120", "Timen er flyttet til tirsdag.")
	id := s.send(t, s.oppvekst, "kari", m)
	s.await(t, s.oppvekst, id, dispatch.StateAccepted)
	for _, who := range []string{"ingrid", "per"} {
		v := s.as(t, b, withoutScript, who)
		v.open(s.oppvekst, id)
		v.wantUnseen(m.text, m.phone)
		v.ClickText("link", "Åpne innholdet")
		v.glance("content-reason-" + who)
		v.Submit("main form")
		v.wantText(".ds-error-summary", "Skriv hvorfor du trenger å se innholdet.")
		v.Fill("#begrunnelse", "Klage eller avvik")
		v.Submit("main form")
		v.wantText(".bubble", m.text)
		v.wantText("#innhold", "Klage eller avvik")
		v.wantText("#nummer", "••")
		v.glance("content-opened-" + who)
		v.ClickText("button", "Vis")
		v.wantText("#nummer", m.phone)
		v.open(s.oppvekst, id)
		v.wantUnseen(m.text, m.phone)
		v.wantText(".timeline", "Innholdet ble åpnet av en annen enn den som sendte")
	}
	if n := s.logged(t, "item.opened", "Klage eller avvik"); n != 2 {
		t.Errorf("the event log has %d lines of it, want 2", n)
	}
	nora := s.as(t, b, withoutScript, "nora")
	nora.Go("/k/oppvekst/sms/" + string(id))
	nora.wantHeading("Vi finner ikke siden")
	nora.wantUnseen(m.text, m.phone)
}

// logged counts the lines of the event log with an act and a reason.
func (s *stack) logged(t *testing.T, action, reason string) (n int) {
	t.Helper()
	err := storetest.DB(t, s.database).QueryRowContext(t.Context(),
		`SELECT count(*) FROM audit_events WHERE action = $1 AND details->>'reason' = $2`, action, reason).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// losesRights is logged out when the last right is removed.
func losesRights(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	per, nora := s.as(t, b, withoutScript, "per"), s.as(t, b, withoutScript, "nora")
	nora.Go("/admin/tilgangskontroll")
	nora.wantHeading("Gjennomgang av tilganger")
	nora.glance("access-review")
	nora.Go("/admin/rettigheter")
	nora.glance("rights")
	const auditors = `main tr a[aria-label$="-revisor"]`
	for range nora.Count(auditors) {
		nora.Click(auditors)
		nora.wantHeading("Fjern rettigheten")
		nora.glance("act-right")
		nora.Fill("#begrunnelse", "Har sluttet")
		nora.ClickText("button", "Fjern rettigheten nå")
		nora.wantText("[role=status]", "Rettigheten er fjernet")
	}
	per.Go("/k/oppvekst/sms")
	per.wantHeading("Du er logget ut")
}

// isWarned is warned before the session ends, and stays without losing typed text.
func isWarned(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{env: []string{"SESSION_IDLE=602s"}})
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.Go("/k/oppvekst/sms/ny")
	v.Fill("#tekst", "Halvveis skrevet")
	v.WaitText("#okt", "Du blir snart logget ut")
	v.look("idle-warning")
	v.ClickText("button", "Fortsett innlogget")
	v.WaitAnnounced("Du er fortsatt innlogget")
	if got := v.Value("#tekst"); got != "Halvveis skrevet" {
		t.Errorf("the form holds %q", got)
	}
	v.Go("/min-side/innlogginger")
	v.wantText("main", "Denne nettleseren nå")
	v.glance("sign-ins")
}
