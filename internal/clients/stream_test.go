package clients_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"utsending/internal/clients"
)

// stream is a body that counts how often it is opened and closed, and complains about reads after that.
type stream struct {
	t      *testing.T
	size   int
	give   func(ctx context.Context) io.Reader
	opened atomic.Int32
	open   atomic.Int32
}

// streamed is a body that is the text that it says it is.
func streamed(t *testing.T, text string) *stream {
	return &stream{t: t, size: len(text), give: func(context.Context) io.Reader { return strings.NewReader(text) }}
}

func (s *stream) post(ctx context.Context, client *http.Client, url string, ready clients.Ready) clients.Exchange {
	s.t.Helper()
	x := clients.Stream(ctx, client, newPost(s.t, url), clients.Body{Size: int64(s.size), Open: s.Open}, ready)
	if got := s.open.Load(); got != 0 {
		s.t.Errorf("got %d bodies open after the call, want none", got)
	}
	return x
}

// Open is the function of clients.Body.
func (s *stream) Open(ctx context.Context) io.ReadCloser {
	s.opened.Add(1)
	s.open.Add(1)
	return &streamReader{Reader: s.give(ctx), stream: s}
}

type streamReader struct {
	io.Reader
	stream *stream
	closed atomic.Bool
}

func (r *streamReader) Read(p []byte) (int, error) {
	if r.closed.Load() {
		r.stream.t.Error("got a read after the body was closed, want none")
	}
	n, err := r.Reader.Read(p)
	if r.closed.Load() {
		r.stream.t.Error("got the body closed within a read, want it after")
	}
	return n, err
}

func (r *streamReader) Close() error {
	if r.closed.Swap(true) {
		r.stream.t.Error("got the body closed twice, want once")
	}
	r.stream.open.Add(-1)
	return errors.New("closing went wrong")
}

func TestStreamSendsTheBody(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"one byte": "x", "two bytes": "xy", "a short body": "message", "a long body": large} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := handled(t, func(w http.ResponseWriter, r *http.Request) {
				got, err := io.ReadAll(r.Body)
				if err != nil || string(got) != body || r.ContentLength != int64(len(body)) || r.TransferEncoding != nil {
					t.Errorf("got %d bytes, announced %d, error %v, want %d", len(got), r.ContentLength, err, len(body))
				}
				write(w, "{}")
			})
			asked := 0
			s := streamed(t, body)
			got := s.post(t.Context(), newClient(t), url, func(context.Context) error { asked++; return nil })
			checkExchange(t, got, want{status: 200, sent: true, body: "{}"})
			if asked != 1 || s.opened.Load() != 1 {
				t.Errorf("got asked %d times, opened %d times, want once", asked, s.opened.Load())
			}
		})
	}
}

func TestStreamKeepsTheLastByte(t *testing.T) {
	t.Parallel()
	text := func(n int) io.Reader { return strings.NewReader(strings.Repeat("x", n)) }
	for name, tt := range map[string]struct {
		give  func(context.Context) io.Reader
		ready error
	}{
		"of a body one byte short": {func(context.Context) io.Reader { return text(len(large) - 1) }, nil},
		"of a body half as long":   {func(context.Context) io.Reader { return text(len(large) / 2) }, nil},
		"of an empty body":         {func(context.Context) io.Reader { return text(0) }, nil},
		"of a body one byte long":  {func(context.Context) io.Reader { return text(len(large) + 1) }, nil},
		"of a body that fails":     {func(context.Context) io.Reader { return iotest.ErrReader(io.ErrClosedPipe) }, nil},
		"of a body that fails late": {func(context.Context) io.Reader {
			return io.MultiReader(text(len(large)-1), iotest.ErrReader(io.ErrUnexpectedEOF))
		}, nil},
		"of a body that fails at the end": {func(context.Context) io.Reader {
			return io.MultiReader(text(len(large)), iotest.ErrReader(io.ErrUnexpectedEOF))
		}, nil},
		"when the sender is not ready": {func(context.Context) io.Reader { return text(len(large)) }, errLeaseLost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := make(chan bool, 2)
			service := serve(t, func(c net.Conn) {
				_, err := readRequest(bufio.NewReader(c))
				whole <- err == nil
			})
			s := &stream{t: t, size: len(large), give: tt.give}
			got := s.post(t.Context(), newClient(t), service.url, func(context.Context) error {
				if tt.ready == nil {
					t.Error("got asked whether it is ready, want not")
				}
				return tt.ready
			})
			checkExchange(t, got, want{})
			if <-whole || len(whole) > 0 {
				t.Error("got a whole request at the service, or a second one, want neither")
			}
		})
	}
}

