package simulator_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"utsending/internal/clients/simulator"
)

func TestAccounts(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Accounts: []string{strings.ToUpper(account)}})
	t.Run("accepts an account with access", func(t *testing.T) {
		g.accepted(t, message("40000100"))
	})
	t.Run("refuses another account in every operation", func(t *testing.T) {
		for _, r := range []*http.Request{
			g.request(t, http.MethodPost, smsPath(stranger, "send"), message("40000100")),
			g.request(t, http.MethodGet, smsPath(stranger, "sms/"+stranger), ""),
			g.request(t, http.MethodPost, smsPath(stranger, "sendBatch"), `{}`),
			g.request(t, http.MethodPost, smsPath(stranger, "oppslag"), `{}`),
		} {
			checkError(t, g.do(r), http.StatusForbidden)
		}
	})
}

func TestIntegrationHeaders(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{Integrations: map[string]string{"abc": "hush"}, SMSIntegration: true})
	for name, tt := range map[string]struct {
		id, password string
		want         int
	}{
		"accepts the right pair":   {"abc", "hush", http.StatusOK},
		"refuses a wrong password": {"abc", "x", http.StatusUnauthorized},
		"refuses a wrong id":       {"x", "hush", http.StatusUnauthorized},
		"refuses none":             {"", "", http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.request(t, http.MethodPost, smsPath(account, "send"), message("40000100"))
			r.Header.Set("IntegrasjonId", tt.id)
			r.Header.Set("IntegrasjonPassord", tt.password)
			if got := g.do(r).status; got != tt.want {
				t.Errorf("got status %d, want %d", got, tt.want)
			}
		})
	}
}

func TestShapeOfTheRequest(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*http.Request)
		status int
		line   string
	}{
		"refuses another content type": {
			func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 400, "send: Content-Type is not application/json",
		},
		"refuses no content type": {
			func(r *http.Request) { r.Header.Del("Content-Type") }, 400, "send: Content-Type is not application/json",
		},
		"refuses another character set": {
			func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=latin1") }, 400, "send: Content-Type is not application/json",
		},
		"accepts the character set that JSON has": {
			func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=UTF-8") }, 200, "",
		},
		"writes an idempotency key down": {
			func(r *http.Request) { r.Header.Set("Idempotency-Key", "1") }, 200, "send: header Idempotency-Key",
		},
		"writes a missing length down": {
			func(r *http.Request) { r.ContentLength = -1 }, 200, "send: no Content-Length",
		},
		"refuses a body over 1 MiB": {
			func(r *http.Request) {
				r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat(" ", 1<<20+1))), 1<<20+1
			}, 400, "send: body over 1 MiB",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			r := g.request(t, http.MethodPost, smsPath(account, "send"), message("40000100"))
			tt.change(r)
			if got := g.do(r).status; got != tt.status {
				t.Errorf("got status %d, want %d", got, tt.status)
			}
			if got := strings.Join(g.sim.Violations(), "\n"); got != tt.line {
				t.Errorf("got violations %q, want %q", got, tt.line)
			}
		})
	}
}

func TestWrongAddresses(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	for name, tt := range map[string]struct{ method, path, line string }{
		"an unknown path":           {"POST", "/varsling/api/v1/sms", "unknown: no such operation: POST /varsling/api/v1/sms"},
		"a wrong method":            {"PUT", smsPath(account, "send"), "unknown: no such operation: PUT " + smsPath(account, "send")},
		"a base address with slash": {"POST", "/" + smsPath(account, "send"), "unknown: no such operation: POST /" + smsPath(account, "send")},
		"a redirect followed":       {"POST", "/redirected" + smsPath(account, "send"), "redirected: followed a redirect"},
		"a body on a read":          {"GET", smsPath(account, "sms/"+stranger), "hentStatus: a body where none belongs"},
	} {
		t.Run(name, func(t *testing.T) {
			checkError(t, g.do(g.request(t, tt.method, tt.path, "{}")), http.StatusNotFound)
			if got := g.sim.Violations(); got[len(got)-1] != tt.line {
				t.Errorf("got violation %q, want %q", got[len(got)-1], tt.line)
			}
		})
	}
}

func TestAClientThatDiesInMidBodySendsNothing(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n%s", smsPath(account, "send"), g.token, message("40000100"))
	if err := errors.Join(err, conn.Close()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the call", func() bool { return len(g.calls(simulator.OpSend)) == 1 })
	if len(g.sim.Books()) != 0 || g.sim.Violations() != nil {
		t.Errorf("got %d accepted and violations %q, want none", len(g.sim.Books()), g.sim.Violations())
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	const workers, each = 8, 20
	g := newRig(t, simulator.Options{})
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				phone := fmt.Sprintf("4%04d1%02d", w, i) // no ending of the list
				if got := g.send(t, phone); got.status != http.StatusOK {
					t.Errorf("got status %d, want 200", got.status)
				}
				g.status(t, g.sim.Books()[0].ID)
				g.form(t, nil)
				g.sim.Calls()
				g.sim.SetDown(false)
			}
		})
	}
	wg.Wait()
	ids := map[string]bool{}
	for _, m := range g.sim.Books() {
		ids[m.ID] = true
	}
	if len(ids) != workers*each || len(g.calls(simulator.OpStatus)) != workers*each {
		t.Errorf("got %d messages and %d reads, want %d of each", len(ids), len(g.calls(simulator.OpStatus)), workers*each)
	}
}
