package shipmentapi

import (
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/cms"
	"utsending/internal/dispatch"
)

// Encryption encrypts the documents of shipments that ask for it. The zero value cannot encrypt.
type Encryption struct {
	Envelope *cms.Envelope
	Until    time.Time // when the service's certificate expires
}

// Of returns the envelope for a shipment's documents; nil if they are sent unencrypted. If encryption is asked for
// and there is no valid certificate, the shipment waits: nothing is sent in plaintext or to an expired certificate
// instead.
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
