package v2_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v2 "utsending/internal/clients/shipmentapi/v2"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

func TestV2StrangeSuccess(t *testing.T) {
	t.Parallel()
	for name, tt := range apitest.Strange {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := send(t, answering(t, tt.Status, tt.Body))
			apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_understood", tt.Status))
		})
	}
	t.Run("an answer that is cut", func(t *testing.T) {
		t.Parallel()
		c := newClient(t, apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, apitest.Accepted)
		}))
		_, err := send(t, c)
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_understood", 200))
	})
}

func TestClassificationOfAV2Submission(t *testing.T) {
	t.Parallel()
	for status, want := range apitest.SendTable() {
		for name, body := range map[string]string{
			"an ErrorMessage": `{"status":` + strconv.Itoa(status) + `,"errorId":"6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11","errorJson":{"felt":"tittel"},"message":"Ugyldig innhold"}`,
			"HTML":            "<h1>Feil</h1>",
			"nothing":         "",
		} {
			want := want
			switch {
			case name != "an ErrorMessage":
				want = apitest.FromProxy(want)
			case status == http.StatusNotFound:
				want.Scope, want.Key = dispatch.ScopeAccount, "reason.account_unknown"
			}
			t.Run(fmt.Sprintf("%d with %s", status, name), func(t *testing.T) {
				t.Parallel()
				url := apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					if r.URL.Path == "/elsewhere" {
						t.Error("got a redirect followed, want it refused")
					}
					w.Header().Set("Location", "/elsewhere")
					w.WriteHeader(status)
					_, _ = io.WriteString(w, body)
				})
				id, err := send(t, newClient(t, url))
				apitest.CheckResult(t, err, want)
				if id != "" {
					t.Errorf("got id %q, want none", id)
				}
			})
		}
	}
}

func TestV2Duplicates(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		body   string
		want   apitest.Result
	}{
		"the code":            {400, `{"errorCode":"GJENTAGENDE_FORSENDELSE","message":"Nei"}`, apitest.Want(dispatch.OutcomeRejected, "", "reason.duplicate", 400)},
		"the code with 500":   {500, `{"errorCode":"GJENTAGENDE_FORSENDELSE"}`, apitest.Want(dispatch.OutcomeUncertain, "", "reason.duplicate", 500)},
		"the word in no code": {400, "Duplikat forsendelse", apitest.Want(dispatch.OutcomeUncertain, "", "reason.not_its_own", 400)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := send(t, answering(t, tt.status, tt.body))
			apitest.CheckResult(t, err, tt.want)
		})
	}
}

func TestV2SendRefusesWhatTheContractForbids(t *testing.T) {
	t.Parallel()
	c := newClient(t, apitest.Handled(t, func(http.ResponseWriter, *http.Request) { t.Error("got a call, want none") }))
	for name, spoil := range map[string]func(*dispatch.Shipment){
		"no title":                   func(s *dispatch.Shipment) { s.Title = "" },
		"no document":                func(s *dispatch.Shipment) { s.Documents = nil },
		"a billing code of neither":  func(s *dispatch.Shipment) { s.BillingCode = "a b" },
		"level 4 without encryption": func(s *dispatch.Shipment) { s.RequireLevel4 = true },
		"a deadline almost over":     apitest.SignBy(apitest.Now.Add(24*time.Hour - time.Second)),
	} {
		t.Run(name, func(t *testing.T) {
			s, content := apitest.Shipment()
			spoil(&s)
			_, err := c.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content, nil)
			apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeRejected, Key: "reason.invalid"})
		})
	}
	for _, id := range []string{"", ".", ".."} {
		t.Run(fmt.Sprintf("the account id %q", id), func(t *testing.T) {
			s, content := apitest.Shipment()
			_, err := c.Send(t.Context(), shipmentapi.Target{AccountID: id}, s, content, nil)
			apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeAccount, "reason.account_id", 0))
		})
	}
	t.Run("a billing code of V2 goes out", func(t *testing.T) {
		s, content := apitest.Shipment()
		s.BillingCode = "a_b"
		_, err := answering(t, 200, apitest.Accepted).Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content, nil)
		apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeAccepted})
	})
}

// guarded takes one bearer token, and notes whom it met with how much of a body.
type guarded struct {
	takes, says string

	mu      sync.Mutex
	bearers []string
	bodies  []string
}

func (g *guarded) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	bearer := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	g.bearers, g.bodies = append(g.bearers, bearer), append(g.bodies, onlyForm(body))
	g.mu.Unlock()
	if bearer != g.takes {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, g.says)
		return
	}
	_, _ = io.WriteString(w, apitest.Accepted)
}

