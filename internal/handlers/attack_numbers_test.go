package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// The limits on the pages.
const (
	numbersPerHour = 30
	searchesKept   = 100
)

// searches are the event log's lines about searches, newest first.
func (s *site) searches(t *testing.T) []store.AuditLine {
	t.Helper()
	lines, _, err := registry.In(s.store).Audit.List(t.Context(), dispatch.AuditScope{All: true}, dispatch.AuditFilter{Group: dispatch.AuditSearch}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// candidate is a number that matches a masked one.
func candidate(n int) string { return fmt.Sprintf("178384%05d", n) }

// validCandidates are the first candidates whose check digits fit: a report refuses any other.
func validCandidates(n int) (numbers []string) {
	for i := 0; len(numbers) < n; i++ {
		if id := candidate(i); dispatch.NationalID(id).CheckDigitsFit() {
			numbers = append(numbers, id)
		}
	}
	return numbers
}

// TestSearchIsNoOracle: trying all numbers behind a masked one is stopped, and reported to the team lead.
func TestSearchIsNoOracle(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	sought := validCandidates(numbersPerHour)[numbersPerHour-1] // beyond those that are tried
	sent := s.queued(t, teamLead, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: dispatch.NationalID(sought)}, Text: "Hei"})
	b := s.browser(t, caseworker)
	if got := b.post("/k/oppvekst/sok-person", fields("q", sought)); got.StatusCode != http.StatusSeeOther || len(rows(b.get(got.location()).page(t))) != 1 {
		t.Fatalf("got %d for the number itself", got.StatusCode)
	}
	details := s.searches(t)[0].Details
	if got := fmt.Sprint(details["found"]); got != "["+string(sent)+"]" {
		t.Errorf("the log says that %s was found, want %s", got, sent)
	}
	if got := fmt.Sprint(details); strings.Contains(got, sought) {
		t.Errorf("the log has the number: %s", got)
	}
	for n := 1; n < numbersPerHour; n++ {
		address := []string{"/k/oppvekst/sok-person", "/k/oppvekst/sok"}[n%2]
		if got := b.post(address, fields("q", candidate(n))).StatusCode; got != http.StatusSeeOther {
			t.Fatalf("number %d: got %d", n, got)
		}
	}
	before := len(s.searches(t))
	for _, address := range []string{"/k/oppvekst/sok-person", "/k/oppvekst/sok", "/k/oppvekst/sok?gruppe=stoppet"} {
		for _, number := range []string{candidate(4711), "+4790000118"} {
			got := b.post(address, fields("q", number, "begrunnelse", "Jeg er ikke leder"))
			if got.StatusCode != http.StatusTooManyRequests || !strings.Contains(problems(t, got)["q"], "30 ulike") {
				t.Errorf("%s: got %d: %q", address, got.StatusCode, problems(t, got))
			}
		}
	}
	if got := len(s.searches(t)); got != before {
		t.Errorf("%d searches were made beyond the bound", got-before)
	}
	if got := b.post("/k/oppvekst/sok-person", fields("q", candidate(7))).StatusCode; got != http.StatusSeeOther {
		t.Errorf("got %d for a number that was searched for before", got)
	}
	if got := b.post("/k/oppvekst/sok", fields("q", "nordmann")).StatusCode; got != http.StatusSeeOther {
		t.Errorf("got %d for words", got)
	}
	t.Run("the team lead is told", func(t *testing.T) {
		page := s.browser(t, teamLead).get("/k/oppvekst/ledelse").page(t)
		if got := squeezed(page.Find("#nummersok-tabell")); !strings.Contains(got, names[caseworker]) || !strings.Contains(got, "30") {
			t.Errorf("the page says %q", got)
		}
	})
	t.Run("a report on a person tells of the search", func(t *testing.T) {
		page := s.browser(t, systemAdmin).post("/admin/innsyn", fields("q", sought, "formal", "Innsynskrav")).page(t)
		if got := squeezed(page.Find("main")); !strings.Contains(got, "Søk etter nummeret og tidligere rapporter (1)") || !strings.Contains(got, names[caseworker]) {
			t.Errorf("the report says %q", got)
		}
	})
}

