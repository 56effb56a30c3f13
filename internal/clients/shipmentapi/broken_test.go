package shipmentapi_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

// halfway is a letter whose document is far larger than what is buffered on the way. Content gives its first MiB and then
// waits, so that the answer surely comes while the body is still going out.
func halfway() (dispatch.Shipment, *opened) {
	s, _ := letter()
	s.Documents[0].Size = 64 << 20
	return s, &opened{open: func(ctx context.Context, _ dispatch.Document) (io.Reader, error) {
		return io.MultiReader(io.LimitReader(endless{}, 1<<20), waiting{ctx}), nil
	}}
}

// readSome reads the first KiB of what comes.
func readSome(c net.Conn) { _, _ = io.CopyN(io.Discard, c, 1<<10) }

func TestAnswerWhileTheBodyIsGoingOut(t *testing.T) {
	t.Parallel()
	for status, want := range sendTable() {
		want = unsent(want)
		if status >= 500 && status != http.StatusServiceUnavailable || status == http.StatusRequestTimeout {
			want = result{dispatch.OutcomeUnavailable, "", "reason.early_error", status}
		}
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			url := connected(t, func(c net.Conn) {
				readSome(c)
				_, _ = fmt.Fprintf(c, "HTTP/1.1 %d No\r\nContent-Length: 2\r\n\r\n{}", status)
				_, _ = io.Copy(io.Discard, c)
			})
			s, content := halfway()
			_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: shipmentID}, s, content.content, nil)
			checkResult(t, err, want)
			content.checkClosed(t)
		})
	}
}

func TestAnswerFromAServerThatReadsNoBody(t *testing.T) {
	t.Parallel()
	url := handled(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestEntityTooLarge) })
	s, content := halfway()
	_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: shipmentID}, s, content.content, nil)
	checkResult(t, err, result{dispatch.OutcomeRejected, "", "reason.too_large", 413})
	content.checkClosed(t)
}

// A redirect that keeps the method makes net/http ask for the body once more, before it is told not to follow.
func TestRedirectWhileTheBodyIsGoingOut(t *testing.T) {
	t.Parallel()
	url := connected(t, func(c net.Conn) {
		readSome(c)
		_, _ = io.WriteString(c, "HTTP/1.1 307 Elsewhere\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
		_, _ = io.Copy(io.Discard, c)
	})
	s, content := halfway()
	_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: shipmentID}, s, content.content, nil)
	checkResult(t, err, result{dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.redirect", 307})
	content.checkClosed(t)
}

func TestConnectionCutWithinTheBody(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(net.Conn){
		"closed": func(c net.Conn) { _ = c.Close() },
		"reset":  func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0); _ = c.Close() },
	} {
		for where, wait := range map[string]func(net.Conn){
			"before the request":        func(net.Conn) {},
			"at the start of the body":  readSome,
			"in the middle of the body": func(c net.Conn) { _, _ = io.CopyN(io.Discard, c, 32<<20) },
		} {
			t.Run(name+" "+where, func(t *testing.T) {
				t.Parallel()
				url := connected(t, func(c net.Conn) { wait(c); cut(c) })
				s, _ := letter()
				s.Documents[0].Size = 64 << 20 // more than all buffers hold
				content := &opened{open: func(_ context.Context, d dispatch.Document) (io.Reader, error) {
					return io.LimitReader(endless{}, d.Size), nil
				}}
				ready := func(context.Context) error { t.Error("got to the last byte, want not"); return nil }
				_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: shipmentID}, s, content.content, ready)
				checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0})
				content.checkClosed(t)
			})
		}
	}
}

// A receiver may take a letter for whole at the closing boundary, whatever should follow it: what is held back is what the
// letter needs.
func TestNobodyHasTheLetterBeforeTheLeaseIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 100, 3 << 10, 100 << 10, 5 << 20} {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			t.Parallel()
			got := make(chan []byte, 1)
			url := connected(t, func(c net.Conn) {
				all, _ := io.ReadAll(c)
				got <- all
			})
			s, content := letterOf(strings.Repeat("x", size-1) + "!")
			_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{}, s, content, func(context.Context) error { return errors.New("lost") })
			checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0})
			_, body, _ := bytes.Cut(<-got, []byte("octet-stream\r\n\r\n"))
			if want := strings.Repeat("x", size-1); string(body) != want {
				t.Errorf("the service has %d bytes from the document on, want all of it but the last, %d", len(body), len(want))
			}
		})
	}
}

