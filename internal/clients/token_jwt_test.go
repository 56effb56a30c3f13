package clients_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

const audience = "https://maskinporten.example/"

// signing is a key with the credentials that use it.
type signing struct {
	key         *rsa.PrivateKey
	credentials dispatch.Credentials
}

func newSigning(t *testing.T) signing {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return signing{key, dispatch.Credentials{
		Method: dispatch.AuthKey, ClientID: "klient-1", Scope: scope, PrivateKey: dispatch.Secret(text), KeyID: "nøkkel-1",
	}}
}

// certificate is one of the key.
func (s signing) certificate(t *testing.T) *x509.Certificate {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now(), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, s.key.Public(), s.key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

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

// grants is a token endpoint that keeps the assertions it gets.
type grants struct {
	url    string
	answer func(w http.ResponseWriter, n int)

	mu   sync.Mutex
	seen []map[string]any
	head []map[string]any
}

// newGrants checks the signature of each assertion, and answers with a token of a life or as the test wants it.
func newGrants(t *testing.T, key *rsa.PrivateKey, expiresIn string) *grants {
	t.Helper()
	g := &grants{answer: func(w http.ResponseWriter, n int) {
		w.Header().Set("Content-Type", "application/json")
		write(w, `{"access_token":"token-`+strconv.Itoa(n)+`","token_type":"Bearer","scope":"ks:fiks"`+expiresIn+`}`)
	}}
	g.url = handled(t, func(w http.ResponseWriter, r *http.Request) { g.answer(w, g.keep(t, r, key)) })
	return g
}

// keep reads one request to its claims, and returns how many there have been.
func (g *grants) keep(t *testing.T, r *http.Request, key *rsa.PrivateKey) int {
	if err := r.ParseForm(); err != nil || len(r.PostForm) != 2 || r.PostForm.Get("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" {
		t.Errorf("got form fields %q, error %v", slices.Sorted(maps.Keys(r.PostForm)), err)
	}
	if r.Method != http.MethodPost || r.URL.Path != "/token" || r.Header.Get("Authorization") != "" {
		t.Errorf("got %s %s, authorization %q", r.Method, r.URL.Path, r.Header.Get("Authorization"))
	}
	text := r.PostForm.Get("assertion")
	signed, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil {
		t.Errorf("got no assertion: %v", err)
		return 0
	}
	payload, err := signed.Verify(key.Public())
	if err != nil {
		t.Errorf("got a wrong signature: %v", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	head, _ := base64.RawURLEncoding.DecodeString(text[:strings.Index(text, ".")])
	g.head, g.seen = append(g.head, object(t, head)), append(g.seen, object(t, payload))
	return len(g.seen)
}

func (g *grants) issued() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.seen)
}

func object(t *testing.T, b []byte) (fields map[string]any) {
	if err := json.Unmarshal(b, &fields); err != nil {
		t.Errorf("got %q: %v", b, err)
	}
	return fields
}

func (g *grants) service() dispatch.Service {
	return dispatch.Service{Kind: dispatch.IntegrationShipmentV2, TokenURL: g.url + "/token", Audience: audience}
}

func (g *grants) tokens(t *testing.T, c dispatch.Credentials, now func() time.Time) *clients.Tokens {
	t.Helper()
	tokens, err := clients.JWTGrant(g.service(), c, now)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

func TestAssertions(t *testing.T) {
	t.Parallel()
	s := newSigning(t)
	cert := s.certificate(t)
	text := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw}))
	x5c := base64.StdEncoding.EncodeToString(cert.Raw)
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	claims := map[string]any{
		"aud": audience, "iss": "klient-1", "scope": scope, "iat": float64(at.Unix()), "exp": float64(at.Unix() + 120),
	}
	for name, tt := range map[string]struct {
		change func(*dispatch.Credentials)
		head   map[string]any
		claims map[string]any
	}{
		"with the id of a key": {
			func(*dispatch.Credentials) {}, map[string]any{"alg": "RS256", "typ": "JWT", "kid": "nøkkel-1"}, nil,
		},
		"with certificates": {
			func(c *dispatch.Credentials) { c.KeyID, c.Certificates = "", text+text },
			map[string]any{"alg": "RS256", "typ": "JWT", "x5c": []any{x5c, x5c}}, nil,
		},
		"with several scopes": {
			func(c *dispatch.Credentials) { c.Scope = " ks:fiks\n ks:annet " },
			map[string]any{"alg": "RS256", "typ": "JWT", "kid": "nøkkel-1"}, map[string]any{"scope": "ks:fiks ks:annet"},
		},
		"for another organisation": {
			func(c *dispatch.Credentials) { c.ConsumerOrg = "987654329" },
			map[string]any{"alg": "RS256", "typ": "JWT", "kid": "nøkkel-1"}, map[string]any{"consumer_org": "987654329"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := s.credentials
			tt.change(&c)
			g := newGrants(t, s.key, `,"expires_in":120`)
			fetch(t, g.tokens(t, c, func() time.Time { return at }))
			want := maps.Clone(claims)
			maps.Copy(want, tt.claims)
			if id, _ := g.seen[0]["jti"].(string); uuid.Validate(id) != nil {
				t.Errorf("got jti %q, want a uuid", id)
			}
			delete(g.seen[0], "jti")
			if diff := cmp.Diff(g.seen[0], want); diff != "" {
				t.Errorf("claims: got - want +:\n%s", diff)
			}
			if diff := cmp.Diff(g.head[0], tt.head); diff != "" {
				t.Errorf("header: got - want +:\n%s", diff)
			}
		})
	}
}

