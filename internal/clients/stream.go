package clients

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// Body is a request body that is streamed.
type Body struct {
	Size int64 // exact, for Content-Length
	// Tail is how many bytes at the end are held back until Ready has returned nil; at least one. The receiver must
	// need them: a service may accept a body without its closing boundary.
	Tail int
	// Open opens the body from its start. The transport may open it again if nothing was written. Reads must observe
	// the context, which ends with the call.
	Open func(ctx context.Context) io.ReadCloser
}

var errSize = errors.New("body differs from its announced size")

// Stream sends a body with Expect: 100-continue, so that a service can refuse its size, its address or our
// credentials before any of it is sent, which proves that nothing arrived. (For an SMS the extra round trip would
// double the time.) On a 417, from a proxy that does not know the header, it sends without.
func Stream(ctx context.Context, client *http.Client, req *http.Request, body Body, ready Ready) Exchange {
	asking := req.Clone(ctx)
	asking.Header.Set("Expect", "100-continue")
	x := stream(ctx, client, asking, body, ready)
	if x.Status == http.StatusExpectationFailed && !x.Sent {
		return stream(ctx, client, req, body, ready)
	}
	return x
}

// stream makes one call like Do, with a body that need not fit in memory. A body that fails, or has another size than
// announced, keeps its tail: the service cannot take the request for complete. When stream returns, the body is
// closed and no longer read.
func stream(ctx context.Context, client *http.Client, req *http.Request, body Body, ready Ready) Exchange {
	g := &gate{ready: func() error {
		if ready == nil {
			return nil
		}
		return ready(ctx)
	}}
	var opened []*source // more than one after a retry, or a 307, for which net/http opens a body before CheckRedirect
	open := func() (io.ReadCloser, error) {
		s := newSource(ctx, body)
		opened = append(opened, s)
		return &heldStream{source: s, left: body.Size, tail: max(body.Tail, 1), gate: g}, nil
	}
	req = req.WithContext(ctx)
	req.ContentLength, req.GetBody = body.Size, open
	req.Body, _ = open() // always nil
	x := Do(ctx, client, req, nil, nil)
	x.Sent = g.shut() // Do sees no body, and the answer may come before all of it is written
	for _, s := range opened {
		_ = s.Close() // always nil
	}
	return x
}

// heldStream reads a body up to its tail, which waits at the gate.
type heldStream struct {
	*source
	left int64 // bytes of the source not yet read
	tail int
	last *bytes.Reader // the tail, once it has passed
	gate *gate
}

// Read implements io.Reader.
func (s *heldStream) Read(p []byte) (int, error) {
	if s.last == nil && s.left <= int64(s.tail) && len(p) > 0 {
		if err := s.readTail(); err != nil {
			return 0, err
		}
	}
	if s.last != nil {
		return s.last.Read(p)
	}
	n, err := s.source.Read(p[:min(int64(len(p)), s.left-int64(s.tail))])
	s.left -= int64(n)
	if err == io.EOF {
		err = errSize
	}
	return n, err
}

func (s *heldStream) readTail() error {
	tail, beyond := make([]byte, s.left), [1]byte{}
	if _, err := io.ReadFull(s.source, tail); err != nil {
		return errors.Join(errSize, err)
	}
	if _, err := io.ReadFull(s.source, beyond[:]); err != io.EOF {
		return errors.Join(errSize, err)
	}
	if err := s.gate.pass(); err != nil {
		return err
	}
	s.last = bytes.NewReader(tail)
	return nil
}

// source is a body's reader. The transport reads it in a goroutine of its own, even after an answer.
type source struct {
	stop context.CancelFunc

	mu     sync.Mutex
	from   io.ReadCloser
	closed bool
}

func newSource(ctx context.Context, body Body) *source {
	ctx, stop := context.WithCancel(ctx)
	return &source{stop: stop, from: body.Open(ctx)}
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, errTooLate
	}
	return s.from.Read(p)
}

// Close cancels a pending read and waits for it. It returns no error: everything needed has been read, and an error
// would make the transport abort a complete call.
func (s *source) Close() error {
	s.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		_ = s.from.Close()
	}
	return nil
}