func TestConnectionCutAfterTheLastByte(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"before the answer":        "",
		"in the head of an answer": "HTTP/1.1 200 OK\r\nContent-Le",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requests := make(chan error, 2)
			url := connected(t, func(c net.Conn) {
				requests <- readRequest(c)
				_, _ = io.WriteString(c, answer)
			})
			_, err := send(t, newClient(t, url))
			checkResult(t, err, result{dispatch.OutcomeUncertain, "", "reason.no_answer", 0})
			if err := <-requests; err != nil {
				t.Errorf("got error %v at the service, want a whole request", err)
			}
			if len(requests) > 0 {
				t.Error("got a second request, want none")
			}
		})
	}
	t.Run("in the body of an answer", func(t *testing.T) {
		t.Parallel()
		url := connected(t, func(c net.Conn) {
			_ = readRequest(c)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"+accepted)
		})
		_, err := send(t, newClient(t, url))
		checkResult(t, err, result{dispatch.OutcomeUncertain, "", "reason.not_understood", 200})
	})
}

func TestSubmissionIsNotRepeatedOnAReusedConnection(t *testing.T) {
	t.Parallel()
	requests := make(chan struct{}, 4)
	url := connected(t, func(c net.Conn) {
		from := bufio.NewReader(c)
		for first := true; ; first = false {
			r, err := http.ReadRequest(from)
			if err != nil {
				return
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return
			}
			requests <- struct{}{}
			if !first {
				return
			}
			_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(accepted), accepted)
		}
	})
	c := newClient(t, url)
	if _, err := send(t, c); err != nil {
		t.Fatal(err)
	}
	_, err := send(t, c)
	checkResult(t, err, result{dispatch.OutcomeUncertain, "", "reason.no_answer", 0})
	if got := len(requests); got != 2 {
		t.Errorf("got %d requests, want 2", got)
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	t.Run("after the last byte are uncertain", func(t *testing.T) {
		t.Parallel()
		ctx, expire := context.WithCancelCause(t.Context())
		url := connected(t, func(c net.Conn) {
			if readRequest(c) == nil {
				expire(context.DeadlineExceeded) // as a deadline does, but never too early
			}
			_, _ = io.Copy(io.Discard, c)
		})
		s, content := letter()
		_, err := newClient(t, url).Send(ctx, shipmentapi.Target{Reserved: shipmentID}, s, content, nil)
		checkResult(t, err, result{dispatch.OutcomeUncertain, "", "reason.timeout", 0})
	})
	t.Run("before it are not, and bound the whole submission", func(t *testing.T) {
		t.Parallel()
		url := connected(t, func(c net.Conn) { _ = readRequest(c) })
		o := options(t, url)
		o.SubmitTimeout = 50 * time.Millisecond
		s, content := halfway()
		_, err := shipmentapi.NewV1(o).Send(t.Context(), shipmentapi.Target{Reserved: shipmentID}, s, content.content, nil)
		checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.unreachable", 0})
		content.checkClosed(t)
	})
	t.Run("of reads do not bind a submission", func(t *testing.T) {
		t.Parallel()
		o := options(t, handled(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, accepted)
		}))
		o.Timeout = time.Nanosecond
		_, err := send(t, shipmentapi.NewV1(o))
		checkResult(t, err, result{outcome: dispatch.OutcomeAccepted})
	})
	t.Run("bound every other call, which is never uncertain", func(t *testing.T) {
		t.Parallel()
		o := options(t, connected(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }))
		o.Timeout = 50 * time.Millisecond
		_, err := shipmentapi.NewV1(o).Start(t.Context())
		checkResult(t, err, result{dispatch.OutcomeUnavailable, "", "reason.timeout", 0})
	})
}
