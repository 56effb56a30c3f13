package upstream

import (
	"context"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// Client calls one service with one set of an integration's credentials: SMS or shipments, by the integration's kind.
type Client struct {
	Kind      dispatch.IntegrationKind
	SMS       *smsapi.Client     // nil if the integration is for shipments
	Shipments shipmentapi.Client // nil if it is for SMS

	key         clientKey
	credentials registry.CredentialUse
	version     int             // of the integration's row
	tokens      *clients.Tokens // nil if the service needs none
}

// known makes a harmless call that needs valid credentials only. The SMS service has none; there the service itself
// refuses a random account once it has accepted the credentials.
func (c Client) known(ctx context.Context) error {
	if c.SMS == nil {
		_, err := c.Shipments.Types(ctx)
		return err
	}
	_, err := c.SMS.Status(ctx, uuid.NewString(), uuid.NewString())
	e := clients.AsError(err)
	if err != nil && e.Own && slices.Contains([]int{http.StatusForbidden, http.StatusNotFound, http.StatusBadRequest}, e.HTTPStatus) {
		return nil
	}
	return err
}

// Allowed checks the access to an account, by asking for the status of a random id.
func (c Client) Allowed(ctx context.Context, account string) error {
	if c.SMS == nil {
		_, err := c.Shipments.Statuses(ctx, account, []string{uuid.NewString()})
		return err
	}
	_, err := c.SMS.Status(ctx, account, uuid.NewString())
	if e := clients.AsError(err); err != nil && e.HTTPStatus == http.StatusNotFound && e.Own {
		return nil
	}
	return err
}

// Confirm makes a harmless call with the same credentials before a refusal counts: a proxy may refuse a single call.
// A refusal by the token endpoint, or of an account by the service itself, needs no confirmation, nor does our own
// validation. A refusal that is not confirmed concerns this call only.
func (c Client) Confirm(ctx context.Context, account string, e *clients.Error) *clients.Error {
	if e.Scope == "" || e.HTTPStatus == 0 || slices.Contains(tokenRefusals, e.Key) || e.Scope == dispatch.ScopeAccount && e.Own {
		return e
	}
	ask := c.known
	if e.Scope == dispatch.ScopeAccount {
		ask = func(ctx context.Context) error { return c.Allowed(ctx, account) }
	}
	err := ask(ctx)
	said := clients.AsError(err)
	if err != nil && said.Outcome == dispatch.OutcomeRefused && (said.Scope == dispatch.ScopeIntegration || e.Scope == dispatch.ScopeAccount) {
		return e
	}
	alone := *e
	alone.Scope = ""
	switch {
	case e.Outcome == dispatch.OutcomeUncertain:
	case e.Scope == dispatch.ScopeAccount && err == nil:
		alone.Outcome = dispatch.OutcomeRejected // only this call is refused
	default:
		alone.Outcome = dispatch.OutcomeUnavailable
	}
	return &alone
}