func TestEachFetchHasAnAssertionOfItsOwn(t *testing.T) {
	t.Parallel()
	s, at := newSigning(t), &clock{now: time.Now()}
	g := newGrants(t, s.key, `,"expires_in":10`)
	tokens := g.tokens(t, s.credentials, at.Now)
	seen := map[any]bool{}
	for range 3 {
		tokens.Drop(fetch(t, tokens))
	}
	for _, claims := range g.seen {
		seen[claims["jti"]] = true
	}
	if len(seen) != 3 {
		t.Errorf("got %d assertions of their own, want 3", len(seen))
	}
}

func TestLivesOfTokens(t *testing.T) {
	t.Parallel()
	s := newSigning(t)
	for name, tt := range map[string]struct {
		expiresIn string
		wait      time.Duration
		fetches   int
	}{
		"ten seconds, at once":             {`,"expires_in":10`, 0, 1},
		"ten seconds, in good time":        {`,"expires_in":10`, 7 * time.Second, 1},
		"ten seconds, about to end":        {`,"expires_in":10`, 8 * time.Second, 2},
		"two minutes, in good time":        {`,"expires_in":120`, 109 * time.Second, 1},
		"two minutes, about to end":        {`,"expires_in":120`, 110 * time.Second, 2},
		"two minutes as text":              {`,"expires_in":"120"`, 110 * time.Second, 2},
		"one second":                       {`,"expires_in":1`, 0, 1},
		"no time at all":                   {`,"expires_in":0`, 0, 2},
		"less than none":                   {`,"expires_in":-10`, 0, 2},
		"an end that nobody tells":         {``, time.Hour, 1},
		"an end that is null":              {`,"expires_in":null`, time.Hour, 1},
		"a clock that was moved back":      {`,"expires_in":120`, -time.Hour, 1},
		"an end that only a day can reach": {`,"expires_in":86400`, 23 * time.Hour, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := &clock{now: time.Now()}
			g := newGrants(t, s.key, tt.expiresIn)
			tokens := g.tokens(t, s.credentials, at.Now)
			fetch(t, tokens)
			at.advance(tt.wait)
			if got, want := fetch(t, tokens), "token-"+strconv.Itoa(tt.fetches); got != want || g.issued() != tt.fetches {
				t.Errorf("got %s after %d fetches, want %s after %d", got, g.issued(), want, tt.fetches)
			}
		})
	}
}

func TestAHundredCallersFetchOne(t *testing.T) {
	t.Parallel()
	s, at := newSigning(t), &clock{now: time.Now()}
	g := newGrants(t, s.key, `,"expires_in":10`)
	tokens := g.tokens(t, s.credentials, at.Now)
	for round := 1; round <= 3; round++ {
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if got, want := fetch(t, tokens), "token-"+strconv.Itoa(round); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			})
		}
		all.Wait()
		at.advance(9 * time.Second)
	}
	if got := g.issued(); got != 3 {
		t.Errorf("got %d fetches, want one for each life", got)
	}
}

