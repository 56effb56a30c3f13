package clients

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// maxAnswer bounds what is read of an answer.
const maxAnswer = 4 << 20

// Exchange is one HTTP call and what came of it.
type Exchange struct {
	Status int // 0: no answer
	Header http.Header
	Body   []byte
	Cut    bool // the answer's body ended early or was too long
	Sent   bool // the last byte of our body may have gone out
	// Timeout tells that there was no answer because we stopped waiting.
	Timeout bool
}

// Ready is asked just before the last byte of a body is let go: whether the sender still holds its lease. An error
// keeps the message from being sent.
type Ready func(ctx context.Context) error

// NewHTTPClient returns a client that never follows a redirect: a 307 would carry the body and the secrets elsewhere.
// Idle connections are closed early, before a service does it under a request.
func NewHTTPClient() *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout:   5 * time.Second,
			MaxIdleConnsPerHost:   64,
			IdleConnTimeout:       10 * time.Second,
			ForceAttemptHTTP2:     true,
			ExpectContinueTimeout: time.Second,
		},
	}
}

// Do makes one call with a body of known length. There is always an Exchange; a failure to get an answer is one with
// Status 0.
func Do(ctx context.Context, client *http.Client, req *http.Request, body []byte, ready Ready) Exchange {
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(i httptrace.WroteRequestInfo) { sent.Store(i.Err == nil) },
	})
	req = req.WithContext(ctx)
	setBody(req, body, func() error {
		if ready == nil {
			return nil
		}
		return ready(ctx)
	})
	resp, err := client.Do(req)
	if err != nil {
		return Exchange{Sent: sent.Load(), Timeout: isTimeout(err)}
	}
	defer resp.Body.Close()
	x := Exchange{Status: resp.StatusCode, Header: resp.Header}
	x.Body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	x.Cut = err != nil || len(x.Body) > maxAnswer
	x.Sent = sent.Load()
	return x
}

// setBody gives the request its body and Content-Length. The transport may repeat a request of which nothing was
// written, hence GetBody; it never repeats a POST otherwise.
func setBody(req *http.Request, body []byte, ready func() error) {
	if len(body) == 0 {
		return
	}
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return newHeldBody(body, ready), nil }
	req.Body = newHeldBody(body, ready)
}

// heldBody gives all but the last byte, asks whether the sender is still ready, and then lets the last byte go.
type heldBody struct {
	first, last *bytes.Reader
	ready       func() error
}

func newHeldBody(body []byte, ready func() error) io.ReadCloser {
	n := len(body) - 1
	return &heldBody{first: bytes.NewReader(body[:n]), last: bytes.NewReader(body[n:]), ready: ready}
}

func (b *heldBody) Read(p []byte) (int, error) {
	if b.first.Len() > 0 {
		return b.first.Read(p)
	}
	if b.last.Len() > 0 {
		if err := b.ready(); err != nil {
			return 0, err
		}
	}
	return b.last.Read(p)
}

func (b *heldBody) Close() error { return nil }

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
