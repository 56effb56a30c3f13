package upstream

import (
	"context"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

const (
	// inquiryTimeout limits a call for which a user waits.
	inquiryTimeout = 20 * time.Second
	// typesTimeout limits the call for shipment types: the form works without them.
	typesTimeout = 2 * time.Second
	// typesLifetime and typesPause are how long types are cached, and a failure.
	typesLifetime = 10 * time.Minute
	typesPause    = time.Minute
)

// keptTypes are the cached shipment types of an integration's service.
type keptTypes struct {
	types []string
	until time.Time
}

// Types returns the shipment types that an account's service knows; none when it does not answer. Both are cached.
func (cs *Clients) Types(ctx context.Context, account dispatch.Account) []string {
	cs.mu.Lock()
	kept, ok := cs.types[account.ShipmentIntegration]
	cs.mu.Unlock()
	if ok && time.Now().Before(kept.until) {
		return kept.types
	}
	ctx, cancel := context.WithTimeout(ctx, typesTimeout)
	defer cancel()
	fresh := keptTypes{kept.types, time.Now().Add(typesPause)}
	if c, why := cs.shipments(ctx, account.ShipmentIntegration); why.Key == "" {
		if types, err := c.Shipments.Types(ctx); err == nil {
			fresh = keptTypes{types, time.Now().Add(typesLifetime)}
		}
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.types[account.ShipmentIntegration] = fresh
	return fresh.types
}

// Receivers asks an account's service for receiving systems. An organisation alone has an operation of its own on V1.
func (cs *Clients) Receivers(ctx context.Context, account dispatch.Account, f dispatch.ReceiverFilter) ([]dispatch.Receiver, dispatch.Reason) {
	ctx, cancel := context.WithTimeout(ctx, inquiryTimeout)
	defer cancel()
	c, why := cs.shipments(ctx, account.ShipmentIntegration)
	if why.Key != "" {
		return nil, why
	}
	var found []shipmentapi.Receiver
	var err error
	if f.OrganizationNumber != "" && f == (dispatch.ReceiverFilter{OrganizationNumber: f.OrganizationNumber}) {
		found, err = c.Shipments.ReceiversOf(ctx, f.OrganizationNumber)
	} else {
		found, err = c.Shipments.Receivers(ctx, shipmentapi.ReceiverFilter(f))
	}
	if clients.Missing(err) {
		return nil, dispatch.Reason{}
	}
	receivers := make([]dispatch.Receiver, len(found))
	for i, r := range found {
		receivers[i] = dispatch.Receiver(r)
	}
	return receivers, failure(err)
}

// ByReference asks an account's service which shipments carry an external reference.
func (cs *Clients) ByReference(ctx context.Context, account dispatch.Account, reference string) ([]dispatch.ReferenceMatch, dispatch.Reason) {
	ctx, cancel := context.WithTimeout(ctx, inquiryTimeout)
	defer cancel()
	c, why := cs.shipments(ctx, account.ShipmentIntegration)
	if why.Key != "" {
		return nil, why
	}
	found, err := c.Shipments.ByExternalReference(ctx, account.ShipmentAccountID, reference)
	if clients.Missing(err) && !c.Kind.Row().AccountID {
		return nil, dispatch.Reason{}
	}
	matches := make([]dispatch.ReferenceMatch, len(found))
	for i, m := range found {
		matches[i] = dispatch.ReferenceMatch(m)
	}
	return matches, failure(err)
}

// MarkRead tells the service of a shipment that it was read elsewhere. It is idempotent.
func (cs *Clients) MarkRead(ctx context.Context, over dispatch.IntegrationID, id string, r dispatch.ReadElsewhere) dispatch.Reason {
	ctx, cancel := context.WithTimeout(ctx, inquiryTimeout)
	defer cancel()
	c, why := cs.shipments(ctx, over)
	if why.Key != "" {
		return why
	}
	return failure(c.Shipments.MarkRead(ctx, id, shipmentapi.Reading(r)))
}

// DeleteDocuments deletes a shipment's files at its service. V1 cannot. It is idempotent.
func (cs *Clients) DeleteDocuments(ctx context.Context, over dispatch.IntegrationID, id string, which dispatch.Deletion) dispatch.Reason {
	ctx, cancel := context.WithTimeout(ctx, inquiryTimeout)
	defer cancel()
	c, why := cs.shipments(ctx, over)
	if why.Key != "" {
		return why
	}
	return failure(c.Shipments.DeleteDocuments(ctx, id, which))
}

// shipments returns the client of a shipment integration, or why there is none.
func (cs *Clients) shipments(ctx context.Context, id dispatch.IntegrationID) (Client, dispatch.Reason) {
	c, why := cs.open(ctx, id)
	if why.Key == "" && c.Shipments == nil {
		why = dispatch.Reason{Key: "reason.integration_unreadable"}
	}
	return c, why
}
