package session_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/session"
	"utsending/internal/session/devidp"
	"utsending/internal/store"
	"utsending/internal/store/storetest"
)

const (
	idle     = 30 * time.Minute
	lifetime = 10 * time.Hour
)

// sharedKey is made once, because making one takes longer than any test here.
var sharedKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// rig is a login provider, a small site whose pages are the manager's methods, and the time that the manager is told.
type rig struct {
	store    *store.Store
	database string
	manager  *session.Manager
	idp      *devidp.Provider
	provider *provider
	issuer   string
	site     *httptest.Server
	now      atomic.Pointer[time.Time]
}

// provider stands before the login provider: it can be away, and tell other addresses than it has.
type provider struct {
	http.Handler
	down atomic.Bool
	edit func(discovery map[string]any)
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.down.Load() {
		panic(http.ErrAbortHandler) // the connection ends without an answer
	}
	if p.edit == nil || !strings.HasPrefix(r.URL.Path, "/.well-known/") {
		p.Handler.ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	p.Handler.ServeHTTP(answer, r)
	var discovery map[string]any
	_ = json.Unmarshal(answer.Body.Bytes(), &discovery) // an empty document fails the test that asked for it
	p.edit(discovery)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(discovery)
}

func newRig(t *testing.T) *rig {
	t.Helper()
	database := storetest.Database(t)
	r := &rig{store: storetest.Open(t, database), database: database, provider: &provider{}}
	front := httptest.NewServer(r.provider)
	t.Cleanup(front.Close)
	r.issuer = front.URL
	r.site = httptest.NewUnstartedServer(nil)
	address := "https://" + r.site.Listener.Addr().String()
	key, err := sharedKey()
	if err != nil {
		t.Fatal(err)
	}
	r.idp, err = devidp.New(devidp.Options{
		Issuer: r.issuer, Key: key,
		Clients: []devidp.Client{{ID: "app", Secret: "s3cret", RedirectURIs: []string{address + "/oidc/retur"}, PostLogoutRedirectURIs: []string{address + "/logget-ut"}}},
		People: []devidp.Person{
			{Subject: "kari", Name: "Kari Nordmann", Claims: map[string]any{"groups": []string{"oppvekst", "helse"}}},
			{Subject: "ola", Name: "Ola Nordmann", Claims: map[string]any{"groups": "oppvekst", "name": ""}},
			{Subject: "tor", Name: "Tor Haugen"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.provider.Handler = r.idp
	r.manager = r.newManager(address)
	r.at(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	r.serve()
	t.Cleanup(r.site.Close)
	return r
}

func (r *rig) newManager(address string) *session.Manager {
	return session.New(session.Options{
		Store: r.store, Log: slog.New(slog.DiscardHandler), PublicURL: address, Issuer: r.issuer, ClientID: "app", ClientSecret: "s3cret",
		Scopes: []string{"profile"}, RightsClaim: "groups", Idle: idle, Lifetime: lifetime,
	})
}

// restart puts a new manager in the place of the old one, as a new process would.
func (r *rig) restart() { r.manager = r.newManager(r.site.URL); r.site.Config.Handler = r.handler() }

func (r *rig) at(now time.Time)       { r.now.Store(&now) }
func (r *rig) later(by time.Duration) { r.at(r.now.Load().Add(by)) }

func (r *rig) serve() {
	r.site.Config.Handler = r.handler()
	r.site.StartTLS()
}

func (r *rig) handler() http.Handler {
	m := r.manager
	mux := http.NewServeMux()
	lead := func(w http.ResponseWriter, req *http.Request, address string, err error) {
		if err != nil {
			fail(w, req, err)
			return
		}
		http.Redirect(w, req, address, http.StatusSeeOther)
	}
	mux.HandleFunc("GET /logg-inn", func(w http.ResponseWriter, req *http.Request) {
		address, err := m.Start(req.Context(), req.FormValue("retur"), *r.now.Load())
		lead(w, req, address, err)
	})
	mux.HandleFunc("GET /oidc/retur", func(w http.ResponseWriter, req *http.Request) {
		path, err := m.Finish(req.Context(), req.URL.Query(), "192.0.2.7", *r.now.Load())
		lead(w, req, path, err)
	})
	mux.HandleFunc("POST /logg-ut", func(w http.ResponseWriter, req *http.Request) {
		address, err := m.Logout(req.Context(), "192.0.2.7")
		lead(w, req, address, err)
	})
	mux.HandleFunc("GET /hvem", func(w http.ResponseWriter, req *http.Request) {
		id, ok := m.Identity(req.Context(), *r.now.Load(), req.Header.Get("Background") != "")
		if !ok {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, id.Name+": "+strings.Join(id.Claims, " "))
	})
	return m.Load(fail)(mux)
}

// fail answers each kind of error with a status of its own.
func fail(w http.ResponseWriter, _ *http.Request, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, session.ErrLogin):
		status = http.StatusBadRequest
	case errors.Is(err, session.ErrCancelled):
		status = http.StatusTeapot
	case errors.Is(err, session.ErrProvider):
		status = http.StatusBadGateway
	}
	http.Error(w, err.Error(), status)
}

// browser is one browser with its cookies. It follows no redirect by itself.
type browser struct {
	t      *testing.T
	r      *rig
	client *http.Client
}

func (r *rig) browser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, r, &http.Client{Transport: r.site.Client().Transport, Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// answer is what came back, with its body read.
type answer struct {
	*http.Response
	body string
}

func (a answer) location() string { return a.Header.Get("Location") }

func (b *browser) do(method, address string, form url.Values, headers ...string) answer {
	b.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = b.r.site.URL + address
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{resp, string(body)}
}

func (b *browser) get(address string, headers ...string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, address, nil, headers...)
}

// start begins a login and returns where at the provider it leads.
func (b *browser) start(path string) string {
	b.t.Helper()
	a := b.get(path)
	if a.StatusCode != http.StatusSeeOther {
		b.t.Fatalf("got %d from %s: %s", a.StatusCode, path, a.body)
	}
	return a.location()
}

// choose answers the provider's page with a button, and returns where that leads: back to the site.
func (b *browser) choose(address, name, value string) string {
	b.t.Helper()
	page, err := goquery.NewDocumentFromReader(strings.NewReader(b.get(address).body))
	if err != nil {
		b.t.Fatal(err)
	}
	pending, shown := page.Find("input[name=pending]").Attr("value")
	if !shown {
		b.t.Fatalf("the provider shows no login page: %s", page.Text())
	}
	a := b.do(http.MethodPost, b.r.issuer+"/authorize", url.Values{"pending": {pending}, name: {value}})
	if a.StatusCode != http.StatusSeeOther {
		b.t.Fatalf("got %d from the provider: %s", a.StatusCode, a.body)
	}
	return a.location()
}

// login logs somebody in from start to end.
func (b *browser) login(subject string) answer {
	b.t.Helper()
	a := b.get(b.choose(b.start("/logg-inn"), "person", subject))
	if a.StatusCode != http.StatusSeeOther {
		b.t.Fatalf("got %d at the end of the login: %s", a.StatusCode, a.body)
	}
	return a
}

// token is the value of the session's cookie.
func (b *browser) token() string {
	b.t.Helper()
	address, err := url.Parse(b.r.site.URL)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range b.client.Jar.Cookies(address) {
		if c.Name == "__Host-utsending" {
			return c.Value
		}
	}
	return ""
}
