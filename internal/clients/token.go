package clients

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
	"golang.org/x/sync/singleflight"

	"utsending/internal/dispatch"
)

const (
	tokenTimeout = 10 * time.Second
	// A token is renewed this long before it expires, or in the last quarter of its life if that is shorter: services
	// issue tokens for hours and for seconds.
	tokenMargin   = 10 * time.Second
	tokenFraction = 4
)

// Tokens caches the bearer token of one integration, until it is about to expire or is dropped.
type Tokens struct {
	fetch  func() (*oauth2.Token, error)
	now    func() time.Time
	flight singleflight.Group // concurrent callers share one fetch
	mu     sync.Mutex
	kept   *keptToken
	last   string
}

// keptToken caches the token of a fetch. Drop replaces it, so that a fetch that began before fills one that is no
// longer used.
type keptToken struct {
	token string
	until time.Time // zero: no expiry was given
}

var errNoToken = errors.New("these credentials give no token")

// NewTokens returns the token source for the credentials. The error is a *Error that refuses the integration: a
// person must correct the credentials.
func NewTokens(service dispatch.Service, c dispatch.Credentials) (*Tokens, error) {
	switch c.MethodFor(service.Kind) {
	case dispatch.AuthClientSecret:
		return ClientCredentials(service.TokenURL, c), nil
	case dispatch.AuthKey:
		return JWTGrant(service, c, time.Now)
	case dispatch.AuthToken:
		return FixedToken(c.ClientSecret)
	}
	return nil, refusedToken("reason.token_refused", errNoToken)
}

// ClientCredentials fetches tokens with the client credentials grant. Its HTTP client has a timeout of its own, since
// a fetch is shared by callers.
func ClientCredentials(tokenURL string, c dispatch.Credentials) *Tokens {
	config := &clientcredentials.Config{ClientID: c.ClientID, ClientSecret: c.ClientSecret.Reveal(), TokenURL: tokenURL}
	if c.Scope != "" {
		config.Scopes = []string{c.Scope}
	}
	client := NewHTTPClient()
	client.Timeout = tokenTimeout
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, client)
	return newTokens(time.Now, func() (*oauth2.Token, error) { return config.Token(ctx) })
}

// FixedToken always returns the same token, for development.
func FixedToken(token dispatch.Secret) (*Tokens, error) {
	if token == "" {
		return nil, refusedToken("reason.token_refused", errNoToken)
	}
	return newTokens(time.Now, func() (*oauth2.Token, error) { return &oauth2.Token{AccessToken: token.Reveal()}, nil }), nil
}

// newTokens returns a source for a function that fetches.
func newTokens(now func() time.Time, fetch func() (*oauth2.Token, error)) *Tokens {
	return &Tokens{fetch: fetch, now: now, kept: &keptToken{}}
}

// Token returns a valid token. A fetch goes on for other callers when this one's context ends.
func (t *Tokens) Token(ctx context.Context) (string, error) {
	t.mu.Lock()
	into := t.kept
	if into.fresh(t.now()) {
		defer t.mu.Unlock()
		return into.token, nil
	}
	fetched := t.flight.DoChan("", func() (any, error) { return t.fetchInto(into) })
	t.mu.Unlock()
	select {
	case <-ctx.Done():
		return "", tokenError(ctx.Err())
	case f := <-fetched:
		if f.Err != nil {
			return "", tokenError(f.Err)
		}
		return f.Val.(string), nil
	}
}

// fetchInto fetches a token and caches it for its lifetime, counted from before the fetch.
func (t *Tokens) fetchInto(into *keptToken) (string, error) {
	began := t.now()
	token, err := t.fetch()
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	into.token, into.until = token.AccessToken, time.Time{}
	if !token.Expiry.IsZero() {
		life := token.Expiry.Sub(t.now())
		into.until = began.Add(life - min(tokenMargin, life/tokenFraction))
	}
	return token.AccessToken, nil
}

func (k *keptToken) fresh(now time.Time) bool {
	return k.token != "" && (k.until.IsZero() || now.Before(k.until))
}

// Drop removes a token that the service refused, so that a new one is fetched. Dropping the same token again does
// nothing: a hundred callers that were refused together cause one fetch.
func (t *Tokens) Drop(token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if token == t.last {
		return
	}
	t.last = token
	t.flight.Forget("")
	t.kept = &keptToken{}
}

// Format implements fmt.Formatter: printing the source by mistake shows no token.
func (t *Tokens) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "clients.Tokens") }

// Held tells whether a valid token is cached, and its expiry; zero if none was given. It does not fetch.
func (t *Tokens) Held() (until time.Time, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept.until, t.kept.fresh(t.now())
}
