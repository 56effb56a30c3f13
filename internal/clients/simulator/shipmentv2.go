package simulator

import (
	"net/http"
	"strings"
)

// The operations of V2 of the shipment service, as in [Call.Operation].
const (
	OpV2Send               = "v2 send"
	OpV2Statuses           = "v2 status-sok"
	OpV2References         = "v2 eksternRef"
	OpV2ReferencesMetadata = "v2 metadata?eksternRef"
	OpV2History            = "v2 hendelser"
	OpV2SigningHistory     = "v2 signeringshendelser"
	OpV2Documents          = "v2 metadata"
	OpV2MarkRead           = "v2 lest"
	OpV2DeleteDocuments    = "v2 slett dokumenter"
	OpV2Types              = "v2 forsendelsestyper"
	OpV2ReceivingSystems   = "v2 mottakersystem"
)

const baseV2 = "/api/v2"

func (s *Simulator) registerShipmentsV2() {
	s.registerAccountV2()
	s.registerReadsV2()
	s.mux.HandleFunc("GET "+baseV2+"/forsendelsestyper", s.operationV2(OpV2Types, s.shipmentTypesV2))
	s.mux.HandleFunc("GET "+baseV2+"/mottakersystem", s.operationV2(OpV2ReceivingSystems, s.receivingSystemsV2))
}

// registerAccountV2 takes submissions with and without a slash at the end: the sample has one, the contract has none.
func (s *Simulator) registerAccountV2() {
	const shipments = baseV2 + "/kontoer/{kontoId}/forsendelser"
	send := s.upload(OpV2Send, func(x *exchange) {
		if x.enterV2() && x.checkAccount() {
			s.sendShipmentV2(x)
		}
	})
	s.mux.HandleFunc("POST "+shipments, send)
	s.mux.HandleFunc("POST "+shipments+"/{$}", send)
	ofAccount := func(name string, h func(*exchange)) http.HandlerFunc {
		return s.operationV2(name, func(x *exchange) {
			if x.checkAccount() && x.checkShape() {
				h(x)
			}
		})
	}
	s.mux.HandleFunc("POST "+shipments+"/status-sok", ofAccount(OpV2Statuses, s.shipmentStatusesV2))
	s.mux.HandleFunc("GET "+shipments, ofAccount(OpV2References, s.byReferenceV2))
	s.mux.HandleFunc("GET "+shipments+"/metadata", ofAccount(OpV2ReferencesMetadata, s.metadataByReferenceV2))
}

// operationV2 puts the checks that all operations share before the handler.
func (s *Simulator) operationV2(name string, h func(*exchange)) http.HandlerFunc {
	return s.operation(name, func(x *exchange) {
		if x.enterV2() {
			h(x)
		}
	})
}

func (x *exchange) enterV2() bool {
	x.missing, x.generation = "Fant ingen forsendelse", GenerationV2
	return x.checkUp() && x.checkToken() && x.checkIntegrationV2()
}

// checkIntegrationV2 wants the two headers on every call.
func (x *exchange) checkIntegrationV2() bool {
	x.readIntegration()
	if x.credential.IntegrationID == "" || x.credential.IntegrationPassword == "" {
		x.violate("no IntegrasjonId or no IntegrasjonPassord")
	}
	return x.checkIntegration()
}

// sendShipmentV2 takes a submission. It knows no id of the caller's: a submission that comes again is another shipment.
func (s *Simulator) sendShipmentV2(x *exchange) {
	if !x.checkQuery() {
		return
	}
	u, ok := x.readUpload(intake{rules: metadataRulesV2(), decode: decodeV2})
	if !ok {
		return
	}
	release, no := x.claim("", u)
	if no != nil {
		x.note(func(c *Call) { c.Fault = "" })
		x.refuse(*no)
		return
	}
	defer release()
	x.play(u.fault, func(lost bool) any { return sentV2{ID: x.book(u, "", lost), later: s.later()} })
}

// shipmentV2 finds what the path asks for, and checks what else the request says. The account that sent the shipment
// must be granted to the integration.
//
// Assumption: an unknown id is answered 404, as V1 does; and so is a shipment that came by V1.
func (x *exchange) shipmentV2(query ...string) (booked, bool) {
	id := x.r.PathValue("forsendelseId")
	if !isUUID(id) {
		return booked{}, x.invalid("forsendelseId is not a uuid")
	}
	if !x.checkQuery(query...) || !x.checkShape() {
		return booked{}, false
	}
	b, ok := x.s.findByID(GenerationV2, strings.ToLower(id))
	if !ok {
		x.fail(http.StatusNotFound)
		return b, false
	}
	x.accountID = b.owner
	x.note(func(c *Call) { c.AccountID = b.owner })
	if !x.checkAccess() {
		return b, false
	}
	x.setRecipient(b.Title)
	return b, true
}
