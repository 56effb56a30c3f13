package simulator_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	_ "crypto/sha256"
	_ "crypto/sha512"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
)

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

// newKey makes a key of a client; two for all tests, as they take their time.
var (
	firstKey  = sync.OnceValue(newKey)
	secondKey = sync.OnceValue(newKey)
)

func newKey() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
}

// jwt is an assertion that a test changes before it is signed.
type jwt struct {
	header, claims map[string]any
	key            *rsa.PrivateKey
	hash           crypto.Hash
}

// newJWT is a good assertion of the client app with firstKey.
func newJWT(g *rig) *jwt {
	now := g.clock.Now().Unix()
	return &jwt{
		header: map[string]any{"alg": "RS256", "typ": "JWT", "kid": "key-1"},
		claims: map[string]any{
			"aud": g.url + "/", "iss": "app", "scope": "ks:fiks", "iat": now, "exp": now + 120, "jti": uuid.NewString(),
		},
		key: firstKey(), hash: crypto.SHA256,
	}
}

func (j *jwt) signed(t *testing.T) string {
	t.Helper()
	segment := func(v any) string {
		content, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(content)
	}
	text := segment(j.header) + "." + segment(j.claims)
	sum := j.hash.New()
	sum.Write([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, j.key, j.hash, sum.Sum(nil))
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func (g *rig) assert(t *testing.T, assertion string) reply {
	t.Helper()
	return g.form(t, url.Values{"grant_type": {jwtBearer}, "assertion": {assertion}})
}

func newKeyRig(t *testing.T, o simulator.Options) *rig {
	t.Helper()
	o.Keys = append(o.Keys, simulator.Key{ClientID: "app", ID: "key-1", Public: &firstKey().PublicKey})
	return newRig(t, o)
}

func TestJWTGrant(t *testing.T) {
	t.Parallel()
	for name, hash := range map[string]crypto.Hash{"RS256": crypto.SHA256, "RS384": crypto.SHA384, "RS512": crypto.SHA512} {
		t.Run("takes "+name, func(t *testing.T) {
			t.Parallel()
			g := newKeyRig(t, simulator.Options{})
			j := newJWT(g)
			j.header["alg"], j.hash = name, hash
			var got struct {
				Token     string `json:"access_token"`
				Type      string `json:"token_type"`
				ExpiresIn int    `json:"expires_in"`
				Scope     string `json:"scope"`
			}
			g.assert(t, j.signed(t)).read(t, &got)
			if got.Type != "Bearer" || got.ExpiresIn != 120 || got.Scope != "ks:fiks" {
				t.Errorf("got %+v, want Bearer, 120 s, ks:fiks", got)
			}
			g.token = got.Token
			g.shippedV2(t, newDraftV2())
			want := simulator.Credential{ClientID: "app", KeyID: "key-1", IntegrationID: integration, IntegrationPassword: "passord1"}
			if got := g.sim.Shipments()[0].Credential; got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			g.checkViolations(t)
		})
	}
}

func TestWhatTheJWTGrantTakes(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*jwt){
		"no jti":                     func(j *jwt) { delete(j.claims, "jti") },
		"no typ":                     func(j *jwt) { delete(j.header, "typ") },
		"every claim that there is":  func(j *jwt) { j.claims["resource"], j.claims["pid"] = "https://x", person },
		"a consumer":                 func(j *jwt) { j.claims["consumer_org"] = employer },
		"the older word for it":      func(j *jwt) { j.claims["iss_onbehalfof"] = "x" },
		"a clock ten seconds behind": func(j *jwt) { shift(j, -10) },
		"a clock ten seconds ahead":  func(j *jwt) { shift(j, 10) },
		"two scopes":                 func(j *jwt) { j.claims["scope"] = "ks:fiks ks:annet" },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newKeyRig(t, simulator.Options{Scopes: []string{"ks:fiks", "ks:annet"}})
			j := newJWT(g)
			change(j)
			checkOAuth(t, g.assert(t, j.signed(t)), http.StatusOK, "")
			g.checkViolations(t)
		})
	}
}

func shift(j *jwt, seconds int64) {
	j.claims["iat"] = j.claims["iat"].(int64) + seconds
	j.claims["exp"] = j.claims["exp"].(int64) + seconds
}

func TestWhatTheJWTGrantRefuses(t *testing.T) {
	t.Parallel()
	const invalid, grant = "invalid_request", "invalid_grant"
	tests := map[string]struct {
		change      func(*jwt)
		error, code string
		line        string // of the violation, or empty
	}{
		"another algorithm":    {func(j *jwt) { j.header["alg"] = "PS256" }, invalid, "MP-130", "alg is none of RS256, RS384 and RS512"},
		"no signature at all":  {func(j *jwt) { j.header["alg"] = "none" }, invalid, "MP-130", "alg is none of RS256, RS384 and RS512"},
		"neither kid nor x5c":  {func(j *jwt) { delete(j.header, "kid") }, invalid, "MP-130", "not exactly one of kid and x5c"},
		"an unknown claim":     {func(j *jwt) { j.claims["sub"] = "app" }, invalid, "MP-130", `claims of the assertion: unknown field "sub"`},
		"several audiences":    {func(j *jwt) { j.claims["aud"] = []any{"a"} }, invalid, "MP-130", "claims of the assertion: field aud has the wrong type"},
		"no scope":             {func(j *jwt) { delete(j.claims, "scope") }, invalid, "MP-130", "one of aud, iss, scope, iat and exp is missing"},
		"no iat":               {func(j *jwt) { delete(j.claims, "iat") }, invalid, "MP-130", "one of aud, iss, scope, iat and exp is missing"},
		"a life of 121 s":      {func(j *jwt) { j.claims["exp"] = j.claims["exp"].(int64) + 1 }, invalid, "MP-130", "exp is not within 120 seconds after iat"},
		"an end before it":     {func(j *jwt) { j.claims["exp"] = j.claims["iat"] }, invalid, "MP-130", "exp is not within 120 seconds after iat"},
		"an unknown client":    {func(j *jwt) { j.claims["iss"] = "other" }, grant, "MP-100", ""},
		"an unknown kid":       {func(j *jwt) { j.header["kid"] = "key-2" }, grant, "MP-122", ""},
		"another key":          {func(j *jwt) { j.key = secondKey() }, grant, "MP-123", ""},
		"another hash":         {func(j *jwt) { j.hash = crypto.SHA512 }, grant, "MP-123", ""},
		"another audience":     {func(j *jwt) { j.claims["aud"] = "https://maskinporten.no/" }, grant, "MP-110", ""},
		"aud without a slash":  {func(j *jwt) { j.claims["aud"] = strings.TrimSuffix(j.claims["aud"].(string), "/") }, grant, "MP-110", ""},
		"aud with the path":    {func(j *jwt) { j.claims["aud"] = j.claims["aud"].(string) + "token" }, grant, "MP-110", ""},
		"a clock 11 s behind":  {func(j *jwt) { shift(j, -11) }, grant, "MP-124", ""},
		"a clock 11 s ahead":   {func(j *jwt) { shift(j, 11) }, grant, "MP-124", ""},
		"one that has expired": {func(j *jwt) { shift(j, -120) }, grant, "MP-124", ""},
		"another scope":        {func(j *jwt) { j.claims["scope"] = "ks:fiks ks:annet" }, "invalid_scope", "MP-200", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newKeyRig(t, simulator.Options{})
			j := newJWT(g)
			tt.change(j)
			got := g.assert(t, j.signed(t))
			checkOAuth(t, got, http.StatusBadRequest, tt.error)
			if !strings.Contains(got.body, `"error_description":"`+tt.code+": ") {
				t.Errorf("got %s, want %s", got.body, tt.code)
			}
			if tt.line == "" {
				g.checkViolations(t)
				return
			}
			g.checkViolations(t, "token: "+tt.line)
		})
	}
}

func TestMalformedAssertions(t *testing.T) {
	t.Parallel()
	g := newKeyRig(t, simulator.Options{})
	good := newJWT(g).signed(t)
	for name, form := range map[string]url.Values{
		"none":                     {"grant_type": {jwtBearer}},
		"two parts":                {"grant_type": {jwtBearer}, "assertion": {good[:strings.LastIndex(good, ".")]}},
		"padding":                  {"grant_type": {jwtBearer}, "assertion": {good + "="}},
		"a header that is no JSON": {"grant_type": {jwtBearer}, "assertion": {"YQ" + good[strings.Index(good, "."):]}},
		"a secret beside it":       {"grant_type": {jwtBearer}, "assertion": {good}, "client_secret": {"hush"}},
		"a client id beside it":    {"grant_type": {jwtBearer}, "assertion": {good}, "client_id": {"app"}},
	} {
		before := len(g.sim.Violations())
		checkOAuth(t, g.form(t, form), http.StatusBadRequest, "invalid_request")
		if got := len(g.sim.Violations()); got != before+1 {
			t.Errorf("%s: got %d violations, want one", name, got-before)
		}
	}
	checkOAuth(t, g.assert(t, good), http.StatusOK, "")
}

func TestAssertionsAreUsedOnce(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*jwt){
		"by their jti":                   func(*jwt) {},
		"as a whole when they have none": func(j *jwt) { delete(j.claims, "jti") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newKeyRig(t, simulator.Options{})
			j := newJWT(g)
			change(j)
			checkOAuth(t, g.assert(t, j.signed(t)), http.StatusOK, "")
			again := g.assert(t, j.signed(t))
			checkOAuth(t, again, http.StatusBadRequest, "invalid_grant")
			if !strings.Contains(again.body, "MP-012: ") {
				t.Errorf("got %s, want MP-012", again.body)
			}
			g.checkViolations(t, "token: Validation of JWT Bearer grant failed. Grant is used before")
		})
	}
	t.Run("and one refused may come again", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		text := newJWT(g).signed(t)
		checkOAuth(t, g.assert(t, text), http.StatusBadRequest, "invalid_grant")
		g.sim.AddKey(simulator.Key{ClientID: "app", ID: "key-1", Public: &firstKey().PublicKey})
		checkOAuth(t, g.assert(t, text), http.StatusOK, "")
	})
}

func TestRotationOfKeys(t *testing.T) {
	t.Parallel()
	g := newKeyRig(t, simulator.Options{})
	second := simulator.Key{ClientID: "app", ID: "key-2", Public: &secondKey().PublicKey}
	with := func(name string, key *rsa.PrivateKey) string {
		j := newJWT(g)
		j.header["kid"], j.key = name, key
		return j.signed(t)
	}
	g.sim.AddKey(second)
	checkOAuth(t, g.assert(t, with("key-1", firstKey())), http.StatusOK, "")
	checkOAuth(t, g.assert(t, with("key-2", secondKey())), http.StatusOK, "")
	checkOAuth(t, g.assert(t, with("key-2", firstKey())), http.StatusBadRequest, "invalid_grant")
	g.sim.RevokeKey(simulator.Key{ClientID: "app", ID: "key-1"})
	checkOAuth(t, g.assert(t, with("key-1", firstKey())), http.StatusBadRequest, "invalid_grant")
	checkOAuth(t, g.assert(t, with("key-2", secondKey())), http.StatusOK, "")
	g.checkViolations(t)
}

// certified makes a certificate authority and a certificate for firstKey.
func certified(t *testing.T) (leaf, authority *x509.Certificate) {
	t.Helper()
	template := func(name string, ca bool) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: ca, BasicConstraintsValid: true,
			NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		}
	}
	make1 := func(c, parent *x509.Certificate, key *rsa.PrivateKey) *x509.Certificate {
		der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, secondKey())
		if err != nil {
			t.Fatal(err)
		}
		made, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	authority = make1(template("Utsteder", true), template("Utsteder", true), secondKey())
	return make1(template("Kommunen", false), authority, firstKey()), authority
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	leaf, authority := certified(t)
	text := func(c *x509.Certificate) string { return base64.StdEncoding.EncodeToString(c.Raw) }
	tests := map[string]struct {
		header map[string]any
		code   string
		breach bool
	}{
		"takes a whole chain":                      {map[string]any{"x5c": []any{text(leaf), text(authority)}}, "", false},
		"takes the certificate alone":              {map[string]any{"x5c": []any{text(leaf)}}, "", false},
		"refuses one that is not registered":       {map[string]any{"x5c": []any{text(authority)}}, "MP-120", false},
		"refuses a chain that does not hold":       {map[string]any{"x5c": []any{text(leaf), text(leaf)}}, "MP-120", false},
		"refuses kid for a certificate":            {map[string]any{"kid": "key-1"}, "MP-122", false},
		"refuses both":                             {map[string]any{"kid": "key-1", "x5c": []any{text(leaf)}}, "MP-130", true},
		"refuses a text in place of a list":        {map[string]any{"x5c": text(leaf)}, "MP-130", true},
		"refuses base64url":                        {map[string]any{"x5c": []any{base64.RawURLEncoding.EncodeToString(leaf.Raw) + "_"}}, "MP-130", true},
		"refuses something else than certificates": {map[string]any{"x5c": []any{"aGVp"}}, "MP-130", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{Keys: []simulator.Key{{ClientID: "app", Certificate: leaf}}})
			j := newJWT(g)
			tt.header["alg"] = "RS256"
			j.header = tt.header
			got := g.assert(t, j.signed(t))
			if !strings.Contains(got.body, tt.code) || (got.status == http.StatusOK) != (tt.code == "") {
				t.Errorf("got %d %s, want %s", got.status, got.body, tt.code)
			}
			if breach := len(g.sim.Violations()) > 0; breach != tt.breach {
				t.Errorf("got violations %q, want any: %t", g.sim.Violations(), tt.breach)
			}
			last := g.calls(simulator.OpToken)
			if id := last[len(last)-1].Credential.KeyID; (len(id) == 64) != (tt.code == "") {
				t.Errorf("got key %q, want the hash of the certificate when it was accepted", id)
			}
		})
	}
}

