// Package v3 is the client of generation V3 of the shipment service, which has its own operations for sending and for
// statuses; the rest is V2's. Its wire types never leave its wire files.
package v3

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/v2"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Client calls generation V3 of the shipment service with one integration's credentials. It is safe for concurrent
// use.
type Client struct {
	*v2.Client // the operations that V3 does not replace
	b          wire.Bearer
}

var _ = shipmentapi.Register(dispatch.IntegrationShipmentV3, func(o shipmentapi.Options) shipmentapi.Client { return New(o) })

// New returns a client.
func New(o shipmentapi.Options) *Client {
	return &Client{v2.New(o), wire.Bearer{Options: o.WithDefaults()}}
}

// Format implements fmt.Formatter: printing a client by mistake shows no password.
func (Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "v3.Client") }

const base = "/api/v3"

// Send hands over one shipment to an account, by the operation for its recipient, and returns the service's id
// (Shipment V3 spec, Paths). The error is a *clients.Error; if content failed it wraps that error too.
func (c *Client) Send(ctx context.Context, to shipmentapi.Target, s dispatch.Shipment, content shipmentapi.Content, ready clients.Ready) (string, error) {
	if len(s.Validate(c.b.Now(), dispatch.V3)) > 0 {
		return "", wire.Rejected()
	}
	if c.b.Environment.RefusesShipment(s) {
		return "", wire.Refused()
	}
	kind, metadata := toForsendelse(s)
	path, err := wire.AccountPath(base, to.AccountID, "forsendelser", kind)
	if err != nil {
		return "", err
	}
	return c.b.Submit(ctx, wire.Submission{Path: path, Metadata: metadata, Shipment: s, Content: content, Ready: ready})
}

// Statuses reads the statuses of 1 to StatusesMax shipments of an account (Shipment V3 spec, Status). Shipments that
// the answer lacks are missing: there is no news of them.
func (c *Client) Statuses(ctx context.Context, accountID string, ids []string) (map[string]shipmentapi.StatusReport, error) {
	if len(ids) == 0 || len(ids) > shipmentapi.StatusesMax {
		return nil, wire.Rejected()
	}
	path, err := wire.AccountPath(base, accountID, "forsendelser", "status", "sok")
	if err != nil {
		return nil, err
	}
	x, err := c.b.Call(ctx, http.MethodPost, path, statusSok{ids})
	if err != nil {
		return nil, err
	}
	answer, err := wire.Understood[forsendelseStatus](x, "statuser")
	if err != nil {
		return nil, err
	}
	asked := wire.AskedFor(ids)
	reports := map[string]shipmentapi.StatusReport{}
	for _, s := range answer {
		if id, ok := asked[strings.ToLower(s.ID)]; ok && s.Status != "" {
			reports[id] = s.report()
		}
	}
	return reports, nil
}