func TestReasonsOfARefusal(t *testing.T) {
	t.Parallel()
	s := newSigning(t)
	body := func(code, description string) string {
		return `{"error":"` + code + `","error_description":"` + description + `"}`
	}
	const failed = "Invalid assertion. Client authentication failed."
	for name, tt := range map[string]struct {
		status int
		body   string
		ahead  time.Duration // of the endpoint's clock
		want   string
	}{
		"an unknown client":            {400, body("invalid_grant", failed+" (MP-100)"), 0, "reason.token_refused"},
		"another audience":             {400, body("invalid_grant", failed+" Invalid JWT claim aud (MP-110)"), 0, "reason.token_refused"},
		"an assertion used before":     {400, body("invalid_grant", "Invalid assertion. JWT ID has already been used (MP-012)"), 0, "reason.token_refused"},
		"a wrong certificate":          {400, body("invalid_grant", failed+" The JWT is signed with an invalid certificate. (MP-120)"), 0, "reason.token_key"},
		"an expired key":               {400, body("invalid_grant", failed+" Expired key (MP-121)"), 0, "reason.token_key"},
		"a key that is only a code":    {400, body("invalid_grant", "MP-121"), 0, "reason.token_key"},
		"a key that nobody knows":      {400, body("invalid_grant", failed+" Unknown key identifier"), 0, "reason.token_key"},
		"a wrong signature":            {401, body("invalid_client", "Could not validate JWT Signature"), 0, "reason.token_key"},
		"a scope that is not ours":     {400, body("invalid_scope", "Token request contains invalid scopes for client"), 0, "reason.token_scope"},
		"a scope, with a clock off":    {400, body("invalid_scope", ""), time.Hour, "reason.token_scope"},
		"a key, with a clock off":      {400, body("invalid_grant", "Expired key"), time.Hour, "reason.token_key"},
		"an assertion that has ended":  {400, body("invalid_grant", "JWT is expired"), 0, "reason.token_skew"},
		"a claim of the time":          {400, body("invalid_grant", failed+" Invalid JWT claim iat"), 0, "reason.token_skew"},
		"nothing, with a clock ahead":  {400, body("invalid_grant", failed), 15 * time.Second, "reason.token_skew"},
		"nothing, with a clock behind": {401, "", -15 * time.Second, "reason.token_skew"},
		"nothing, with a clock a bit":  {400, body("invalid_grant", failed), 5 * time.Second, "reason.token_refused"},
		"a wrong address":              {404, "<p>No</p>", time.Hour, "reason.token_refused"},
		"HTML":                         {400, "<p>Invalid signature</p>", 0, "reason.token_refused"},
		"a redirect":                   {302, "", 0, "reason.token_refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGrants(t, s.key, "")
			g.answer = func(w http.ResponseWriter, _ int) {
				w.Header().Set("Date", time.Now().Add(tt.ahead).UTC().Format(http.TimeFormat))
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tt.status)
				write(w, tt.body)
			}
			_, err := g.tokens(t, s.credentials, time.Now).Token(t.Context())
			got := clients.AsError(err)
			if got.Outcome != dispatch.OutcomeRefused || got.Scope != dispatch.ScopeIntegration || got.Key != tt.want || got.HTTPStatus != tt.status {
				t.Errorf("got %s, scope %q, %s, %d, want refused because of %s", got.Outcome, got.Scope, got.Key, got.HTTPStatus, tt.want)
			}
		})
	}
}

