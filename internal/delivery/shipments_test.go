package delivery_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/pdf/pdftest"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
	"utsending/internal/upstream"
)

// shipments are an account that sends shipments to a simulated service, and whatever number of workers a test starts.
type shipments struct {
	store   *store.Store
	sample  storetest.Sample
	sim     *simulator.Simulator
	account dispatch.Account
	url     string // of the service
	sends   *inFront
	at      string // of the database
	db      *sql.DB
	worked  *atomic.Bool // a worker was started
}

// newShipments sends over V1 with one worker. It reserves ids, unless a test changes the integration.
func newShipments(t *testing.T, o simulator.Options, change ...func(*dispatch.Integration)) *shipments {
	t.Helper()
	l := shipmentsTo(t, o)
	l.sendOver(t, l.v1(t, change...))
	l.work(t)
	return l
}

// shipmentsTo is an account that cannot send shipments yet, and the service.
func shipmentsTo(t *testing.T, o simulator.Options) *shipments {
	t.Helper()
	at := storetest.Database(t)
	s := storetest.Open(t, at)
	sm := storetest.NewSample(t, s, "oppvekst")
	o.Pace = 50 * time.Millisecond
	sim := whole.New(o)
	sends := &inFront{next: sim}
	server := httptest.NewServer(sends)
	t.Cleanup(server.Close)
	t.Cleanup(sim.Close)
	return &shipments{store: s, sample: sm, sim: sim, account: sm.Account, url: server.URL, sends: sends, at: at, db: storetest.DB(t, at), worked: &atomic.Bool{}}
}

// v1 makes an integration with V1.
func (l *shipments) v1(t *testing.T, change ...func(*dispatch.Integration)) dispatch.IntegrationID {
	t.Helper()
	in := dispatch.Integration{Name: "V1", Kind: dispatch.IntegrationShipmentV1, Service: "v1", ReserveIDs: true, Parallelism: 2, RatePerSec: 1000}
	return l.integration(t, in, dispatch.Credentials{ClientID: "bruker", ClientSecret: "passord"}, change...)
}

