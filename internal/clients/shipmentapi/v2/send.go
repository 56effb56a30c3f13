package v2

import (
	"context"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Send hands over one shipment to an account and returns the service's id (Shipment spec, V2). The error is a
// *clients.Error; if content failed it wraps that error too.
func (c *Client) Send(ctx context.Context, to shipmentapi.Target, s dispatch.Shipment, content shipmentapi.Content, ready clients.Ready) (string, error) {
	if len(s.Validate(c.b.Now(), dispatch.V2)) > 0 {
		return "", wire.Rejected()
	}
	if c.b.Environment.RefusesShipment(s) {
		return "", wire.Refused()
	}
	path, err := accountPath(to.AccountID, "forsendelser")
	if err != nil {
		return "", err
	}
	return c.b.Submit(ctx, wire.Submission{Path: path + "/", Metadata: toForsendelse(s), Shipment: s, Content: content, Ready: ready})
}
