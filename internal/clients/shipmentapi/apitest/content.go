package apitest

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"utsending/internal/dispatch"
)

// ErrStorage is a failure to read a document.
var ErrStorage = errors.New("storage is away")

// CountedContent is content that counts how often it is opened and closed.
type CountedContent struct {
	Open func(ctx context.Context, d dispatch.Document) (io.Reader, error)

	mu      sync.Mutex
	Names   []string
	Closing atomic.Int32
}

// Content implements shipmentapi.Content.
func (o *CountedContent) Content(ctx context.Context, d dispatch.Document) (io.ReadCloser, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r, err := o.Open(ctx, d)
	if err != nil {
		return nil, err
	}
	o.Names = append(o.Names, d.FileName)
	return &closer{Reader: r, closed: &o.Closing}, nil
}

// CheckClosed requires that everything opened was closed once.
func (o *CountedContent) CheckClosed(t *testing.T) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if got := int(o.Closing.Load()); got != len(o.Names) {
		t.Errorf("got %d documents closed, want the %d that were opened", got, len(o.Names))
	}
}

type closer struct {
	io.Reader
	closed *atomic.Int32
}

// Close implements io.Closer.
func (c *closer) Close() error {
	c.closed.Add(1)
	return errors.New("closing went wrong, which is nothing to the service")
}

// TwoDocuments returns a shipment whose second document is opened by second.
func TwoDocuments(second func(ctx context.Context, d dispatch.Document) (io.Reader, error)) (dispatch.Shipment, *CountedContent) {
	s, _ := Shipment()
	s.Documents = append(s.Documents, pdf("vedlegg.pdf", strings.Repeat("x", 1<<20)))
	return s, &CountedContent{Open: func(ctx context.Context, d dispatch.Document) (io.Reader, error) {
		if d.FileName == "vedlegg.pdf" {
			return second(ctx, d)
		}
		return strings.NewReader("%PDF-1.7 brev"), nil
	}}
}

// Waiting returns a reader that blocks until its context ends.
func Waiting(ctx context.Context) io.Reader { return waiting{ctx} }

type waiting struct{ ctx context.Context }

// Read implements io.Reader.
func (w waiting) Read([]byte) (int, error) {
	<-w.ctx.Done()
	return 0, w.ctx.Err()
}

// ReadFirstKiB reads the first KiB from a connection.
func ReadFirstKiB(c net.Conn) { _, _ = io.CopyN(io.Discard, c, 1<<10) }
