package apitest

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

// Pace is the simulator's time between two statuses.
const Pace = time.Minute

// NewClock returns a clock that shows Now.
func NewClock() *Clock { return &Clock{now: Now} }

// Clock is a clock that stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// EncryptionOf encrypts for a simulator.
func EncryptionOf(t *testing.T, sim *simulator.Simulator, transport cms.Transport) shipmentapi.Encryption {
	t.Helper()
	block, _ := pem.Decode([]byte(sim.Certificate()))
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return encryptionFor(certificate, transport)
}

// Eventually polls for an effect in another goroutine.
func Eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Errorf("never happened: %s", what)
			return
		}
	}
}

// CheckShipment compares the received shipment with the sent one.
func CheckShipment(t *testing.T, got simulator.Shipment, want dispatch.Shipment) {
	t.Helper()
	digital := want.Recipient.Digital
	if got.Title != want.Title || got.SourceSystem != want.SourceSystem || got.ExternalReference != want.ExternalReference ||
		got.NationalID != digital.NationalID.Reveal() || got.OrganizationNumber != string(digital.OrganizationNumber) ||
		got.DigitalOnly != want.DigitalOnly || got.User != "avsender" || got.Rejected != "" || got.AnswerLost {
		t.Errorf("got %+v, want what was sent", got)
	}
	for i, d := range want.Documents {
		sum := sha256.Sum256([]byte(strings.Repeat("x", int(d.Size))))
		document := simulator.Document{FileName: d.FileName, MimeType: d.MimeType, Size: d.Size, SHA256: hex.EncodeToString(sum[:])}
		if want.Encrypted {
			document.ClearSize, document.ClearSHA256 = d.Size, document.SHA256
			document.Size, document.SHA256 = got.Documents[i].Size, got.Documents[i].SHA256
		}
		if got.Documents[i] != document {
			t.Errorf("got document %+v, want %+v", got.Documents[i], document)
		}
	}
}
