package main_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
	"utsending/internal/clients/simulator/shipmentv2"
	"utsending/internal/clients/simulator/shipmentv3"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
	"utsending/internal/tier"
)

// killSetting is an integer from the environment.
func killSetting(t *testing.T, name string, standard uint64) uint64 {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		return standard
	}
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// storm is the kill test: two programs on one durable database that are killed repeatedly, a service with every kind of fault, and
// users who continue sending.
type storm struct {
	t        *testing.T
	seed     uint64
	store    *store.Store
	db       *sql.DB // for what the store has no method for
	database string
	sim      *simulator.Simulator
	address  string // of the services
	env      []string
	// disturbed tells whether answers to an item's calls may have been lost on their way; nil: none.
	disturbed func([]dispatch.Attempt) bool
	senders   []storetest.Sample
	rest      int    // how many times as long senders rest between messages: the short runs leave the processor to other tests
	mark      string // every text begins with it
	prefix    string // every phone number begins with it

	lookUps *lookUps
	keys    rotation

	mu      sync.Mutex
	rand    *rand.Rand
	serial  int
	sent    map[dispatch.ItemID]sentItem
	lives   []*life
	freezes int
	forgets bool          // the standby that is promoted lags
	skew    time.Duration // between the clocks of the database and ours
	wrongs  int
	over    map[dispatch.Generation]*tally // what became of the shipments, set by compareBooks
	jobs    []stormJob
}

// sentItem is a queued item: a shipment if it has files, else an SMS.
type sentItem struct {
	account dispatch.Account
	phone   string
	text    string // title of a shipment
	files   []simulator.Document
	fast    bool // of a fast job: the service returns no id
}

// TestKill sends for a while amid kills and faults, shipments over each generation, waits until everything is settled, and
// compares the service's books with the database: nothing is lost or sent twice, and every uncertain item is marked so.
func TestKill(t *testing.T) {
	tier.Trial(t)
	t.Parallel()
	length := time.Duration(killSetting(t, "KILL_SECONDS", 6)) * time.Second
	s := newStorm(t, killSetting(t, "KILL_SEED", rand.Uint64()))
	s.addJobs(500)
	s.rest = 3
	t.Logf("KILL_SEED=%d", s.seed)
	webs := s.rage(length)
	s.keys.await(s)
	s.calm(webs)
	s.keys.finish(s)
	s.itemsOfJobs()
	s.compare()
}

func newStorm(t *testing.T, seed uint64) *storm {
	t.Helper()
	return newStormOn(t, seed, startDurable(t).URL("postgres"))
}

func newStormOn(t *testing.T, seed uint64, database string) *storm {
	t.Helper()
	s := &storm{
		t: t, seed: seed, database: database, rand: rand.New(rand.NewPCG(seed, 0)), sent: map[dispatch.ItemID]sentItem{}, rest: 1,
		mark: private(mark()), prefix: private(fmt.Sprintf("+46%06d", rand.IntN(1_000_000))),
	}
	if former := os.Getenv("FORMER_WEB"); former != "" { // the former release makes the database
		if out, errs, err := programAt(former, map[string]string{"DATABASE_URL": s.database}, "migrate"); err != nil {
			t.Fatalf("the former release ends with %v and says %s%s", err, out, errs)
		}
	}
	s.store, s.db = storetest.Open(t, s.database), storetest.DB(t, s.database)
	if _, err := s.store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	options := s.service()
	s.sim = whole.New(options)
	s.lookUps = &lookUps{next: s.sim, at: map[string][]time.Time{}}
	services := httptest.NewServer(s.lookUps)
	t.Cleanup(services.Close)
	t.Cleanup(s.sim.Close)
	s.address = services.URL
	s.keys = beginRotation(t)
	s.store = storeWith(t, s.database, s.keys.added)
	s.addressed(s.address)
	for _, slug := range []string{"oppvekst", "helse", "kultur"} {
		s.senders = append(s.senders, storetest.NewSample(t, s.store, slug))
	}
	s.share()
	s.addShipments(options.Wire)
	s.sendOver(1, dispatch.IntegrationShipmentV2, shipmentServiceV2)
	s.sendOver(2, dispatch.IntegrationShipmentV3, shipmentServiceV3)
	return s
}

// addressed has programs find the services at an address.
func (s *storm) addressed(services string) {
	s.env = append(programEnvironment(s.t, s.database, services),
		"ADDR=127.0.0.1:0", "PUBLIC_URL=http://localhost:1", "OIDC_ISSUER=http://127.0.0.1:1", "DELIVERY_LEASE=2s", "REFRESH_FIRST=1s,10s,1m",
		"SUBMIT_TIMEOUT=3s", "RECOVERY_WINDOW="+window.String(), "KEYSET_FILE="+s.keys.path)
}

