package handlers_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
)

// TestProofOfShipment: files with checksums, a masked recipient, all events, and a line in the event log.
func TestProofOfShipment(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.acceptedShipment(t)
	b := s.browser(t, auditor)
	if b.get("/k/oppvekst/forsendelser/"+string(id)).page(t).Find(`a[href$="/dokumentasjon"]`).Length() != 1 {
		t.Error("its page does not lead to the proof")
	}
	got := b.get("/k/oppvekst/forsendelser/" + string(id) + "/dokumentasjon")
	sum := sha256.Sum256([]byte("%PDF-1.7"))
	wantWords(t, got, "Dokumentasjon på sending", "Vedtak", "brev.pdf", hex.EncodeToString(sum[:]), "Hele forløpet", "Lagt i kø for sending", names[auditor])
	if got.page(t).Find(".js-only button[type=button][data-skriv-ut]").Length() != 1 {
		t.Error("there is no button that prints, or it stands there without a script")
	}
	if number := shipmentForm("Vedtak").Number; strings.Contains(got.body, strings.ReplaceAll(number, " ", "")) {
		t.Error("the whole number is shown")
	}
	if n := s.audits(t, "item.proof"); n != 1 {
		t.Errorf("the event log has %d lines, want one", n)
	}
}

// TestProofOfSMS: a hidden text has no checksum, from which it could be guessed.
func TestProofOfSMS(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	m := message("Skolen er stengt")
	sum := sha256.Sum256([]byte(m.Text))
	hash := hex.EncodeToString(sum[:])
	got := b.get("/k/oppvekst/sms/" + string(s.queued(t, caseworker, m)) + "/dokumentasjon")
	wantWords(t, got, "Dokumentasjon på sending", hash, "Hele forløpet")
	if strings.Contains(got.body, "90000123") || strings.Contains(got.body, m.Text) {
		t.Error("the number or the text is shown")
	}
	m.HideInReport = true
	if got := b.get("/k/oppvekst/sms/" + string(s.queued(t, caseworker, m)) + "/dokumentasjon"); strings.Contains(got.body, hash) {
		t.Error("a hidden text has a checksum")
	}
	if got := b.get("/k/oppvekst/sms/" + string(s.draft(t, caseworker, m)) + "/dokumentasjon"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a draft has a proof: %d", got.StatusCode)
	}
}

// TestProofSaysWhetherItWasSent: the page of an item that never left does not say that it was sent.
func TestProofSaysWhetherItWasSent(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := string(s.queued(t, caseworker, message("Skolen er stengt")))
	for state, want := range map[string]string{
		"queued": "Hva som skal sendes", "accepted": "Hva som ble overlevert", "uncertain": "Hva som kan være sendt",
		"cancelled": "Dette ble aldri sendt", "rejected": "Dette ble aldri sendt", "failed": "Dette ble aldri sendt",
	} {
		s.run(t, `UPDATE items SET state = $2 WHERE id = $1`, id, state)
		if got := b.get("/k/oppvekst/sms/" + id + "/dokumentasjon").page(t).Find("#hva").Text(); got != want {
			t.Errorf("%s: headed %q, want %q", state, got, want)
		}
	}
}
