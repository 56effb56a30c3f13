package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// TestHealthFollowsDelivery: waiting and refused items, with their times, are on both pages, for people who may see
// them.
func TestHealthFollowsDelivery(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin, person := s.browser(t, systemAdmin), s.browser(t, caseworker)
	status := func() string {
		return strings.TrimSpace(person.get("/driftsstatus").page(t).Find("tr:contains('Oppvekst') .ds-tag").First().Text())
	}
	if got := status(); got != "Ikke prøvd" {
		t.Errorf("before anything was sent: got %q", got)
	}
	s.delivered(t, caseworker, message("Hei der"), dispatch.Result{Outcome: dispatch.OutcomeAccepted, UpstreamID: "7c1f0000-0000-4000-8000-000000000001"})
	if got := status(); got != "Virker" {
		t.Errorf("after a delivery: got %q", got)
	}
	id := s.delivered(t, caseworker, message("Hei der"), dispatch.Result{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeIntegration, Reason: dispatch.Reason{Key: "reason.unauthorized"}})
	s.run(t, `UPDATE items SET due_at = now() - interval '20 minutes', due_since = now() - interval '20 minutes' WHERE id = $1`, id)
	if got := status(); got != "Venter" {
		t.Errorf("while the service refuses us: got %q", got)
	}
	row := admin.get("/admin/tilstand").page(t).Find("tr:contains('" + s.oppvekst.Integration.Name + "')").First().Text()
	for _, want := range []string{"Avvist av tjenesten", "1 i kø", "Den eldste skulle gått"} {
		if !strings.Contains(row, want) {
			t.Errorf("the administrator's row lacks %q: %q", want, row)
		}
	}
	s.run(t, `UPDATE integrations SET refused_at = NULL, refused_key = ''`)
	if got := status(); got != "Går sakte" {
		t.Errorf("with an old item in the queue: got %q", got)
	}
	for _, path := range []string{"/admin/tilstand", "/admin/levering"} { // one judgement for all
		if got := strings.TrimSpace(admin.get(path).page(t).Find("tr:contains('" + s.oppvekst.Integration.Name + "') .ds-tag").First().Text()); got != "Går sakte" {
			t.Errorf("%s says %q", path, got)
		}
	}
}

// TestStatusWhilePaused: while all delivery is paused no channel says that anything goes out; what must be mended besides is told.
func TestStatusWhilePaused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin, person := s.browser(t, systemAdmin), s.browser(t, caseworker)
	if _, err := queue.In(s.store).Guards.Check(t.Context(), queue.Witness{}); err != nil { // delivery has run on this database
		t.Fatal(err)
	}
	s.delivered(t, caseworker, message("Hei der"), dispatch.Result{Outcome: dispatch.OutcomeAccepted, UpstreamID: "7c1f0000-0000-4000-8000-000000000001"})
	row := func() string {
		return strings.Join(strings.Fields(person.get("/driftsstatus").page(t).Find("tr:contains('Oppvekst')").First().Text()), " ")
	}
	admin.post(delivery+"/pause", because)
	if got := row(); !strings.Contains(got, "Satt på pause") || !strings.Contains(got, "ligger i kø") || strings.Contains(got, "Virker") {
		t.Errorf("while it is paused the row says %q", got)
	}
	s.run(t, `UPDATE integrations SET stopped_at = now()`)
	if got := row(); !strings.Contains(got, "Stoppet") {
		t.Errorf("stopped besides: the row says %q", got)
	}
	s.run(t, `UPDATE integrations SET stopped_at = NULL`)
	admin.post(delivery+"/start", because)
	if got := row(); !strings.Contains(got, "Virker") {
		t.Errorf("started again: the row says %q", got)
	}
}

// TestHealthTellsEachFence: each confinement of the PDF reader is listed; none is active without its program.
func TestHealthTellsEachFence(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	main := s.browser(t, systemAdmin).get("/admin/tilstand").page(t).Find("main").Text()
	for _, want := range []string{"PDF-kontrollen er avskåret fra systemkall", "PDF-kontrollen er avskåret fra filer (Landlock)", "PDF-kontrollen har et eget nettverk"} {
		if !strings.Contains(main, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestArticles: anybody may read them, and whom to ask is the configuration's. Only staff is sent to an administrator.
func TestArticles(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for path, ask := range map[string]string{
		"/hjelp": "Spør en administrator", "/personvern": "Spør kommunens personvernombud", "/tilgjengelighet": "si fra til kommunen",
	} {
		for _, b := range []*browser{s.browser(t, nobody), s.browser(t, caseworker)} {
			got := b.get(path)
			text := got.page(t).Find("main").Text()
			if got.StatusCode != http.StatusOK || got.page(t).Find("h2").Length() < 4 || !strings.Contains(text, ask) {
				t.Errorf("%s: got %d and %q", path, got.StatusCode, text)
			}
			if path != "/hjelp" && strings.Contains(text, "administrator.") {
				t.Errorf("%s sends citizens to an administrator: %q", path, text)
			}
		}
	}
}

// TestPrivacyNoticeTellsTheRetentionInForce, to anybody.
func TestPrivacyNoticeTellsTheRetentionInForce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.browser(t, systemAdmin)
	b := s.browser(t, nobody)
	wantWords(t, b.get("/personvern"), "Fjordvik kommune er behandlingsansvarlig", "innholdet i meldinger og brev: 90 dager", "hvem som har gjort hva: 1 095 dager")
	s.run(t, `INSERT INTO retention (keeping, days, changed_by) SELECT 'content', 42, id FROM users LIMIT 1`)
	wantWords(t, b.get("/personvern"), "innholdet i meldinger og brev: 42 dager")
}
