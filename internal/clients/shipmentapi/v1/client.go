// Package v1 is the client of generation V1 of the shipment service. Its wire types never leave its wire files.
package v1

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

// Client calls generation V1 of the shipment service as one sender. It is safe for concurrent use.
type Client struct{ o shipmentapi.Options }

var _ = shipmentapi.Register(dispatch.IntegrationShipmentV1, func(o shipmentapi.Options) shipmentapi.Client { return New(o) })

// New returns a client.
func New(o shipmentapi.Options) *Client { return &Client{o.WithDefaults()} }

// Format implements fmt.Formatter: printing a client by mistake shows no password.
func (Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "v1.Client") }

// call makes a call that cannot send anything.
func (c *Client) call(ctx context.Context, method, path string, body any) (clients.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	req, err := c.request(ctx, method, path)
	if err != nil {
		return clients.Exchange{}, err
	}
	payload, err := clients.Encode(body)
	if err != nil {
		return clients.Exchange{}, err
	}
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return clients.Do(ctx, c.o.HTTP, req, payload, nil), nil
}

func (c *Client) request(ctx context.Context, method, path string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.o.BaseURL+path, nil)
	if err != nil {
		return nil, &clients.Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeIntegration, Key: "reason.wrong_address"}
	}
	req.SetBasicAuth(c.o.User, c.o.Password.Reveal())
	req.Header.Set("Accept", "application/json")
	return req, nil
}

// operationPath returns the path of an operation; parts are escaped.
func operationPath(parts ...string) string {
	path := "/tjenester/api/forsendelse/v1"
	for _, p := range parts {
		path += "/" + url.PathEscape(p)
	}
	return path
}
