package shipmentapi

import (
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/cms"
	"utsending/internal/dispatch"
)

// Encryption encrypts the documents of shipments that ask for it. The zero value cannot.
type Encryption struct {
	Envelope *cms.Envelope
	Until    time.Time // when the service's certificate ends
}

// Of returns what encrypts a shipment's documents; nil when they go out as they are. Nothing goes out in clear, or to a
// certificate that has ended, because there is no better one: the shipment waits.
func (e Encryption) Of(s dispatch.Shipment, now time.Time) (*cms.Envelope, error) {
	switch {
	case !s.Encrypted:
		return nil, nil
	case e.Envelope == nil:
		return nil, &clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.certificate"}
	case !now.Before(e.Until):
		return nil, &clients.Error{Outcome: dispatch.OutcomeUnavailable, Key: "reason.certificate_expired"}
	}
	return e.Envelope, nil
}
