package v1_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v1 "utsending/internal/clients/shipmentapi/v1"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

func TestAnEncryptedShipmentIsReadByTheService(t *testing.T) {
	t.Parallel()
	s := apitest.SecretShipment(1, 15, 16, 17, 3<<20)
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		for _, transport := range []cms.Transport{cms.OAEP, cms.PKCS1} {
			g := newRig(t, wire, simulator.Options{})
			o := options(t, g.url)
			o.Wire, o.Encryption = wire, apitest.EncryptionOf(t, g.sim, transport)
			if _, err := v1.New(o).Send(t.Context(), shipmentapi.Target{}, s, apitest.Repeated, nil); err != nil {
				t.Fatalf("%s: %v", transport, err)
			}
			g.checkShipments(t, 1)
			apitest.CheckShipment(t, g.sim.Shipments()[0], s)
		}
	})
}

func TestAShipmentForAnotherCertificateIsRejected(t *testing.T) {
	t.Parallel()
	g := newRig(t, shipmentapi.WireSpec, simulator.Options{})
	o := options(t, g.url)
	_, err := v1.New(o).Send(t.Context(), shipmentapi.Target{}, apitest.SecretShipment(10), apitest.Repeated, nil)
	if got := apitest.ResultOf(t, err); got.Outcome != dispatch.OutcomeRejected {
		t.Errorf("got %+v", got)
	}
	if n := len(g.sim.Shipments()); n != 0 {
		t.Errorf("%d were accepted", n)
	}
}

// TestNothingGoesOutInClear: without a certificate that holds, not even a connection is made.
func TestNothingGoesOutInClear(t *testing.T) {
	t.Parallel()
	ended := apitest.Encryption()
	ended.Until = apitest.Now
	for name, tt := range map[string]struct {
		encryption shipmentapi.Encryption
		key        string
	}{
		"without a certificate":      {shipmentapi.Encryption{}, "reason.certificate"},
		"when the certificate ended": {ended, "reason.certificate_expired"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, "http://127.0.0.1:1")
			o.Encryption = tt.encryption
			_, err := v1.New(o).Send(t.Context(), shipmentapi.Target{}, apitest.SecretShipment(10), apitest.Repeated, nil)
			apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeUnavailable, Key: tt.key})
		})
	}
}

// TestAFileOfAnotherSizeIsNotSealed: padding would hide a few bytes too few.
func TestAFileOfAnotherSizeIsNotSealed(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"a byte short": 18, "a byte long": 20, "empty": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, shipmentapi.WireSpec, simulator.Options{})
			content := func(context.Context, dispatch.Document) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(strings.Repeat("x", size))), nil
			}
			_, err := g.client.Send(t.Context(), shipmentapi.Target{}, apitest.SecretShipment(19), content, nil)
			apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeUnavailable, Key: "reason.content"})
			if n := len(g.sim.Shipments()); n != 0 {
				t.Errorf("%d were accepted", n)
			}
		})
	}
}

func TestAFileThatCannotBeReadIsNotSealed(t *testing.T) {
	t.Parallel()
	away := errors.New("the database is away")
	g := newRig(t, shipmentapi.WireSpec, simulator.Options{})
	content := func(context.Context, dispatch.Document) (io.ReadCloser, error) { return nil, away }
	_, err := g.client.Send(t.Context(), shipmentapi.Target{}, apitest.SecretShipment(19), content, nil)
	if apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeUnavailable, Key: "reason.content"}); !errors.Is(err, away) {
		t.Errorf("got %v", err)
	}
}
