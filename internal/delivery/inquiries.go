package delivery

import (
	"context"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

const (
	// inquiryTimeout bounds a call that somebody waits for.
	inquiryTimeout = 20 * time.Second
	// typesTimeout bounds the question for shipment types, without which the form does.
	typesTimeout = 2 * time.Second
	// typesLifetime and typesPause are how long the types are kept, and how long nobody asks after a failure.
	typesLifetime = 10 * time.Minute
	typesPause    = time.Minute
)

// keptTypes are the shipment types of an integration's service.
type keptTypes struct {
	types []string
	until time.Time
}

// Types returns the shipment types that an account's service knows; none when it cannot tell now. They are kept for a
// while, and so is that it cannot.
func (sv *Services) Types(ctx context.Context, account dispatch.Account) []string {
	sv.mu.Lock()
	kept, ok := sv.types[account.ShipmentIntegration]
	sv.mu.Unlock()
	if ok && time.Now().Before(kept.until) {
		return kept.types
	}
	ctx, cancel := context.WithTimeout(ctx, typesTimeout)
	defer cancel()
	fresh := keptTypes{kept.types, time.Now().Add(typesPause)}
	if c, failure := sv.letters(ctx, account.ShipmentIntegration); failure.Key == "" {
		if types, err := c.letters.Types(ctx); err == nil {
			fresh = keptTypes{types, time.Now().Add(typesLifetime)}
		}
	}
	sv.mu.Lock()
	defer sv.mu.Unlock()
	sv.types[account.ShipmentIntegration] = fresh
	return fresh.types
}

// Receivers asks an account's service for receiving systems. An organisation alone has an operation of its own on V1.
func (sv *Services) Receivers(ctx context.Context, account dispatch.Account, f dispatch.ReceiverFilter) ([]dispatch.Receiver, dispatch.Reason) {
	ctx, cancel := context.WithTimeout(ctx, inquiryTimeout)
	defer cancel()
	c, failure := sv.letters(ctx, account.ShipmentIntegration)
	if failure.Key != "" {
		return nil, failure
	}
	var found []shipmentapi.Receiver
	var err error
	if c.v1 != nil && f == (dispatch.ReceiverFilter{OrganizationNumber: f.OrganizationNumber}) && f.OrganizationNumber != "" {
		found, err = c.v1.ReceiversOf(ctx, f.OrganizationNumber)
	} else {
		found, err = c.letters.Receivers(ctx, shipmentapi.ReceiverFilter(f))
	}
	if isMissing(err) {
		return nil, dispatch.Reason{}
	}
	receivers := make([]dispatch.Receiver, len(found))
	for i, r := range found {
		receivers[i] = dispatch.Receiver(r)
	}
	return receivers, failureOf(err)
}

// ByReference asks an account's service which shipments carry an external reference.
func (sv *Services) ByReference(ctx context.Context, account dispatch.Account, reference string) ([]dispatch.ReferenceMatch, dispatch.Reason) {
	ctx, cancel := context.WithTimeout(ctx, inquiryTimeout)
	defer cancel()
	c, failure := sv.letters(ctx, account.ShipmentIntegration)
	if failure.Key != "" {
		return nil, failure
	}
	found, err := c.letters.ByExternalReference(ctx, account.ShipmentAccountID, reference)
	if isMissing(err) && c.v1 != nil {
		return nil, dispatch.Reason{}
	}
	matches := make([]dispatch.ReferenceMatch, len(found))
	for i, m := range found {
		matches[i] = dispatch.ReferenceMatch(m)
	}
	return matches, failureOf(err)
}

// MarkRead tells the service over which a shipment was sent that it was read elsewhere. Telling it again does no harm.
func (sv *Services) MarkRead(ctx context.Context, over dispatch.IntegrationID, id string, r dispatch.ReadElsewhere) dispatch.Reason {
	ctx, cancel := context.WithTimeout(ctx, inquiryTimeout)
	defer cancel()
	c, failure := sv.letters(ctx, over)
	if failure.Key != "" {
		return failure
	}
	return failureOf(c.letters.MarkRead(ctx, id, shipmentapi.Reading(r)))
}

// deletions are what V2 calls them.
var deletions = map[dispatch.Deletion]shipmentapi.Deletion{
	dispatch.DeletedOriginals: shipmentapi.DeleteOriginals, dispatch.DeletedAll: shipmentapi.DeleteAll,
}

// DeleteDocuments has the service over which a shipment was sent delete its files. Only V2 can; asking again does no harm.
func (sv *Services) DeleteDocuments(ctx context.Context, over dispatch.IntegrationID, id string, which dispatch.Deletion) dispatch.Reason {
	ctx, cancel := context.WithTimeout(ctx, inquiryTimeout)
	defer cancel()
	c, failure := sv.letters(ctx, over)
	if failure.Key != "" {
		return failure
	}
	v2, ok := c.letters.(*shipmentapi.V2)
	if !ok || deletions[which] == "" {
		return dispatch.Reason{Key: "reason.integration_unreadable"}
	}
	return failureOf(v2.DeleteDocuments(ctx, id, deletions[which]))
}

// letters returns the client of a shipment integration, or why there is none.
func (sv *Services) letters(ctx context.Context, id dispatch.IntegrationID) (client, dispatch.Reason) {
	c, failure := sv.open(ctx, id)
	if failure.Key == "" && c.letters == nil {
		failure = dispatch.Reason{Key: "reason.integration_unreadable"}
	}
	return c, failure
}

func failureOf(err error) dispatch.Reason {
	if err == nil {
		return dispatch.Reason{}
	}
	return clients.AsError(err).Reason()
}
