package shipmentapi

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

// V2Options are what a client of generation V2 is made of.
type V2Options struct {
	BaseURL             string // {base_url} of the specification, without a path
	HTTP                *http.Client
	Tokens              *clients.Tokens
	IntegrationID       string // header IntegrasjonId
	IntegrationPassword dispatch.Secret
	Timeout             time.Duration    // of a read; default 10 seconds
	SubmitTimeout       time.Duration    // of a submission; default 16 minutes (Shipment spec, Multipart submission)
	Encryption          Encryption       // of documents, where a shipment asks for it
	Now                 func() time.Time // nil: time.Now
}

// V2 calls generation V2 of the shipment service with one integration's credentials. It is safe for concurrent use. The
// specification shows its submission only; the other operations are those of upstream facts 1.2.
type V2 struct{ o V2Options }

// NewV2 returns a client.
func NewV2(o V2Options) *V2 {
	if o.HTTP == nil {
		o.HTTP = clients.NewHTTPClient()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Timeout = cmp.Or(o.Timeout, 10*time.Second)
	o.SubmitTimeout = cmp.Or(o.SubmitTimeout, 16*time.Minute)
	return &V2{o}
}

// Format implements fmt.Formatter: printing a client by mistake shows no password.
func (V2) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "shipmentapi.V2") }

// call makes one call that cannot send anything.
func (c *V2) call(ctx context.Context, method, path string, body any) (clients.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	payload, err := encode(body)
	if err != nil {
		return clients.Exchange{}, rejected()
	}
	return c.authorized(ctx, method, path, func(clients.Exchange) bool { return true }, func(req *http.Request) clients.Exchange {
		if payload != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		return clients.Do(ctx, c.o.HTTP, req, payload, nil)
	})
}

// authorized makes one call with a bearer token. A 401 is answered by one fresh token, and by one more call where that does
// no harm. The call must bring its body anew each time.
func (c *V2) authorized(ctx context.Context, method, path string, harmless func(clients.Exchange) bool, call func(*http.Request) clients.Exchange) (x clients.Exchange, err error) {
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

func (c *V2) request(ctx context.Context, method, path, token string) (*http.Request, error) {
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

// v2Path returns the path of an operation, its parts escaped.
func v2Path(parts ...string) string {
	path := "/api/v2"
	for _, p := range parts {
		path += "/" + url.PathEscape(p)
	}
	return path
}

// accountPath returns the path of an operation on an account. Without the service's id of it there is none: the account
// is refused, since a person must fill it in.
func accountPath(accountID string, parts ...string) (string, error) {
	if accountID == "" || accountID == "." || accountID == ".." {
		return "", &clients.Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeAccount, Key: "reason.account_id"}
	}
	return v2Path(append([]string{"kontoer", accountID}, parts...)...), nil
}
