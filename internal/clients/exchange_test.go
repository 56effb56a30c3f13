package clients_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"utsending/internal/clients"
)

func TestDoWithAnswers(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		answer string
		want   want
	}{
		"a whole answer": {
			"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", want{status: 200, sent: true, body: "{}"},
		},
		"an answer without a body": {
			"HTTP/1.1 204 No Content\r\n\r\n", want{status: 204, sent: true},
		},
		"an answer that is cut in the middle": {
			"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":", want{status: 200, sent: true, cut: true, body: `{"id":`},
		},
		"an answer that is cut between chunks": {
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", want{status: 200, sent: true, cut: true, body: "{}"},
		},
		"an answer that is cut within its header": {
			"HTTP/1.1 200 OK\r\nContent-Le", want{sent: true},
		},
		"something that is not HTTP": {
			"SMTP ready\r\n", want{sent: true},
		},
		"a connection closed before the answer": {
			"", want{sent: true},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := serve(t, func(c net.Conn) {
				if body, err := readRequest(bufio.NewReader(c)); err == nil && body == "message" {
					write(c, tt.answer)
				}
			})
			checkExchange(t, post(t, service.url, "message"), tt.want)
		})
	}
}

func TestDoWithoutConnection(t *testing.T) {
	t.Parallel()
	t.Run("a refused connection has sent nothing", func(t *testing.T) {
		t.Parallel()
		checkExchange(t, post(t, closedPort(t), "message"), want{})
	})
	t.Run("a context that has ended has sent nothing", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		url := handled(t, func(http.ResponseWriter, *http.Request) { t.Error("got a request, want none") })
		checkExchange(t, clients.Do(ctx, newClient(t), newPost(t, url), []byte("message"), nil), want{})
	})
	t.Run("an address that is none has sent nothing", func(t *testing.T) {
		t.Parallel()
		checkExchange(t, post(t, "gopher://127.0.0.1/", "message"), want{})
	})
}

func TestDoTellsTheLength(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"one byte": "x", "a short body": "message", "a long body": large} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := handled(t, func(w http.ResponseWriter, r *http.Request) {
				got, err := io.ReadAll(r.Body)
				if r.ContentLength != int64(len(body)) || r.TransferEncoding != nil {
					t.Errorf("got length %d, encoding %q, want %d and none", r.ContentLength, r.TransferEncoding, len(body))
				}
				if err != nil || string(got) != body {
					t.Errorf("got %d bytes, error %v, want the %d bytes", len(got), err, len(body))
				}
			})
			checkExchange(t, post(t, url, body), want{status: 200, sent: true})
		})
	}
}

func TestDoWithoutBody(t *testing.T) {
	t.Parallel()
	url := handled(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 || r.Header.Get("Content-Length") != "" {
			t.Errorf("got length %d, want none", r.ContentLength)
		}
	})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := clients.Do(t.Context(), newClient(t), r, nil, func(context.Context) error {
		t.Error("got asked whether a read is ready, want not")
		return nil
	})
	checkExchange(t, got, want{status: 200, sent: true})
}

func TestDoFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			url := handled(t, func(w http.ResponseWriter, r *http.Request) {
				calls.Add(1)
				_, _ = io.Copy(io.Discard, r.Body)
				http.Redirect(w, r, "/elsewhere", status)
			})
			got := post(t, url, "message")
			if got.Status != status || !got.Sent || calls.Load() != 1 {
				t.Errorf("got %d, sent %t after %d calls, want %d, true, 1", got.Status, got.Sent, calls.Load(), status)
			}
		})
	}
}

func TestDoLimitsTheAnswer(t *testing.T) {
	t.Parallel()
	const limit = 4 << 20
	for name, tt := range map[string]struct {
		size int
		cut  bool
	}{
		"takes the largest answer":     {limit, false},
		"cuts an answer over the size": {limit + 1, true},
		"cuts an answer without end":   {3 * limit, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := handled(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				write(w, strings.Repeat("x", tt.size))
			})
			got := post(t, url, "message")
			if got.Cut != tt.cut || len(got.Body) > limit+1 || got.Status != http.StatusOK {
				t.Errorf("got %d, cut %t with %d bytes, want cut %t", got.Status, got.Cut, len(got.Body), tt.cut)
			}
		})
	}
}

func TestDoTimesOut(t *testing.T) {
	t.Parallel()
	t.Run("after the last byte, with no answer", func(t *testing.T) {
		t.Parallel()
		ctx, expire := context.WithCancelCause(t.Context())
		service := serve(t, func(c net.Conn) {
			if _, err := readRequest(bufio.NewReader(c)); err == nil {
				expire(context.DeadlineExceeded) // as a deadline does, but never too early
			}
			_, _ = io.Copy(io.Discard, c) // until the client hangs up
		})
		got := clients.Do(ctx, newClient(t), newPost(t, service.url), []byte("message"), nil)
		checkExchange(t, got, want{sent: true, timedOut: true})
	})
	t.Run("in the middle of the answer", func(t *testing.T) {
		t.Parallel()
		ctx, expire := context.WithCancelCause(t.Context())
		service := serve(t, func(c net.Conn) {
			if _, err := readRequest(bufio.NewReader(c)); err == nil {
				write(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
			}
			_, _ = io.Copy(io.Discard, c)
		})
		client := newClient(t)
		client.Transport = expireOnAnswer{client.Transport, func() { expire(context.DeadlineExceeded) }}
		got := clients.Do(ctx, client, newPost(t, service.url), []byte("message"), nil)
		checkExchange(t, got, want{status: 200, sent: true, cut: true})
	})
	t.Run("before the last byte", func(t *testing.T) {
		t.Parallel()
		ctx, expire := context.WithCancelCause(t.Context())
		url := handled(t, func(_ http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err == nil {
				t.Error("got a whole request, want none")
			}
		})
		got := clients.Do(ctx, newClient(t), newPost(t, url), []byte(large), func(ctx context.Context) error {
			expire(context.DeadlineExceeded)
			return context.Cause(ctx)
		})
		checkExchange(t, got, want{timedOut: true})
	})
}

// expireOnAnswer calls a function as soon as the answer's header is there.
type expireOnAnswer struct {
	http.RoundTripper
	expire func()
}

func (e expireOnAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := e.RoundTripper.RoundTrip(r)
	e.expire()
	return resp, err
}

// Go repeats a request over HTTP/2 after some errors that may come when the service has it all, and a second SMS is a
// second SMS.
func TestClientKeepsToHTTP1(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { write(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	client := newClient(t)
	client.Transport.(*http.Transport).TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	client.Transport.(*http.Transport).TLSClientConfig.NextProtos = nil
	got := clients.Do(t.Context(), client, newPost(t, server.URL), []byte("message"), nil)
	checkExchange(t, got, want{status: 200, sent: true, body: "HTTP/1.1"})
}
