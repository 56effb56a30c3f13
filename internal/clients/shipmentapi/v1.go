package shipmentapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// Wire says how to write what the specification and the deployed service disagree about (upstream facts, section 2). All
// that is known of either is read whatever it says.
type Wire string

// The two ways to write; the zero value is that of the specification.
const (
	WireSpec     Wire = "spec"
	WireDeployed Wire = "deployed"
)

// Options are what a client of generation V1 is made of.
type Options struct {
	BaseURL       string // {base_url} of the specification, without a path
	HTTP          *http.Client
	User          string
	Password      dispatch.Secret
	Wire          Wire
	Timeout       time.Duration    // of a read; default 10 seconds
	SubmitTimeout time.Duration    // of a submission; default 16 minutes (Shipment spec, Multipart submission)
	Encryption    Encryption       // of documents, where a shipment asks for it
	Now           func() time.Time // nil: time.Now
}

// V1 calls generation V1 of the shipment service as one sender. It is safe for concurrent use.
type V1 struct{ o Options }

// NewV1 returns a client.
func NewV1(o Options) *V1 {
	if o.HTTP == nil {
		o.HTTP = clients.NewHTTPClient()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Timeout = cmp.Or(o.Timeout, 10*time.Second)
	o.SubmitTimeout = cmp.Or(o.SubmitTimeout, 16*time.Minute)
	return &V1{o}
}

// Format implements fmt.Formatter: printing a client by mistake shows no password.
func (V1) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "shipmentapi.V1") }

// call makes one call that cannot send anything.
func (c *V1) call(ctx context.Context, method, path string, body any) (clients.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	req, err := c.request(ctx, method, path)
	if err != nil {
		return clients.Exchange{}, err
	}
	payload, err := encode(body)
	if err != nil {
		return clients.Exchange{}, err
	}
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return clients.Do(ctx, c.o.HTTP, req, payload, nil), nil
}

func (c *V1) request(ctx context.Context, method, path string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.o.BaseURL+path, nil)
	if err != nil {
		return nil, &clients.Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeIntegration, Key: "reason.wrong_address"}
	}
	req.SetBasicAuth(c.o.User, c.o.Password.Reveal())
	req.Header.Set("Accept", "application/json")
	return req, nil
}

// v1Path returns the path of an operation, its parts escaped.
func v1Path(parts ...string) string {
	path := "/tjenester/api/forsendelse/v1"
	for _, p := range parts {
		path += "/" + url.PathEscape(p)
	}
	return path
}

// encode writes JSON without escaping <, > and &: texts go out as they were written.
func encode(body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// rejected is our own refusal to send or ask what the specification does not allow; nothing was called.
func rejected() error {
	return &clients.Error{Outcome: dispatch.OutcomeRejected, Key: "reason.invalid"}
}

// unread is the error of a call that cannot send anything and did not succeed: it is never uncertain.
func unread(x clients.Exchange) *clients.Error { return clients.ClassifyRead(x) }
