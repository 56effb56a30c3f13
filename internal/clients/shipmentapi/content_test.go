package shipmentapi_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

var errStorage = errors.New("storage is away")

// opened is content that counts what is opened and closed.
type opened struct {
	open func(ctx context.Context, d dispatch.Document) (io.Reader, error)

	mu      sync.Mutex
	names   []string
	closing atomic.Int32
}

func (o *opened) content(ctx context.Context, d dispatch.Document) (io.ReadCloser, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r, err := o.open(ctx, d)
	if err != nil {
		return nil, err
	}
	o.names = append(o.names, d.FileName)
	return &closer{Reader: r, closed: &o.closing}, nil
}

// checkClosed demands that all that was opened is closed, each once.
func (o *opened) checkClosed(t *testing.T) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if got := int(o.closing.Load()); got != len(o.names) {
		t.Errorf("got %d documents closed, want the %d that were opened", got, len(o.names))
	}
}

type closer struct {
	io.Reader
	closed *atomic.Int32
}

func (c *closer) Close() error {
	c.closed.Add(1)
	return errors.New("closing went wrong, which is nothing to the service")
}

// twoDocuments is a letter whose second document is as the test wants it.
func twoDocuments(second func(ctx context.Context, d dispatch.Document) (io.Reader, error)) (dispatch.Shipment, *opened) {
	s, _ := letter()
	s.Documents = append(s.Documents, pdf("vedlegg.pdf", strings.Repeat("x", 1<<20)))
	return s, &opened{open: func(ctx context.Context, d dispatch.Document) (io.Reader, error) {
		if d.FileName == "vedlegg.pdf" {
			return second(ctx, d)
		}
		return strings.NewReader("%PDF-1.7 brev"), nil
	}}
}

func TestContentThatIsNotAsAnnounced(t *testing.T) {
	t.Parallel()
	text := func(n int64) io.Reader { return io.LimitReader(endless{}, n) }
	for name, tt := range map[string]struct {
		second func(ctx context.Context, d dispatch.Document) (io.Reader, error)
		cause  error
	}{
		"one byte short":           {func(_ context.Context, d dispatch.Document) (io.Reader, error) { return text(d.Size - 1), nil }, nil},
		"empty":                    {func(context.Context, dispatch.Document) (io.Reader, error) { return text(0), nil }, nil},
		"one byte long":            {func(_ context.Context, d dispatch.Document) (io.Reader, error) { return text(d.Size + 1), nil }, nil},
		"without end":              {func(context.Context, dispatch.Document) (io.Reader, error) { return endless{}, nil }, nil},
		"not there":                {func(context.Context, dispatch.Document) (io.Reader, error) { return nil, errStorage }, errStorage},
		"not there, as if it were": {func(context.Context, dispatch.Document) (io.Reader, error) { return nil, io.EOF }, io.EOF},
		"failing at the start":     {func(context.Context, dispatch.Document) (io.Reader, error) { return iotest.ErrReader(errStorage), nil }, errStorage},
		"failing in the middle": {func(_ context.Context, d dispatch.Document) (io.Reader, error) {
			return io.MultiReader(text(d.Size/2), iotest.ErrReader(errStorage)), nil
		}, errStorage},
		"failing instead of ending": {func(_ context.Context, d dispatch.Document) (io.Reader, error) {
			return io.MultiReader(text(d.Size), iotest.ErrReader(errStorage)), nil
		}, errStorage},
		"failing as if it were cut": {func(_ context.Context, d dispatch.Document) (io.Reader, error) {
			return io.MultiReader(text(d.Size), iotest.ErrReader(io.ErrUnexpectedEOF)), nil
		}, io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := make(chan bool, 1)
			url := connected(t, func(c net.Conn) { whole <- readRequest(c) == nil })
			s, content := twoDocuments(tt.second)
			ready := func(context.Context) error { t.Error("got asked whether it is ready, want not"); return nil }
			_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: shipmentID}, s, content.content, ready)
			checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.content", 0})
			if tt.cause != nil && !errors.Is(err, tt.cause) {
				t.Errorf("got %v, want %v in it", err, tt.cause)
			}
			if strings.Contains(err.Error(), "vedlegg") {
				t.Errorf("got %q, want no file name in it", err)
			}
			if <-whole {
				t.Error("got a whole request at the service, want none")
			}
			content.checkClosed(t)
		})
	}
}

func TestContentInSmallPieces(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(io.Reader) io.Reader{
		"byte by byte":            iotest.OneByteReader,
		"half of what is asked":   iotest.HalfReader,
		"with the end at the end": iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, content := twoDocuments(func(_ context.Context, d dispatch.Document) (io.Reader, error) {
				return read(io.LimitReader(endless{}, d.Size)), nil
			})
			s.Documents[1].Size = 100
			id, err := answering(t, 200, accepted).Send(t.Context(), shipmentapi.Target{}, s, content.content, nil)
			if err != nil || id != shipmentID {
				t.Errorf("got id %q, error %v, want %s", id, err, shipmentID)
			}
			content.checkClosed(t)
		})
	}
}

func TestDocumentsAreOpenedOneByOne(t *testing.T) {
	t.Parallel()
	var content *opened
	s, content := twoDocuments(func(_ context.Context, d dispatch.Document) (io.Reader, error) {
		if got := content.closing.Load(); got != 1 {
			t.Errorf("got %d documents closed when the second is opened, want the first", got)
		}
		return io.LimitReader(endless{}, d.Size), nil
	})
	if _, err := answering(t, 200, accepted).Send(t.Context(), shipmentapi.Target{}, s, content.content, nil); err != nil {
		t.Error(err)
	}
	content.checkClosed(t)
}

// A caller that gives up while content is read, and content that fails because of it, is nothing wrong with the content.
func TestContentOfACallThatWasGivenUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	url := connected(t, func(c net.Conn) { _ = readRequest(c) })
	s, content := twoDocuments(func(ctx context.Context, _ dispatch.Document) (io.Reader, error) {
		cancel()
		return waiting{ctx}, nil
	})
	_, err := newClient(t, url).Send(ctx, shipmentapi.Target{Reserved: shipmentID}, s, content.content, nil)
	checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0})
	content.checkClosed(t)
}

// waiting gives nothing until its context ends.
type waiting struct{ ctx context.Context }

func (w waiting) Read([]byte) (int, error) {
	<-w.ctx.Done()
	return 0, w.ctx.Err()
}
