package delivery

import (
	"context"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// known asks for something that only needs to know who we are. The SMS service has no such call: an account that does not
// exist is refused by the service itself only after we are known.
func (c client) known(ctx context.Context) error {
	if c.sms == nil {
		_, err := c.letters.Types(ctx)
		return err
	}
	_, err := c.sms.Status(ctx, uuid.NewString(), uuid.NewString())
	e := clients.AsError(err)
	if err != nil && e.Own && slices.Contains([]int{http.StatusForbidden, http.StatusNotFound, http.StatusBadRequest}, e.HTTPStatus) {
		return nil
	}
	return err
}

// allowed asks an account for the status of an id that nobody has.
func (c client) allowed(ctx context.Context, account string) error {
	if c.sms == nil {
		_, err := c.letters.Statuses(ctx, account, []string{uuid.NewString()})
		return err
	}
	_, err := c.sms.Status(ctx, account, uuid.NewString())
	if e := clients.AsError(err); err != nil && e.HTTPStatus == http.StatusNotFound && e.Own {
		return nil
	}
	return err
}

// confirm asks something harmless with the same credentials before a refusal counts: a machine on the way may refuse one
// call, for its content or by a whim, and let the next one pass. What the token endpoint and the service itself say of an
// account, and what we have found ourselves, counts as it is. A refusal that does not stand concerns the call alone.
func (c client) confirm(ctx context.Context, account string, e *clients.Error) *clients.Error {
	if e.Scope == "" || e.HTTPStatus == 0 || slices.Contains(tokenRefusals, e.Key) || e.Scope == dispatch.ScopeAccount && e.Own {
		return e
	}
	ask := c.known
	if e.Scope == dispatch.ScopeAccount {
		ask = func(ctx context.Context) error { return c.allowed(ctx, account) }
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
		alone.Outcome = dispatch.OutcomeRejected // it is this one that does not pass
	default:
		alone.Outcome = dispatch.OutcomeUnavailable
	}
	return &alone
}

// probe asks for something harmless where a refusal holds everything back, so that no item is risked to learn that it does
// still. Of an account the service itself may forbid reading and not sending.
func (w *Worker) probe(ctx context.Context, c *store.Claim, client client) error {
	if !c.Lane.Refused {
		return nil
	}
	err := client.allowed(ctx, c.Lane.ServiceID)
	if e := clients.AsError(err); err != nil && e.Outcome == dispatch.OutcomeRefused && (e.Scope == dispatch.ScopeIntegration || !e.Own) {
		return err
	}
	return nil
}
