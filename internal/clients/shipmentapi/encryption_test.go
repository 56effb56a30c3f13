package shipmentapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

// secretLetter is a letter at level 4 with files of some sizes.
func secretLetter(sizes ...int) dispatch.Shipment {
	s, _ := letter()
	s.Encrypted, s.RequireLevel4, s.Documents = true, true, nil
	for i, n := range sizes {
		s.Documents = append(s.Documents, pdf(fmt.Sprintf("brev %d.pdf", i), strings.Repeat("x", n)))
	}
	return s
}

func TestAnEncryptedLetterIsReadByTheService(t *testing.T) {
	t.Parallel()
	s := secretLetter(1, 15, 16, 17, 3<<20)
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		for _, transport := range []cms.Transport{cms.OAEP, cms.PKCS1} {
			g := newRig(t, wire, simulator.Options{})
			o := options(t, g.url)
			o.Wire, o.Encryption = wire, encryptionOf(t, g.sim, transport)
			if _, err := shipmentapi.NewV1(o).Send(t.Context(), shipmentapi.Target{}, s, repeated, nil); err != nil {
				t.Fatalf("%s: %v", transport, err)
			}
			g.checkShipments(t, 1)
			checkShipment(t, g.sim.Shipments()[0], s)
		}
	})
	t.Run("V2", func(t *testing.T) {
		t.Parallel()
		g := newRigV2(t, simulator.Options{})
		if _, err := g.client.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, repeated, nil); err != nil {
			t.Fatal(err)
		}
		got := g.sim.Shipments()[0]
		got.User = "avsender" // which V2 has not
		checkShipment(t, got, s)
	})
}

func TestALetterForAnotherCertificateIsRejected(t *testing.T) {
	t.Parallel()
	g := newRig(t, shipmentapi.WireSpec, simulator.Options{})
	o := options(t, g.url)
	_, err := shipmentapi.NewV1(o).Send(t.Context(), shipmentapi.Target{}, secretLetter(10), repeated, nil)
	if got := resultOf(t, err); got.outcome != dispatch.OutcomeRejected {
		t.Errorf("got %+v", got)
	}
	if n := len(g.sim.Shipments()); n != 0 {
		t.Errorf("%d were accepted", n)
	}
}

// TestNothingGoesOutInClear: without a certificate that holds, not even a connection is made.
func TestNothingGoesOutInClear(t *testing.T) {
	t.Parallel()
	ended := encryption()
	ended.Until = now
	for name, tt := range map[string]struct {
		encryption shipmentapi.Encryption
		key        string
	}{
		"without a certificate":      {shipmentapi.Encryption{}, "reason.certificate"},
		"when the certificate ended": {ended, "reason.certificate_expired"},
	} {
		o, o2 := options(t, "http://127.0.0.1:1"), optionsV2(t, "http://127.0.0.1:1")
		o.Encryption, o2.Encryption = tt.encryption, tt.encryption
		for _, c := range []shipmentapi.Client{shipmentapi.NewV1(o), shipmentapi.NewV2(o2)} {
			t.Run(fmt.Sprintf("%s over %s", name, c), func(t *testing.T) {
				_, err := c.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, secretLetter(10), repeated, nil)
				checkResult(t, err, result{outcome: dispatch.OutcomeUnavailable, key: tt.key})
			})
		}
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
			_, err := g.client.Send(t.Context(), shipmentapi.Target{}, secretLetter(19), content, nil)
			checkResult(t, err, result{outcome: dispatch.OutcomeUnavailable, key: "reason.content"})
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
	_, err := g.client.Send(t.Context(), shipmentapi.Target{}, secretLetter(19), content, nil)
	if checkResult(t, err, result{outcome: dispatch.OutcomeUnavailable, key: "reason.content"}); !errors.Is(err, away) {
		t.Errorf("got %v", err)
	}
}