// onlyForm is a multipart body without its boundaries, which differ each time.
func onlyForm(body []byte) string {
	lines := strings.Split(string(body), "\r\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "--") }), "\n")
}

func TestOneFreshTokenAfter401(t *testing.T) {
	t.Parallel()
	const own, foreign = `{"status":401,"errorId":"6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11","message":"Ugyldig token"}`, `{"message":"Unauthorized"}`
	for name, tt := range map[string]struct {
		takes, says string
		want        apitest.Result
		bearers     []string
	}{
		"mends a token that was revoked":     {"bearer-2", own, apitest.Result{Outcome: dispatch.OutcomeAccepted}, []string{"bearer-1", "bearer-2"}},
		"is not followed by another":         {"bearer-3", own, apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.unauthorized", 401), []string{"bearer-1", "bearer-2"}},
		"is not needed when the token is":    {"bearer-1", own, apitest.Result{Outcome: dispatch.OutcomeAccepted}, []string{"bearer-1"}},
		"does not follow what may have gone": {"bearer-2", foreign, apitest.Want(dispatch.OutcomeUncertain, dispatch.ScopeIntegration, "reason.not_its_own", 401), []string{"bearer-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &guarded{takes: tt.takes, says: tt.says}
			o := options(t, apitest.Handled(t, g.serve))
			o.Tokens, _ = fresh(t)
			s, content := apitest.Shipment()
			asked := 0
			_, err := v2.New(o).Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content, func(context.Context) error { asked++; return nil })
			apitest.CheckResult(t, err, tt.want)
			if !slices.Equal(g.bearers, tt.bearers) || asked != len(tt.bearers) {
				t.Errorf("got tokens %q and %d questions for the lease, want %q and one each", g.bearers, asked, tt.bearers)
			}
			for _, body := range g.bodies {
				if body != g.bodies[0] || !strings.Contains(body, "%PDF-1.7 brev") {
					t.Errorf("got body %q, want all of it each time", body)
				}
			}
		})
	}
}

// A 401 that comes while the body is going out: the same body starts again, from its start, and what became of the first
// content is nobody's failure.
func TestEarly401StartsTheBodyAgain(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]apitest.Result{
		"and is accepted": {Outcome: dispatch.OutcomeAccepted},
		"and is cut off":  apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content := &apitest.CountedContent{}
			var connections atomic.Int32
			url := apitest.Connected(t, func(c net.Conn) {
				if connections.Add(1) == 1 {
					apitest.ReadFirstKiB(c)
					_, _ = io.WriteString(c, "HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\n{}")
					_, _ = io.Copy(io.Discard, c)
					return
				}
				if second.Outcome != dispatch.OutcomeAccepted {
					apitest.ReadFirstKiB(c)
					return
				}
				if apitest.ReadRequest(c) == nil {
					_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(apitest.Accepted), apitest.Accepted)
				}
			})
			s, _ := apitest.Shipment()
			s.Documents[0].Size = 64 << 20
			content.Open = func(ctx context.Context, d dispatch.Document) (io.Reader, error) {
				if len(content.Names) == 0 {
					return io.MultiReader(io.LimitReader(apitest.Endless{}, 1<<20), apitest.Waiting(ctx)), nil
				}
				return io.LimitReader(apitest.Endless{}, d.Size), nil
			}
			o := options(t, url)
			o.Tokens, _ = fresh(t)
			_, err := v2.New(o).Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content.Content, nil)
			apitest.CheckResult(t, err, second)
			content.CheckClosed(t)
		})
	}
}

func TestV2SendWithoutATokenSendsNothing(t *testing.T) {
	t.Parallel()
	o := options(t, apitest.Handled(t, func(http.ResponseWriter, *http.Request) { t.Error("got a call, want none") }))
	for status, want := range map[int]apitest.Result{
		400: apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.token_refused", 400),
		503: apitest.Want(dispatch.OutcomeUnavailable, "", "reason.token_unavailable", 503),
	} {
		o.Tokens = tokensThatAnswer(t, status)
		_, err := send(t, v2.New(o))
		apitest.CheckResult(t, err, want)
	}
}