// TestFourKills sends SMS jobs of 500 rows in all and 32 shipments over each generation with one program, which is killed
// four times meanwhile: nothing is lost, sent twice or stuck.
func TestFourKills(t *testing.T) {
	tier.Trial(t)
	t.Parallel()
	s := newStorm(t, killSetting(t, "KILL_SEED", rand.Uint64()))
	rows, shipments, kills := 500, 32, 4
	// The service answers a number of calls before each kill and holds the others, so that some are running when the program dies.
	messages, letters := newTurnstile(t), newTurnstile(t)
	s.sim.SetChaos(func(operation, _ string) simulator.Fault {
		switch operation {
		case simulator.OpSend:
			messages.pass()
		case shipmentv1.OpSendShipment, shipmentv2.OpSend, shipmentv3.OpSendPerson:
			letters.pass()
		}
		return simulator.NoFault
	})
	s.env = append(s.env, "SUBMIT_TIMEOUT=5m") // a shipment's call that waits at the turnstile ends with its program
	// Parallelism limits how many answers a killed program loses.
	if _, err := s.db.ExecContext(t.Context(), `UPDATE integrations SET parallelism = CASE WHEN kind = 'sms' THEN 20 ELSE 4 END`); err != nil {
		t.Fatal(err)
	}
	to := nationalID()
	web := []*life{s.start()}
	for range kills {
		// Half of what there is: a killed program also loses what it had claimed and not called yet.
		letters.let(len(s.senders) * shipments / kills / 2)
		for range shipments / kills { // of each generation some before each kill
			for _, sender := range s.senders {
				s.postOne(sender, to)
			}
		}
		eventually(t, "calls of shipments are running", letters.holds)
		// SMS last: their calls time out after ten seconds.
		messages.let(rows / kills / 2)
		s.addJob(s.senders[0], dispatch.ModeTraceable, s.mark+" jobb ((nr))", rows/kills)
		eventually(t, "calls of SMS are running", messages.holds)
		s.replace(web, 0)
		messages.release() // the service accepts the calls that it had from the killed program
		letters.release()
	}
	s.calm(web)
	s.itemsOfJobs()
	s.compare()
}

// turnstile lets all calls pass, or a number of them and holds the others.
type turnstile struct {
	mu      sync.Mutex
	left    int // how many may pass, while there is a gate
	waiting int
	gate    chan struct{} // closed to let all pass; nil: there is none
}

func newTurnstile(t *testing.T) *turnstile {
	u := &turnstile{}
	t.Cleanup(u.release) // the service does not end before its calls
	return u
}

func (u *turnstile) pass() {
	u.mu.Lock()
	gate := u.gate
	switch {
	case gate == nil:
	case u.left > 0:
		u.left--
		gate = nil
	default:
		u.waiting++
	}
	u.mu.Unlock()
	if gate != nil {
		<-gate
	}
}

// let holds all calls but the next ones.
func (u *turnstile) let(calls int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.left, u.waiting, u.gate = calls, 0, make(chan struct{})
}

// release lets all pass, also those that wait.
func (u *turnstile) release() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.gate != nil {
		close(u.gate)
		u.gate = nil
	}
}

// holds tells whether all permitted calls have passed, and another waits.
func (u *turnstile) holds() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.left == 0 && u.waiting > 0
}

// service is a service with one of the behaviours that the specification permits.
func (s *storm) service() simulator.Options {
	return simulator.Options{
		SlowFor: 300 * time.Millisecond, Clients: map[string]string{storetest.ClientID: storetest.ClientSecret},
		Pace:            window / 4, // about the time of a look-up: some find MOTTATT still
		Wire:            []string{simulator.WireSpec, simulator.WireDeployed}[s.number(2)],
		RepostStatus:    []int{http.StatusOK, http.StatusOK, http.StatusBadRequest, http.StatusInternalServerError}[s.number(4)],
		ReservedUnknown: s.number(2) == 0,
	}
}

// share puts two of the accounts on one integration, and allows many concurrent calls, although dead programs count
// as alive for a while.
func (s *storm) share() {
	s.t.Helper()
	in := s.senders[0].Integration
	s.senders[1].Account.SMSIntegration = in.ID
	if _, err := registry.In(s.store).Accounts.Save(s.t.Context(), s.senders[1].Account); err != nil {
		s.t.Fatal(err)
	}
	for _, sender := range s.senders {
		in := sender.Integration
		in.Parallelism = 200
		if _, err := registry.In(s.store).Integrations.Save(s.t.Context(), in, dispatch.Credentials{ClientID: storetest.ClientID, ClientSecret: storetest.ClientSecret}); err != nil {
			s.t.Fatal(err)
		}
	}
}

