package handlers_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/store/lists"
	"utsending/internal/store/storetest"
)

// emptyExport is a finished, empty export.
func (s *site) emptyExport(t *testing.T, who string) string {
	t.Helper()
	sample := s.as(t, who)
	id, err := lists.In(s.store).Exports.Order(t.Context(), lists.ExportOrder{Account: sample.Account.ID, By: sample.Actor, Format: dispatch.FormatCSV})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(nil)
	s.run(t, `UPDATE exports SET done_at = now(), sha256 = $2 WHERE id = $1`, id, hex.EncodeToString(sum[:]))
	return id
}

// auditDetails returns the details of the event log's lines of a kind.
func (s *site) auditDetails(t *testing.T, action string) (details string) {
	t.Helper()
	err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT string_agg(details::text, ' ') FROM audit_events WHERE action = $1`, action).Scan(&details)
	if err != nil {
		t.Fatal(err)
	}
	return details
}

// TestExports: the page tells beforehand what a file will contain; the event log names the filters, but no search
// words.
func TestExports(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for range 3 {
		s.queued(t, caseworker, message("Hei"))
	}
	s.acceptedShipment(t)
	page := b.get("/k/oppvekst/utsendinger?kanal=sms&gruppe=behandling").page(t)
	ask := page.Find(`main a[href^="/k/oppvekst/eksport"]`).AttrOr("href", "")
	asked := b.get(ask).page(t)
	if got := asked.Find("#rader").Text(); got != "3 rader nå." {
		t.Errorf("got %q", got)
	}
	if got := asked.Find("main").Text(); !strings.Contains(got, "Under behandling") || !strings.Contains(got, "Tidspunkt") {
		t.Error("what is chosen, or the columns, are not told")
	}
	got := b.post(asked.Find("main form").AttrOr("action", ""), fields("format", "csv"))
	if got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(got.location(), "/k/oppvekst/eksport/") {
		t.Fatalf("got %d to %q", got.StatusCode, got.location())
	}
	waits := b.get(got.location())
	if part := waits.page(t).Find("#eksport"); part.AttrOr("data-live-etter", "") == "" || part.Find("a.no-js").Length() != 1 {
		t.Error("the page does not refresh itself, or cannot without script")
	}
	if got := b.get(got.location() + "/fil"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a file that is not ready: got %d", got.StatusCode)
	}
	found := s.searchOf(t, caseworker, dispatch.Search{Words: "Nordmann"})
	if got := b.post("/k/oppvekst/eksport?sok="+found, fields("format", "noe")); got.StatusCode != http.StatusSeeOther {
		t.Errorf("a search: got %d", got.StatusCode)
	}
	if got := s.browser(t, teamLead).post("/k/oppvekst/eksport?sok="+found, fields()); got.StatusCode != http.StatusNotFound {
		t.Errorf("somebody else's search: got %d", got.StatusCode)
	}
	t.Run("the event log", func(t *testing.T) {
		if n := s.audits(t, "list.export"); n != 2 {
			t.Errorf("%d lines, want 2", n)
		}
		log := s.auditDetails(t, "list.export")
		if !strings.Contains(log, `"gruppe", "kanal"`) || !strings.Contains(log, `"search": true`) || strings.Contains(log, "ordmann") {
			t.Errorf("got %s", log)
		}
	})
	t.Run("nobody waits for many", func(t *testing.T) {
		b.post("/k/oppvekst/eksport", fields())
		got := b.post("/k/oppvekst/eksport", fields())
		if !strings.Contains(b.get(got.location()).body, "Du venter på flere filer alt") {
			t.Errorf("a fourth was taken: %q", got.location())
		}
	})
}
