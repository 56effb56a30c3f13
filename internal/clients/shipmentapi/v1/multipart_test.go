package v1_test

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	"utsending/internal/dispatch"
)

// part is one part of a submission as the service reads it.
type part struct{ Name, FileName, Type, Content string }

func TestSubmissionReadByAnotherParser(t *testing.T) {
	t.Parallel()
	full := apitest.FullShipment()
	full.Encrypted, full.RequireLevel4 = false, false
	for name, s := range map[string]dispatch.Shipment{"with odd names": apitest.OddlyNamed(), "with all fields": full} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := make(chan []part, 1)
			url := apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
				got <- parse(t, r)
				_, _ = io.WriteString(w, apitest.Accepted)
			})
			if _, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{}, s, apitest.Repeated, nil); err != nil {
				t.Fatal(err)
			}
			var want []part
			for _, d := range s.Documents {
				want = append(want, part{d.FileName, d.FileName, "application/octet-stream", strings.Repeat("x", int(d.Size))})
			}
			parts := <-got
			if diff := cmp.Diff(parts[1:], want); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
			if m := parts[0]; m.Name != "forsendelse" || m.FileName != "" || m.Type != "application/json" || !strings.HasPrefix(m.Content, `{"mottaker":`) {
				t.Errorf("got first part %+v, want the metadata", m)
			}
		})
	}
}

// parse reads a submission with the standard library, and demands that its length is the announced one.
func parse(t *testing.T, r *http.Request) []part {
	counted := &counter{from: r.Body}
	r.Body = io.NopCloser(counted)
	reader, err := r.MultipartReader()
	if err != nil {
		t.Errorf("read submission: %v", err)
		return make([]part, 1)
	}
	var parts []part
	for {
		p, err := reader.NextRawPart()
		if err != nil {
			break
		}
		content, err := io.ReadAll(p)
		if err != nil {
			t.Errorf("read part %d: %v", len(parts), err)
		}
		parts = append(parts, part{p.FormName(), p.FileName(), p.Header.Get("Content-Type"), string(content)})
	}
	if _, err := io.Copy(io.Discard, counted); err != nil || counted.n != r.ContentLength || r.TransferEncoding != nil {
		t.Errorf("got %d bytes, error %v, want the announced %d", counted.n, err, r.ContentLength)
	}
	return parts
}

type counter struct {
	from io.Reader
	n    int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// Alone, because it counts what the whole process allocates.
func TestLargeSubmissionTakesLittleMemory(t *testing.T) {
	const size, limit = 200_000_000, 16 << 20
	var largest atomic.Int64
	var got int64
	url := apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.Copy(io.Discard, r.Body)
		if got != r.ContentLength {
			t.Errorf("got %d bytes, want the announced %d", got, r.ContentLength)
		}
		_, _ = io.WriteString(w, apitest.Accepted)
	})
	s, _ := apitest.Shipment()
	s.Documents[0].Size = size / 2
	s.Documents = append(s.Documents, s.Documents[0])
	s.Documents[1].FileName = "vedlegg.pdf"
	content := func(ctx context.Context, d dispatch.Document) (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(watched{&largest}, d.Size)), nil
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content, nil); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > limit || largest.Load() > 1<<20 {
		t.Errorf("got %d bytes allocated and %d read at once, want at most %d and 1 MiB", allocated, largest.Load(), limit)
	}
	if got < size {
		t.Errorf("got %d bytes at the service, want more than %d", got, size)
	}
}

// watched notes the largest read.
type watched struct{ largest *atomic.Int64 }

func (w watched) Read(p []byte) (int, error) {
	w.largest.Store(max(w.largest.Load(), int64(len(p))))
	clear(p[:min(len(p), 64)])
	return len(p), nil
}
