// Package smsapi is the client of the SMS service (SMS spec). Its API uses the domain's types; the wire types never
// leave wire.go.
package smsapi

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// Options configure a client.
type Options struct {
	BaseURL             string // {base_url} of the specification, without a path
	HTTP                *http.Client
	Tokens              *clients.Tokens
	IntegrationID       string // header IntegrasjonId, where the operator gave one
	IntegrationPassword dispatch.Secret
	Timeout             time.Duration // of each call; default 10 seconds
	Environment         dispatch.Environment
}

// Client calls the SMS service with one integration's credentials. It is safe for concurrent use.
type Client struct{ o Options }

// New returns a client.
func New(o Options) *Client {
	if o.HTTP == nil {
		o.HTTP = clients.NewHTTPClient()
	}
	o.Timeout = cmp.Or(o.Timeout, 10*time.Second)
	return &Client{o}
}

// Format implements fmt.Formatter: printing a client by mistake shows no password.
func (Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "smsapi.Client") }

// read makes a call that cannot send anything.
func (c *Client) read(ctx context.Context, method, path string, body any) (clients.Exchange, error) {
	return c.call(ctx, method, path, body, nil, func(clients.Exchange) bool { return true })
}

// call sends one request with a bearer token. After a 401 it drops the token, and retries once if the answer proves
// that nothing was taken.
func (c *Client) call(ctx context.Context, method, path string, body any, ready clients.Ready, harmless func(clients.Exchange) bool) (clients.Exchange, error) {
	payload, err := clients.Encode(body)
	if err != nil {
		return clients.Exchange{}, err
	}
	var x clients.Exchange
	for range 2 {
		token, err := c.token(ctx)
		if err != nil {
			return x, err
		}
		req, err := http.NewRequestWithContext(ctx, method, c.o.BaseURL+path, nil)
		if err != nil {
			return x, &clients.Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeIntegration, Key: "reason.wrong_address"}
		}
		c.setHeaders(req, token, payload)
		if x = c.do(ctx, req, payload, ready); x.Status != http.StatusUnauthorized {
			return x, nil
		}
		c.o.Tokens.Drop(token)
		if !harmless(x) {
			break
		}
	}
	return x, nil
}

// token has a timeout of its own: a slow token endpoint must not use up the call's.
func (c *Client) token(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	return c.o.Tokens.Token(ctx)
}

func (c *Client) do(ctx context.Context, req *http.Request, payload []byte, ready clients.Ready) clients.Exchange {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	return clients.Do(ctx, c.o.HTTP, req, payload, ready)
}

func (c *Client) setHeaders(req *http.Request, token string, payload []byte) {
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Accept", "application/json")
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.o.IntegrationID != "" {
		req.Header.Set("IntegrasjonId", c.o.IntegrationID)
		req.Header.Set("IntegrasjonPassord", c.o.IntegrationPassword.Reveal())
	}
}

// accountPath returns the path of an operation on an account.
func accountPath(accountID string, operation ...string) string {
	path := "/varsling/api/v2/sms/" + url.PathEscape(accountID)
	for _, o := range operation {
		path += "/" + url.PathEscape(o)
	}
	return path
}

// rejected is our own refusal of what the specification forbids; no call was made.
// refused is the error of a real person's number in a test environment: it was not sent.
func refused() error {
	return &clients.Error{Outcome: dispatch.OutcomeRejected, Key: "reason.real_number"}
}

func rejected() error {
	return &clients.Error{Outcome: dispatch.OutcomeRejected, Key: "reason.invalid"}
}
