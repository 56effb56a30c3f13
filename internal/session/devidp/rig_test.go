package devidp_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"utsending/internal/session/devidp"
)

const (
	callback  = "https://app.example/oidc/retur"
	loggedOut = "https://app.example/?ut=1"
)

// sharedKey is generated once, because that takes longer than any test here.
var sharedKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// rig is a provider on a real port, a browser, and a relying party built with go-oidc.
type rig struct {
	idp      *devidp.Provider
	issuer   string
	clock    *clock
	browser  *http.Client
	oidc     *oidc.Provider
	app      oauth2.Config
	verifier string
}

func options(t *testing.T, issuer string) devidp.Options {
	t.Helper()
	key, err := sharedKey()
	if err != nil {
		t.Fatal(err)
	}
	return devidp.Options{
		Issuer: issuer,
		Clients: []devidp.Client{
			{ID: "app", Secret: "s&cret: +æ", RedirectURIs: []string{callback, callback + "?from=2"}, PostLogoutRedirectURIs: []string{loggedOut}},
			{ID: "other", Secret: "other secret", RedirectURIs: []string{callback}, PostLogoutRedirectURIs: []string{"https://other.example/"},
				FrontChannelLogoutURI: "https://other.example/ut?a=b"},
		},
		People: []devidp.Person{
			{Subject: "kari", Name: "Kari Oppdiktet", Role: "Saksbehandler, Oppvekst", Claims: map[string]any{"groups": []string{"oppvekst-send", "oppvekst-les"}}},
			{Subject: "ola", Name: "Ola <Oppdiktet>", Claims: map[string]any{"acr": "idporten-loa-substantial"}},
		},
		CodeLifetime:  30 * time.Second,
		TokenLifetime: 10 * time.Minute,
		Key:           key,
	}
}

func start(t *testing.T) *rig { return startAt(t, "") }

// startAt serves the provider below a path.
func startAt(t *testing.T, path string) *rig {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	r := &rig{
		issuer:   "http://" + server.Listener.Addr().String() + path,
		verifier: oauth2.GenerateVerifier(),
		clock:    &clock{t: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)},
	}
	o := options(t, r.issuer)
	o.Now = r.clock.now
	var err error
	if r.idp, err = devidp.New(o); err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = r.idp
	server.Start()
	t.Cleanup(server.Close)

	r.browser = newBrowser(t)
	if r.oidc, err = oidc.NewProvider(r.context(t), r.issuer); err != nil {
		t.Fatal(err)
	}
	r.app = oauth2.Config{
		ClientID:     "app",
		ClientSecret: "s&cret: +æ",
		RedirectURL:  callback,
		Endpoint:     r.oidc.Endpoint(),
		Scopes:       []string{oidc.ScopeOpenID, "profile"},
	}
	r.app.Endpoint.AuthStyle = oauth2.AuthStyleInHeader
	return r
}

// newBrowser keeps cookies and does not follow redirects, so that tests see their addresses.
func newBrowser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{} // its own: closing any test server closes the idle connections of http.DefaultTransport
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport:     transport,
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// context makes go-oidc and oauth2 use the rig's connections.
func (r *rig) context(t *testing.T) context.Context {
	return oidc.ClientContext(t.Context(), &http.Client{Transport: r.browser.Transport})
}

func (r *rig) loginURL(extra ...oauth2.AuthCodeOption) string {
	always := []oauth2.AuthCodeOption{oidc.Nonce("nonce-1"), oauth2.S256ChallengeOption(r.verifier)}
	return r.app.AuthCodeURL("state-1", append(always, extra...)...)
}

func (r *rig) get(t *testing.T, address string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.do(t, req)
}

func (r *rig) post(t *testing.T, path string, form url.Values) *http.Response {
	t.Helper()
	return r.do(t, formRequest(t, r.issuer+path, form))
}

func (r *rig) do(t *testing.T, req *http.Request) *http.Response {
	t.Helper()
	res, err := r.browser.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() }) // read-only: nothing can be lost
	return res
}

func formRequest(t *testing.T, address string, form url.Values) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return req
}

// pending opens the login page and returns the id of its request.
func (r *rig) pending(t *testing.T, address string) string {
	t.Helper()
	page := document(t, r.get(t, address), http.StatusOK)
	id, ok := page.Find("form input[type=hidden][name=pending]").Attr("value")
	if !ok || id == "" {
		t.Fatal("the login page has no pending id")
	}
	return id
}

// signIn chooses a person on the login page and returns the answer to the relying party.
func (r *rig) signIn(t *testing.T, subject string, extra ...oauth2.AuthCodeOption) url.Values {
	t.Helper()
	id := r.pending(t, r.loginURL(extra...))
	return answer(t, r.post(t, "/authorize", url.Values{"pending": {id}, "person": {subject}}))
}

// tokens signs in and exchanges the code.
func (r *rig) tokens(t *testing.T, subject string) *oauth2.Token {
	t.Helper()
	return r.exchange(t, r.signIn(t, subject).Get("code"))
}

func (r *rig) exchange(t *testing.T, code string) *oauth2.Token {
	t.Helper()
	tokens, err := r.app.Exchange(r.context(t), code, oauth2.VerifierOption(r.verifier))
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// verify verifies the id token as a relying party does, by the test's clock.
func (r *rig) verify(t *testing.T, tokens *oauth2.Token) *oidc.IDToken {
	t.Helper()
	raw, _ := tokens.Extra("id_token").(string)
	token, err := r.oidc.Verifier(&oidc.Config{ClientID: "app", Now: r.clock.now}).Verify(r.context(t), raw)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (r *rig) userinfo(t *testing.T, accessToken string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.issuer+"/userinfo", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+accessToken)
	return r.do(t, req)
}

// answer parses a redirect to the relying party.
func answer(t *testing.T, res *http.Response) url.Values {
	t.Helper()
	if res.StatusCode != http.StatusSeeOther {
		t.Fatalf("got status %d, want a redirect", res.StatusCode)
	}
	u, err := res.Location()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := u.Scheme+"://"+u.Host+u.Path, callback; got != want {
		t.Fatalf("got redirect to %s, want %s", got, want)
	}
	return u.Query()
}

func document(t *testing.T, res *http.Response, status int) *goquery.Document {
	t.Helper()
	if res.StatusCode != status {
		t.Fatalf("got status %d, want %d", res.StatusCode, status)
	}
	page, err := goquery.NewDocumentFromReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func decode[T any](t *testing.T, res *http.Response) T {
	t.Helper()
	var body T
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return body
}
