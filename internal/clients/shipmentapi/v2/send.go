package v2

import (
	"context"
	"net/http"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Send hands over one shipment to an account and returns the service's id (Shipment spec, V2). The error is a
// *clients.Error; if content failed it wraps that error too.
func (c *Client) Send(ctx context.Context, to shipmentapi.Target, s dispatch.Shipment, content shipmentapi.Content, ready clients.Ready) (string, error) {
	if len(s.Validate(c.o.Now(), dispatch.V2)) > 0 {
		return "", wire.Rejected()
	}
	if c.o.Environment.RefusesShipment(s) {
		return "", wire.Refused()
	}
	path, err := accountPath(to.AccountID, "forsendelser")
	if err != nil {
		return "", err
	}
	metadata, err := wire.Encode(toForsendelse(s))
	if err != nil {
		return "", wire.Rejected()
	}
	envelope, err := c.o.Encryption.Of(s, c.o.Now())
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.SubmitTimeout)
	defer cancel()
	var f *wire.Form
	x, err := c.authorized(ctx, http.MethodPost, path+"/", clients.TookNothing, func(req *http.Request) clients.Exchange {
		f = wire.NewForm(metadata, s.Documents, content, envelope)
		req.Header.Set("Content-Type", f.ContentType)
		return clients.Stream(ctx, c.o.HTTP, req, f.Body(), ready)
	})
	if err != nil {
		return "", err
	}
	if id, ok := wire.ReadID(x); ok {
		return id, nil
	}
	if err := f.ContentError(ctx, x); err != nil {
		return "", err
	}
	return "", clients.OfAccount(wire.SendError(x))
}
