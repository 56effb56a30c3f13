// Package simulator imitates the outside SMS service, the shipment service (V1 to V3) and their token endpoint over
// HTTP, for development and tests.
//
// It is steered by data (the last three digits of a phone number, see [Endings], and words in the title of a shipment,
// see [Words]), by a clock and by the methods of [Simulator]. It refuses what the specification forbids, and its wire
// types are typed from the specification a second time, so that a mistake in the client cannot hide in a shared struct.
package simulator

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // Europe/Oslo for machines without zone files
)

// The operations as they appear in [Call.Operation] and in the function given to [Simulator.SetChaos].
const (
	OpSend   = "send"
	OpStatus = "hentStatus"
	OpBatch  = "sendBatch"
	OpLookup = "oppslag"
	OpToken  = "token"

	OpDiscovery = "discovery" // of the token endpoint

	OpUnknown  = "unknown"
	opRedirect = "redirected"
)

// Simulator is an [http.Handler] that plays the services and the token endpoint. It is safe for concurrent use.
type Simulator struct {
	Options   Options
	Oslo      *time.Location
	endings   map[string]Ending
	lookups   map[string]lookupEnding
	words     []word
	Mux       *http.ServeMux
	key       []byte
	recipient func() recipient
	closed    chan struct{}
	closeOnce sync.Once

	mu           sync.Mutex
	Basic        *pairs
	clients      *pairs
	integrations *pairs
	access       map[access]bool
	keys         []Key
	assertions   map[string]bool // used ones

	books      []SMS
	byID       map[string]int
	calls      []Call
	violations []string
	shipments  shipmentBooks
	tokens     map[string]issued
	seen       map[string]bool
	refusal    int
	down       bool
	chaos      func(operation, recipient string) Fault
}

// provided are the generations of the shipment service.
var provided []func(*Simulator)

// Provide adds a generation of the shipment service to simulators. Its package calls this when it is imported.
func Provide(register func(*Simulator)) bool {
	provided = append(provided, register)
	return true
}

// New returns a simulator without any messages. It panics when Options.Wire is neither empty nor a wire.
func New(o Options) *Simulator {
	o = o.withDefaults()
	s := &Simulator{
		Options: o,
		Oslo:    oslo(),
		endings: map[string]Ending{},
		lookups: map[string]lookupEnding{},
		words:   words(),
		Mux:     http.NewServeMux(),
		key:     []byte(rand.Text()),

		recipient: sync.OnceValue(newRecipient),

		closed: make(chan struct{}),
		byID:   map[string]int{},
		tokens: map[string]issued{},
		seen:   map[string]bool{},

		Basic:        newPairs(o.Basic),
		clients:      newPairs(o.Clients),
		integrations: newPairs(o.Integrations),
		access:       map[access]bool{},
		keys:         slices.Clone(o.Keys),
		assertions:   map[string]bool{},

		shipments: newShipmentBooks(),
	}
	for _, id := range o.Accounts {
		s.GrantAccess("", id)
	}
	for _, e := range Endings() {
		s.endings[e.Digits] = e
	}
	for _, e := range lookupEndings() {
		s.lookups[e.Digits] = e
	}
	s.registerTokens()
	s.registerSMS()
	for _, register := range provided {
		register(s)
	}
	s.registerCertificate()
	s.registerRest()
	return s
}

func oslo() *time.Location {
	zone, err := time.LoadLocation("Europe/Oslo")
	if err != nil { // impossible: the zones are embedded
		panic(err)
	}
	return zone
}

// ServeHTTP answers one call. Its Date header uses the clock of the options, by which clients measure clock skew.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", s.Options.Now().UTC().Format(http.TimeFormat))
	if strings.Contains(r.URL.EscapedPath(), "//") { // the mux would redirect and so hide a badly joined address
		s.Operation(OpUnknown, s.NoSuchOperation)(w, r)
		return
	}
	s.Mux.ServeHTTP(w, r)
}

// Close ends all slow answers at once, now and later. Call it before closing the HTTP server around the simulator.
func (s *Simulator) Close() {
	s.closeOnce.Do(func() { close(s.closed) })
}

// SetChaos installs a function that chooses a fault for each call of the service; nil removes it. It is called after
// the call was validated, with the phone number or national id, for shipments with the title (for lists: the first
// one; empty where there is none); for a submission of a shipment after its metadata was validated, before its
// documents are read. NoFault leaves the call to the endings and words. Token requests are controlled by
// [Simulator.RefuseTokens] instead.
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

// registerRest handles all other addresses: a wrong address is a violation by the client.
func (s *Simulator) registerRest() {
	s.Mux.HandleFunc("/", s.Operation(OpUnknown, s.NoSuchOperation))
	s.Mux.HandleFunc(redirectTarget+"/", s.Operation(opRedirect, s.followedRedirect))
}

// NoSuchOperation answers calls to unknown addresses.
func (s *Simulator) NoSuchOperation(x *Exchange) {
	x.Violate("no such operation: " + x.Request.Method + " " + x.Request.URL.Path)
	m := x.errorMessage(http.StatusNotFound, "")
	m.ErrorID, m.ErrorCode, m.Message = "", "", "No message available" // written by the framework, not by the service
	x.answer(http.StatusNotFound, m)
}

func (s *Simulator) followedRedirect(x *Exchange) {
	x.Violate("followed a redirect")
	x.Fail(http.StatusNotFound)
}
