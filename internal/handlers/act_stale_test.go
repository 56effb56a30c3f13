package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

const (
	requestsPage  = "/admin/godkjenning"
	retentionPage = "/admin/oppbevaring"
)

// times is the form of retention as it stands, with some times changed.
func times(t *testing.T, b *browser, changed ...string) url.Values {
	t.Helper()
	form := fields("drafts", "30", "content", "90", "identity", "365", "rows", "1095", "log", "1095")
	form.Set("versjon", b.get(retentionPage).page(t).Find("[name=versjon]").AttrOr("value", ""))
	for i, k := range dispatch.Keepings() {
		form.Set(string(k), strings.Fields(form.Get("versjon"))[i])
	}
	for i := 0; i < len(changed); i += 2 {
		form.Set(changed[i], changed[i+1])
	}
	return form
}

// askTimes saves times of which some are shorter, and asks another administrator about these.
func askTimes(t *testing.T, b *browser, form url.Values) answer {
	t.Helper()
	again := heldForm(b.post(retentionPage, form).page(t))
	again.Set("begrunnelse", "Vedtak i ledergruppen")
	got := b.post(retentionPage, again)
	if got.location() != requestsPage {
		t.Fatalf("asked: got %d to %q", got.StatusCode, got.location())
	}
	return got
}

// offers tells to which decisions the page of requests has a button.
func offers(t *testing.T, b *browser) (approve, refuse, withdraw string) {
	t.Helper()
	page := b.get(requestsPage).page(t)
	at := func(act string) string { return page.Find(`form[action$="/`+act+`"]`).AttrOr("action", "") }
	return at("godkjenn"), at("avvis"), at("trekk")
}

func (s *site) kept(t *testing.T) string {
	t.Helper()
	r, err := registry.In(s.store).Retention.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r.String()
}

// TestStaleRetention: a request for shorter times cannot be approved once one of these times was changed, and says so.
func TestStaleRetention(t *testing.T) {
	t.Parallel()
	s, nora := newSetup(t)
	tor := s.secondAdmin(t)
	askTimes(t, nora, times(t, nora, "content", "30"))

	tor.post(retentionPage, times(t, tor, "drafts", "40")) // another time
	approve, _, _ := offers(t, tor)
	if approve == "" {
		t.Fatal("it cannot be approved, although its time is as it was")
	}
	tor.post(retentionPage, times(t, tor, "content", "120"))
	wantWords(t, tor.get(requestsPage), "Kan ikke lenger godkjennes", "Innhold og filer: fra 90 til 30 dager. Nå gjelder 120 dager.")
	wantWords(t, tor.get(retentionPage), "Det er bedt om kortere tider, men de kan ikke lenger godkjennes")
	if got, refuse, _ := offers(t, tor); got != "" || refuse == "" {
		t.Errorf("another is offered to approve it at %q, to refuse it at %q", got, refuse)
	}
	if _, _, withdraw := offers(t, nora); withdraw == "" {
		t.Error("who asked cannot withdraw it")
	}
	if got := tor.post(approve, fields()); got.StatusCode != http.StatusConflict || s.kept(t) != "40 120 365 1095 1095" {
		t.Errorf("approved after all: got %d, kept %s", got.StatusCode, s.kept(t))
	}

	askTimes(t, nora, times(t, nora, "content", "60")) // in the place of the one that cannot be approved
	if n := countRows(t, s, `SELECT count(*) FROM audit_events WHERE action = 'act_request.replaced'`); n != 1 {
		t.Errorf("%d lines tell that it was replaced", n)
	}
	tor.post(retentionPage, times(t, tor, "drafts", "50"))
	approve, _, _ = offers(t, tor)
	tor.post(approve, fields())
	if got := s.kept(t); got != "50 60 365 1095 1095" {
		t.Errorf("another time was changed meanwhile: kept %s", got)
	}
}

