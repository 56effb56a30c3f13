package delivery_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
	"utsending/internal/upstream"
)

const text = "Timen din er klokka ti"

// rig is an account with messages to send, its service, and any number of workers.
type rig struct {
	storetest.Sample
	url    string
	s      *store.Store
	db     *sql.DB
	sim    *simulator.Simulator
	server *httptest.Server
	log    *logBook
	worked *atomic.Bool // a worker was started
}

// wrapper is middleware between workers and simulator.
type wrapper func(http.Handler) http.Handler

func newRig(t *testing.T, o simulator.Options, wraps ...wrapper) *rig {
	t.Helper()
	url := storetest.Database(t)
	return rigOn(t, url, storetest.Open(t, url), o, wraps...)
}

// rigOn is a rig on an existing database.
func rigOn(t *testing.T, url string, s *store.Store, o simulator.Options, wraps ...wrapper) *rig {
	t.Helper()
	o.Clients = map[string]string{storetest.ClientID: storetest.ClientSecret}
	r := &rig{url: url, s: s, db: storetest.DB(t, url), sim: whole.New(o), log: &logBook{}, worked: &atomic.Bool{}}
	handler := http.Handler(r.sim)
	for _, w := range wraps {
		handler = w(handler)
	}
	r.server = httptest.NewServer(handler)
	r.Sample = storetest.NewSample(t, s, slug())
	t.Cleanup(func() {
		r.sim.Close()
		r.server.Close()
		for _, v := range r.sim.Violations() {
			t.Error("breach of contract:", v)
		}
		r.log.wantNothingPersonal(t, r.sim.Books())
	})
	return r
}

var slugs, numbers atomic.Int64

func slug() string { return fmt.Sprintf("konto-%d", slugs.Add(1)) }

// number is a unique phone number with an ending that the simulator acts upon.
func number(ending string) string { return fmt.Sprintf("9%04d%s", numbers.Add(1), ending) }

// with changes the integration before any sending.
func (r *rig) with(t *testing.T, change func(*dispatch.Integration)) {
	t.Helper()
	change(&r.Integration)
	c := dispatch.Credentials{ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret}
	if _, err := registry.In(r.s).Integrations.Save(t.Context(), r.Integration, c); err != nil {
		t.Fatal(err)
	}
}

// other returns another account at the same service; sharing tells whether it uses the same integration.
func (r *rig) other(t *testing.T, sharing bool) *rig {
	t.Helper()
	two := *r
	two.Sample = storetest.NewSample(t, r.s, slug())
	if sharing {
		two.Integration, two.Account.SMSIntegration = r.Integration, r.Integration.ID
		if _, err := registry.In(r.s).Accounts.Save(t.Context(), two.Account); err != nil {
			t.Fatal(err)
		}
	}
	return &two
}

// queue queues a message to a new number with the ending.
func (r *rig) queue(t *testing.T, ending string) dispatch.ItemID {
	t.Helper()
	return r.Queue(t, r.s, storetest.ToPhone(number(ending), text))
}

func (r *rig) queueMany(t *testing.T, n int) []dispatch.ItemID {
	t.Helper()
	ids := make([]dispatch.ItemID, n)
	for i := range ids {
		ids[i] = r.queue(t, "020")
	}
	return ids
}

// running is a started worker. cancel ends its claiming and returns at once; stop waits for its end.
type running struct {
	*delivery.Worker
	cancel context.CancelFunc
	stop   func()
}

// start runs a worker until stop or the end of the test. The first uses the rig's store; each other has its own, as
// another process would.
func (r *rig) start(t *testing.T, change ...func(*delivery.Options)) running {
	t.Helper()
	s := r.s
	if r.worked.Swap(true) {
		s = storetest.Open(t, r.url)
	}
	o := delivery.Options{
		Store: s, Plan: dispatch.DefaultRefreshPlan(), Poll: 100 * time.Millisecond, Lease: 30 * time.Second, Grace: 10 * time.Second,
		Log: slog.New(slog.NewJSONHandler(r.log, nil)), Upstream: r.services(s),
	}
	for _, c := range change {
		c(&o)
	}
	w := delivery.New(o)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Run(ctx)
	}()
	stop := sync.OnceFunc(func() {
		cancel()
		select {
		case <-done:
		case <-time.After(patience):
			t.Error("the worker does not stop")
		}
	})
	t.Cleanup(stop)
	return running{w, cancel, stop}
}