// rage sends, kills and fails for a while, on a slow machine until enough has happened: programs that are killed
// faster than they start lose no call. The remaining programs continue.
func (s *storm) rage(length time.Duration) []*life {
	s.t.Helper()
	s.sim.SetChaos(s.fault)
	defer s.sim.SetChaos(nil)
	ctx, stop := context.WithCancel(s.t.Context())
	defer stop()
	var at sync.WaitGroup
	for _, sender := range s.senders {
		at.Go(func() { s.keepSending(ctx, sender) })
		at.Go(func() { s.keepPosting(ctx, sender) })
	}
	at.Go(func() { s.keepHelping(ctx) })
	at.Go(func() { s.refuseNowAndThen(ctx) })
	webs := []*life{s.start(), s.start()}
	began := time.Now()
	for since := time.Duration(0); ctx.Err() == nil && (since < length || since < 10*length && !s.raged()); since = time.Since(began) {
		s.pause(ctx, 150, 700)
		if s.keys.due(time.Since(began), length) {
			s.keys.step(s, webs)
			continue
		}
		i := s.number(len(webs))
		frozen := s.number(6) == 0
		if frozen && s.freeze(ctx, webs[i].process) {
			continue
		}
		if webs[i].ended() {
			s.t.Errorf("web ended by itself: %v\n%s", webs[i].err, webs[i].tail())
		}
		if frozen || webs[i].serves() || s.number(4) == 0 { // before it serves it has little to lose
			s.replace(webs, i)
		}
	}
	stop()
	at.Wait()
	for s.keys.due(length, length) { // the freeze has taken the time
		s.keys.step(s, webs)
	}
	s.sim.RefuseTokens(0)
	return webs
}

// replace kills a program and starts another in its place.
func (s *storm) replace(webs []*life, i int) {
	s.t.Helper()
	webs[i].kill()
	webs[i].killed = time.Now()
	webs[i] = s.start()
}

// freeze stops a program (SIGSTOP) until its leases have expired, and tells whether it is continued: it must not send
// items whose lease it has lost. Half of them, at random, stay frozen, with unread answers.
func (s *storm) freeze(ctx context.Context, p *process) bool {
	s.freezes++
	_ = p.cmd.Process.Signal(syscall.SIGSTOP) // gone already if this fails
	s.pause(ctx, 2200, 3000)
	wakes := s.number(2) == 0
	if wakes {
		_ = p.cmd.Process.Signal(syscall.SIGCONT)
	}
	return wakes
}

// keepSending queues one SMS after the other as the pages do.
func (s *storm) keepSending(ctx context.Context, by storetest.Sample) {
	for s.pause(ctx, 5*s.rest, 60*s.rest) && s.sendOne(by) {
	}
}

// sendOne queues a unique SMS, and tells whether it could.
func (s *storm) sendOne(by storetest.Sample) bool {
	s.mu.Lock()
	s.serial++
	n := s.serial
	one := sentItem{account: by.Account, phone: fmt.Sprintf("%s%05d20", s.prefix, n), text: fmt.Sprintf("%s %s %d", s.mark, by.Account.Slug, n)}
	s.mu.Unlock()
	// Once started it must finish: the test has to know whether the item was queued.
	var id dispatch.ItemID
	key := uuid.NewString() // the same when it is repeated: one draft
	err := s.surely(func() (err error) {
		id, err = items.In(s.store).SMS.SaveDraft(s.t.Context(), by.Account.ID, by.Actor, key, storetest.ToPhone(one.phone, one.text))
		return err
	})
	if err == nil {
		err = s.surely(func() error { return s.queue(by, id) })
	}
	if err != nil {
		s.refused(err)
		return false
	}
	s.mu.Lock()
	s.sent[id] = one
	s.mu.Unlock()
	return true
}

// queue sends a draft as it is now, unless it is sent already: the answer to an earlier try may be lost.
func (s *storm) queue(by storetest.Sample, id dispatch.ItemID) error {
	if sent, err := s.isSent(id); err != nil || sent {
		return err
	}
	it, err := items.In(s.store).SMS.ByID(s.t.Context(), by.Account.ID, id)
	if err != nil {
		return err
	}
	return items.In(s.store).SMS.Queue(s.t.Context(), by.Account, id, it.Revision, by.Actor)
}

// isSent tells whether an item is a draft no more.
func (s *storm) isSent(id dispatch.ItemID) (sent bool, err error) {
	err = s.db.QueryRowContext(s.t.Context(), `SELECT state <> 'draft' FROM items WHERE id = $1`, id).Scan(&sent)
	return sent, err
}

// refused notes that an item could not be queued. A draft that the promoted standby lacks is gone, as announced.
func (s *storm) refused(err error) {
	if !s.forgets || !errors.Is(err, store.ErrNotFound) && !errors.Is(err, sql.ErrNoRows) {
		s.t.Errorf("queue: %v", err)
	}
}

// surely repeats what a person would repeat: while the database is away, and when a program has sealed the draft with a
// new key meanwhile.
func (s *storm) surely(act func() error) error {
	for {
		err := act()
		if !store.Unreachable(err) && !errors.Is(err, store.ErrStale) && !noPrimary(err) {
			return err
		}
		s.pause(s.t.Context(), 50, 100)
	}
}

// noPrimary tells whether none of several hosts was the primary. The store tells that of its own connections; this is of the rig's.
func noPrimary(err error) bool {
	return err != nil && strings.Contains(err.Error(), "could not connect to any of the hosts")
}
