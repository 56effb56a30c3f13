package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

const reconciliations = "/admin/avstemming"

// reconciliation is a comparison of the account oppvekst that has ended.
func (s *site) reconciliation(t *testing.T) string {
	t.Helper()
	s.run(t, `UPDATE reconciliations SET done_at = now()`)
	id, err := queue.In(s.store).Reconciliations.Order(t.Context(), s.oppvekst.Account.ID, s.oppvekst.Actor)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestReconciliationPages: an operator has an account compared and sees what was found; the item opens for who has rights on the
// account only.
func TestReconciliationPages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, systemAdmin)
	id := s.accepted(t, caseworker, message("Timen din er klokka ti"))
	if link := b.get(delivery).page(t).Find(`main a[href="` + reconciliations + `"]`).Length(); link != 1 {
		t.Error("the page of delivery does not lead there")
	}
	wantWords(t, b.get(reconciliations), "Konto oppvekst", "Ikke sammenlignet ennå", "Ingen av tjenestene kan liste alt de har for en konto.")

	if row := b.get(reconciliations).page(t).Find("tbody tr").First().Text(); strings.Count(row, "Ikke sammenlignet ennå") != 1 {
		t.Errorf("the row says %q", row)
	}
	at := b.post(reconciliations, fields("konto", "oppvekst")).location()
	if !strings.HasPrefix(at, reconciliations+"/") {
		t.Fatalf("led to %q", at)
	}
	if page := b.get(at).page(t); page.Find("#avstemming[data-live-etter]").Length() != 1 || !strings.Contains(page.Find("main").Text(), "Du kan lukke siden.") {
		t.Error("what goes on is not shown, or not renewed")
	}
	if got := b.post(reconciliations, fields("konto", "oppvekst")); !strings.HasPrefix(flash(b.get(got.location()).page(t)), "Kontoen sammenlignes allerede.") {
		t.Errorf("ordered twice: %q", got.location())
	}
	if n := countRows(t, s, `SELECT count(*) FROM audit_events WHERE action = 'account.compared' AND actor_id IS NOT NULL AND account_id = '`+string(s.oppvekst.Account.ID)+`'`); n != 1 {
		t.Errorf("%d lines of the event log, want 1", n)
	}

	q := queue.In(s.store)
	r, err := q.Reconciliations.Claim(t.Context())
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	if other, err := q.Reconciliations.Claim(t.Context()); other != nil || err != nil {
		t.Fatalf("claimed twice: %v, %v", other, err)
	}
	if err := q.Reconciliations.Gather(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	asking, err := q.Reconciliations.NextQuestions(t.Context(), r, 10)
	if err != nil || len(asking) != 1 || asking[0].Item != id || asking[0].Question != dispatch.QuestionStatus {
		t.Fatalf("asks %+v, %v", asking, err)
	}
	if err := q.Reconciliations.KeepAnswers(t.Context(), r, []queue.Answered{{Asking: asking[0], Verdict: dispatch.VerdictMissing}}); err != nil {
		t.Fatal(err)
	}
	if err := q.Reconciliations.End(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	got := b.get(at)
	wantWords(t, got, "Tjenesten kjenner dem ikke", "Ikke send på nytt før KS har svart.", "Du har ikke rettigheter på kontoen, så du kan ikke åpne utsendingene.", string(id))
	if got.page(t).Find(`main a[href*="/k/"]`).Length() != 0 || strings.Contains(got.body, "klokka ti") {
		t.Error("it opens for who has no rights on the account, or shows content")
	}
	wantWords(t, b.get(reconciliations), "1 avvik")
	for path, want := range map[string]int{reconciliations + "/x": http.StatusNotFound, reconciliations + "/" + string(id): http.StatusNotFound} {
		if got := b.get(path).StatusCode; got != want {
			t.Errorf("%s: got %d, want %d", path, got, want)
		}
	}
	if got := b.post(reconciliations, fields("konto", "finnes-ikke")).StatusCode; got != http.StatusNotFound {
		t.Errorf("an account that is not there: got %d", got)
	}
	s.run(t, `UPDATE reconciliations SET done_at = NULL, lease_until = NULL`)
	if err := q.Reconciliations.KeepAnswers(t.Context(), r, nil); err != nil {
		t.Errorf("who holds it cannot keep answers: %v", err)
	}
	if _, err := q.Reconciliations.Claim(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.run(t, `UPDATE reconciliations SET attempt = attempt + 1`)
	if err := q.Reconciliations.KeepAnswers(t.Context(), r, nil); err == nil {
		t.Error("who lost the lease keeps answers")
	}
}
