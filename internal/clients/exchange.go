package clients

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// maxAnswer limits the body that is read of an answer.
const maxAnswer = 4 << 20

// Exchange is one HTTP round trip.
type Exchange struct {
	Status int // 0: no answer
	Header http.Header
	Body   []byte
	Cut    bool // the answer's body was truncated or too long
	Sent   bool // the last byte of our body may have been sent
	// Timeout: no answer, because we stopped waiting.
	Timeout bool
}

// Ready is called just before the last byte of a body is sent, to check that the sender still holds its lease. An
// error keeps the byte, and so the message, from being sent.
type Ready func(ctx context.Context) error

// NewHTTPClient returns a client that never follows a redirect: a 307 would send the body and the secrets elsewhere.
// Idle connections are closed early, before a service closes one during a request.
func NewHTTPClient() *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout:   5 * time.Second,
			MaxIdleConnsPerHost:   64,
			IdleConnTimeout:       10 * time.Second,
			Protocols:             http1(),
			ExpectContinueTimeout: time.Second,
		},
	}
}

// http1 disables HTTP/2, with which Go retries a request after some errors that may come when the service already has
// all of it: the message would be sent twice.
func http1() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	return p
}

// Do makes one call with a body of known length. There is always an Exchange; without an answer, its Status is 0.
// When Do has returned with Sent false, the last byte is never sent afterwards.
func Do(ctx context.Context, client *http.Client, req *http.Request, body []byte, ready Ready) Exchange {
	g := &gate{ready: func() error {
		if ready == nil {
			return nil
		}
		return ready(ctx)
	}}
	// A body's reader itself notes when the last byte is read; the trace does so only after the write, and an answer
	// can be faster. Without a body there is only the trace.
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(i httptrace.WroteRequestInfo) { g.wrote(i.Err == nil) },
	}))
	setBody(req, body, g)
	resp, err := client.Do(req)
	if err != nil {
		return Exchange{Sent: g.shut(), Timeout: isTimeout(err)}
	}
	defer resp.Body.Close()
	x := Exchange{Status: resp.StatusCode, Header: resp.Header}
	x.Body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	x.Cut = err != nil || len(x.Body) > maxAnswer
	x.Body = repaired(bytes.TrimPrefix(x.Body, []byte("\ufeff"))) // some servers begin with a byte order mark
	x.Sent = g.shut()
	return x
}

// setBody sets the request's body and Content-Length. The transport may repeat a request of which nothing was
// written, hence GetBody; it never repeats a POST otherwise.
func setBody(req *http.Request, body []byte, g *gate) {
	if len(body) == 0 {
		return
	}
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return newHeldBody(body, g), nil }
	req.Body = newHeldBody(body, g)
}

// gate holds back the last byte of a body until Ready has returned nil.
type gate struct {
	ready func() error

	mu     sync.Mutex
	passed bool
	closed bool
}

var errTooLate = errors.New("the call is over")

// pass calls ready, and notes that the last byte may be sent.
func (g *gate) pass() error {
	if err := g.ready(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errTooLate
	}
	g.passed = true
	return nil
}

func (g *gate) wrote(all bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.passed = g.passed || all
}

// shut closes the gate for good, and tells whether the last byte has passed.
func (g *gate) shut() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	return g.passed
}

// heldBody reads a body up to its last byte, which waits at the gate. A short body is one write.
type heldBody struct {
	rest *bytes.Reader
	gate *gate
}

// shortBody is the longest body that is sent in one packet.
const shortBody = 1 << 10

func newHeldBody(body []byte, g *gate) io.ReadCloser {
	return &heldBody{rest: bytes.NewReader(body), gate: g}
}

func (b *heldBody) Read(p []byte) (int, error) {
	n := b.rest.Len()
	if whole := n <= min(len(p), shortBody); n > 1 && !whole {
		return b.rest.Read(p[:min(len(p), n-1)])
	}
	if n > 0 {
		if err := b.gate.pass(); err != nil {
			return 0, err
		}
	}
	return b.rest.Read(p)
}

func (b *heldBody) Close() error { return nil }

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
