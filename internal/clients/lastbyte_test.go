package clients_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"utsending/internal/clients"
)

var errLeaseLost = errors.New("lease lost")

func TestReadyKeepsTheMessageBack(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"a short body": "message", "one byte": "x", "a long body": large} {
		t.Run(name+" on a new connection", func(t *testing.T) {
			t.Parallel()
			checkKeptBack(t, newClient(t), whole(t), body)
		})
		t.Run(name+" on a connection that is used again", func(t *testing.T) {
			t.Parallel()
			client, service := newClient(t), whole(t)
			if got := clients.Do(t.Context(), client, newPost(t, service.url), []byte("first"), nil); got.Status != 200 {
				t.Fatalf("got status %d for the first message, want 200", got.Status)
			}
			checkKeptBack(t, client, service, body)
		})
	}
}

func checkKeptBack(t *testing.T, client *http.Client, service *wholeRequests, body string) {
	t.Helper()
	before, asked := service.requests.Load(), 0
	got := clients.Do(t.Context(), client, newPost(t, service.url), []byte(body), func(context.Context) error {
		asked++
		return errLeaseLost
	})
	checkExchange(t, got, want{})
	if asked != 1 {
		t.Errorf("got asked %d times, want once", asked)
	}
	if after := service.received(t, client); after != before {
		t.Errorf("got %d more whole requests at the service, want none", after-before)
	}
}

// wholeRequests counts the requests that come to their last byte.
type wholeRequests struct {
	*service
	requests atomic.Int32
}

func whole(t *testing.T) *wholeRequests {
	t.Helper()
	w := &wholeRequests{}
	w.service = serve(t, func(c net.Conn) {
		for r := bufio.NewReader(c); ; {
			if _, err := readRequest(r); err != nil {
				return
			}
			w.requests.Add(1)
			write(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	return w
}

// received returns how many came, when all that was sent has been read: connections are accepted in turn, so one more
// request comes after all the others.
func (w *wholeRequests) received(t *testing.T, client *http.Client) int32 {
	t.Helper()
	last := newClient(t)
	if got := clients.Do(t.Context(), last, newPost(t, w.url), []byte("last"), nil); got.Status != http.StatusOK {
		t.Fatalf("got status %d for the last message, want 200", got.Status)
	}
	last.CloseIdleConnections()
	client.CloseIdleConnections()
	w.wait()
	return w.requests.Load() - 1
}

func TestReadyIsAskedWhenAllElseIsWritten(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	service := serve(t, func(c net.Conn) {
		readPart(c)
		close(arrived)
		_, _ = io.Copy(io.Discard, c)
	})
	got := clients.Do(t.Context(), newClient(t), newPost(t, service.url), []byte(large), func(context.Context) error {
		<-arrived
		return errLeaseLost
	})
	checkExchange(t, got, want{})
}

func TestEarlyAnswerHoldsTheLastByte(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"413 Content Too Large", "500 Internal Server Error", "503 Service Unavailable"} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			read, answered := make(chan int, 1), make(chan struct{})
			service := serve(t, func(c net.Conn) {
				part := readPart(c)
				write(c, "HTTP/1.1 "+status+"\r\nContent-Length: 2\r\n\r\n{}")
				n, _ := io.Copy(io.Discard, c)
				read <- part + int(n)
			})
			got := clients.Do(t.Context(), newClient(t), newPost(t, service.url), []byte(large), func(context.Context) error {
				<-answered
				return nil
			})
			close(answered) // the lease is found to be good, but by now the answer has come
			if got.Status < 400 || got.Sent || got.Timeout || string(got.Body) != "{}" {
				t.Errorf("got %d, sent %t, body %q, want the answer and not sent", got.Status, got.Sent, got.Body)
			}
			if n := <-read; n >= len(large) {
				t.Errorf("got %d bytes of the body at the service, want the last one held", n)
			}
		})
	}
}

