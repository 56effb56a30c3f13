// Package devidp is an OpenID Connect provider for development and tests.
//
// It asks for no password: its login page lets anybody choose a fictional person. Everything else works as in
// ID-porten (code flow, PKCE, single sign-on, logout), so that the relying party is tested as a whole. It must never
// be reachable from production.
package devidp

import (
	"cmp"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// assuranceLevel is the default acr of a login.
const assuranceLevel = "idporten-loa-high"

func assuranceLevels() []string {
	return []string{"idporten-loa-low", "idporten-loa-substantial", assuranceLevel}
}

// maxBody is far above the size of any valid form.
const maxBody = 64 << 10

// Provider is an OpenID Connect provider, served as an http.Handler.
type Provider struct {
	issuer  string // as given: the iss of every token
	base    string // the issuer without a trailing slash: prefix of the endpoints
	path    string // the path of base
	title   string
	clients map[string]Client
	people  []Person

	now           func() time.Time
	codeLifetime  time.Duration
	tokenLifetime time.Duration

	public *rsa.PublicKey
	keyID  string
	signer jose.Signer

	pages  map[string]*template.Template
	routes *http.ServeMux
	memory *memory
}

// New returns a provider without state, or the error in the options.
func New(o Options) (*Provider, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("devidp: %w", err)
	}
	base := strings.TrimSuffix(o.Issuer, "/")
	p := &Provider{
		issuer:        o.Issuer,
		base:          base,
		path:          pathOf(base),
		title:         cmp.Or(o.Title, "Innlogging for utvikling"),
		clients:       map[string]Client{},
		people:        copyPeople(o.People),
		now:           o.Now,
		codeLifetime:  cmp.Or(o.CodeLifetime, time.Minute),
		tokenLifetime: cmp.Or(o.TokenLifetime, time.Hour),
		memory:        newMemory(),
	}
	if p.now == nil {
		p.now = time.Now
	}
	for _, c := range o.Clients {
		p.clients[c.ID] = c
	}
	if err := p.useKey(o.Key); err != nil {
		return nil, fmt.Errorf("devidp: signing key: %w", err)
	}
	if err := p.parsePages(); err != nil {
		return nil, fmt.Errorf("devidp: pages: %w", err)
	}
	p.route()
	return p, nil
}

// FailToken makes the token endpoint answer with a status until it is called with 0. Only 400 to 599 count; any other
// value means 0.
func (p *Provider) FailToken(status int) {
	if status < 400 || status > 599 {
		status = 0
	}
	p.memory.failTokens(status)
}

// ServeHTTP serves the endpoints and pages of the provider.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", contentSecurityPolicy(""))
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	p.routes.ServeHTTP(w, r)
}

func (p *Provider) route() {
	p.routes = http.NewServeMux()
	for pattern, handler := range map[string]http.HandlerFunc{
		"GET /.well-known/openid-configuration": p.discovery,
		"GET /jwks":                             p.jwks,
		"GET /style.css":                        p.stylesheet,
		"GET /authorize":                        p.authorize,
		"POST /authorize":                       p.authorize,
		"POST /token":                           p.token,
		"GET /userinfo":                         p.userinfo,
		"POST /userinfo":                        p.userinfo,
		"GET /end-session":                      p.endSession,
		"POST /end-session":                     p.endSession,
	} {
		method, path, _ := strings.Cut(pattern, " ")
		p.routes.HandleFunc(method+" "+p.path+path, handler)
	}
}

func (p *Provider) useKey(key *rsa.PrivateKey) error {
	if key == nil {
		var err error
		if key, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			return err
		}
	}
	p.public = &key.PublicKey
	thumbprint, err := (&jose.JSONWebKey{Key: p.public}).Thumbprint(crypto.SHA256)
	if err != nil {
		return err
	}
	p.keyID = base64.RawURLEncoding.EncodeToString(thumbprint)

	options := (&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", p.keyID)
	p.signer, err = jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: key}, options)
	return err
}

func copyPeople(people []Person) []Person {
	own := slices.Clone(people)
	for i := range own {
		own[i].Claims = maps.Clone(own[i].Claims)
	}
	return own
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "" // the address was validated
	}
	return u.Path
}
