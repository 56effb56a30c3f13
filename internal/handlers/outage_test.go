package handlers_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/store/storetest"
)

// wire is a TCP proxy to the database that can be cut.
type wire struct {
	address  string // of the port
	socket   string
	mu       sync.Mutex
	listener net.Listener
	open     []net.Conn
	silence  sync.RWMutex // held to write while nothing comes through
	executed atomic.Int64 // statements that went through
}

// silenced writes to one end of a wire when there is no silence.
type silenced struct {
	io.Writer
	wire *wire
}

func (s silenced) Write(p []byte) (int, error) {
	s.wire.silence.RLock()
	defer s.wire.silence.RUnlock()
	return s.Writer.Write(p)
}

// newWire makes a database and returns its address at the other end of a wire.
func newWire(t *testing.T) (*wire, string) {
	t.Helper()
	u, err := url.Parse(storetest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	w := &wire{address: "127.0.0.1:0", socket: filepath.Join(q.Get("host"), ".s.PGSQL."+q.Get("port"))}
	w.mend(t)
	t.Cleanup(w.cut)
	host, port, err := net.SplitHostPort(w.address)
	if err != nil {
		t.Fatal(err)
	}
	q.Set("host", host)
	q.Set("port", port)
	u.RawQuery = q.Encode()
	return w, u.String()
}

// mend allows connections again.
func (w *wire) mend(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", w.address)
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listener, w.address = listener, listener.Addr().String()
	go w.accept(listener)
}

func (w *wire) accept(listener net.Listener) {
	for {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("unix", w.socket)
		if err != nil {
			_ = near.Close()
			continue
		}
		w.mu.Lock()
		w.open = append(w.open, near, far)
		w.mu.Unlock()
		go func() { _, _ = io.Copy(silenced{&counted{Writer: far, n: &w.executed}, w}, near); _ = far.Close() }()
		go func() { _, _ = io.Copy(silenced{near, w}, far); _ = near.Close() }()
	}
}

// cut closes all connections and allows none.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.listener.Close()
	for _, c := range w.open {
		_ = c.Close()
	}
	w.open = nil
}

// TestDatabaseGone: pages that need the database say so, and work again when it is back.
func TestDatabaseGone(t *testing.T) {
	t.Parallel()
	w, address := newWire(t)
	s := newSiteWith(t, siteOptions{database: address})
	b := s.browser(t, caseworker)
	id := string(s.draft(t, caseworker, message("Utkast")))
	if got := b.get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
		t.Fatalf("got %d before it went away, want 200", got)
	}

	w.cut()
	tests := []struct {
		name   string
		answer answer
		want   int
	}{
		{"a page", b.get("/k/oppvekst/sms"), 503},
		{"a form", b.post("/k/oppvekst/sms/ny", whole()), 503},
		{"the last click", b.post("/k/oppvekst/sms/"+id+"/send", fields()), 503},
		{"a page that is not there", b.get("/nothing"), 503},
		{"the front page", b.get("/"), 503},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			page := test.answer.page(t)
			if test.answer.StatusCode != test.want || heading(page) != "Utsending er ikke tilgjengelig akkurat nå" {
				t.Errorf("got %d %q, want %d", test.answer.StatusCode, heading(page), test.want)
			}
			if page.Find("html").Length() != 1 || strings.Count(test.answer.body, "<!doctype") > 1 {
				t.Error("the answer is more than one page")
			}
			if page.Find("main code").Text() != test.answer.Header.Get("X-Request-Id") {
				t.Error("the page has no error id")
			}
			checkDiscreet(t, test.answer)
		})
	}
	for address, want := range map[string]int{"/healthz": 200, "/readyz": 503, "/logget-ut": 200, s.assets.Path("app.css"): 200} {
		t.Run(address, func(t *testing.T) {
			if got := b.get(address).StatusCode; got != want {
				t.Errorf("got %d, want %d", got, want)
			}
		})
	}
	t.Run("a part of a page", func(t *testing.T) {
		if got := b.get("/k/oppvekst/sms/"+id, fragment("sms")...); got.StatusCode != 503 || got.body != "" {
			t.Errorf("got %d with %d bytes, want 503 and nothing", got.StatusCode, len(got.body))
		}
	})

	w.mend(t)
	t.Run("works again when it is back", func(t *testing.T) {
		for _, address := range []string{"/readyz", "/k/oppvekst/sms", "/k/oppvekst/sms/" + id + "/kontroll"} {
			if got := b.get(address).StatusCode; got != http.StatusOK {
				t.Errorf("%s: got %d, want 200", address, got)
			}
		}
	})
}

// TestDatabaseSilent: /readyz detects a database that accepts queries and never answers.
func TestDatabaseSilent(t *testing.T) {
	t.Parallel()
	w, address := newWire(t)
	s := newSiteWith(t, siteOptions{database: address})
	b := s.browser(t, caseworker)
	if got := b.get("/readyz").StatusCode; got != http.StatusOK {
		t.Fatalf("got %d before it fell silent", got)
	}
	w.silence.Lock()
	got := b.get("/readyz")
	w.silence.Unlock()
	if got.StatusCode != http.StatusServiceUnavailable || got.body != "database does not answer\n" {
		t.Errorf("got %d %q", got.StatusCode, got.body)
	}
	if got := b.get("/readyz").StatusCode; got != http.StatusOK {
		t.Errorf("got %d when it answers again", got)
	}
}

// TestDatabaseFrozen: a database whose processes stand still, or a proxy that takes everything and passes nothing on, holds
// no page up: it says so, and what comes later says so at once. When it thaws, all works again, and what was waiting is done
// once or not at all.
func TestDatabaseFrozen(t *testing.T) {
	t.Parallel()
	w, address := newWire(t)
	s := newSiteWith(t, siteOptions{database: address})
	b := s.browser(t, caseworker)
	if got := b.get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
		t.Fatalf("got %d before it froze", got)
	}
	b.client.Timeout = time.Minute // only tells what hangs: the server's own limit on an answer is as long
	form := whole()

	w.silence.Lock()
	answers := make([]answer, 30) // more than there are connections
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			if i%2 == 0 {
				answers[i] = b.get("/k/oppvekst/sms")
			} else {
				answers[i] = b.post("/k/oppvekst/sms/ny", form)
			}
		})
	}
	all.Wait()
	for _, got := range answers {
		if got.Response == nil {
			continue // its own failure tells
		}
		if page := got.page(t); got.StatusCode != 503 || heading(page) != "Utsending er ikke tilgjengelig akkurat nå" {
			t.Errorf("got %d %q", got.StatusCode, heading(page))
		}
	}
	if got := b.get("/readyz").StatusCode; got != 503 {
		t.Errorf("ready: got %d", got)
	}
	w.silence.Unlock()

	for b.get("/readyz").StatusCode != http.StatusOK { // the test program's own limit tells what never thaws
		time.Sleep(20 * time.Millisecond)
	}
	if got := b.get("/k/oppvekst/sms").StatusCode; got != http.StatusOK {
		t.Errorf("a page: got %d when it answers again", got)
	}
	for range 2 {
		if got := b.post("/k/oppvekst/sms/ny", form).StatusCode; got != http.StatusSeeOther {
			t.Errorf("the form again: got %d", got)
		}
	}
	if got := countRows(t, s, `SELECT count(*) FROM items`); got != 1 {
		t.Errorf("got %d items of one form, want 1", got)
	}
}
