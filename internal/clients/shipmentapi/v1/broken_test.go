package v1_test

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
	"utsending/internal/clients/shipmentapi/apitest"
	v1 "utsending/internal/clients/shipmentapi/v1"
	"utsending/internal/dispatch"
)

// halfway is a shipment whose document is far larger than what is buffered on the way. Content gives its first MiB and then
// waits, so that the answer surely comes while the body is still going out.
func halfway() (dispatch.Shipment, *apitest.CountedContent) {
	s, _ := apitest.Shipment()
	s.Documents[0].Size = 64 << 20
	return s, &apitest.CountedContent{Open: func(ctx context.Context, _ dispatch.Document) (io.Reader, error) {
		return io.MultiReader(io.LimitReader(apitest.Endless{}, 1<<20), apitest.Waiting(ctx)), nil
	}}
}

func TestAnswerWhileTheBodyIsGoingOut(t *testing.T) {
	t.Parallel()
	for status, want := range apitest.SendTable() {
		want = apitest.Unsent(want)
		if status >= 500 && status != http.StatusServiceUnavailable || status == http.StatusRequestTimeout {
			want = apitest.Want(dispatch.OutcomeUnavailable, "", "reason.early_error", status)
		}
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			url := apitest.Connected(t, func(c net.Conn) {
				apitest.ReadFirstKiB(c)
				_, _ = fmt.Fprintf(c, "HTTP/1.1 %d No\r\nContent-Length: 2\r\n\r\n{}", status)
				_, _ = io.Copy(io.Discard, c)
			})
			s, content := halfway()
			_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content.Content, nil)
			apitest.CheckResult(t, err, want)
			content.CheckClosed(t)
		})
	}
}

func TestAnswerFromAServerThatReadsNoBody(t *testing.T) {
	t.Parallel()
	url := apitest.Handled(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestEntityTooLarge) })
	s, content := halfway()
	_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content.Content, nil)
	apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRejected, "", "reason.too_large", 413))
	content.CheckClosed(t)
}

// A redirect that keeps the method makes net/http ask for the body once more, before it is told not to follow.
func TestRedirectWhileTheBodyIsGoingOut(t *testing.T) {
	t.Parallel()
	url := apitest.Connected(t, func(c net.Conn) {
		apitest.ReadFirstKiB(c)
		_, _ = io.WriteString(c, "HTTP/1.1 307 Elsewhere\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
		_, _ = io.Copy(io.Discard, c)
	})
	s, content := halfway()
	_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content.Content, nil)
	apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.redirect", 307))
	content.CheckClosed(t)
}

func TestConnectionCutWithinTheBody(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(net.Conn){
		"closed": func(c net.Conn) { _ = c.Close() },
		"reset":  func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0); _ = c.Close() },
	} {
		for where, wait := range map[string]func(net.Conn){
			"before the request":        func(net.Conn) {},
			"at the start of the body":  apitest.ReadFirstKiB,
			"in the middle of the body": func(c net.Conn) { _, _ = io.CopyN(io.Discard, c, 32<<20) },
		} {
			t.Run(name+" "+where, func(t *testing.T) {
				t.Parallel()
				url := apitest.Connected(t, func(c net.Conn) { wait(c); cut(c) })
				s, _ := apitest.Shipment()
				s.Documents[0].Size = 64 << 20 // more than all buffers hold
				content := &apitest.CountedContent{Open: func(_ context.Context, d dispatch.Document) (io.Reader, error) {
					return io.LimitReader(apitest.Endless{}, d.Size), nil
				}}
				ready := func(context.Context) error { t.Error("got to the last byte, want not"); return nil }
				_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content.Content, ready)
				apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
				content.CheckClosed(t)
			})
		}
	}
}

// A receiver may take a shipment for whole at the closing boundary, whatever should follow it: what is held back is what the
// shipment needs.
func TestNobodyHasTheShipmentBeforeTheLeaseIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 100, 3 << 10, 100 << 10, 5 << 20} {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			t.Parallel()
			got := make(chan []byte, 1)
			url := apitest.Connected(t, func(c net.Conn) {
				all, _ := io.ReadAll(c)
				got <- all
			})
			s, content := apitest.ShipmentOf(strings.Repeat("x", size-1) + "!")
			_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{}, s, content, func(context.Context) error { return errors.New("lost") })
			apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
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
			url := apitest.Connected(t, func(c net.Conn) {
				requests <- apitest.ReadRequest(c)
				_, _ = io.WriteString(c, answer)
			})
			_, err := send(t, newClient(t, url))
			apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.no_answer", 0))
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
		url := apitest.Connected(t, func(c net.Conn) {
			_ = apitest.ReadRequest(c)
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"+apitest.Accepted)
		})
		_, err := send(t, newClient(t, url))
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_understood", 200))
	})
}

func TestSubmissionIsNotRepeatedOnAReusedConnection(t *testing.T) {
	t.Parallel()
	requests := make(chan struct{}, 4)
	url := apitest.Connected(t, func(c net.Conn) {
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
			_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(apitest.Accepted), apitest.Accepted)
		}
	})
	c := newClient(t, url)
	if _, err := send(t, c); err != nil {
		t.Fatal(err)
	}
	_, err := send(t, c)
	apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.no_answer", 0))
	if got := len(requests); got != 2 {
		t.Errorf("got %d requests, want 2", got)
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	t.Run("after the last byte are uncertain", func(t *testing.T) {
		t.Parallel()
		ctx, expire := context.WithCancelCause(t.Context())
		url := apitest.Connected(t, func(c net.Conn) {
			if apitest.ReadRequest(c) == nil {
				expire(context.DeadlineExceeded) // as a deadline does, but never too early
			}
			_, _ = io.Copy(io.Discard, c)
		})
		s, content := apitest.Shipment()
		_, err := newClient(t, url).Send(ctx, shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content, nil)
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.timeout", 0))
	})
	t.Run("before it are not, and bound the whole submission", func(t *testing.T) {
		t.Parallel()
		url := apitest.Connected(t, func(c net.Conn) { _ = apitest.ReadRequest(c) })
		o := options(t, url)
		o.SubmitTimeout = 50 * time.Millisecond
		s, content := halfway()
		_, err := v1.New(o).Send(t.Context(), shipmentapi.Target{Reserved: apitest.ShipmentID}, s, content.Content, nil)
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
		content.CheckClosed(t)
	})
	t.Run("of reads do not bind a submission", func(t *testing.T) {
		t.Parallel()
		o := options(t, apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, apitest.Accepted)
		}))
		o.Timeout = time.Nanosecond
		_, err := send(t, v1.New(o))
		apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeAccepted})
	})
	t.Run("bound every other call, which is never uncertain", func(t *testing.T) {
		t.Parallel()
		ctx, expire := context.WithCancelCause(t.Context())
		o := options(t, apitest.Connected(t, func(c net.Conn) {
			if apitest.ReadRequest(c) == nil {
				expire(context.DeadlineExceeded)
			}
			_, _ = io.Copy(io.Discard, c)
		}))
		_, err := v1.New(o).Start(ctx)
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.timeout", 0))
		o.Timeout = time.Nanosecond // too short to connect
		_, err = v1.New(o).Start(t.Context())
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
	})
}
