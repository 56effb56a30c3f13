package handlers_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// unpacked are the files of an archive package by their path.
func unpacked(t *testing.T, a answer) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader([]byte(a.body)), int64(len(a.body)))
	if err != nil {
		t.Fatalf("got %d, no zip: %v", a.StatusCode, err)
	}
	files := map[string]string{}
	for _, f := range r.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(plain)
	}
	return files
}

// wantSums compares the checksums of a package with its files.
func wantSums(t *testing.T, files map[string]string) {
	t.Helper()
	lines := strings.FieldsFunc(files["SHA256SUMS"], func(r rune) bool { return r == '\n' })
	if len(lines) != len(files)-2 {
		t.Errorf("%d checksums of %d files", len(lines), len(files)-2)
	}
	for _, line := range lines {
		want, path, _ := strings.Cut(line, "  ")
		if sum := sha256.Sum256([]byte(files[path])); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s has another checksum", path)
		}
	}
}

// TestArchivePackage: an item's files with metadata, timeline, proof and checksums, to who may open it, with a line in the event log.
func TestArchivePackage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.acceptedShipment(t)
	sms := s.queued(t, caseworker, message("Møt kl. ti"))
	purged := s.queued(t, caseworker, message("Borte"))
	s.run(t, `UPDATE sms SET text = NULL, recipient = NULL WHERE item_id = $1`, purged)
	number := strings.ReplaceAll(shipmentForm("Vedtak").Number, " ", "")
	has := func(t *testing.T, files map[string]string, words ...string) {
		t.Helper()
		wantSums(t, files)
		all := ""
		for _, content := range files {
			all += content
		}
		for _, w := range words {
			if !strings.Contains(all, w) {
				t.Errorf("the package lacks %q", w)
			}
		}
		if strings.Contains(all, number) || strings.Contains(all, "90000123") {
			t.Error("the package has a whole number")
		}
	}
	b := s.browser(t, caseworker)
	t.Run("of a letter", func(t *testing.T) {
		files := unpacked(t, b.post("/k/oppvekst/forsendelser/"+string(id)+"/arkivpakke", fields()))
		has(t, files, "%PDF-1.7", "Vedtak", "Lagt i kø for sending", "Dokumentasjon på sending")
		if n := s.audits(t, "item.packed"); n != 1 {
			t.Errorf("the event log has %d lines, want one", n)
		}
	})
	t.Run("of an SMS", func(t *testing.T) {
		has(t, unpacked(t, b.post("/k/oppvekst/sms/"+string(sms)+"/arkivpakke", fields())), "Møt kl. ti")
	})
	t.Run("of what has been purged", func(t *testing.T) {
		has(t, unpacked(t, b.post("/k/oppvekst/sms/"+string(purged)+"/arkivpakke", fields())), "Innholdet er slettet fordi oppbevaringstiden er ute.")
	})
	lead := s.browser(t, teamLead)
	t.Run("of a colleague's, with a reason only", func(t *testing.T) {
		address := "/k/oppvekst/sms/" + string(sms) + "/arkivpakke"
		if got := lead.post(address, fields("begrunnelse", "")); got.StatusCode != http.StatusUnprocessableEntity || strings.Contains(got.body, "Møt kl. ti") {
			t.Errorf("got %d without a reason", got.StatusCode)
		}
		has(t, unpacked(t, lead.post(address, fields("begrunnelse", "Skal arkiveres"))), "Møt kl. ti")
	})
	t.Run("of a day", func(t *testing.T) {
		today := time.Now().In(dispatch.Oslo).Format("02.01.2006")
		items := func(b *browser, reason string) int {
			t.Helper()
			files := unpacked(t, b.post("/k/oppvekst/arkiv", fields("dag", today, "begrunnelse", reason)))
			wantSums(t, files)
			var m struct{ Items []struct{ ID string } }
			if err := json.Unmarshal([]byte(files["manifest.json"]), &m); err != nil {
				t.Fatal(err)
			}
			return len(m.Items)
		}
		if n := items(b, ""); n != 3 {
			t.Errorf("one's own day has %d items, want 3", n)
		}
		if n := items(lead, ""); n != 0 {
			t.Errorf("without a reason the lead's has %d items", n)
		}
		if n := items(lead, "Skal arkiveres"); n != 3 {
			t.Errorf("with a reason the lead's has %d items, want 3", n)
		}
	})
}

// TestArchivedInACase: who noted it and where, taken back, and the letters that are left.
func TestArchivedInACase(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	address := "/k/oppvekst/forsendelser/" + string(s.acceptedShipment(t))
	left := func() int {
		return b.get("/k/oppvekst/forsendelser?arkivert=nei").page(t).Find("tbody tr").Length()
	}
	if n := left(); n != 1 {
		t.Fatalf("%d letters are not archived, want 1", n)
	}
	if got := b.post(address+"/arkivert", fields("sak", "")); got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("without a case: got %d", got.StatusCode)
	}
	b.post(address+"/arkivert", fields("sak", "2026/1234"))
	wantWords(t, b.get(address), "Arkivert i sak 2026/1234 av Kari Nordmann", "Notert som arkivert")
	if n := left(); n != 0 {
		t.Errorf("%d letters are not archived, want none", n)
	}
	b.post(address+"/arkivert", fields("angre", "1"))
	if n := left(); n != 1 {
		t.Errorf("%d letters are not archived after it was taken back, want 1", n)
	}
	for _, action := range []string{"item.archived", "item.unarchived"} {
		if n := s.audits(t, action); n != 1 {
			t.Errorf("%s: %d lines in the event log", action, n)
		}
	}
}