func TestPassingFaultsOfAGrant(t *testing.T) {
	t.Parallel()
	s := newSigning(t)
	for name, tt := range map[string]struct {
		status int
		body   string
	}{
		"408": {408, ""}, "429": {429, `{"error":"invalid_scope"}`}, "500": {500, `{"error":"invalid_scope"}`}, "503 with HTML": {503, "<p>Nei</p>"},
		"a success that is HTML":    {200, "<p>Logg inn</p>"},
		"a success without a token": {200, `{"token_type":"Bearer"}`}, "a success that is empty": {200, ""},
		"a success with an error":     {200, `{"error":"invalid_scope"}`},
		"a success cut in the middle": {200, `{"access_token":"a`},
		"another success":             {201, `{"access_token":"a"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGrants(t, s.key, "")
			g.answer = func(w http.ResponseWriter, _ int) {
				w.Header().Set("Retry-After", "30")
				w.Header().Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
				w.WriteHeader(tt.status)
				write(w, tt.body)
			}
			token, err := g.tokens(t, s.credentials, time.Now).Token(t.Context())
			got := clients.AsError(err)
			if token != "" || got.Outcome != dispatch.OutcomeUnavailable || got.Key != "reason.token_unavailable" || got.RetryAfter != 30*time.Second {
				t.Errorf("got %q, %s, %s, again after %s, want unavailable", token, got.Outcome, got.Key, got.RetryAfter)
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		t.Parallel()
		tokens, err := clients.JWTGrant(dispatch.Service{TokenURL: closedPort(t)}, s.credentials, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		_, err = tokens.Token(t.Context())
		if got := clients.AsError(err); got.Outcome != dispatch.OutcomeUnavailable {
			t.Errorf("got %v, want unavailable", err)
		}
	})
}

func TestGrantsEchoNothing(t *testing.T) {
	t.Parallel()
	s := newSigning(t)
	g := newGrants(t, s.key, "")
	g.answer = func(w http.ResponseWriter, _ int) {
		w.WriteHeader(http.StatusBadRequest)
		write(w, `{"error":"klient-1","error_description":"klient-1 nøkkel-1 hemmelig"}`)
	}
	tokens := g.tokens(t, s.credentials, time.Now)
	_, err := tokens.Token(t.Context())
	for _, verb := range []string{"%v", "%+v", "%#v", "%q"} {
		got := fmt.Sprintf(verb, err) + fmt.Sprintf(verb, clients.AsError(err).Reason()) + fmt.Sprintf(verb, tokens)
		for _, hidden := range []string{"klient-1", "nøkkel-1", "hemmelig", "PRIVATE", g.url} {
			if strings.Contains(got, hidden) {
				t.Errorf("got %q for %s, want no %q", got, verb, hidden)
			}
		}
	}
}

func TestNewTokens(t *testing.T) {
	t.Parallel()
	s := newSigning(t)
	secret := dispatch.Credentials{ClientID: "app", ClientSecret: clientSecret, Scope: scope}
	t.Run("fetch with a secret when nothing else is said", func(t *testing.T) {
		t.Parallel()
		tokens, err := clients.NewTokens(dispatch.Service{Kind: dispatch.IntegrationSMS, TokenURL: newIssuer(t, "").url}, secret)
		if err != nil {
			t.Fatal(err)
		}
		if got := fetch(t, tokens); got != "token-1" {
			t.Errorf("got %s, want token-1", got)
		}
	})
	t.Run("fetch with a key", func(t *testing.T) {
		t.Parallel()
		g := newGrants(t, s.key, "")
		tokens, err := clients.NewTokens(g.service(), s.credentials)
		if err != nil {
			t.Fatal(err)
		}
		if got := fetch(t, tokens); got != "token-1" {
			t.Errorf("got %s, want token-1", got)
		}
	})
	t.Run("hand a fixed one out, also after it was dropped", func(t *testing.T) {
		t.Parallel()
		tokens, err := clients.NewTokens(dispatch.Service{}, dispatch.Credentials{Method: dispatch.AuthToken, ClientSecret: "fast"})
		if err != nil {
			t.Fatal(err)
		}
		tokens.Drop(fetch(t, tokens))
		if got := fetch(t, tokens); got != "fast" {
			t.Errorf("got %s, want fast", got)
		}
	})
	unreadable, curveless := s.credentials, s.credentials
	unreadable.PrivateKey = "nei"
	curveless.KeyID, curveless.Certificates = "", "nei"
	for name, tt := range map[string]struct {
		kind        dispatch.IntegrationKind
		credentials dispatch.Credentials
		want        string
	}{
		"a key that cannot be read":    {dispatch.IntegrationSMS, unreadable, "reason.token_key"},
		"a chain that cannot be read":  {dispatch.IntegrationSMS, curveless, "reason.token_key"},
		"a fixed token that is not":    {dispatch.IntegrationSMS, dispatch.Credentials{Method: dispatch.AuthToken}, "reason.token_refused"},
		"Basic":                        {dispatch.IntegrationShipmentV1, dispatch.Credentials{}, "reason.token_refused"},
		"a method that nobody knows":   {dispatch.IntegrationSMS, dispatch.Credentials{Method: "magic"}, "reason.token_refused"},
		"Basic where tokens are asked": {dispatch.IntegrationShipmentV2, dispatch.Credentials{Method: dispatch.AuthBasic}, "reason.token_refused"},
	} {
		t.Run("refuse "+name, func(t *testing.T) {
			t.Parallel()
			tokens, err := clients.NewTokens(dispatch.Service{Kind: tt.kind}, tt.credentials)
			if got := clients.AsError(err); tokens != nil || got.Outcome != dispatch.OutcomeRefused || got.Scope != dispatch.ScopeIntegration || got.Key != tt.want {
				t.Errorf("got %v and %v, want %s", tokens, err, tt.want)
			}
		})
	}
}
