// Package simulator imitates the outside SMS service and its token endpoint over HTTP, for development and tests.
//
// It is steered by data (the last three digits of a phone number, see [Endings]), by a clock and by the methods of
// [Simulator]. It refuses what the specification forbids, and its wire types are typed from the specification a second
// time, so that a mistake in the client cannot hide in a shared struct.
package simulator

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"time"
)

// The operations as they appear in [Call.Operation] and in the function given to [Simulator.SetChaos].
const (
	OpSend   = "send"
	OpStatus = "hentStatus"
	OpBatch  = "sendBatch"
	OpLookup = "oppslag"
	OpToken  = "token"

	opUnknown  = "unknown"
	opRedirect = "redirected"
)

// Options says how a simulator behaves. The zero value accepts any client and any account.
type Options struct {
	Now      func() time.Time  // nil: time.Now; must be safe for concurrent use
	Pace     time.Duration     // between two status steps; default 2 seconds
	Clients  map[string]string // client id to secret for POST /token; empty: any pair
	Accounts []string          // kontoIds the caller has access to; empty: any uuid

	IntegrationID       string // when set, the header IntegrasjonId must say this
	IntegrationPassword string // when set, the header IntegrasjonPassord must say this

	TokenLifetime time.Duration // default 2 minutes
	SlowFor       time.Duration // how long a slow answer takes; default 15 seconds
}

// Simulator is an [http.Handler] that plays the SMS service and its token endpoint. It is safe for concurrent use.
type Simulator struct {
	options   Options
	accounts  map[string]bool
	endings   map[string]Ending
	mux       *http.ServeMux
	key       []byte
	closed    chan struct{}
	closeOnce sync.Once

	mu         sync.Mutex
	books      []SMS
	byID       map[string]int
	calls      []Call
	violations []string
	tokens     map[string]time.Time
	seen       map[string]bool
	refusal    int
	down       bool
	chaos      func(operation, recipient string) Fault
}

// New returns a simulator with nothing in its books.
func New(o Options) *Simulator {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Pace = cmp.Or(max(o.Pace, 0), 2*time.Second)
	o.TokenLifetime = cmp.Or(max(o.TokenLifetime, 0), 2*time.Minute)
	o.SlowFor = cmp.Or(max(o.SlowFor, 0), 15*time.Second)

	s := &Simulator{
		options:  o,
		accounts: map[string]bool{},
		endings:  map[string]Ending{},
		mux:      http.NewServeMux(),
		key:      []byte(rand.Text()),
		closed:   make(chan struct{}),
		byID:     map[string]int{},
		tokens:   map[string]time.Time{},
		seen:     map[string]bool{},
	}
	for _, id := range o.Accounts {
		s.accounts[strings.ToLower(id)] = true
	}
	for _, e := range Endings() {
		s.endings[e.Digits] = e
	}
	s.registerTokens()
	s.registerSMS()
	s.registerRest()
	return s
}

// ServeHTTP answers one call.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.URL.Path, "//") { // the mux would redirect and so hide a badly joined address
		s.operation(opUnknown, s.noSuchOperation)(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// Close ends all slow answers at once, now and later. Call it before the HTTP server around the simulator is closed.
func (s *Simulator) Close() {
	s.closeOnce.Do(func() { close(s.closed) })
}

// SetChaos installs a function that decides a fault for each call of the service; nil removes it. It is asked after the
// call was found good, with the phone number or national id (for lists: the first one). NoFault leaves the call to the
// endings. Token calls are steered by [Simulator.RefuseTokens] instead.
func (s *Simulator) SetChaos(f func(operation, recipient string) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chaos = f
}

// SetDown makes every operation of the service answer 503 until it is called with false. Tokens are still issued.
func (s *Simulator) SetDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

func (s *Simulator) isDown() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.down
}

// registerRest catches what no API knows: a wrong address is a mistake of the client worth a line.
func (s *Simulator) registerRest() {
	s.mux.HandleFunc("/", s.operation(opUnknown, s.noSuchOperation))
	s.mux.HandleFunc(redirectTarget+"/", s.operation(opRedirect, s.followedRedirect))
}

func (s *Simulator) noSuchOperation(x *exchange) {
	x.violate("no such operation: " + x.r.Method + " " + x.r.URL.Path)
	x.fail(http.StatusNotFound)
}

func (s *Simulator) followedRedirect(x *exchange) {
	x.violate("followed a redirect")
	x.fail(http.StatusNotFound)
}
