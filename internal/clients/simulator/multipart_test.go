package simulator_test

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
)

func TestShapeOfASubmission(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*http.Request)
		status int
		line   string
	}{
		"refuses JSON": {
			func(r *http.Request) { r.Header.Set("Content-Type", "application/json") }, 400,
			"sendForsendelse: Content-Type is not multipart/form-data with a boundary",
		},
		"refuses multipart/mixed": {
			func(r *http.Request) { r.Header.Set("Content-Type", "multipart/mixed; boundary="+boundary) }, 400,
			"sendForsendelse: Content-Type is not multipart/form-data with a boundary",
		},
		"refuses no boundary": {
			func(r *http.Request) { r.Header.Set("Content-Type", "multipart/form-data") }, 400,
			"sendForsendelse: Content-Type is not multipart/form-data with a boundary",
		},
		"refuses another boundary": {
			func(r *http.Request) { r.Header.Set("Content-Type", "multipart/form-data; boundary=x") }, 400,
			"sendForsendelse: body is not whole multipart/form-data",
		},
		"refuses a missing length": {
			func(r *http.Request) { r.ContentLength = -1 }, 411, "sendForsendelse: no Content-Length",
		},
		"refuses a body without its end": {
			func(r *http.Request) { shorten(r, 10) }, 400, "sendForsendelse: body is not whole multipart/form-data",
		},
		"refuses an empty body": {
			func(r *http.Request) { shorten(r, int(r.ContentLength)) }, 400, "sendForsendelse: body is not whole multipart/form-data",
		},
		"writes an idempotency key down": {
			func(r *http.Request) { r.Header.Set("Idempotency-Key", "1") }, 200, "sendForsendelse: header Idempotency-Key",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			r := newDraft().request(t, g)
			tt.change(r)
			if got := g.do(r).status; got != tt.status {
				t.Errorf("got status %d, want %d", got, tt.status)
			}
			g.checkViolations(t, tt.line)
			if got := len(g.sim.Shipments()); (got == 1) != (tt.status == 200) {
				t.Errorf("got %d accepted", got)
			}
		})
	}
	t.Run("writes a missing length down on the deployed wire", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{Wire: simulator.WireDeployed})
		r := newDraft().request(t, g)
		r.ContentLength = -1
		if got := g.do(r).status; got != http.StatusOK {
			t.Errorf("got status %d, want 200", got)
		}
		g.checkViolations(t, "sendForsendelse: no Content-Length")
	})
}

// shorten takes the last n bytes from a body, and says so in its length.
func shorten(r *http.Request, n int) {
	left := r.ContentLength - int64(n)
	r.Body, r.ContentLength = io.NopCloser(io.LimitReader(r.Body, left)), left
	if left == 0 {
		r.Body = http.NoBody
	}
}

func TestABodyThatEndsEarlyAcceptsNothing(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	body := newDraft().body(t)
	for name, sent := range map[string]string{
		"in the metadata":             body[:200],
		"in a document":               body[:strings.Index(body, "%PDF")+4],
		"before the closing boundary": body[:len(body)-len("--"+boundary+"--\r\n")],
		"before the last byte":        body[:len(body)-1],
	} {
		t.Run(name, func(t *testing.T) {
			before := len(g.calls(shipmentv1.OpSendShipment))
			conn := g.dial(t, len(body), sent)
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			// The simulator cuts the connection when it has seen the end.
			if answer, _ := io.ReadAll(conn); len(answer) > 0 {
				t.Errorf("got answer %q, want none", answer)
			}
			calls := g.calls(shipmentv1.OpSendShipment)
			if len(calls) != before+1 || calls[before].Status != 0 {
				t.Errorf("got calls %+v, want one more without status", calls)
			}
		})
	}
	if got := len(g.sim.Shipments()); got != 0 {
		t.Errorf("got %d accepted, want 0", got)
	}
	g.checkViolations(t)
}

// dial sends a submission by hand: the length it promises, and what it writes of it.
func (g *rig) dial(t *testing.T, promised int, body string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST %ssendForsendelse HTTP/1.1\r\nHost: x\r\nAuthorization: Basic a29tbXVuZW46aGVtbWVsaWc=\r\n"+
		"Content-Type: multipart/form-data; boundary=%s\r\nContent-Length: %d\r\n\r\n%s", v1, boundary, promised, body)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestFaultsBeforeTheDocuments(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{"[brutt]": "", "[tidlig 503]": "HTTP/1.1 503"} {
		t.Run(title+" does not wait for them", func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			body := newDraft().titled(title).body(t)
			conn := g.dial(t, len(body)+1<<20, body[:strings.Index(body, "%PDF")])
			if err := conn.SetReadDeadline(time.Now().Add(5 * time.Minute)); err != nil {
				t.Fatal(err)
			}
			got, err := bufio.NewReader(conn).ReadString('\n')
			if !strings.HasPrefix(got, want) || (err == nil) != (want != "") {
				t.Errorf("got %q, error %v, want %q", got, err, want)
			}
			if got := len(g.sim.Shipments()); got != 0 {
				t.Errorf("got %d accepted, want 0", got)
			}
		})
	}
}

func TestRefusalsOfLargeBodiesAreRead(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	d := newDraft().titled("[feil 503]").add("stor.pdf", "application/pdf", strings.Repeat("x", 8<<20))
	checkError(t, g.ship(t, d), http.StatusServiceUnavailable)
	checkError(t, g.ship(t, d.set("tittel", "")), http.StatusBadRequest)
	r := d.request(t, g)
	r.Header.Del("Authorization")
	checkError(t, g.do(r), http.StatusUnauthorized)
	g.sim.SetDown(true)
	checkError(t, g.ship(t, d), http.StatusServiceUnavailable)
}

// This test looks at the memory of the whole process, so that it does not run beside others.
func TestAnUploadIsNotHeldInMemory(t *testing.T) {
	const size = 50 << 20
	g := newRig(t, simulator.Options{})
	body := newDraft().body(t)
	cut := strings.Index(body, "%PDF")
	source := io.MultiReader(strings.NewReader(body[:cut]), io.LimitReader(rand.Reader, size), strings.NewReader(body[cut+15:]))
	r := g.v1(t, http.MethodPost, "sendForsendelse", "")
	r.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
	watched := &heap{r: source}
	r.Body, r.ContentLength = io.NopCloser(watched), int64(len(body)-15+size)

	var got struct{ ID string }
	watched.start()
	g.do(r).read(t, &got)
	if watched.growth() > 10<<20 {
		t.Errorf("got %d bytes more at the most, want under 10 MiB", watched.growth())
	}
	if got := g.sim.Shipments()[0].Documents[0].Size; got != size {
		t.Errorf("got %d bytes, want %d", got, size)
	}
}

// heap is a reader that looks at the memory in use every now and then.
type heap struct {
	r          io.Reader
	read, next int64
	low, high  uint64
}

func (h *heap) start() {
	runtime.GC()
	h.low = inUse()
}

func (h *heap) Read(p []byte) (int, error) {
	if h.read >= h.next {
		h.high = max(h.high, inUse())
		h.next += 4 << 20
	}
	n, err := h.r.Read(p)
	h.read += int64(n)
	return n, err
}

func (h *heap) growth() uint64 { return max(h.high, h.low) - h.low }

func inUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
