package wire

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

// Bearer makes calls with a bearer token and the headers of an integration, as all generations but V1 do.
type Bearer struct{ shipmentapi.Options }

// Call makes a call that cannot send anything.
func (b Bearer) Call(ctx context.Context, method, path string, body any) (clients.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, b.Timeout)
	defer cancel()
	payload, err := clients.Encode(body)
	if err != nil {
		return clients.Exchange{}, Rejected()
	}
	return b.Authorized(ctx, method, path, func(clients.Exchange) bool { return true }, func(req *http.Request) clients.Exchange {
		if payload != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		return clients.Do(ctx, b.HTTP, req, payload, nil)
	})
}

// Authorized makes a call with a bearer token. After a 401 it fetches a new token, and repeats the call if that is
// harmless. The call must bring a new body each time.
func (b Bearer) Authorized(ctx context.Context, method, path string, harmless func(clients.Exchange) bool, call func(*http.Request) clients.Exchange) (x clients.Exchange, err error) {
	for range 2 {
		token, err := b.Tokens.Token(ctx)
		if err != nil {
			return clients.Exchange{}, err
		}
		req, err := b.request(ctx, method, path, token)
		if err != nil {
			return clients.Exchange{}, err
		}
		if x = call(req); x.Status != http.StatusUnauthorized {
			return x, nil
		}
		b.Tokens.Drop(token)
		if !harmless(x) {
			break
		}
	}
	return x, nil
}

func (b Bearer) request(ctx context.Context, method, path, token string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, b.BaseURL+path, nil)
	if err != nil {
		return nil, &clients.Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeIntegration, Key: "reason.wrong_address"}
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("IntegrasjonId", b.IntegrationID)
	req.Header.Set("IntegrasjonPassord", b.IntegrationPassword.Reveal())
	return req, nil
}

// Submission is a shipment as it goes out.
type Submission struct {
	Path     string
	Metadata any
	Shipment dispatch.Shipment
	Content  shipmentapi.Content
	Ready    clients.Ready
}

// Submit hands over a shipment and returns the service's id. The error is a *clients.Error; if content failed it wraps
// that error too.
func (b Bearer) Submit(ctx context.Context, s Submission) (string, error) {
	metadata, err := clients.Encode(s.Metadata)
	if err != nil {
		return "", Rejected()
	}
	envelope, err := b.Encryption.Of(s.Shipment, b.Now())
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, b.SubmitTimeout)
	defer cancel()
	var f *Form
	x, err := b.Authorized(ctx, http.MethodPost, s.Path, clients.TookNothing, func(req *http.Request) clients.Exchange {
		f = NewForm(metadata, s.Shipment.Documents, s.Content, envelope)
		req.Header.Set("Content-Type", f.ContentType)
		return clients.Stream(ctx, b.HTTP, req, f.Body(), s.Ready)
	})
	if err != nil {
		return "", err
	}
	if id, ok := ReadID(x); ok {
		return id, nil
	}
	if err := f.ContentError(ctx, x); err != nil {
		return "", err
	}
	return "", clients.OfAccount(SendError(x))
}

// Timestamp encodes a date-time with an offset; zero is omitted.
//
// Assumption: the offset may be any. It is Oslo's, so that a reader who uses the day alone gets the right one.
func Timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(Oslo).Format(time.RFC3339)
}

// DigitalID is the number of a person or an organisation.
func DigitalID(d dispatch.DigitalAddress) string {
	if d.NationalID != "" {
		return d.NationalID.Reveal()
	}
	return string(d.OrganizationNumber)
}

// AccountPath returns the path of an operation on an account below a base. Without the account's id at the service,
// the account is refused, since a person must fill it in.
func AccountPath(base, accountID string, parts ...string) (string, error) {
	if accountID == "" || accountID == "." || accountID == ".." {
		return "", &clients.Error{Outcome: dispatch.OutcomeRefused, Scope: dispatch.ScopeAccount, Key: "reason.account_id"}
	}
	return PathOf(base, append([]string{"kontoer", accountID}, parts...)...), nil
}

// PathOf joins parts, escaped, to a base.
func PathOf(base string, parts ...string) string {
	for _, p := range parts {
		base += "/" + url.PathEscape(p)
	}
	return base
}
