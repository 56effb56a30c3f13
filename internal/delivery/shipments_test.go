package delivery_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store"
	"utsending/internal/store/storetest"
)

// letters is a worker that delivers letters of one account to a simulated service.
type letters struct {
	store   *store.Store
	sample  storetest.Sample
	sim     *simulator.Simulator
	account dispatch.Account
	url     string // of the service
}

// newLetters reserves ids, unless a test changes the integration.
func newLetters(t *testing.T, o simulator.Options, change ...func(*dispatch.Integration)) *letters {
	t.Helper()
	s := storetest.New(t)
	sm := storetest.NewSample(t, s, "oppvekst")
	o.Pace = 50 * time.Millisecond
	sim := simulator.New(o)
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	t.Cleanup(sim.Close)
	in := dispatch.Integration{Name: "V1", Kind: dispatch.IntegrationShipmentV1, Service: "v1", ReserveIDs: true, Parallelism: 2, RatePerSec: 1000}
	for _, c := range change {
		c(&in)
	}
	id, err := s.SaveIntegration(t.Context(), in, dispatch.Credentials{ClientID: "bruker", ClientSecret: "passord"})
	if err != nil {
		t.Fatal(err)
	}
	account := sm.Account
	account.ShipmentIntegration = id
	if _, err := s.SaveAccount(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	services := delivery.NewServices(s, []dispatch.Service{{Name: "v1", Kind: dispatch.IntegrationShipmentV1, Environment: "test", BaseURL: server.URL, TokenURL: server.URL + "/token"}})
	services.SubmitTimeout = 2 * time.Second
	plan := dispatch.DefaultRefreshPlan()
	plan.First = []time.Duration{100 * time.Millisecond, 300 * time.Millisecond, time.Second, 2 * time.Second}
	plan.Then = time.Second
	w := delivery.New(delivery.Options{Store: s, Services: services, Log: slog.New(slog.DiscardHandler), Plan: plan, Poll: 50 * time.Millisecond, Window: time.Second})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { w.Run(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done })
	return &letters{s, sm, sim, account, server.URL}
}

// send queues a letter of one page with the title.
func (l *letters) send(t *testing.T, title string, change ...func(*dispatch.Shipment)) dispatch.ItemID {
	t.Helper()
	id, err := l.store.CreateShipmentDraft(t.Context(), l.account.ID, l.sample.Actor, uuid.NewString(), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.store.AddDocument(t.Context(), store.Upload{
		Account: l.account.ID, Item: id, User: l.sample.User, FileName: "Brev.pdf", Content: bytes.NewReader(pdftest.Make(1)),
		Inspect: func(context.Context, io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 1}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	content := letter(title, d)
	for _, c := range change {
		c(&content)
	}
	if err := l.store.QueueShipment(t.Context(), l.account, id, l.sample.Actor, 1, content); err != nil {
		t.Fatal(err)
	}
	return id
}

// letter is a letter with one file.
func letter(title string, d dispatch.Document) dispatch.Shipment {
	return dispatch.Shipment{
		Title: title, SourceSystem: "Utsending", Documents: []dispatch.Document{d},
		Recipient: dispatch.Address{
			Postal:  dispatch.PostalAddress{Name: "Jonas Vik", Line1: "Furuveien 8", PostalCode: "7715", City: "Steinkjer", Country: "Norge"},
			Digital: dispatch.DigitalAddress{NationalID: "12847812345"},
		},
	}
}

// await waits until the letter is as wanted.
func (l *letters) await(t *testing.T, id dispatch.ItemID, what string, ok func(dispatch.ShipmentItem) bool) dispatch.ShipmentItem {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		it, err := l.store.Shipment(t.Context(), l.account.ID, id)
		if err != nil {
			t.Fatal(err)
		}
		if ok(it) {
			return it
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: state %s, status %s, reason %s", what, it.State, it.Status, it.Reason.Key)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestLetters(t *testing.T) {
	t.Parallel()
	l := newLetters(t, simulator.Options{})
	t.Run("a letter is sent under a reserved id and followed until it is read", func(t *testing.T) {
		id := l.send(t, "Vedtak")
		it := l.await(t, id, "never read", func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
		if len(it.Events) == 0 || len(it.Files) != 1 || it.Files[0].SHA256 != it.Documents[0].SHA256 {
			t.Errorf("histories: %d events, files %+v", len(it.Events), it.Files)
		}
	})
	t.Run("a letter whose answer was lost is found again and not sent twice", func(t *testing.T) {
		id := l.send(t, "Vedtak [svar tapt]")
		l.await(t, id, "not found", func(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateAccepted })
		if n := l.booked("Vedtak [svar tapt]"); n != 1 {
			t.Errorf("sent %d times", n)
		}
	})
	t.Run("a letter that was cut off is sent once more, under the same id, after the window", func(t *testing.T) {
		id := l.send(t, "Vedtak [tapt]")
		l.await(t, id, "not left to a person", func(it dispatch.ShipmentItem) bool {
			return it.State == dispatch.StateUncertain && it.RecoverAt.IsZero()
		})
		if n := l.booked("Vedtak [tapt]"); n != 0 {
			t.Errorf("sent %d times", n)
		}
	})
	t.Run("three uncertain answers in a row stop the integration, until somebody opens it", func(t *testing.T) {
		in, err := l.store.Integration(t.Context(), l.account.ShipmentIntegration)
		if err != nil || in.StoppedAt.IsZero() {
			t.Fatalf("stopped at %v, %v", in.StoppedAt, err)
		}
		waiting, err := l.store.WaitingOn(t.Context())
		if got := waiting[in.ID]; err != nil || got.Uncertain != 1 {
			t.Errorf("waiting on it: %+v, %v; want one uncertain letter", got, err)
		}
		if err := l.store.OpenIntegration(t.Context(), in.ID, l.sample.Actor); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("a letter that the service refuses is rejected", func(t *testing.T) {
		id := l.send(t, "Vedtak [feil 400]")
		l.await(t, id, "not rejected", func(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateRejected })
	})
	if v := l.sim.Violations(); len(v) > 0 {
		t.Errorf("rules of the contract broken: %q", v)
	}
}

func (l *letters) booked(title string) int {
	n := 0
	for _, s := range l.sim.Shipments() {
		if s.Title == title {
			n++
		}
	}
	return n
}