func TestStreamLetsGoWhenItIsAnswered(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"an error":   "HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\n{}",
		"a redirect": "HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\nContent-Length: 2\r\n\r\n{}",
	} {
		for kind, rest := range map[string]func(context.Context) io.Reader{
			"a body that waits":    func(ctx context.Context) io.Reader { return untilDone{ctx} },
			"a body that has more": func(context.Context) io.Reader { return forever{} },
		} {
			t.Run(name+" to "+kind, func(t *testing.T) {
				t.Parallel()
				service := serve(t, func(c net.Conn) {
					readPart(c)
					write(c, answer)
					_, _ = io.Copy(io.Discard, c)
				})
				s := &stream{t: t, size: 1 << 40, give: func(ctx context.Context) io.Reader {
					return io.MultiReader(strings.NewReader(large), rest(ctx))
				}}
				got := s.post(t.Context(), newClient(t), service.url, nil)
				if got.Status < 300 || got.Sent || string(got.Body) != "{}" {
					t.Errorf("got %d, sent %t, body %q, want the answer and not sent", got.Status, got.Sent, got.Body)
				}
			})
		}
	}
}

type forever struct{}

func (forever) Read(p []byte) (int, error) { return copy(p, large), nil }

// untilDone gives nothing until its context ends.
type untilDone struct{ ctx context.Context }

func (u untilDone) Read([]byte) (int, error) {
	<-u.ctx.Done()
	return 0, context.Cause(u.ctx)
}

func TestStreamHoldsTheLastByteAfterAnAnswer(t *testing.T) {
	t.Parallel()
	answered := make(chan struct{})
	read := make(chan int, 1)
	service := serve(t, func(c net.Conn) {
		part := readPart(c)
		write(c, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}")
		n, _ := io.Copy(io.Discard, c)
		read <- part + int(n)
	})
	got := streamed(t, large).post(t.Context(), newClient(t), service.url, func(context.Context) error {
		<-answered
		return nil
	})
	close(answered) // the lease is found to be good, but by now the answer has come
	checkExchange(t, got, want{status: 503, body: "{}"})
	if n := <-read; n >= len(large) {
		t.Errorf("got %d bytes of the body at the service, want the last one held", n)
	}
}

// The answer may be back before the transport has said that the request is written.
func TestStreamIsKnownToBeSentBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	service := serve(t, func(c net.Conn) {
		if _, err := readRequest(bufio.NewReader(c)); err == nil {
			write(c, "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
		}
	})
	answered, client := make(chan struct{}), newClient(t)
	client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &slowToReturn{Conn: c, left: len(large), until: answered}, err
	}
	got := streamed(t, large).post(t.Context(), client, service.url, nil)
	close(answered)
	checkExchange(t, got, want{status: 500, sent: true})
}

func TestStreamThatIsCut(t *testing.T) {
	t.Parallel()
	t.Run("after the last byte is sent", func(t *testing.T) {
		t.Parallel()
		service := serve(t, func(c net.Conn) { _, _ = readRequest(bufio.NewReader(c)) })
		checkExchange(t, streamed(t, large).post(t.Context(), newClient(t), service.url, nil), want{sent: true})
	})
	t.Run("when the caller gives up", func(t *testing.T) {
		t.Parallel()
		ctx, expire := context.WithCancelCause(t.Context())
		service := serve(t, func(c net.Conn) {
			readPart(c)
			expire(context.DeadlineExceeded) // as a deadline does, but never too early
			_, _ = io.Copy(io.Discard, c)
		})
		s := &stream{t: t, size: 2 * len(large), give: func(ctx context.Context) io.Reader {
			return io.MultiReader(strings.NewReader(large), untilDone{ctx})
		}}
		checkExchange(t, s.post(ctx, newClient(t), service.url, nil), want{timedOut: true})
	})
	t.Run("before anybody is there", func(t *testing.T) {
		t.Parallel()
		checkExchange(t, streamed(t, large).post(t.Context(), newClient(t), closedPort(t), nil), want{})
	})
}

func TestStreamIsReadAgainWhenNothingWasWritten(t *testing.T) {
	t.Parallel()
	client := newClient(t)
	bodies := make(chan string, 2)
	url := handled(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- string(body)
	})
	var conn *breakable
	client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		conn = &breakable{Conn: c}
		return conn, err
	}
	checkExchange(t, streamed(t, "first").post(t.Context(), client, url, nil), want{status: 200, sent: true})
	conn.broken.Store(true)
	checkExchange(t, streamed(t, large).post(t.Context(), client, url, nil), want{status: 200, sent: true})
	if first, second := <-bodies, <-bodies; first != "first" || second != large {
		t.Errorf("got %d and %d bytes, want the two bodies", len(first), len(second))
	}
}