func TestV2ReadyIsAskedBeforeTheLastByte(t *testing.T) {
	t.Parallel()
	missing := make(chan int64, 1)
	url := apitest.Connected(t, func(c net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		n, _ := io.Copy(io.Discard, r.Body)
		missing <- r.ContentLength - n
	})
	s, content := apitest.Shipment()
	_, err := newClient(t, url).Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content, func(context.Context) error {
		return errors.New("lease lost")
	})
	apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
	if got := <-missing; got != apitest.Tail {
		t.Errorf("got %d bytes missing, want %d", got, apitest.Tail)
	}
}

func TestV2ConnectionCut(t *testing.T) {
	t.Parallel()
	t.Run("after the last byte is uncertain, and not repeated", func(t *testing.T) {
		t.Parallel()
		requests := make(chan error, 2)
		url := apitest.Connected(t, func(c net.Conn) { requests <- apitest.ReadRequest(c) })
		_, err := send(t, newClient(t, url))
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUncertain, "", "reason.no_answer", 0))
		if err := <-requests; err != nil || len(requests) > 0 {
			t.Errorf("got error %v and %d more requests, want one whole one", err, len(requests))
		}
	})
	t.Run("before it is not", func(t *testing.T) {
		t.Parallel()
		s, _ := apitest.Shipment()
		s.Documents[0].Size = 64 << 20 // more than all buffers hold
		content := &apitest.CountedContent{Open: func(_ context.Context, d dispatch.Document) (io.Reader, error) {
			return io.LimitReader(apitest.Endless{}, d.Size), nil
		}}
		_, err := newClient(t, apitest.Connected(t, apitest.ReadFirstKiB)).Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content.Content, nil)
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0))
	})
}

func TestV2ContentThatFails(t *testing.T) {
	t.Parallel()
	s, content := apitest.TwoDocuments(func(context.Context, dispatch.Document) (io.Reader, error) { return nil, apitest.ErrStorage })
	c := newClient(t, apitest.Connected(t, func(c net.Conn) { _ = apitest.ReadRequest(c) }))
	_, err := c.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, content.Content, nil)
	apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.content", 0))
	if !errors.Is(err, apitest.ErrStorage) {
		t.Errorf("got %v, want %v in it", err, apitest.ErrStorage)
	}
}

func TestV2ErrorsAndClientsTellNoSecrets(t *testing.T) {
	t.Parallel()
	hidden := []string{"hunter2-hunter2", "bearer-0", "02813299900", "Kari", "brev.pdf", "Vedtak"}
	c := newClient(t, apitest.Handled(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"message":"%s %s 02813299900 Kari brev.pdf Vedtak"}`, r.Header.Get("Authorization"), r.Header.Get("IntegrasjonPassord"))
	}))
	_, echoed := send(t, c)
	_, nowhere := send(t, newClient(t, "http://[::1"))
	for name, value := range map[string]any{"a client": c, "the client itself": *c, "an echo": echoed, "no address": nowhere} {
		for _, verb := range []string{"%v", "%+v", "%s", "%q"} {
			for _, word := range hidden {
				if got := fmt.Sprintf(verb, value); strings.Contains(got, word) {
					t.Errorf("%s: got %q for %s, want no %q", name, got, verb, word)
				}
			}
		}
	}
	apitest.CheckResult(t, nowhere, apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.wrong_address", 0))
}

func TestAnEncryptedShipmentIsReadByV2(t *testing.T) {
	t.Parallel()
	s := apitest.SecretShipment(1, 15, 16, 17, 3<<20)
	g := newRig(t, simulator.Options{})
	if _, err := g.client.Send(t.Context(), shipmentapi.Target{AccountID: accountID}, s, apitest.Repeated, nil); err != nil {
		t.Fatal(err)
	}
	got := g.sim.Shipments()[0]
	got.User = "avsender" // which V2 has not
	apitest.CheckShipment(t, got, s)
}

// TestV2SendsNothingInClear: without a certificate that holds, not even a connection is made.
func TestV2SendsNothingInClear(t *testing.T) {
	t.Parallel()
	ended := apitest.Encryption()
	ended.Until = apitest.Now
	for name, tt := range map[string]struct {
		encryption shipmentapi.Encryption
		key        string
	}{
		"without a certificate":      {shipmentapi.Encryption{}, "reason.certificate"},
		"when the certificate ended": {ended, "reason.certificate_expired"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t, "http://127.0.0.1:1")
			o.Encryption = tt.encryption
			_, err := v2.New(o).Send(t.Context(), shipmentapi.Target{AccountID: accountID}, apitest.SecretShipment(10), apitest.Repeated, nil)
			apitest.CheckResult(t, err, apitest.Result{Outcome: dispatch.OutcomeUnavailable, Key: tt.key})
		})
	}
}
