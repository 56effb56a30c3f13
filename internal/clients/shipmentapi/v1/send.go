package v1

import (
	"context"
	"net/http"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/wire"
	"utsending/internal/dispatch"
)

// Start reserves an id for Send (Shipment spec, startNyForsendelse). It sends nothing and takes no input: the error
// is never uncertain, and never a rejection of the shipment.
func (c *Client) Start(ctx context.Context) (string, error) {
	x, err := c.call(ctx, http.MethodPost, operationPath("startNyForsendelse"), nil)
	if err != nil {
		return "", err
	}
	if id, ok := wire.ReadID(x); ok {
		return id, nil
	}
	e := wire.Unread(x)
	if e.Outcome == dispatch.OutcomeRejected {
		e.Outcome, e.Key = dispatch.OutcomeUnavailable, "reason.not_understood"
	}
	return "", e
}

// Send hands over one shipment, under an id from Start if there is one, and returns the service's id (Shipment spec,
// sendForsendelse). The error is a *clients.Error; if content failed it wraps that error too.
func (c *Client) Send(ctx context.Context, to shipmentapi.Target, s dispatch.Shipment, content shipmentapi.Content, ready clients.Ready) (string, error) {
	if len(s.Validate(c.o.Now(), dispatch.V1)) > 0 {
		return "", wire.Rejected()
	}
	if c.o.Environment.RefusesShipment(s) {
		return "", wire.Refused()
	}
	metadata, err := clients.Encode(dialect(c.o.Wire).forsendelse(s))
	if err != nil {
		return "", wire.Rejected()
	}
	envelope, err := c.o.Encryption.Of(s, c.o.Now())
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.SubmitTimeout)
	defer cancel()
	req, err := c.request(ctx, http.MethodPost, sendPath(to.Reserved))
	if err != nil {
		return "", err
	}
	f := wire.NewForm(metadata, s.Documents, content, envelope)
	req.Header.Set("Content-Type", f.ContentType)
	x := clients.Stream(ctx, c.o.HTTP, req, f.Body(), ready)
	if id, ok := wire.ReadID(x); ok {
		return id, nil
	}
	if err := f.ContentError(ctx, x); err != nil {
		return "", err
	}
	return "", wire.SendError(x)
}

func sendPath(id string) string {
	if id == "" {
		return operationPath("sendForsendelse")
	}
	return operationPath(id, "sendForsendelse")
}

// DeleteDocuments implements shipmentapi.Client: V1 has no such operation.
func (c *Client) DeleteDocuments(context.Context, string, dispatch.Deletion) error {
	return shipmentapi.Lacking()
}