// services are the simulator and the test's other services.
func (r *rig) services(s *store.Store, more ...dispatch.Service) *upstream.Clients {
	made := upstream.New(s, append(more, r.service(storetest.ServiceName)))
	made.CallTimeout = patience // what the answer is counts, not when it comes
	return made
}

func (r *rig) service(name string) dispatch.Service {
	return dispatch.Service{
		Name: name, Kind: dispatch.IntegrationSMS, Environment: "test", BaseURL: r.server.URL, TokenURL: r.server.URL + "/token",
	}
}

func (r *rig) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := r.db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// read returns the one value that a query gives.
func read[T any](t *testing.T, r *rig, query string, args ...any) T {
	t.Helper()
	var v T
	if err := r.db.QueryRowContext(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// count counts the account's items in a state.
func (r *rig) count(t *testing.T, state dispatch.State) int {
	t.Helper()
	return read[int](t, r, `SELECT count(*) FROM items WHERE account_id = $1 AND state = $2`, r.Account.ID, state)
}

// patience is the timeout of all waits: it detects hanging, however busy the machine is.
const patience = await.Limit

// awaitState polls until an item is in a state, and returns it.
func (r *rig) awaitState(t *testing.T, id dispatch.ItemID, state dispatch.State) dispatch.SMSItem {
	t.Helper()
	await.True(t, "an item becomes "+string(state), func() bool { return r.Item(t, r.s, id).State == state })
	return r.Item(t, r.s, id)
}

func (r *rig) awaitAccepted(t *testing.T, n int) {
	t.Helper()
	await.True(t, fmt.Sprintf("%d items are accepted", n), func() bool { return r.count(t, dispatch.StateAccepted) == n })
}

// calls counts the calls of an operation so far.
func (r *rig) calls(operation string) int {
	n := 0
	for _, c := range r.sim.Calls() {
		if c.Operation == operation {
			n++
		}
	}
	return n
}

// booked counts what the service has accepted for a number.
func (r *rig) booked(phone dispatch.Phone) int {
	n := 0
	for _, m := range r.sim.Books() {
		if m.Phone == phone.Reveal() {
			n++
		}
	}
	return n
}

// wantOnce expects that nothing was accepted twice, and that each item accepted by the service is accepted or
// uncertain with us.
func (r *rig) wantOnce(t *testing.T, ids []dispatch.ItemID) {
	t.Helper()
	seen := map[string]string{}
	for _, m := range r.sim.Books() {
		if seen[m.Phone] != "" {
			t.Error("a message was accepted twice")
		}
		seen[m.Phone] = m.ID
	}
	for _, id := range ids {
		it := r.Item(t, r.s, id)
		booked := seen[it.Recipient.Phone.Reveal()]
		switch {
		case it.State == dispatch.StateAccepted && it.UpstreamID == booked && booked != "":
		case it.State == dispatch.StateUncertain:
		default:
			t.Errorf("an item is %s (%q), booked as %q", it.State, it.UpstreamID, booked)
		}
	}
}

// logBook collects the workers' log.
type logBook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logBook) has(message string) bool { return strings.Contains(l.String(), message) }

// wantNothingPersonal checks the log except times and ids, which may contain any row of digits by chance.
func (l *logBook) wantNothingPersonal(t *testing.T, books []simulator.SMS) {
	t.Helper()
	for line := range strings.Lines(l.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"time", "duration", "item", "attempt", "account", "integration", "error_id"} {
			delete(entry, key)
		}
		rest := fmt.Sprint(entry)
		if strings.Contains(rest, text) || strings.Contains(rest, storetest.ClientSecret) {
			t.Error("the log holds a text or a secret")
		}
		if slices.ContainsFunc(books, func(m simulator.SMS) bool { return strings.Contains(rest, m.Phone) }) {
			t.Error("the log holds a phone number")
		}
	}
}
