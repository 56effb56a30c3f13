package delivery_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/upstream"
)

// certify gives an integration the certificate of a simulator.
func (l *shipments) certify(t *testing.T, id dispatch.IntegrationID, sim *simulator.Simulator) {
	t.Helper()
	in, err := registry.In(l.store).Integrations.ByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	e := dispatch.Encryption{Certificate: sim.Certificate(), Transport: dispatch.TransportOAEP}
	if err := registry.In(l.store).Integrations.SaveEncryption(t.Context(), id, in.Version, e, store.Actor{}); err != nil {
		t.Fatal(err)
	}
}

func encrypted(s *dispatch.Shipment) { s.Encrypted, s.RequireLevel4 = true, true }

// TestEncryptsOnTheWayOut: a shipment waits for the certificate and is sent encrypted; the stored hash is that of the
// plain file.
func TestEncryptsOnTheWayOut(t *testing.T) {
	t.Parallel()
	for name, integration := range map[string]func(*shipments, *testing.T) dispatch.IntegrationID{
		"over V1": func(l *shipments, t *testing.T) dispatch.IntegrationID { return l.v1(t) },
		"over V2": func(l *shipments, t *testing.T) dispatch.IntegrationID { return l.v2(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := shipmentsTo(t, simulator.Options{})
			in := integration(l, t)
			l.sendOver(t, in)
			var services *upstream.Clients
			l.work(t, func(o *delivery.Options) { services = o.Upstream })
			id := l.send(t, "Vedtak", encrypted)
			l.await(t, id, "no certificate", func(it dispatch.ShipmentItem) bool { return it.Reason.Key == "reason.certificate" })
			if n := len(l.sim.Shipments()); n != 0 {
				t.Fatalf("%d went out without a certificate", n)
			}
			plain := l.send(t, "Melding")
			l.await(t, plain, "a shipment in clear", sentOff)
			l.certify(t, in, l.sim)
			services.Forget(in)
			it := l.await(t, id, "with the certificate", sentOff)
			sum := sha256.Sum256(pdftest.Make(1))
			want := hex.EncodeToString(sum[:])
			got := l.sim.Shipments()[1]
			if it.Documents[0].SHA256 != want || got.Documents[0].ClearSHA256 != want || got.Documents[0].SHA256 == want || bytes.Contains(got.Metadata, []byte(`"kryptert":false`)) {
				t.Errorf("kept %s, arrived %+v, want %s", it.Documents[0].SHA256, got.Documents[0], want)
			}
		})
	}
}

// TestAWrongCertificateIsNotRetried: the service refuses, and a person must act.
func TestAWrongCertificateIsNotRetried(t *testing.T) {
	t.Parallel()
	l := shipmentsTo(t, simulator.Options{})
	in := l.v1(t)
	l.certify(t, in, whole.New(simulator.Options{}))
	l.sendOver(t, in)
	l.work(t)
	id := l.send(t, "Vedtak", encrypted)
	l.await(t, id, "another certificate", func(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateRejected })
}

func sentOff(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateAccepted }
