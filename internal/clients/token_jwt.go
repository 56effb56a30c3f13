package clients

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/google/uuid"
	"golang.org/x/oauth2"

	"utsending/internal/dispatch"
)

const (
	// assertionLife is the longest lifetime that the token endpoint accepts, skewTolerance the tolerated clock skew
	// (upstream facts, section 6).
	assertionLife = 120 * time.Second
	skewTolerance = 10 * time.Second

	jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
)

// jwtGrant fetches tokens with signed assertions (RFC 7523, as Maskinporten wants it).
type jwtGrant struct {
	service dispatch.Service
	scope   string
	issuer  string
	org     dispatch.OrganizationNumber
	signer  jose.Signer
	client  *http.Client
	now     func() time.Time
}

// JWTGrant fetches tokens with the JWT grant, each with a new assertion: the endpoint accepts one only once. The
// error is a *Error that refuses the integration: the key or the certificates cannot be used.
func JWTGrant(service dispatch.Service, c dispatch.Credentials, now func() time.Time) (*Tokens, error) {
	signer, err := newSigner(c)
	if err != nil {
		return nil, refusedToken("reason.token_key", err)
	}
	g := &jwtGrant{
		service: service, scope: c.Scope, issuer: c.ClientID, org: c.ConsumerOrg, signer: signer, client: NewHTTPClient(), now: now,
	}
	return newTokens(now, g.fetch), nil
}

// newSigner sets exactly one of the headers kid and x5c.
func newSigner(c dispatch.Credentials) (jose.Signer, error) {
	key, err := c.SigningKey()
	if err != nil {
		return nil, err
	}
	chain, err := c.Chain()
	if err != nil {
		return nil, err
	}
	o := (&jose.SignerOptions{}).WithType("JWT")
	if len(chain) == 0 {
		o = o.WithHeader("kid", c.KeyID)
	} else {
		var x5c []string
		for _, cert := range chain {
			x5c = append(x5c, base64.StdEncoding.EncodeToString(cert.Raw))
		}
		o = o.WithHeader("x5c", x5c)
	}
	return jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: key}, o)
}

// assertion has the documented claims only; an unknown one is refused (upstream facts, section 6).
type assertion struct {
	Audience    string `json:"aud"`
	Issuer      string `json:"iss"`
	Scope       string `json:"scope"`
	IssuedAt    int64  `json:"iat"`
	Expires     int64  `json:"exp"`
	ID          string `json:"jti"`
	ConsumerOrg string `json:"consumer_org,omitempty"`
}

func (g *jwtGrant) assert() (string, error) {
	now := g.now()
	return jwt.Signed(g.signer).Claims(assertion{
		Audience: g.service.Audience, Issuer: g.issuer, Scope: strings.Join(strings.Fields(g.scope), " "),
		IssuedAt: now.Unix(), Expires: now.Add(assertionLife).Unix(), ID: uuid.NewString(), ConsumerOrg: string(g.org),
	}).Serialize()
}

func (g *jwtGrant) fetch() (*oauth2.Token, error) {
	signed, err := g.assert()
	if err != nil {
		return nil, refusedToken("reason.token_key", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), tokenTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.service.TokenURL, nil)
	if err != nil {
		return nil, &Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeIntegration, Key: "reason.token_refused"}
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	began := g.now()
	x := Do(ctx, g.client, req, []byte(url.Values{"grant_type": {jwtBearer}, "assertion": {signed}}.Encode()), nil)
	return g.read(x, began)
}

// tokenBody is a token endpoint's answer, success or error.
type tokenBody struct {
	AccessToken string      `json:"access_token"`
	ExpiresIn   json.Number `json:"expires_in"`
	Error       string      `json:"error"`
	Description string      `json:"error_description"`
}

func (g *jwtGrant) read(x Exchange, began time.Time) (*oauth2.Token, error) {
	var body tokenBody
	understood := !x.Cut && json.Unmarshal(x.Body, &body) == nil
	if x.Status != http.StatusOK {
		e := tokenAnswer(x.Status, x.Header, body.Error, body.Description)
		if e.Key == "reason.token_refused" && x.Status <= http.StatusUnauthorized && g.skewed(x.Header, began) {
			e.Key = "reason.token_skew"
		}
		return nil, e
	}
	if !understood || body.AccessToken == "" {
		return nil, tokenAnswer(x.Status, x.Header, "", "")
	}
	token := &oauth2.Token{AccessToken: body.AccessToken}
	if seconds, err := body.ExpiresIn.Float64(); err == nil {
		token.Expiry = g.now().Add(time.Duration(seconds * float64(time.Second)))
	}
	return token, nil
}

// skewed tells whether the endpoint's clock differed from ours by more than it tolerates, at any moment of the call.
// The Date header has whole seconds.
func (g *jwtGrant) skewed(h http.Header, began time.Time) bool {
	theirs, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return false
	}
	return theirs.Before(began.Add(-skewTolerance-time.Second)) || theirs.After(g.now().Add(skewTolerance))
}
