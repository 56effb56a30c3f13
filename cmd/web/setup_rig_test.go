package main_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/browsertest"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

const (
	adminIntegrations = "/admin/integrasjoner"
	adminAccounts     = "/admin/kontoer"
	adminRights       = "/admin/rettigheter"
)

// newSetupStack is a stack whose administrators need not log in again, however slow the machine is.
func newSetupStack(t *testing.T) *stack {
	t.Helper()
	return newShipmentStack(t, "OIDC_FRESH_LOGIN=1h")
}

// signingKey is a key of an integration, as an administrator gets it.
type signingKey struct {
	client, id, pem string
	public          *rsa.PublicKey
}

func newSigningKey(t *testing.T) signingKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	block, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: block})
	private(string(bytes.Split(text, []byte("\n"))[1])) // a line in the middle of it
	return signingKey{client: uuid.NewString(), id: mark(), pem: string(text), public: &key.PublicKey}
}

func (k signingKey) known() simulator.Key {
	return simulator.Key{ClientID: k.client, ID: k.id, Public: k.public}
}

// setV2 gives the first account an id at V2, and makes an integration that logs in with a secret.
func (s *stack) setV2(t *testing.T) dispatch.IntegrationID {
	t.Helper()
	id, err := registry.In(s.store).Integrations.Save(t.Context(),
		dispatch.Integration{Name: "Forsendelsestjenesten V2", Kind: dispatch.IntegrationShipmentV2, Service: shipmentServiceV2, Environment: "test", Parallelism: 4, RatePerSec: 1000},
		dispatch.Credentials{Method: dispatch.AuthClientSecret, ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret, IntegrationID: uuid.NewString(), IntegrationPassword: "passord"})
	if err == nil {
		s.oppvekst.ShipmentAccountID = uuid.NewString()
		_, err = registry.In(s.store).Accounts.Save(t.Context(), s.oppvekst)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// posted is a queued shipment of a stream.
type posted struct {
	id dispatch.ItemID
	shipment
}

// stream queues shipments of the first account without a browser, one after the other, until it is ended. It waits while several
// are not accepted: on a slow machine the queue would only grow.
type stream struct {
	s    *stack
	mu   sync.Mutex
	sent []posted
	open []dispatch.ItemID // not accepted when last read
	end  func()
}

func (s *stack) stream(t *testing.T, subject string) *stream {
	t.Helper()
	f := &stream{s: s}
	by := s.user(t, subject)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		for pauseFor(ctx) {
			if f.underWay(t) < 4 {
				f.post(t, by)
			}
		}
	})
	f.end = sync.OnceFunc(func() { cancel(); running.Wait() })
	t.Cleanup(f.end)
	return f
}

// post queues one shipment. Once begun it finishes, even if the stream is ended.
func (f *stream) post(t *testing.T, by store.Actor) {
	ctx := context.WithoutCancel(t.Context())
	l := toPerson("Strøm [lest]")
	id, err := items.In(f.s.store).Drafts.Create(ctx, f.s.oppvekst.ID, by, uuid.NewString(), dispatch.DraftFields{})
	if err != nil {
		t.Error(err)
		return
	}
	d, err := items.In(f.s.store).Documents.Add(ctx, items.Upload{
		Account: f.s.oppvekst.ID, Item: id, User: by.User, FileName: "Brev.pdf", Content: bytes.NewReader(pdftest.Make(1)),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 1}, nil
		},
	})
	if err == nil {
		err = items.In(f.s.store).Drafts.Queue(ctx, f.s.oppvekst, id, by, 1, dispatch.Shipment{
			Title: l.title, SourceSystem: "Utsending", Documents: []dispatch.Document{d},
			Recipient: dispatch.Address{
				Postal:  dispatch.PostalAddress{Name: l.name, Line1: "Storgata 1", PostalCode: l.postalCode, City: "Steinkjer", Country: "Norge"},
				Digital: dispatch.DigitalAddress{NationalID: dispatch.NationalID(l.number)},
			},
		})
	}
	if err != nil {
		t.Error(err)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent, f.open = append(f.sent, posted{id, l}), append(f.open, id)
}

// underWay counts the shipments that are not accepted yet.
func (f *stream) underWay(t *testing.T) int {
	ctx := context.WithoutCancel(t.Context())
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open = slices.DeleteFunc(f.open, func(id dispatch.ItemID) bool {
		it, err := items.In(f.s.store).Shipments.ByID(ctx, f.s.oppvekst.ID, id)
		if err != nil {
			t.Error(err)
		}
		return err != nil || isAccepted(it)
	})
	return len(f.open)
}

// accepted counts the accepted shipments.
func (f *stream) accepted(t *testing.T) int {
	left := f.underWay(t)
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.sent) - left
}

// count counts the shipments for which holds is true.
func (f *stream) count(t *testing.T, holds func(dispatch.ShipmentItem) bool) int {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, p := range f.sent {
		it, err := items.In(f.s.store).Shipments.ByID(t.Context(), f.s.oppvekst.ID, p.id)
		if err != nil {
			t.Fatal(err)
		}
		if holds(it) {
			n++
		}
	}
	return n
}

func isAccepted(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateAccepted }

// flow waits until that many more shipments are accepted.
func (f *stream) flow(t *testing.T, more int) {
	t.Helper()
	before := f.accepted(t)
	eventually(t, "more shipments come through", func() bool { return f.accepted(t) >= before+more })
}

// wantOnce ends the stream, checks that the service has every shipment once and has reported it as read, and returns how many
// went over each generation.
func (f *stream) wantOnce(t *testing.T) map[string]int {
	t.Helper()
	f.end()
	eventually(t, "all shipments are read", func() bool {
		return f.count(t, func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead }) == len(f.sent)
	})
	over := map[string]int{}
	for _, p := range f.sent {
		over[f.s.wantShipped(t, p.shipment).Generation]++
	}
	return over
}

// way is an integration for shipments, by the names on the pages.
type way struct{ name, kind, generation string }

// goOver moves the first account's shipments to another integration on the pages.
func (v *visitor) goOver(to way) {
	v.t.Helper()
	v.Go(adminAccounts + "/oppvekst")
	v.ClickText("link", "Bytt integrasjon")
	v.Select("#integrasjon", to.name+" ("+to.kind+")")
	v.ClickText("button", "Prøv om kontoen er klar")
	v.wantText("#prove-resultat", "Tilkoblingen virker")
	v.wantNone("#prove-resultat b")
	v.glance("admin-switch-" + to.generation)
	v.ClickText("button", "Bytt til "+to.name)
	v.wantText("[role=status]", "Integrasjonen for forsendelser er byttet")
	v.wantText("main", "Kontoen sender over "+to.name+".")
}

// posts sends a shipment of an account from the form to Lest.
func (v *visitor) posts(account string, l shipment) {
	v.t.Helper()
	v.newShipmentOf(account)
	v.attach(file(v.t, ".pdf", pdftest.Make(1)))
	v.write(l)
	v.check()
	v.post()
	v.awaitShipment("Lest")
}

// administrator opens a window without scripts for an administrator.
func (s *stack) administrator(t *testing.T, b *browsertest.Browser) *visitor {
	t.Helper()
	return s.as(t, b, withoutScript, "nora")
}
