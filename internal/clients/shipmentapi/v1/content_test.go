package v1_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	"utsending/internal/dispatch"
)

func TestContentThatIsNotAsAnnounced(t *testing.T) {
	t.Parallel()
	text := func(n int64) io.Reader { return io.LimitReader(apitest.Endless{}, n) }
	for name, tt := range map[string]struct {
		second func(ctx context.Context, d dispatch.Document) (io.Reader, error)
		cause  error
	}{
		"one byte short":           {func(_ context.Context, d dispatch.Document) (io.Reader, error) { return text(d.Size - 1), nil }, nil},
		"empty":                    {func(context.Context, dispatch.Document) (io.Reader, error) { return text(0), nil }, nil},
		"one byte long":            {func(_ context.Context, d dispatch.Document) (io.Reader, error) { return text(d.Size + 1), nil }, nil},
		"without end":              {func(context.Context, dispatch.Document) (io.Reader, error) { return apitest.Endless{}, nil }, nil},
		"not there":                {func(context.Context, dispatch.Document) (io.Reader, error) { return nil, apitest.ErrStorage }, apitest.ErrStorage},
		"not there, as if it were": {func(context.Context, dispatch.Document) (io.Reader, error) { return nil, io.EOF }, io.EOF},
		"failing at the start": {func(context.Context, dispatch.Document) (io.Reader, error) {
			return iotest.ErrReader(apitest.ErrStorage), nil
		}, apitest.ErrStorage},
		"failing in the middle": {func(_ context.Context, d dispatch.Document) (io.Reader, error) {
			return io.MultiReader(text(d.Size/2), iotest.ErrReader(apitest.ErrStorage)), nil
		}, apitest.ErrStorage},
		"failing instead of ending": {func(_ context.Context, d dispatch.Document) (io.Reader, error) {
			return io.MultiReader(text(d.Size), iotest.ErrReader(apitest.ErrStorage)), nil
		}, apitest.ErrStorage},
		"failing as if it were cut": {func(_ context.Context, d dispatch.Document) (io.Reader, error) {
			return io.MultiReader(text(d.Size), iotest.ErrReader(io.ErrUnexpectedEOF)), nil
		}, io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := make(chan bool, 1)
			url := apitest.Connected(t, func(c net.Conn) { whole <- apitest.ReadRequest(c) == nil })
			s, content := apitest.TwoDocuments(tt.second)
			ready := func(context.Context) error { t.Error("got asked whether it is ready, want not"); return nil }
			_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content.Content, ready)
			apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.content", 0))
			if tt.cause != nil && !errors.Is(err, tt.cause) {
				t.Errorf("got %v, want %v in it", err, tt.cause)
			}
			if strings.Contains(err.Error(), "vedlegg") {
				t.Errorf("got %q, want no file name in it", err)
			}
			if <-whole {
				t.Error("got a whole request at the service, want none")
			}
			content.CheckClosed(t)
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
			s, content := apitest.TwoDocuments(func(_ context.Context, d dispatch.Document) (io.Reader, error) {
				return read(io.LimitReader(apitest.Endless{}, d.Size)), nil
			})
			s.Documents[1].Size = 100
			id, err := answering(t, 200, apitest.Accepted).Send(t.Context(), shipmentapi.Target{}, s, content.Content, nil)
			if err != nil || id != apitest.ShipmentID {
				t.Errorf("got id %q, error %v, want %s", id, err, apitest.ShipmentID)
			}
			content.CheckClosed(t)
		})
	}
}

func TestDocumentsAreOpenedOneByOne(t *testing.T) {
	t.Parallel()
	var content *apitest.CountedContent
	s, content := apitest.TwoDocuments(func(_ context.Context, d dispatch.Document) (io.Reader, error) {
		if got := content.Closing.Load(); got != 1 {
			t.Errorf("got %d documents closed when the second is opened, want the first", got)
		}
		return io.LimitReader(apitest.Endless{}, d.Size), nil
	})
	if _, err := answering(t, 200, apitest.Accepted).Send(t.Context(), shipmentapi.Target{}, s, content.Content, nil); err != nil {
		t.Error(err)
	}
	content.CheckClosed(t)
}

// A caller that gives up while content is read, and content that fails because of it, is nothing wrong with the content.
func TestContentOfACallThatWasGivenUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	url := apitest.Connected(t, func(c net.Conn) { _ = apitest.ReadRequest(c) })
	s, content := apitest.TwoDocuments(func(ctx context.Context, _ dispatch.Document) (io.Reader, error) {
		cancel()
		return apitest.Waiting(ctx), nil
	})
	_, err := newClient(t, url).Send(ctx, shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content.Content, nil)
	apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
	content.CheckClosed(t)
}
