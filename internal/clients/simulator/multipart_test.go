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
)

func TestParts(t *testing.T) {
	t.Parallel()
	const ok = ""
	deployed := func(name, contentType string) part {
		return part{name: name, fileName: "vedtak.pdf", contentType: contentType, content: "x"}
	}
	tests := map[string]struct {
		change         func(*draft)
		spec, deployed string // the violation, or nothing
	}{
		"metadata without content type": {
			func(d *draft) { d.first.contentType = "" }, "the part forsendelse is not application/json", ok,
		},
		"metadata as plain text": {
			func(d *draft) { d.first.contentType = "text/plain; charset=UTF-8" }, "the part forsendelse is not application/json", ok,
		},
		"metadata as octets": {
			func(d *draft) { d.first.contentType = "application/octet-stream" },
			"the part forsendelse is not application/json", "the part forsendelse is not application/json",
		},
		"metadata in UTF-8 by name": {func(d *draft) { d.first.contentType = "application/json; charset=utf-8" }, ok, ok},
		"metadata under another name": {
			func(d *draft) { d.first.name = "Forsendelse" }, "the first part is not named forsendelse", "the first part is not named forsendelse",
		},
		"metadata last": {
			func(d *draft) { d.first, d.files[0] = d.files[0], d.first },
			"the first part is not named forsendelse", "the first part is not named forsendelse",
		},
		"a document under another name": {
			func(d *draft) { d.files[0] = deployed("filer", "application/octet-stream") }, "the name of a part is not its filnavn", ok,
		},
		"a document with a type of its own": {
			func(d *draft) { d.files[0] = deployed("vedtak.pdf", "application/pdf") }, "a document is not application/octet-stream", ok,
		},
		"a document without type": {
			func(d *draft) { d.files[0] = deployed("vedtak.pdf", "") }, "a document is not application/octet-stream", ok,
		},
		"a document with another file name": {
			func(d *draft) { d.files[0].fileName = "Vedtak.pdf" },
			"the file name of a part is not the filnavn whose turn it is", "the file name of a part is not the filnavn whose turn it is",
		},
		"a document without file name": {
			func(d *draft) { d.files[0].fileName = "" },
			"the file name of a part is not the filnavn whose turn it is", "the file name of a part is not the filnavn whose turn it is",
		},
		"a document in a folder": {
			func(d *draft) { d.files[0].fileName = "mappe/vedtak.pdf" },
			"the file name of a part is not the filnavn whose turn it is", "the file name of a part is not the filnavn whose turn it is",
		},
		"an encoded file name": {
			func(d *draft) {
				d.files[0].disposition = `form-data; name="vedtak.pdf"; filename*=UTF-8''vedtak.pdf`
			}, "the file name of a part is in the form of RFC 5987", ok,
		},
		"a part that is an attachment": {
			func(d *draft) { d.files[0].disposition = `attachment; filename="vedtak.pdf"` },
			"a part is not form-data", "a part is not form-data",
		},
		"documents in another order": {
			func(d *draft) {
				d.add("b.pdf", "application/pdf", "to")
				d.files[0], d.files[1] = d.files[1], d.files[0]
			},
			"the file name of a part is not the filnavn whose turn it is", "the file name of a part is not the filnavn whose turn it is",
		},
		"a document too few": {
			func(d *draft) { d.files = nil }, "there are fewer parts than dokumenter", "there are fewer parts than dokumenter",
		},
		"a document too many": {
			func(d *draft) { d.files = append(d.files, document("b.pdf", "x")) },
			"there are more parts than dokumenter", "there are more parts than dokumenter",
		},
		"metadata that is no JSON": {
			func(d *draft) { d.first.content = `{"tittel":` },
			"metadata: body is not one JSON value", "metadata: body is not one JSON value",
		},
		"metadata over 1 MiB": {
			func(d *draft) { d.first.content = strings.Repeat(" ", 1<<20+1) }, "metadata over 1 MiB", "metadata over 1 MiB",
		},
	}
	for name, tt := range tests {
		for wire, want := range map[string]string{simulator.WireSpec: tt.spec, simulator.WireDeployed: tt.deployed} {
			t.Run(wire+" gets "+name, func(t *testing.T) {
				t.Parallel()
				d := newDraft()
				tt.change(d)
				g := newRig(t, simulator.Options{Wire: wire})
				got := g.ship(t, d)
				if want == ok {
					g.checkViolations(t)
					if got.status != http.StatusOK || len(g.sim.Shipments()) != 1 {
						t.Errorf("got status %d and %d accepted, want 200 and 1", got.status, len(g.sim.Shipments()))
					}
					return
				}
				checkError(t, got, http.StatusBadRequest)
				g.checkViolations(t, "sendForsendelse: "+want)
				if got := len(g.sim.Shipments()); got != 0 {
					t.Errorf("got %d accepted, want 0", got)
				}
			})
		}
	}
}

func TestFieldsOfTheMetadata(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire string) {
		for name, tt := range map[string]struct {
			draft *draft
			text  string
		}{
			"an unknown field":               {newDraft().set("leveringsmetode", "X"), `unknown field "leveringsmetode"`},
			"a field of V2":                  {newDraft().set("konteringskode", "X"), `unknown field "konteringskode"`},
			"an unknown field in an address": {newDraft().set("mottaker.postAdresse.by", "X"), `unknown field "mottaker.postAdresse.by"`},
			"an unknown field in a document": {newDraft().set("dokumenter.0.data", "X"), `unknown field "dokumenter.data"`},
			"a date as text":                 {newDraft().set("signeringUtloper", "2026-03-04"), "field signeringUtloper has the wrong type"},
			"a boolean as text":              {newDraft().set("kryptert", "false"), "field kryptert has the wrong type"},
			"an object as text":              {newDraft().set("mottaker", "Kari"), "field mottaker has the wrong type"},
			"null in a list":                 {newDraft().set("dokumenter", []any{nil}), "dokumenter holds null"},
		} {
			t.Run("refuse "+name, func(t *testing.T) {
				g := newRig(t, simulator.Options{Wire: wire})
				checkError(t, g.ship(t, tt.draft), http.StatusBadRequest)
				g.checkViolations(t, "sendForsendelse: metadata: "+tt.text)
			})
		}
	})
}

func TestAFieldGivenTwiceInTheMetadata(t *testing.T) {
	t.Parallel()
	d := newDraft()
	d.first.content = `{"mottaker":{"postAdresse":{"navn":"a","navn":"b"}}}`
	g := newRig(t, simulator.Options{})
	checkError(t, g.ship(t, d), http.StatusBadRequest)
	g.checkViolations(t, "sendForsendelse: metadata: field mottaker.postAdresse.navn is given twice")
}

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
			before := len(g.calls(simulator.OpSendShipment))
			conn := g.dial(t, len(body), sent)
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			// The simulator cuts the connection when it has seen the end.
			if answer, _ := io.ReadAll(conn); len(answer) > 0 {
				t.Errorf("got answer %q, want none", answer)
			}
			calls := g.calls(simulator.OpSendShipment)
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
			if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
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
