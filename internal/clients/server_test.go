package clients_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"utsending/internal/clients"
)

// service serves each connection with a function until the test ends.
type service struct {
	url  string
	mu   sync.Mutex
	idle *sync.Cond
	open int
}

func serve(t *testing.T, each func(net.Conn)) *service {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &service{url: "http://" + l.Addr().String()}
	s.idle = sync.NewCond(&s.mu)
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			s.count(1)
			go func() {
				defer s.count(-1)
				defer func() { _ = c.Close() }() // the other end may have closed it already
				each(c)
			}()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); s.wait() })
	return s
}

func (s *service) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += n
	s.idle.Broadcast()
}

// wait returns when every connection has ended.
func (s *service) wait() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.open > 0 {
		s.idle.Wait()
	}
}

// readRequest reads one request to its last byte; the error tells that it never came.
func readRequest(from *bufio.Reader) (body string, err error) {
	r, err := http.ReadRequest(from)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r.Body)
	return string(b), err
}

// write ignores an error: what arrives is what the test looks at.
func write(w io.Writer, s string) { _, _ = io.WriteString(w, s) }

// handled serves with an ordinary handler and returns the address.
func handled(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// closedPort is an address where nobody answers.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	return "http://" + l.Addr().String()
}

// newClient is our client with nothing left open at the end of the test.
func newClient(t *testing.T) *http.Client {
	t.Helper()
	c := clients.NewHTTPClient()
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func newPost(t *testing.T, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func post(t *testing.T, url, body string) clients.Exchange {
	t.Helper()
	return clients.Do(t.Context(), newClient(t), newPost(t, url), []byte(body), nil)
}

// want is what a test expects of an Exchange.
type want struct {
	status              int
	sent, cut, timedOut bool
	body                string
}

func checkExchange(t *testing.T, got clients.Exchange, w want) {
	t.Helper()
	if got.Status != w.status || got.Sent != w.sent || got.Cut != w.cut || got.Timeout != w.timedOut {
		t.Errorf("got status %d, sent %t, cut %t, timeout %t, want %d, %t, %t, %t",
			got.Status, got.Sent, got.Cut, got.Timeout, w.status, w.sent, w.cut, w.timedOut)
	}
	if string(got.Body) != w.body {
		t.Errorf("got body %.80q, want %.80q", got.Body, w.body)
	}
}

// large is more than the transport buffers, so that it is written piece by piece.
var large = strings.Repeat("x", 64<<10)
