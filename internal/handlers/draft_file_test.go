package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/store/storetest"
)

// TestDraftFile: a PDF of one's own draft comes whole, is kept nowhere, runs nothing, and each read is logged.
func TestDraftFile(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id, document := s.listDraft(t, caseworker, "Vedtak")
	address := "/k/oppvekst/utkast/" + string(id) + "/dokumenter/" + string(document)
	if got := b.do(http.MethodHead, address, "", ""); got.StatusCode != http.StatusOK || s.reads(t, string(id)) != 0 {
		t.Errorf("HEAD: got %d and %d reads in the log, want 200 and none", got.StatusCode, s.reads(t, string(id)))
	}
	got := b.get(address, "Accept-Encoding", "gzip")
	if got.StatusCode != http.StatusOK || got.body != "%PDF-1.7" {
		t.Errorf("got %d %q, want the file as it was stored", got.StatusCode, got.body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/pdf", "Content-Length": "8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "sandbox", "Content-Disposition": "attachment", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if !strings.Contains(got.Header.Get(name), want) {
			t.Errorf("%s: got %q, want %q", name, got.Header.Get(name), want)
		}
	}
	if n := s.reads(t, string(id)); n != 1 {
		t.Errorf("the event log has %d reads, want one", n)
	}
}

// TestForeignDraftFile: what is not a PDF of one's own draft is not there, and no read is logged.
func TestForeignDraftFile(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	own, document := s.listDraft(t, caseworker, "Vedtak")
	other, _ := s.listDraft(t, caseworker, "Et annet vedtak")
	_, foreign := s.listDraft(t, outsider, "Hemmelig")
	sent := s.shipment(t, caseworker, "Sendt")
	files, err := s.store.Documents(t.Context(), s.oppvekst.Account.ID, sent)
	if err != nil || len(files) != 1 {
		t.Fatalf("got %d files, %v", len(files), err)
	}
	for _, test := range []struct{ name, who, account, id, document string }{
		{"a colleague's draft", teamLead, "oppvekst", string(own), string(document)},
		{"by another account's caseworker", outsider, "oppvekst", string(own), string(document)},
		{"through another account", outsider, "helse", string(own), string(document)},
		{"a file of another draft", caseworker, "oppvekst", string(other), string(document)},
		{"a file of another account", caseworker, "oppvekst", string(own), string(foreign)},
		{"a file that is not there", caseworker, "oppvekst", string(own), uuid.NewString()},
		{"an id that is none", caseworker, "oppvekst", string(own), "%00"},
		{"a shipment that is sent", caseworker, "oppvekst", string(sent), string(files[0].ID)},
	} {
		for _, page := range []string{"", "/sider/1"} {
			got := s.browser(t, test.who).get("/k/" + test.account + "/utkast/" + test.id + "/dokumenter/" + test.document + page)
			if got.StatusCode != http.StatusNotFound || strings.Contains(got.body, "%PDF") {
				t.Errorf("%s%s: got %d, want 404", test.name, page, got.StatusCode)
			}
		}
	}
	if n := s.reads(t, string(own)); n != 0 {
		t.Errorf("the event log has %d reads of it, want none", n)
	}
}

// reads counts the reads of an item's files in the event log.
func (s *site) reads(t *testing.T, id string) int {
	t.Helper()
	var n int
	err := storetest.DB(t, s.database).QueryRowContext(t.Context(), `SELECT count(*) FROM audit_events WHERE action = 'document.read' AND object_id = $1`, id).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