// TestLongerAtOnce: of times saved together, the longer ones hold at once, and only the shorter ones wait for another administrator.
func TestLongerAtOnce(t *testing.T) {
	t.Parallel()
	s, nora := newSetup(t)
	tor := s.secondAdmin(t)
	form := times(t, nora, "drafts", "45", "content", "30")
	try := times(t, nora, "drafts", "45", "content", "30", "vis", "true")
	for _, shown := range []answer{nora.post(retentionPage, try), nora.post(retentionPage, form)} {
		wantWords(t, shown, "Utkast: fra 30 til 45 dager. Lagres med en gang, uten godkjenning.", "Innhold og filer: fra 90 til 30 dager. Ved første sletting etter godkjenning: 0.")
	}
	if got := s.kept(t); got != "30 90 365 1095 1095" {
		t.Errorf("kept %s before it is asked for", got)
	}
	got := flash(nora.get(askTimes(t, nora, form).location()).page(t))
	if got != "De lengre tidene er lagret. De kortere venter på en annen administrator." || s.kept(t) != "45 90 365 1095 1095" {
		t.Errorf("asked: got %q, kept %s", got, s.kept(t))
	}
	if text := tor.get(requestsPage).page(t).Find("main").Text(); strings.Contains(text, "Utkast") || !strings.Contains(text, "Innhold og filer: fra 90 til 30 dager") {
		t.Errorf("the other administrator reads %q", text)
	}

	again := nora.post(retentionPage, times(t, nora, "drafts", "60", "content", "30"))
	if again.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(problems(t, again)["content"], "Noen har allerede bedt om kortere tider.") {
		t.Errorf("asked twice: got %d, %v", again.StatusCode, problems(t, again))
	}
	if typed := again.page(t).Find("[name=drafts]").AttrOr("value", ""); typed != "60" || s.kept(t) != "45 90 365 1095 1095" {
		t.Errorf("asked twice: the form has %q, kept %s", typed, s.kept(t))
	}
	if got := nora.post(retentionPage, times(t, nora, "drafts", "60")); got.StatusCode != http.StatusSeeOther || s.kept(t) != "60 90 365 1095 1095" {
		t.Errorf("only longer: got %d, kept %s", got.StatusCode, s.kept(t))
	}
	approve, _, _ := offers(t, tor)
	tor.post(approve, fields())
	if got := s.kept(t); got != "60 30 365 1095 1095" {
		t.Errorf("approved: kept %s", got)
	}
	var request string
	s.one(t, &request, `SELECT object_id FROM audit_events WHERE action = 'act_request.asked'`)
	log := nora.get("/admin/logg?id=" + request).page(t).Find("tbody").Text()
	for _, want := range []string{"Utkast: fra 30 til 45 dager", "Foreslått: Innhold og filer: fra 90 til 30 dager"} {
		if !strings.Contains(log, want) {
			t.Errorf("everything about the request has no %q: %s", want, log)
		}
	}
	for _, not := range []string{"Utkast: fra 45", "Før:", "Etter:", "Foreslått: Utkast"} {
		if strings.Contains(log, not) {
			t.Errorf("everything about the request has %q: %s", not, log)
		}
	}
	for action, want := range map[string]int{"act_request.asked": 1, "retention.save": 3} {
		if n := countRows(t, s, `SELECT count(*) FROM audit_events WHERE action = '`+action+`'`); n != want {
			t.Errorf("%s: %d lines, want %d", action, n, want)
		}
	}
}

// TestStaleIntegration: nor can an integration be opened that was stopped anew, or deleted that is in use.
func TestStaleIntegration(t *testing.T) {
	t.Parallel()
	s, nora := newSetup(t)
	tor := s.secondAdmin(t)
	id := s.oppvekst.Integration.ID
	at := setup + "/" + string(id)
	s.run(t, `UPDATE integrations SET environment = 'production' WHERE id = $1`, id)
	nora.post(at+"/stopp", because)
	nora.post(at+"/apne", because)
	if approve, _, _ := offers(t, tor); approve == "" {
		t.Fatal("it cannot be approved")
	}
	s.run(t, `UPDATE integrations SET stopped_at = stopped_at + interval '1 second' WHERE id = $1`, id)
	wantWords(t, tor.get(requestsPage), "Kan ikke lenger godkjennes", "Integrasjonen er åpnet eller stoppet på nytt")
	if approve, refuse, _ := offers(t, tor); approve != "" || refuse == "" {
		t.Errorf("stopped anew: approve at %q, refuse at %q", approve, refuse)
	}
	if got := tor.post(at+"/apne", because); got.location() != requestsPage {
		t.Fatalf("asking again: got %d to %q", got.StatusCode, got.location())
	}
	if approve, _, withdraw := offers(t, tor); approve != "" || withdraw == "" {
		t.Errorf("the new request is not in the place of the old one: approve at %q, withdraw at %q", approve, withdraw)
	}
	if n := countRows(t, s, `SELECT count(*) FROM audit_events WHERE action = 'act_request.replaced'`); n != 1 {
		t.Errorf("%d lines tell that it was replaced", n)
	}
	approve, _, _ := offers(t, nora)
	nora.post(approve, fields())
	if in, err := registry.In(s.store).Integrations.ByID(t.Context(), id); err != nil || !in.StoppedAt.IsZero() {
		t.Errorf("not opened: %v", err)
	}

	request := s.actRequest(t)
	if approve, _, _ := offers(t, tor); !strings.Contains(approve, request) {
		t.Fatal("the deletion cannot be approved")
	}
	wantWords(t, tor.get(requestsPage), "Oppsettet og innloggingen hos tjenesten slettes for godt.", "Ingen konto bruker den.")
	s.run(t, `UPDATE accounts SET sms_integration_id = (SELECT object_id FROM act_requests WHERE id = $2) WHERE id = $1`, s.oppvekst.Account.ID, request)
	wantWords(t, tor.get(requestsPage), "Integrasjonen kan ikke slettes, for kontoer bruker den.")
	if approve, refuse, _ := offers(t, tor); approve != "" || refuse == "" {
		t.Errorf("in use: approve at %q, refuse at %q", approve, refuse)
	}
}

// TestRetentionAsItWas: saving the same times says that nothing was changed.
func TestRetentionAsItWas(t *testing.T) {
	t.Parallel()
	_, b := newSetup(t)
	if got := b.post(retentionPage, times(t, b)); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	wantWords(t, b.get(retentionPage), "Tidene er som før. Ingenting er endret.")
}
