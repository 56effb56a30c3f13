package shipmentapi

import (
	"context"
	"net/http"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// Send hands one shipment over to an account and returns the service's id of it (Shipment spec, V2). The error is a
// *clients.Error with the outcome; when content failed it wraps that error too.
func (c *V2) Send(ctx context.Context, to Target, s dispatch.Shipment, content Content, ready clients.Ready) (string, error) {
	if len(s.Validate(c.o.Now(), dispatch.V2)) > 0 {
		return "", rejected()
	}
	path, err := accountPath(to.AccountID, "forsendelser")
	if err != nil {
		return "", err
	}
	metadata, err := encode(toForsendelseV2(s))
	if err != nil {
		return "", rejected()
	}
	envelope, err := c.o.Encryption.of(s, c.o.Now())
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.SubmitTimeout)
	defer cancel()
	var f *form
	x, err := c.authorized(ctx, http.MethodPost, path+"/", clients.TookNothing, func(req *http.Request) clients.Exchange {
		f = newForm(metadata, s.Documents, content, envelope)
		req.Header.Set("Content-Type", f.contentType)
		return clients.Stream(ctx, c.o.HTTP, req, f.body(), ready)
	})
	if err != nil {
		return "", err
	}
	if id, ok := readID(x); ok {
		return id, nil
	}
	if err := f.contentError(ctx, x); err != nil {
		return "", err
	}
	return "", clients.OfAccount(sendError(x))
}
