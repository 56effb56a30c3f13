package siem_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/siem"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// manner is how a fake log server behaves.
type manner string

// The manners.
const (
	takes      manner = "takes"       // reads all, and confirms
	hangs      manner = "hangs"       // never answers
	drops      manner = "drops"       // reads a little, then disconnects
	silentEnd  manner = "silent end"  // reads all, and disconnects without close_notify
	refuses    manner = "refuses"     // 400, or no TLS
	redirects  manner = "redirects"   // to another
	overloaded manner = "overloaded"  // 503
	login      manner = "login"       // 401
	halfAnswer manner = "half answer" // success that breaks off
)

// server is a fake log server of either kind, over real TLS.
type server struct {
	mu      sync.Mutex
	manner  manner
	got     []int64  // positions, in the order in which they were taken
	lines   []string // as received
	address string
	ca      string
	release chan struct{}
	auth    string
}

func (s *server) behave(m manner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.manner = m
}

func (s *server) now() manner {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manner
}

func (s *server) take(line string, position int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got, s.lines = append(s.got, position), append(s.lines, line)
}

// taken returns what the server has received since the last call.
func (s *server) taken() (positions []int64, lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	positions, lines, s.got, s.lines = s.got, s.lines, nil, nil
	return positions, lines
}

// certificate makes a certificate for this machine.
func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "127.0.0.1"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

var position = regexp.MustCompile(`position="(\d+)"`)

// newSyslog starts a syslog server.
func newSyslog(t *testing.T) *server {
	t.Helper()
	pair, ca := certificate(t)
	s := &server{manner: takes, ca: ca, release: make(chan struct{})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = "syslog+tls://" + l.Addr().String()
	var conns sync.WaitGroup
	t.Cleanup(func() { close(s.release); _ = l.Close(); conns.Wait() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns.Go(func() { s.serve(c, &tls.Config{Certificates: []tls.Certificate{pair}}) })
		}
	}()
	return s
}

// serve reads frames (RFC 5425).
func (s *server) serve(raw net.Conn, config *tls.Config) {
	defer raw.Close() //nolint:errcheck // a test's server
	m := s.now()
	if m == refuses {
		_, _ = io.WriteString(raw, "220 this is a mail server\r\n")
		return
	}
	c := tls.Server(raw, config)
	if m == hangs {
		_ = c.Handshake()
		<-s.release
		return
	}
	in := bufio.NewReader(c)
	for {
		length, err := in.ReadString(' ')
		if err != nil {
			break
		}
		n, _ := strconv.Atoi(strings.TrimSuffix(length, " "))
		line := make([]byte, n)
		if _, err := io.ReadFull(in, line); err != nil {
			break
		}
		at, _ := strconv.ParseInt(position.FindStringSubmatch(string(line))[1], 10, 64)
		s.take(string(line), at)
		if m == drops {
			_ = raw.(*net.TCPConn).SetLinger(0)
			return
		}
	}
	if m != silentEnd {
		_ = c.Close() // with close_notify
	}
}

// newHTTPS starts a server of JSON lines.
func newHTTPS(t *testing.T) *server {
	t.Helper()
	s := &server{manner: takes, release: make(chan struct{})}
	web := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch s.now() {
		case hangs:
			_, _ = io.Copy(io.Discard, r.Body)
			<-s.release
			return
		case drops:
			panic(http.ErrAbortHandler)
		case refuses:
			w.WriteHeader(http.StatusBadRequest)
			return
		case overloaded:
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case login:
			w.WriteHeader(http.StatusUnauthorized)
			return
		case redirects:
			http.Redirect(w, r, "/annet", http.StatusTemporaryRedirect)
			return
		}
		s.mu.Lock()
		s.auth = r.Header.Get("Authorization")
		s.mu.Unlock()
		in := bufio.NewScanner(r.Body)
		for in.Scan() {
			var line struct{ Position int64 }
			_ = json.Unmarshal(in.Bytes(), &line)
			s.take(in.Text(), line.Position)
		}
		if s.now() == halfAnswer {
			w.Header().Set("Content-Length", "10")
			_, _ = io.WriteString(w, "half")
		}
	}))
	web.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(func() { close(s.release); web.Close() })
	s.address = web.URL + "/hendelser"
	s.ca = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw}))
	return s
}

// rig is an installation with an event log.
type rig struct {
	storetest.Sample
	s   *store.Store
	now time.Time
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{s: storetest.New(t), now: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)}
	r.Sample = storetest.NewSample(t, r.s, "oppvekst")
	return r
}

// write writes lines to the event log and chains them.
func (r *rig) write(t *testing.T, n int) {
	t.Helper()
	for range n {
		a := store.Audit{Actor: r.User, Account: r.Account.ID, Action: "delivery.pause", Details: map[string]any{"reason": "Kari Nordmann ringte"}, Origin: "192.0.2.7"}
		if err := r.s.Record(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := registry.In(r.s).Audit.Chain(t.Context(), time.Time{}); err != nil {
		t.Fatal(err)
	}
}

// forwarder is a forwarder as in a process of its own.
func (r *rig) forwarder(t *testing.T, s *server, change func(*siem.Settings)) *siem.Forwarder {
	t.Helper()
	settings := siem.Settings{Address: s.address, CA: s.ca, Host: "utsending.example.no"}
	if change != nil {
		change(&settings)
	}
	to, err := siem.ParseServer(settings)
	if err != nil {
		t.Fatal(err)
	}
	return siem.New(siem.Options{Store: r.s, Log: slog.New(slog.DiscardHandler), Server: to, Now: func() time.Time { return r.now }, Batch: 3, CallTime: time.Second})
}

func (r *rig) state(t *testing.T) registry.SIEMState {
	t.Helper()
	state, err := registry.In(r.s).SIEM.State(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return state
}