func (l *shipments) integration(t *testing.T, in dispatch.Integration, c dispatch.Credentials, change ...func(*dispatch.Integration)) dispatch.IntegrationID {
	t.Helper()
	for _, f := range change {
		f(&in)
	}
	id, err := registry.In(l.store).Integrations.Save(t.Context(), in, c)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// sendOver moves the account to an integration.
func (l *shipments) sendOver(t *testing.T, id dispatch.IntegrationID) {
	t.Helper()
	l.account.ShipmentIntegration = id
	if _, err := registry.In(l.store).Accounts.Save(t.Context(), l.account); err != nil {
		t.Fatal(err)
	}
}

// services are those of the simulator.
func (l *shipments) services() []dispatch.Service {
	service := func(name string, kind dispatch.IntegrationKind) dispatch.Service {
		return dispatch.Service{Name: name, Kind: kind, Environment: "test", BaseURL: l.url, TokenURL: l.url + "/token"}
	}
	return []dispatch.Service{
		service("v1", dispatch.IntegrationShipmentV1), service("v2", dispatch.IntegrationShipmentV2), service("v3", dispatch.IntegrationShipmentV3), service(storetest.ServiceName, dispatch.IntegrationSMS),
	}
}

// quickPlan reads a status again after fractions of a second.
func quickPlan() dispatch.RefreshPlan {
	plan := dispatch.DefaultRefreshPlan()
	plan.First = []time.Duration{100 * time.Millisecond, 300 * time.Millisecond, time.Second, 2 * time.Second}
	plan.Then = time.Second
	return plan
}

// work starts a worker until the end of the test. The first has the shipments' store; each other has one of its own, as another
// process would have.
func (l *shipments) work(t *testing.T, change ...func(*delivery.Options)) {
	t.Helper()
	s := l.store
	if l.worked.Swap(true) {
		s = storetest.Open(t, l.at)
	}
	services := upstream.New(s, l.services())
	services.SubmitTimeout, services.CallTimeout = patience, patience // what the answer is counts, not when it comes
	o := delivery.Options{Store: s, Upstream: services, Log: slog.New(slog.DiscardHandler), Plan: quickPlan(), Poll: 100 * time.Millisecond, Window: time.Second}
	for _, f := range change {
		f(&o)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	w := delivery.New(o)
	go func() { w.Run(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done })
}

// send queues a shipment of one page with the title.
func (l *shipments) send(t *testing.T, title string, change ...func(*dispatch.Shipment)) dispatch.ItemID {
	t.Helper()
	id, err := items.In(l.store).Drafts.Create(t.Context(), l.account.ID, l.sample.Actor, uuid.NewString(), dispatch.DraftFields{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := items.In(l.store).Documents.Add(t.Context(), items.Upload{
		Account: l.account.ID, Item: id, User: l.sample.User, FileName: "Brev.pdf", Content: bytes.NewReader(pdftest.Make(1)),
		Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
			return dispatch.Document{MimeType: dispatch.MimePDF, Pages: 1}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	content := shipment(title, d)
	for _, c := range change {
		c(&content)
	}
	if err := items.In(l.store).Drafts.Queue(t.Context(), l.account, id, l.sample.Actor, 1, content); err != nil {
		t.Fatal(err)
	}
	return id
}

// shipment is a shipment with one file.
func shipment(title string, d dispatch.Document) dispatch.Shipment {
	return dispatch.Shipment{
		Title: title, SourceSystem: "Utsending", Documents: []dispatch.Document{d},
		Recipient: dispatch.Address{
			Postal:  dispatch.PostalAddress{Name: "Jonas Vik", Line1: "Furuveien 8", PostalCode: "7715", City: "Steinkjer", Country: "Norge"},
			Digital: dispatch.DigitalAddress{NationalID: "12847812336"},
		},
	}
}

func (l *shipments) item(t *testing.T, id dispatch.ItemID) dispatch.ShipmentItem {
	t.Helper()
	it, err := items.In(l.store).Shipments.ByID(t.Context(), l.account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return it
}

// await waits until the shipment is as wanted.
func (l *shipments) await(t *testing.T, id dispatch.ItemID, what string, ok func(dispatch.ShipmentItem) bool) dispatch.ShipmentItem {
	t.Helper()
	var it dispatch.ShipmentItem
	await.Seen(t, what, func() bool { it = l.item(t, id); return ok(it) }, func() string {
		return fmt.Sprintf("state %s, status %s, reason %s", it.State, it.Status, it.Reason.Key)
	})
	return it
}

func TestShipments(t *testing.T) {
	t.Parallel()
	l := newShipments(t, simulator.Options{})
	t.Run("a shipment is sent under a reserved id and followed until it is read", func(t *testing.T) {
		id := l.send(t, "Vedtak")
		it := l.await(t, id, "never read", func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
		if len(it.Events) == 0 || len(it.Files) != 1 || it.Files[0].SHA256 != it.Documents[0].SHA256 {
			t.Errorf("histories: %d events, files %+v", len(it.Events), it.Files)
		}
	})
	t.Run("a shipment whose answer was lost is found again and not sent twice", func(t *testing.T) {
		id := l.send(t, "Vedtak [svar tapt]")
		l.await(t, id, "not found", func(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateAccepted })
		if n := l.booked("Vedtak [svar tapt]"); n != 1 {
			t.Errorf("sent %d times", n)
		}
	})
	t.Run("a shipment that was cut off is sent once more, under the same id, after the window", func(t *testing.T) {
		id := l.send(t, "Vedtak [tapt]")
		l.await(t, id, "not left to a person", func(it dispatch.ShipmentItem) bool {
			return it.State == dispatch.StateUncertain && it.RecoverAt.IsZero()
		})
		if n := l.booked("Vedtak [tapt]"); n != 0 {
			t.Errorf("sent %d times", n)
		}
	})
	t.Run("three uncertain answers in a row stop the integration, until somebody opens it", func(t *testing.T) {
		in, err := registry.In(l.store).Integrations.ByID(t.Context(), l.account.ShipmentIntegration)
		if err != nil || in.StoppedAt.IsZero() {
			t.Fatalf("stopped at %v, %v", in.StoppedAt, err)
		}
		waiting, err := queue.In(l.store).Operations.WaitingOn(t.Context())
		if got := waiting[in.ID]; err != nil || got.Uncertain != 1 {
			t.Errorf("waiting on it: %+v, %v; want one uncertain shipment", got, err)
		}
		if err := queue.In(l.store).Operations.OpenIntegration(t.Context(), in.ID, l.sample.Actor); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("a shipment that the service refuses is rejected", func(t *testing.T) {
		id := l.send(t, "Vedtak [feil 400]")
		l.await(t, id, "not rejected", func(it dispatch.ShipmentItem) bool { return it.State == dispatch.StateRejected })
	})
	if v := l.sim.Violations(); len(v) > 0 {
		t.Errorf("rules of the contract broken: %q", v)
	}
}

func (l *shipments) booked(title string) int {
	n := 0
	for _, s := range l.sim.Shipments() {
		if s.Title == title {
			n++
		}
	}
	return n
}
