// Package shipmentv2 imitates generation V2 of the shipment service, typed from what is publicly known of it.
package shipmentv2

import (
	"net/http"
	"strings"
	"utsending/internal/clients/simulator"
)

// The operations of V2 of the shipment service, as in [Call.Operation].
const (
	OpSend               = "v2 send"
	OpStatuses           = "v2 status-sok"
	OpReferences         = "v2 eksternRef"
	OpReferencesMetadata = "v2 metadata?eksternRef"
	OpHistory            = "v2 hendelser"
	OpSigningHistory     = "v2 signeringshendelser"
	OpDocuments          = "v2 metadata"
	OpMarkRead           = "v2 lest"
	OpDeleteDocuments    = "v2 slett dokumenter"
	OpTypes              = "v2 forsendelsestyper"
	OpReceivingSystems   = "v2 mottakersystem"
)

const base = "/api/v2"

// service answers the operations of V2.
type service struct{ *simulator.Simulator }

var _ = simulator.Provide(func(s *simulator.Simulator) { service{s}.register() })

func (s service) register() {
	s.registerAccount()
	s.registerReads()
	s.Mux.HandleFunc("GET "+base+"/forsendelsestyper", s.operation(OpTypes, s.shipmentTypes))
	s.Mux.HandleFunc("GET "+base+"/mottakersystem", s.operation(OpReceivingSystems, s.receivingSystems))
}

// registerAccount accepts submissions with and without a trailing slash: the sample has one, the contract has none.
func (s service) registerAccount() {
	const shipments = base + "/kontoer/{kontoId}/forsendelser"
	send := s.Upload(OpSend, func(x *simulator.Exchange) {
		if enter(x) && x.CheckAccount() {
			s.sendShipment(x)
		}
	})
	s.Mux.HandleFunc("POST "+shipments, send)
	s.Mux.HandleFunc("POST "+shipments+"/{$}", send)
	ofAccount := func(name string, h func(*simulator.Exchange)) http.HandlerFunc {
		return s.operation(name, func(x *simulator.Exchange) {
			if x.CheckAccount() && x.CheckShape() {
				h(x)
			}
		})
	}
	s.Mux.HandleFunc("POST "+shipments+"/status-sok", ofAccount(OpStatuses, s.shipmentStatuses))
	s.Mux.HandleFunc("GET "+shipments, ofAccount(OpReferences, s.byReference))
	s.Mux.HandleFunc("GET "+shipments+"/metadata", ofAccount(OpReferencesMetadata, s.metadataByReference))
}

// operation makes the checks that all operations share before the handler.
func (s service) operation(name string, h func(*simulator.Exchange)) http.HandlerFunc {
	return s.Operation(name, func(x *simulator.Exchange) {
		if enter(x) {
			h(x)
		}
	})
}

func enter(x *simulator.Exchange) bool {
	x.Missing, x.Generation = "Fant ingen forsendelse", simulator.GenerationV2
	return x.CheckUp() && x.CheckToken() && checkIntegration(x)
}

// checkIntegration requires the two headers on every call.
func checkIntegration(x *simulator.Exchange) bool {
	x.ReadIntegration()
	if x.Credential.IntegrationID == "" || x.Credential.IntegrationPassword == "" {
		x.Violate("no IntegrasjonId or no IntegrasjonPassord")
	}
	return x.CheckIntegration()
}

// sendShipment accepts a submission. It has no idempotency: a repeated submission is another shipment.
func (s service) sendShipment(x *simulator.Exchange) {
	if !x.CheckQuery() {
		return
	}
	u, ok := x.ReadUpload(simulator.Intake{Rules: metadataRules(), Decode: decode})
	if !ok {
		return
	}
	release, no := x.Claim("", u)
	if no != nil {
		x.Note(func(c *simulator.Call) { c.Fault = "" })
		x.Refuse(*no)
		return
	}
	defer release()
	x.Play(u.Fault, func(lost bool) any { return sent{ID: x.Book(u, "", lost), later: s.later()} })
}

// shipment finds the shipment in the path, after checking the rest of the request. The integration must have access
// to the account that sent it.
//
// Assumption: an unknown id is answered 404, as V1 does; and so is a shipment that came by V1. One that came by V3 is
// found, since V3 has no such operations of its own.
func shipment(x *simulator.Exchange, query ...string) (simulator.Booked, bool) {
	id := x.Request.PathValue("forsendelseId")
	if !simulator.IsUUID(id) {
		return simulator.Booked{}, x.Invalid("forsendelseId is not a uuid")
	}
	if !x.CheckQuery(query...) || !x.CheckShape() {
		return simulator.Booked{}, false
	}
	b, ok := x.Sim.FindByID(strings.ToLower(id), simulator.GenerationV2, simulator.GenerationV3)
	if !ok {
		x.Fail(http.StatusNotFound)
		return b, false
	}
	x.AccountID = b.Owner
	x.Note(func(c *simulator.Call) { c.AccountID = b.Owner })
	if !x.CheckAccess() {
		return b, false
	}
	x.SetRecipient(b.Title)
	return b, true
}