// TestLeadSearchesOnWithAReason: a person who may open everything can continue with a reason.
func TestLeadSearchesOnWithAReason(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, teamLead)
	for n := range numbersPerHour {
		b.post("/k/oppvekst/sok", fields("q", candidate(n)))
	}
	got := b.post("/k/oppvekst/sok", fields("q", candidate(100)))
	if field := got.page(t).Find("input[name=begrunnelse]"); got.StatusCode != http.StatusTooManyRequests || field.Length() != 1 {
		t.Fatalf("got %d, and %d fields for a reason", got.StatusCode, field.Length())
	}
	if got := b.post("/k/oppvekst/sok", fields("q", candidate(100), "begrunnelse", "ja")); got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)["begrunnelse"] == "" {
		t.Errorf("a short reason: got %d", got.StatusCode)
	}
	if got := b.post("/k/oppvekst/sok", fields("q", candidate(100), "begrunnelse", "Gjennomgang av klage")); got.StatusCode != http.StatusSeeOther {
		t.Errorf("got %d with a reason", got.StatusCode)
	}
	if got := s.searches(t)[0].Details["reason"]; got != "Gjennomgang av klage" {
		t.Errorf("the log has the reason %v", got)
	}
}

// TestReportIsNoOracle: reports on a person count as searches.
func TestReportIsNoOracle(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, auditor)
	numbers := validCandidates(numbersPerHour + 1)
	ask := func(n int) answer { return b.post("/admin/innsyn", fields("q", numbers[n], "formal", "Innsynskrav")) }
	for n := range numbersPerHour {
		if got := ask(n).StatusCode; got != http.StatusOK {
			t.Fatalf("report %d: got %d", n, got)
		}
	}
	if got := ask(numbersPerHour); got.StatusCode != http.StatusTooManyRequests || got.page(t).Find("#rapport").Length() > 0 {
		t.Errorf("got %d beyond the bound", got.StatusCode)
	}
	if got := ask(3).StatusCode; got != http.StatusOK {
		t.Errorf("got %d for a number that was asked about before", got)
	}
}

// TestKeptSearchesAreBounded: only each person's newest searches are stored.
func TestKeptSearchesAreBounded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	first := b.post("/k/oppvekst/sok", fields("q", "ola")).location()
	other := s.searchOf(t, teamLead, dispatch.Search{Words: "ola"})
	for range searchesKept {
		b.post("/k/oppvekst/sok", fields("q", "ola "+uuid.NewString()[:4]))
	}
	if got := b.get(first).StatusCode; got != http.StatusNotFound {
		t.Errorf("got %d for the oldest search, want 404", got)
	}
	if got := s.browser(t, teamLead).get("/k/oppvekst/sok/" + other).StatusCode; got != http.StatusOK {
		t.Errorf("got %d for a colleague's", got)
	}
}

// TestSameJobIsNoOracle: guessing short lists does not reveal the recipients of a colleague's job.
func TestSameJobIsNoOracle(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	asked := func(list string) bool {
		own, colleague := s.browser(t, caseworker), s.browser(t, teamLead)
		var drafts []string
		for _, b := range []*browser{own, colleague} {
			d := newList(t, b, "liste", list)
			b.post(d+"/endre", fields("tekst", "Hei alle", "mate", "traceable"))
			drafts = append(drafts, d)
		}
		own.send(drafts[0])
		return strings.Contains(colleague.get(drafts[1]+"/kontroll").body, `name="likevel"`)
	}
	if asked("90000101") {
		t.Error("a list of one recipient tells that a colleague has sent to them")
	}
	if !asked("90000101\n90000102\n90000103\n90000104\n90000105") {
		t.Error("nobody is told that a colleague has sent to the same list")
	}
}
