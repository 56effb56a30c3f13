package session_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
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

	"utsending/internal/dispatch"
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
	store        *store.Store
	database     string
	manager      *session.Manager
	edit         func(*session.Options)
	idp          *devidp.Provider
	provider     *provider
	issuer       string
	clientID     string
	clientSecret dispatch.Secret
	site         *httptest.Server
	now          atomic.Pointer[time.Time]
}

// provider stands before the login provider: it can be away, and tell other addresses than it has.
type provider struct {
	http.Handler
	down atomic.Bool
	hang chan struct{} // not nil: no answer, and none at all once it is closed
	hung atomic.Int64  // how many have asked in vain
	edit func(discovery map[string]any)
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.hang != nil {
		p.hung.Add(1)
		<-p.hang
		panic(http.ErrAbortHandler)
	}
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
	return newRigWith(t, func(*session.Options) {})
}

// newRigWith makes a rig whose manager has other options.
func newRigWith(t *testing.T, edit func(*session.Options)) *rig {
	t.Helper()
	r := newSite(t, edit)
	r.provider = &provider{}
	front := httptest.NewServer(r.provider)
	t.Cleanup(front.Close)
	r.issuer, r.clientID, r.clientSecret = front.URL, "app", "s3cret"
	key, err := sharedKey()
	if err != nil {
		t.Fatal(err)
	}
	r.idp, err = devidp.New(devidp.Options{
		Issuer: r.issuer, Key: key, Now: func() time.Time { return *r.now.Load() }, People: people(),
		Clients: []devidp.Client{{
			ID: r.clientID, Secret: string(r.clientSecret), RedirectURIs: []string{r.address() + "/oidc/retur"},
			PostLogoutRedirectURIs: []string{r.address() + "/logget-ut"}, FrontChannelLogoutURI: r.address() + "/oidc/utlogging",
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.provider.Handler = r.idp
	r.serve(t)
	return r
}

// people are the same at both providers.
func people() []devidp.Person {
	return []devidp.Person{
		{Subject: "kari", Name: "Kari Nordmann", Claims: map[string]any{"groups": []string{"oppvekst", "helse"}}},
		{Subject: "ola", Name: "Ola Nordmann", Claims: map[string]any{"groups": "oppvekst", "name": ""}},
		{Subject: "tor", Name: "Tor Haugen"},
		{Subject: "mange", Name: "A\u030ase \u202eMange", Claims: map[string]any{"groups": manyGroups()}},
		{Subject: "lang", Name: "Lang Gruppe", Claims: map[string]any{"groups": []string{strings.Repeat("g", 501)}}},
		{Subject: "langnavn", Name: strings.Repeat("n", 501), Claims: map[string]any{"groups": "oppvekst"}},
		{Subject: "nul", Name: "Nul", Claims: map[string]any{"groups": []string{"oppvekst\x00"}}},
		{Subject: "lise", Name: "Lise Berg", Claims: map[string]any{"acr": "idporten-loa-low", "groups": []string{"oppvekst"}}},
		{Subject: "mona", Name: "Mona Lie", Claims: map[string]any{"authorization_details": []any{map[string]any{
			"type": "ansattporten:altinn:service", "reportees": []any{map[string]any{"ID": "0192:999999999", "Name": "Fjordvik kommune", "Rights": []string{"les"}}},
		}}}},
	}
}

// manyGroups are those of somebody who has been there for long; their token has about 6 kB.
func manyGroups() []string {
	groups := make([]string, 150)
	for i := range groups {
		groups[i] = fmt.Sprintf("6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d%04d", i)
	}
	return groups
}

// newSite makes a rig that has no provider yet, and is not served.
func newSite(t *testing.T, edit func(*session.Options)) *rig {
	t.Helper()
	database := storetest.Database(t)
	r := &rig{store: storetest.Open(t, database), database: database, edit: edit}
	r.site = httptest.NewUnstartedServer(nil)
	r.at(time.Now().Truncate(time.Second)) // sessions count in seconds
	return r
}

func (r *rig) address() string { return "https://" + r.site.Listener.Addr().String() }

func (r *rig) newManager() *session.Manager {
	o := session.Options{
		Store: r.store, Log: slog.New(slog.DiscardHandler), PublicURL: r.address(), Issuer: r.issuer, ClientID: r.clientID, ClientSecret: r.clientSecret,
		Scopes: []string{"profile"}, RightsClaim: "groups", Idle: idle, Lifetime: lifetime,
	}
	r.edit(&o)
	return session.New(o)
}

// restart puts a new manager in the place of the old one, as a new process would.
func (r *rig) restart() { r.manager = r.newManager(); r.site.Config.Handler = r.handler() }

func (r *rig) at(now time.Time)       { r.now.Store(&now) }
func (r *rig) later(by time.Duration) { r.at(r.now.Load().Add(by)) }

func (r *rig) serve(t *testing.T) {
	r.manager = r.newManager()
	r.site.Config.Handler = r.handler()
	r.site.StartTLS()
	t.Cleanup(r.site.Close)
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
		if err == nil {
			m.KeepReturn(w, address, req.FormValue("retur"))
		}
		lead(w, req, address, err)
	})
	mux.HandleFunc("GET /oidc/retur", func(w http.ResponseWriter, req *http.Request) {
		path, err := m.Finish(req.Context(), req.URL.Query(), session.From{Origin: "192.0.2.7", Browser: dispatch.BrowserOf(req.UserAgent())}, *r.now.Load())
		if errors.Is(err, session.ErrState) {
			if astray, ok := m.Astray(w, req, *r.now.Load()); ok {
				path, err = astray, nil
			}
		}
		lead(w, req, path, err)
	})
	mux.HandleFunc("POST /logg-ut", func(w http.ResponseWriter, req *http.Request) {
		address, err := m.Logout(req.Context(), "192.0.2.7")
		lead(w, req, address, err)
	})
	mux.HandleFunc("GET /logg-inn/igjen", func(w http.ResponseWriter, req *http.Request) {
		address, err := m.StartAgain(req.Context(), req.FormValue("retur"), *r.now.Load())
		lead(w, req, address, err)
	})
	mux.HandleFunc("GET /hemmelig", func(w http.ResponseWriter, req *http.Request) {
		if !m.Fresh(req.Context(), *r.now.Load()) {
			w.WriteHeader(http.StatusForbidden)
		}
	})
	mux.HandleFunc("GET /konto", func(w http.ResponseWriter, req *http.Request) {
		if account := req.FormValue("sett"); account != "" {
			m.SetAccount(req.Context(), account)
		}
		_, _ = io.WriteString(w, m.Account(req.Context()))
	})
	mux.HandleFunc("GET /hvem", func(w http.ResponseWriter, req *http.Request) {
		id, ok := m.Identity(req.Context(), *r.now.Load(), req.Header.Get("Background") != "")
		if !ok {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, id.Name+": "+strings.Join(id.Claims, " ")+string(m.Gap(req.Context())))
	})
	site := http.NewServeMux()
	site.Handle("/", m.Load(fail)(mux))
	site.HandleFunc("GET /oidc/utlogging", func(w http.ResponseWriter, req *http.Request) { // without a session
		if err := m.EndByProvider(req.Context(), req.FormValue("iss"), req.FormValue("sid"), "192.0.2.8"); err != nil {
			fail(w, req, err)
		}
	})
	return site
}

// fail answers each kind of error with a status of its own.
func fail(w http.ResponseWriter, _ *http.Request, err error) {
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, session.ErrLogin):
		status = http.StatusBadRequest
	case errors.Is(err, session.ErrCancelled):
		status = http.StatusTeapot
	case errors.Is(err, session.ErrLevel), errors.Is(err, session.ErrNotFresh), errors.Is(err, session.ErrOther):
		status = http.StatusForbidden
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
	page, err := goquery.NewDocumentFromReader(strings.NewReader(b.visit(address).body))
	if err != nil {
		b.t.Fatal(err)
	}
	pending, shown := page.Find("input[name=pending]").Attr("value")
	if !shown {
		b.t.Fatalf("the provider shows no login page: %s", page.Text())
	}
	action := page.Find("form").AttrOr("action", "")
	return b.back(b.do(http.MethodPost, b.r.issuer+action, url.Values{"pending": {pending}, name: {value}}))
}

// visit goes to the provider and on, up to where it wants something of the person, or leads elsewhere.
func (b *browser) visit(address string) answer {
	b.t.Helper()
	return b.follow(b.get(address))
}

// follow takes the provider's redirects, and says yes when it asks whether to log out.
func (b *browser) follow(a answer) answer {
	b.t.Helper()
	if strings.HasPrefix(a.location(), b.r.issuer) || strings.HasPrefix(a.location(), "/") {
		return b.visit(b.r.issuer + strings.TrimPrefix(a.location(), b.r.issuer))
	}
	page, err := goquery.NewDocumentFromReader(strings.NewReader(a.body))
	if err != nil {
		b.t.Fatal(err)
	}
	if xsrf, asks := page.Find("input[name=xsrf]").Attr("value"); asks {
		return b.follow(b.do(http.MethodPost, page.Find("form").AttrOr("action", ""), url.Values{"xsrf": {xsrf}, "logout": {"yes"}}))
	}
	return a
}

// back is where the provider leads to on the site.
func (b *browser) back(a answer) string {
	b.t.Helper()
	if a = b.follow(a); a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.location(), b.r.site.URL) {
		b.t.Fatalf("got %d from the provider, to %q: %s", a.StatusCode, a.location(), a.body)
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
