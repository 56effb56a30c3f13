// Package v2 is the client of generation V2 of the shipment service. Its wire types never leave its wire files.
package v2

import (
	"fmt"
	"io"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Client calls generation V2 of the shipment service with one integration's credentials. It is safe for concurrent
// use. The specification covers the submission only; the other operations are from upstream facts 1.2.
type Client struct{ b wire.Bearer }

var _ = shipmentapi.Register(dispatch.IntegrationShipmentV2, func(o shipmentapi.Options) shipmentapi.Client { return New(o) })

// New returns a client.
func New(o shipmentapi.Options) *Client { return &Client{wire.Bearer{Options: o.WithDefaults()}} }

// Format implements fmt.Formatter: printing a client by mistake shows no password.
func (Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "v2.Client") }

// operationPath returns the path of an operation; parts are escaped.
func operationPath(parts ...string) string { return wire.PathOf(base, parts...) }

// accountPath returns the path of an operation on an account.
func accountPath(accountID string, parts ...string) (string, error) {
	return wire.AccountPath(base, accountID, parts...)
}

const base = "/api/v2"
