package clients

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
	"golang.org/x/sync/singleflight"

	"utsending/internal/dispatch"
)

const (
	tokenTimeout = 10 * time.Second
	tokenMargin  = 10 * time.Second // a token is fetched anew this long before it ends
)

// Tokens hands out bearer tokens for one integration. It keeps a token until it is about to expire, or until Drop.
type Tokens struct {
	fetch  oauth2.TokenSource
	flight singleflight.Group // callers wait for one fetch together
	mu     sync.Mutex
	cache  oauth2.TokenSource
	last   string
}

// ClientCredentials fetches tokens with the client credentials grant. Its HTTP client has a timeout of its own, since
// a fetch belongs to no caller.
func ClientCredentials(tokenURL string, c dispatch.Credentials) *Tokens {
	config := &clientcredentials.Config{ClientID: c.ClientID, ClientSecret: c.ClientSecret.Reveal(), TokenURL: tokenURL}
	if c.Scope != "" {
		config.Scopes = []string{c.Scope}
	}
	client := NewHTTPClient()
	client.Timeout = tokenTimeout
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, client)
	return newTokens(func() (*oauth2.Token, error) { return config.Token(ctx) })
}

// newTokens wraps a function whose every call fetches.
func newTokens(fetch sourceFunc) *Tokens {
	return &Tokens{fetch: fetch, cache: oauth2.ReuseTokenSourceWithExpiry(nil, fetch, tokenMargin)}
}

type sourceFunc func() (*oauth2.Token, error)

func (f sourceFunc) Token() (*oauth2.Token, error) { return f() }

// Token returns a token that is valid now. The fetch goes on for the others when this caller's context ends.
func (t *Tokens) Token(ctx context.Context) (string, error) {
	t.mu.Lock()
	cache := t.cache
	fetched := t.flight.DoChan("", func() (any, error) { return cache.Token() })
	t.mu.Unlock()
	select {
	case <-ctx.Done():
		return "", tokenError(ctx.Err())
	case f := <-fetched:
		if f.Err != nil {
			return "", tokenError(f.Err)
		}
		return f.Val.(*oauth2.Token).AccessToken, nil
	}
}

// Drop forgets a token that the service did not accept, so that the next one is fetched. Dropping the same token again
// does nothing: a hundred callers that were refused together fetch one.
func (t *Tokens) Drop(token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if token == t.last {
		return
	}
	t.last = token
	t.flight.Forget("")
	t.cache = oauth2.ReuseTokenSourceWithExpiry(nil, t.fetch, tokenMargin)
}

// Format implements fmt.Formatter: printing the source by mistake shows no token.
func (t *Tokens) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "clients.Tokens") }

// tokenError sorts a failed fetch: a 4xx refuses the integration, everything else is a passing fault. Nothing was sent.
func tokenError(err error) *Error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) || refused.Response == nil {
		return &Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.token_unavailable"}
	}
	e := &Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.token_unavailable", HTTPStatus: refused.Response.StatusCode,
		RetryAfter: retryAfter(refused.Response.Header)}
	if s := e.HTTPStatus; s >= 300 && s < 500 && s != http.StatusRequestTimeout && s != http.StatusTooManyRequests {
		e.Outcome, e.Scope, e.Key = dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.token_refused"
	}
	return e
}