func TestDiscovery(t *testing.T) {
	t.Parallel()
	g := newRig(t, simulator.Options{})
	path := "/.well-known/oauth-authorization-server"
	checkJSON(t, g.do(g.request(t, http.MethodGet, path, "")), `{"issuer":"`+g.url+`/","token_endpoint":"`+g.url+`/token",`+
		`"grant_types_supported":["client_credentials","`+jwtBearer+`"],"token_endpoint_auth_signing_alg_values_supported":["RS256","RS384","RS512"]}`)
	named := newKeyRig(t, simulator.Options{Issuer: "https://test.maskinporten.no/"})
	got := named.do(named.request(t, http.MethodGet, path, ""))
	if !strings.HasPrefix(got.body, `{"issuer":"https://test.maskinporten.no/","token_endpoint":"`+named.url+`/token"`) {
		t.Errorf("got %s, want the issuer of the options and our own address", got.body)
	}
	j := newJWT(named)
	checkOAuth(t, named.assert(t, j.signed(t)), http.StatusBadRequest, "invalid_grant")
	j.claims["aud"] = "https://test.maskinporten.no/"
	checkOAuth(t, named.assert(t, j.signed(t)), http.StatusOK, "")
}

func TestTokensAsHTML(t *testing.T) {
	t.Parallel()
	g := newKeyRig(t, simulator.Options{})
	for fault, status := range map[int]int{simulator.TokenHTML: 200, simulator.TokenHTMLError: 502} {
		g.sim.RefuseTokens(fault)
		got := g.assert(t, newJWT(g).signed(t))
		if got.status != status || !strings.HasPrefix(got.body, "<!doctype html>") || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
			t.Errorf("got %d %q, want %d and HTML", got.status, got.body, status)
		}
		calls := g.calls(simulator.OpToken)
		if last := calls[len(calls)-1]; last.Status != status || last.Fault != "RefuseTokens" {
			t.Errorf("got call %+v, want %d", last, status)
		}
	}
	g.sim.RefuseTokens(0)
	checkOAuth(t, g.assert(t, newJWT(g).signed(t)), http.StatusOK, "")
}

func TestDateOfAnswers(t *testing.T) {
	t.Parallel()
	g := newKeyRig(t, simulator.Options{})
	for _, got := range []reply{g.assert(t, newJWT(g).signed(t)), g.assert(t, "x"), g.getV2(t, "forsendelsestyper")} {
		if date := got.header.Get("Date"); date != "Mon, 02 Mar 2026 09:00:00 GMT" {
			t.Errorf("got Date %q, want that of the simulator's clock", date)
		}
	}
}

func TestExpiresIn(t *testing.T) {
	t.Parallel()
	for said, want := range map[time.Duration]string{
		0: `"expires_in":120`, 10 * time.Minute: `"expires_in":600`, time.Millisecond: `"expires_in":0`, -1: "",
	} {
		g := newKeyRig(t, simulator.Options{ExpiresIn: said})
		got := g.assert(t, newJWT(g).signed(t))
		if got.status != http.StatusOK || strings.Contains(got.body, "expires_in") != (want != "") || !strings.Contains(got.body, want) {
			t.Errorf("got %d %s, want %q in it", got.status, got.body, want)
		}
	}
}

func TestSMSMayDemandAnIntegration(t *testing.T) {
	t.Parallel()
	pairs := map[string]string{integration: "passord1"}
	without := newRig(t, simulator.Options{Integrations: pairs})
	without.accepted(t, message("40000100"))
	g := newRig(t, simulator.Options{Integrations: pairs, SMSIntegration: true})
	checkError(t, g.send(t, "40000100"), http.StatusUnauthorized)
	r := g.request(t, http.MethodPost, smsPath(account, "send"), message("40000100"))
	r.Header.Set("IntegrasjonId", integration)
	r.Header.Set("IntegrasjonPassord", "passord1")
	if got := g.do(r).status; got != http.StatusOK {
		t.Errorf("got %d, want 200", got)
	}
	if got := g.calls(simulator.OpSend); !slices.ContainsFunc(got, func(c simulator.Call) bool { return c.Credential.IntegrationID == integration }) {
		t.Errorf("got %+v, want the integration in one of them", got)
	}
}
