// Package v2 is the client of generation V2 of the shipment service. Its wire types never leave its wire files.
package v2

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Client calls generation V2 of the shipment service with one integration's credentials. It is safe for concurrent
// use. The specification covers the submission only; the other operations are from upstream facts 1.2.
type Client struct{ o shipmentapi.Options }

// New returns a client.
func New(o shipmentapi.Options) *Client { return &Client{o.WithDefaults()} }

// Format implements fmt.Formatter: printing a client by mistake shows no password.
func (Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "v2.Client") }

// call makes a call that cannot send anything.
func (c *Client) call(ctx context.Context, method, path string, body any) (clients.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	payload, err := wire.Encode(body)
	if err != nil {
		return clients.Exchange{}, wire.Rejected()
	}
	return c.authorized(ctx, method, path, func(clients.Exchange) bool { return true }, func(req *http.Request) clients.Exchange {
		if payload != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		return clients.Do(ctx, c.o.HTTP, req, payload, nil)
	})
}

// authorized makes a call with a bearer token. After a 401 it fetches a new token, and repeats the call if that is
// harmless. The call must bring a new body each time.
func (c *Client) authorized(ctx context.Context, method, path string, harmless func(clients.Exchange) bool, call func(*http.Request) clients.Exchange) (x clients.Exchange, err error) {
	for range 2 {
		token, err := c.o.Tokens.Token(ctx)
		if err != nil {
			return clients.Exchange{}, err
		}
		req, err := c.request(ctx, method, path, token)
		if err != nil {
			return clients.Exchange{}, err
		}
		if x = call(req); x.Status != http.StatusUnauthorized {
			return x, nil
		}
		c.o.Tokens.Drop(token)
		if !harmless(x) {
			break
		}
	}
	return x, nil
}

func (c *Client) request(ctx context.Context, method, path, token string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.o.BaseURL+path, nil)
	if err != nil {
		return nil, &clients.Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeIntegration, Key: "reason.wrong_address"}
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("IntegrasjonId", c.o.IntegrationID)
	req.Header.Set("IntegrasjonPassord", c.o.IntegrationPassword.Reveal())
	return req, nil
}

// operationPath returns the path of an operation; parts are escaped.
func operationPath(parts ...string) string {
	path := "/api/v2"
	for _, p := range parts {
		path += "/" + url.PathEscape(p)
	}
	return path
}

// accountPath returns the path of an operation on an account. Without the account's id at the service, the account is
// refused, since a person must fill it in.
func accountPath(accountID string, parts ...string) (string, error) {
	if accountID == "" || accountID == "." || accountID == ".." {
		return "", &clients.Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeAccount, Key: "reason.account_id"}
	}
	return operationPath(append([]string{"kontoer", accountID}, parts...)...), nil
}