// A transport may go on with the body after the answer, or after it has given up.
func TestTheLastByteIsHeldWhenTheCallIsOver(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err  error
		want want
	}{
		"with an early answer": {nil, want{status: http.StatusServiceUnavailable}},
		"without an answer":    {errors.New("broken"), want{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			transport := &hasty{err: tt.err}
			got := clients.Do(t.Context(), &http.Client{Transport: transport}, newPost(t, "http://service"), []byte("message"), nil)
			checkExchange(t, got, tt.want)
			if n, err := transport.body.Read(make([]byte, 1)); n != 0 || err == nil || err == io.EOF {
				t.Errorf("got %d bytes and error %v, want none and an error", n, err)
			}
		})
	}
}

// hasty is a transport that comes back before it has read the last byte of a body.
type hasty struct {
	err  error
	body io.Reader
}

func (h *hasty) RoundTrip(r *http.Request) (*http.Response, error) {
	h.body = r.Body
	_, _ = io.ReadFull(r.Body, make([]byte, r.ContentLength-1))
	if h.err != nil {
		return nil, h.err
	}
	return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: http.NoBody, Request: r}, nil
}

// readPart reads the head and the first part of a large body, and returns how much of the body that was.
func readPart(c net.Conn) int {
	part := make([]byte, len(large)/2)
	_, _ = io.ReadFull(c, part)
	_, body, _ := bytes.Cut(part, []byte("\r\n\r\n"))
	return len(body)
}

// The answer may be back before the transport has said that the request is written.
func TestSentIsKnownBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"a short body": "message", "a long body": large} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := serve(t, func(c net.Conn) {
				if _, err := readRequest(bufio.NewReader(c)); err == nil {
					write(c, "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
				}
			})
			answered := make(chan struct{})
			client := newClient(t)
			client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				c, err := (&net.Dialer{}).DialContext(ctx, network, address)
				return &slowToReturn{Conn: c, left: len(body), until: answered}, err
			}
			got := clients.Do(t.Context(), client, newPost(t, service.url), []byte(body), nil)
			close(answered)
			checkExchange(t, got, want{status: 500, sent: true})
		})
	}
}

// TestAShortBodyIsOneWrite: each write is a packet of its own, and with TLS a record.
func TestAShortBodyIsOneWrite(t *testing.T) {
	t.Parallel()
	service := whole(t) // ends after the client has let go of its connection
	client := newClient(t)
	var writes atomic.Int32
	client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &counted{Conn: c, writes: &writes}, err
	}
	got := clients.Do(t.Context(), client, newPost(t, service.url), []byte("message"), nil)
	checkExchange(t, got, want{status: 200, sent: true})
	if n := writes.Load(); n != 2 {
		t.Errorf("got %d writes, want one of the head and one of the body", n)
	}
}

// counted counts the writes to a connection.
type counted struct {
	net.Conn
	writes *atomic.Int32
}

func (c *counted) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// slowToReturn writes at once, but its call with the last byte of the body returns only when the answer was read.
type slowToReturn struct {
	net.Conn
	left  int
	until chan struct{}
}

func (c *slowToReturn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if _, body, ok := bytes.Cut(p, []byte("\r\n\r\n")); ok {
		c.left -= len(body)
	} else {
		c.left -= len(p)
	}
	if c.left == 0 {
		<-c.until
	}
	return n, err
}

func TestRepeatedByTheTransport(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		reachable bool // the second time
		want      want
	}{
		"nothing was written, and nobody is there any more": {false, want{}},
		"nothing was written, and it goes the second time":  {true, want{status: 200, sent: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, client := whole(t), newClient(t)
			var conn *breakable
			client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				if conn != nil && !tt.reachable {
					return nil, errors.New("nobody there")
				}
				c, err := (&net.Dialer{}).DialContext(ctx, network, address)
				conn = &breakable{Conn: c}
				return conn, err
			}
			if got := clients.Do(t.Context(), client, newPost(t, service.url), []byte("first"), nil); got.Status != 200 {
				t.Fatalf("got status %d for the first message, want 200", got.Status)
			}
			conn.broken.Store(true)
			got := clients.Do(t.Context(), client, newPost(t, service.url), []byte("second"), nil)
			checkExchange(t, got, tt.want)
		})
	}
}

// breakable is a connection on which nothing can be written once it is broken.
type breakable struct {
	net.Conn
	broken atomic.Bool
}

func (c *breakable) Write(p []byte) (int, error) {
	if c.broken.Load() {
		return 0, errors.New("broken")
	}
	return c.Conn.Write(p)
}
