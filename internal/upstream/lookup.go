package upstream

import (
	"context"
	"slices"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/smsapi"
	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// lookupTimeout limits all calls of one look-up, for which a user waits.
const lookupTimeout = 40 * time.Second

// LookUp asks the contact register about numbers, a thousand a call. A call that fails does not affect the others; after a refusal
// or at the deadline, the rest are not made. A failure marks no integration: only deliveries do.
func (cs *Clients) LookUp(ctx context.Context, account dispatch.Account, numbers []dispatch.LookupNumber) []dispatch.LookupCall {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	var calls []dispatch.LookupCall
	c, failure := cs.register(ctx, account)
	failed := dispatch.LookupCall{Failure: failure}
	for part := range slices.Chunk(numbers, smsapi.LookupMax) {
		call := failed
		if failed.Failure.Key == "" {
			call, failed = lookUp(ctx, c, account, part)
		}
		call.Asked = part
		calls = append(calls, call)
	}
	return calls
}

// lookUp makes one call. failed is set where no other call shall follow.
func lookUp(ctx context.Context, c Client, account dispatch.Account, part []dispatch.LookupNumber) (call, failed dispatch.LookupCall) {
	contacts, err := c.SMS.Lookup(ctx, account.SMSAccountID, part)
	if err == nil {
		return dispatch.LookupCall{Contacts: contacts}, failed
	}
	e := clients.AsError(err)
	call = dispatch.LookupCall{Failure: e.Reason(), Answer: e.Answer()}
	if e.Outcome == dispatch.OutcomeRefused || ctx.Err() != nil {
		failed = call
	}
	return call, failed
}

// register returns the client of an account's SMS service, or why there is none.
func (cs *Clients) register(ctx context.Context, account dispatch.Account) (Client, dispatch.Reason) {
	c, failure := cs.open(ctx, account.SMSIntegration)
	if failure.Key == "" && c.SMS == nil {
		failure = dispatch.Reason{Key: "reason.integration_unreadable"}
	}
	return c, failure
}

// open returns the client of an integration that is not stopped, or why there is none.
func (cs *Clients) open(ctx context.Context, id dispatch.IntegrationID) (Client, dispatch.Reason) {
	in, err := registry.In(cs.store).Integrations.ByID(ctx, id)
	switch {
	case err != nil:
		return Client{}, dispatch.Reason{Key: "reason.integration_unreadable"}
	case !in.StoppedAt.IsZero():
		return Client{}, dispatch.Reason{Key: "reason.stopped"}
	}
	c, err := cs.Client(ctx, in.ID, in.Service)
	if err != nil {
		return Client{}, dispatch.Reason{Key: "reason.integration_unreadable"}
	}
	return c, dispatch.Reason{}
}
