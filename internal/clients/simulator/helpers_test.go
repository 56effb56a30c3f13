package simulator_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
)

const (
	account  = "6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11"
	stranger = "00000000-0000-4000-8000-000000000000"
	pace     = time.Minute
)

// clock is a time that stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// rig is a simulator behind a real HTTP server, with a client that holds a token.
type rig struct {
	sim   *simulator.Simulator
	url   string
	http  *http.Client
	clock *clock
	token string
}

func newRig(t *testing.T, o simulator.Options) *rig {
	t.Helper()
	c := &clock{now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	o.Now = c.Now
	o.Pace = pace
	sim := whole.New(o)
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	t.Cleanup(sim.Close)
	g := &rig{sim: sim, url: server.URL, http: server.Client(), clock: c}
	g.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	g.fetchToken(t)
	return g
}

func (g *rig) fetchToken(t *testing.T) {
	t.Helper()
	a := g.form(t, url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"app"}, "client_secret": {"hush"},
	})
	var body struct {
		AccessToken string `json:"access_token"`
	}
	a.read(t, &body)
	g.token = body.AccessToken
}

// reply is what came back; err is set when the connection broke, also in the middle of the body.
type reply struct {
	status int
	header http.Header
	body   string
	err    error
}

func (a reply) read(t *testing.T, into any) {
	t.Helper()
	if a.err != nil || a.status != http.StatusOK {
		t.Fatalf("got status %d, error %v, want 200", a.status, a.err)
	}
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		t.Fatalf("read answer: %v", err)
	}
}

func (g *rig) do(r *http.Request) reply {
	response, err := g.http.Do(r)
	if err != nil {
		return reply{err: err}
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return reply{status: response.StatusCode, header: response.Header, body: string(body), err: err}
}

func (g *rig) request(t *testing.T, method, path, body string) *http.Request {
	t.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, g.url+path, content)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+g.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func (g *rig) post(t *testing.T, operation, body string) reply {
	t.Helper()
	return g.do(g.request(t, http.MethodPost, smsPath(account, operation), body))
}

func (g *rig) send(t *testing.T, phone string) reply {
	t.Helper()
	return g.post(t, "send", message(phone))
}

// accepted sends a message that must be accepted, and returns its id.
func (g *rig) accepted(t *testing.T, body string) string {
	t.Helper()
	var got struct {
		ID string `json:"id"`
	}
	g.post(t, "send", body).read(t, &got)
	return got.ID
}

func (g *rig) status(t *testing.T, id string) reply {
	t.Helper()
	return g.do(g.request(t, http.MethodGet, smsPath(account, "sms/"+id), ""))
}

func (g *rig) statusValue(t *testing.T, id string) string {
	t.Helper()
	var got struct {
		ID     string `json:"id"`
		Status string `json:"status"`
	}
	g.status(t, id).read(t, &got)
	if got.ID != id {
		t.Errorf("got id %s, want %s", got.ID, id)
	}
	return got.Status
}

func (g *rig) form(t *testing.T, form url.Values) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url+"/token", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return g.do(r)
}

// calls lists the calls of one operation.
func (g *rig) calls(operation string) []simulator.Call {
	var of []simulator.Call
	for _, c := range g.sim.Calls() {
		if c.Operation == operation {
			of = append(of, c)
		}
	}
	return of
}

func smsPath(accountID, rest string) string {
	return "/varsling/api/v2/sms/" + accountID + "/" + rest
}

func message(phone string) string {
	return `{"tekst":"Hei på deg","telefonnummer":"` + phone + `"}`
}

// checkError demands an ErrorMessage with all nine fields filled.
func checkError(t *testing.T, a reply, status int) {
	t.Helper()
	if a.err != nil || a.status != status {
		t.Fatalf("got status %d, error %v, want %d", a.status, a.err, status)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatalf("read ErrorMessage: %v", err)
	}
	if got["status"] != float64(status) || len(got) != 9 {
		t.Errorf("got status %v and %d fields, want %d and 9", got["status"], len(got), status)
	}
	if n, ok := got["timestamp"].(float64); !ok || n < 1e12 {
		t.Errorf("got timestamp %v, want milliseconds", got["timestamp"])
	}
	names := []string{"error", "errorId", "path", "originalPath", "message", "errorCode", "errorJson"}
	if got["message"] == "No message available" { // no operation of the service: its framework has no ids
		names = []string{"error", "path", "message"}
	}
	for _, name := range names {
		if s, ok := got[name].(string); !ok || s == "" {
			t.Errorf("got %s %v, want a text", name, got[name])
		}
	}
}

// eventually polls for something that happens in another goroutine.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("never happened: %s", what)
		}
	}
}
