package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// actRequest is a request of somebody else's, to delete an unused integration.
func (s *site) actRequest(t *testing.T) string {
	t.Helper()
	by := s.oppvekst.Actor
	by.Reason = "Ikke i bruk lenger"
	id := s.unused(t, dispatch.IntegrationSMS)
	if err := registry.In(s.store).ActRequests.Ask(t.Context(), dispatch.ActRequest{Act: dispatch.ActDelete, Object: id, Name: "Ubrukt"}, time.Now(), by); err != nil {
		t.Fatal(err)
	}
	list, err := registry.In(s.store).ActRequests.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Object == id {
			return string(r.ID)
		}
	}
	t.Fatal("the request is not there")
	return ""
}

// secondAdmin is another administrator than the usual one.
func (s *site) secondAdmin(t *testing.T) *browser {
	t.Helper()
	if err := s.store.MapRole(t.Context(), noRights, "", dispatch.RoleSystemAdmin); err != nil {
		t.Fatal(err)
	}
	return s.browser(t, noRights)
}

// TestTwoOpenProduction: an integration of production that was stopped is opened by two administrators together.
func TestTwoOpenProduction(t *testing.T) {
	t.Parallel()
	s, nora := newSetup(t)
	tor := s.secondAdmin(t)
	id := s.oppvekst.Integration.ID
	at := setup + "/" + string(id)
	s.run(t, `UPDATE integrations SET environment = 'production' WHERE id = $1`, id)
	stopped := func() bool {
		in, err := registry.In(s.store).Integrations.ByID(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return !in.StoppedAt.IsZero()
	}
	says := func(b *browser, a answer) string { t.Helper(); return flash(b.get(a.location()).page(t)) }
	button := func(b *browser, act string) string {
		t.Helper()
		return b.get("/admin/godkjenning").page(t).Find(`form[action$="/`+act+`"]`).AttrOr("action", "")
	}
	wantWords(t, nora.get(at+"/stopp"), "Stopp integrasjonen", "Kontoen Konto oppvekst bruker den.", "Den kan bare åpnes igjen av to administratorer sammen.")
	nora.post(at+"/stopp", because)
	asks := nora.get(at + "/apne")
	wantWords(t, asks, "Åpne integrasjonen igjen", "Dette må en annen administrator godkjenne.", "Be en annen administrator godkjenne", "Produksjon")
	if got := says(nora, nora.post(at+"/apne", because)); !strings.HasPrefix(got, "Forespørselen venter på en annen administrator.") || !stopped() {
		t.Fatalf("got %q, stopped %v", got, stopped())
	}
	if got := nora.post(at+"/apne", because); got.StatusCode != http.StatusConflict || problems(t, got)["virkning"] == "" {
		t.Errorf("asked twice: got %d", got.StatusCode)
	}
	if page := nora.get(at).page(t); !strings.Contains(page.Find("main").Text(), "ba om å åpne den igjen") || page.Find(`main a[href$="/apne"]`).Length() != 0 {
		t.Error("the integration's page does not tell of the request, or offers to ask again")
	}
	if page := nora.get(delivery).page(t); !strings.Contains(page.Find("main").Text(), "Noen har bedt om å åpne den") || page.Find(`main a[href$="/apne"]`).Length() != 0 {
		t.Error("the page of delivery does not tell of the request, or offers to ask again")
	}
	if again := nora.get(at + "/apne"); again.page(t).Find("main [name=begrunnelse], main button[type=submit]").Length() != 0 || again.page(t).Find(`main a[href="/admin/godkjenning"]`).Length() != 1 {
		t.Error("the form is offered again, or the request is not to be found from there")
	}
	if button(nora, "godkjenn") != "" || button(nora, "trekk") == "" {
		t.Error("who asked is offered to approve it, or not to take it back")
	}
	wantWords(t, tor.get("/admin/godkjenning"), "Ingen meldinger venter på den.", "Kontoen Konto oppvekst bruker den.")
	approve := button(tor, "godkjenn")
	if got := nora.post(approve, fields()); got.StatusCode != http.StatusConflict || !strings.Contains(got.body, "Du har selv bedt om dette.") || !stopped() {
		t.Errorf("who asked approves it: got %d", got.StatusCode)
	}
	if n := tor.get(delivery).page(t).Find(`.nav a[href="/admin/godkjenning"] .count span`).First().Text(); n != "1" {
		t.Errorf("the navigation counts %q", n)
	}
	if n := nora.get(delivery).page(t).Find(`.nav a[href="/admin/godkjenning"] .count`).Length(); n != 0 {
		t.Error("the navigation counts one's own")
	}
	if got := says(tor, tor.post(approve, fields())); got != "Godkjent og utført" || stopped() {
		t.Errorf("got %q, stopped %v", got, stopped())
	}
	if got := tor.post(approve, fields()); got.StatusCode != http.StatusConflict {
		t.Errorf("approved twice: got %d", got.StatusCode)
	}
	wantWords(t, nora.get("/admin/godkjenning"), "Godkjent", "Feil hos leverandøren")
	for action, want := range map[string]int{"act_request.asked": 1, "act_request.approved": 1, "integration.open": 1} {
		if n := countRows(t, s, `SELECT count(*) FROM audit_events WHERE action = '`+action+`' AND details->>'reason' = 'Feil hos leverandøren'`); n != want {
			t.Errorf("%s: %d lines, want %d", action, n, want)
		}
	}

	t.Run("but not another stop than the one asked about", func(t *testing.T) {
		nora.post(at+"/stopp", because)
		if got := nora.post(at+"/apne", because); got.location() != "/admin/godkjenning" {
			t.Fatalf("got %d to %q", got.StatusCode, got.location())
		}
		approve := button(tor, "godkjenn")
		s.run(t, `UPDATE integrations SET stopped_at = stopped_at + interval '1 second' WHERE id = $1`, id)
		if got := tor.post(approve, fields()); got.StatusCode != http.StatusConflict || !stopped() {
			t.Errorf("got %d, stopped %v", got.StatusCode, stopped())
		}
		if got := says(tor, tor.post(strings.TrimSuffix(approve, "godkjenn")+"avvis", fields())); got != "Avvist. Det som var bedt om, blir ikke gjort." || !stopped() {
			t.Errorf("got %q", got)
		}
	})
	t.Run("nor too late", func(t *testing.T) {
		nora.post(at+"/apne", because)
		approve := button(tor, "godkjenn")
		s.later(dispatch.ActRequestLife + time.Minute)
		late := s.browser(t, noRights)
		if got := late.post(approve, fields()); got.StatusCode != http.StatusConflict || !stopped() {
			t.Errorf("got %d, stopped %v", got.StatusCode, stopped())
		}
		wantWords(t, late.get("/admin/godkjenning"), "Falt bort")
		again := s.browser(t, systemAdmin)
		if got := says(again, again.post(at+"/apne", because)); !strings.HasPrefix(got, "Forespørselen venter på en annen") {
			t.Errorf("it cannot be asked again: %q", got)
		}
		if n := countRows(t, s, `SELECT count(*) FROM audit_events WHERE action = 'act_request.expired'`); n != 1 {
			t.Errorf("%d lines tell that it expired", n)
		}
	})
}

// TestWithdrawnAct: who asked takes it back, and nobody else.
func TestWithdrawnAct(t *testing.T) {
	t.Parallel()
	s, nora := newSetup(t)
	tor := s.secondAdmin(t)
	at := setup + "/" + string(s.unused(t, dispatch.IntegrationSMS))
	nora.post(at+"/slett", because)
	withdraw := nora.get("/admin/godkjenning").page(t).Find(`form[action$="/trekk"]`).AttrOr("action", "")
	if got := tor.post(withdraw, fields()); got.StatusCode != http.StatusNotFound {
		t.Errorf("another takes it back: got %d", got.StatusCode)
	}
	if got := flash(nora.get(nora.post(withdraw, fields()).location()).page(t)); got != "Trukket tilbake. Det som var bedt om, blir ikke gjort." {
		t.Errorf("got %q", got)
	}
	if got := nora.get(at).StatusCode; got != http.StatusOK {
		t.Errorf("the integration is answered with %d", got)
	}
}

// TestOnlyAdministrator: who asks is told when nobody else is known who could approve it.
func TestOnlyAdministrator(t *testing.T) {
	t.Parallel()
	s, nora := newSetup(t)
	at := setup + "/" + string(s.unused(t, dispatch.IntegrationSMS))
	const alone = "er du den eneste administratoren"
	wantWords(t, nora.get(at+"/slett"), alone)
	nora.post(at+"/slett", because)
	wantWords(t, nora.get("/admin/godkjenning"), alone)
	if page := nora.get(at).page(t); !strings.Contains(page.Find("main").Text(), "ba om å slette den") || page.Find(`main a[href$="/slett"]`).Length() != 0 {
		t.Error("the integration's page does not tell of the request, or offers to ask again")
	}
	s.browser(t, caseworker)
	wantWords(t, nora.get("/admin/godkjenning"), alone)
	s.secondAdmin(t)
	other := setup + "/" + string(s.unused(t, dispatch.IntegrationSMS))
	for _, path := range []string{"/admin/godkjenning", other + "/slett"} {
		if strings.Contains(nora.get(path).body, alone) {
			t.Errorf("%s: there is another administrator", path)
		}
	}
}

// TestStepUp: what changes rights, retention, delivery and integrations needs a login some minutes old at most.
func TestStepUp(t *testing.T) {
	t.Parallel()
	s, nora := newSetup(t)
	mapping := rights + "/" + s.newMapping(t) + "/fjern"
	request := "/admin/godkjenning/" + s.actRequest(t) + "/godkjenn"
	integration := setup + "/" + string(s.oppvekst.Integration.ID)
	s.later(11 * time.Minute)
	for _, path := range []string{mapping, delivery + "/pause", integration + "/stopp", integration + "/slett", "/admin/kontoer/oppvekst/deaktiver"} {
		if got := nora.get(path); got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(got.location(), s.issuer) {
			t.Errorf("GET %s: got %d to %q, want the login", path, got.StatusCode, got.location())
		}
		if got := nora.post(path, because); got.StatusCode != http.StatusForbidden || !strings.Contains(got.body, "Ingenting er lagret") {
			t.Errorf("POST %s: got %d", path, got.StatusCode)
		}
	}
	for path, form := range map[string]string{rights: "/logg-inn/igjen?retur=%2Fadmin%2Frettigheter", "/admin/oppbevaring": "/logg-inn/igjen?retur=%2Fadmin%2Foppbevaring"} {
		page := nora.get(path).page(t)
		if page.Find("main form").Length() != 0 || page.Find(`main a[href="`+form+`"]`).Length() != 1 {
			t.Errorf("%s: the form is there, or no way to log in", path)
		}
		if got := nora.post(path, whole()); got.StatusCode != http.StatusForbidden {
			t.Errorf("POST %s: got %d", path, got.StatusCode)
		}
	}
	if got := nora.post(request, fields()); got.StatusCode != http.StatusForbidden {
		t.Errorf("approving: got %d", got.StatusCode)
	}
	if n := countRows(t, s, `SELECT count(*) FROM act_requests WHERE state <> 'waiting'`); n != 0 {
		t.Error("it is decided")
	}
	nora.loginAt(nora.get(mapping).location(), systemAdmin)
	if got := nora.get(mapping); got.StatusCode != http.StatusOK {
		t.Errorf("after a login: got %d", got.StatusCode)
	}
}
