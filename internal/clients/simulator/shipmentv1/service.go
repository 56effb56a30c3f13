// Package shipmentv1 imitates generation V1 of the shipment service, typed from its specification.
package shipmentv1

import (
	"net/http"
	"strings"
	"utsending/internal/clients/simulator"
)

// The operations of V1 of the shipment service, as in [Call.Operation].
const (
	OpStartShipment     = "startNyForsendelse"
	OpSendShipment      = "sendForsendelse" // with and without an id
	OpShipmentStatus    = "status"
	OpShipmentStatuses  = "statuser"
	OpDocumentMetadata  = "dokumentMetadata"
	OpShipmentHistory   = "historikk"
	OpSigningHistory    = "signeringhistorikk"
	OpMarkRead          = "settLest"
	OpShipmentTypes     = "forsendelseTyper"
	OpReceivingSystems  = "mottakersystem" // with and without an organisation number in the path
	OpExternalReference = "eksternref"
	OpDeleteFiles       = "slettFiler" // of the deployed service only
)

const base = "/tjenester/api/forsendelse/v1"

// idRecord is ForsendelsesId.
type idRecord struct {
	ID string `json:"id"`
}

// service answers the operations of V1.
type service struct{ *simulator.Simulator }

var _ = simulator.Provide(func(s *simulator.Simulator) { service{s}.register() })

// register needs two more muxes: in one, /{id}/status and /mottakersystem/{orgnr} would conflict.
func (s service) register() {
	plain, lookups := http.NewServeMux(), http.NewServeMux()
	for _, mux := range []*http.ServeMux{plain, lookups} {
		mux.HandleFunc("/", s.Operation(simulator.OpUnknown, s.NoSuchOperation))
	}
	s.registerSubmission(plain)
	s.registerReads(plain)
	s.registerLookups(lookups)
	s.Mux.HandleFunc(base, s.Operation(simulator.OpUnknown, s.NoSuchOperation)) // otherwise the mux redirects to the next line
	s.Mux.HandleFunc(base+"/", func(w http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, base+"/"), "/")
		if first == "mottakersystem" || first == "eksternref" {
			lookups.ServeHTTP(w, r)
			return
		}
		plain.ServeHTTP(w, r)
	})
}

func (s service) registerSubmission(mux *http.ServeMux) {
	send := s.Upload(OpSendShipment, func(x *simulator.Exchange) {
		if enter(x) {
			s.sendShipment(x)
		}
	})
	mux.HandleFunc("POST "+base+"/startNyForsendelse", s.operation(OpStartShipment, s.startShipment))
	mux.HandleFunc("POST "+base+"/sendForsendelse", send)
	mux.HandleFunc("POST "+base+"/{id}/sendForsendelse", send)
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
	x.Challenge, x.Missing, x.Generation = `Basic realm="svarut"`, "Fant ingen forsendelse", simulator.GenerationV1
	return x.CheckUp() && checkBasic(x)
}

// shipmentID reads {id} from the path.
func shipmentID(x *simulator.Exchange) (string, bool) {
	id := x.Request.PathValue("id")
	if !simulator.IsUUID(id) {
		return "", x.Invalid("id is not a uuid")
	}
	return strings.ToLower(id), x.CheckQuery()
}

// startShipment requires an empty body.
func (s service) startShipment(x *simulator.Exchange) {
	x.NoteKeys()
	if len(x.Body) > 0 {
		x.Violate("a body where none belongs")
	}
	if !x.CheckQuery() {
		return
	}
	x.Play(x.Decide("", simulator.NoFault), func(bool) any { return idRecord{ID: x.Reserve()} })
}

// sendShipment accepts a submission, under the caller's id or one that it assigns.
func (s service) sendShipment(x *simulator.Exchange) {
	id, ok := "", x.CheckQuery()
	if x.Request.PathValue("id") != "" {
		id, ok = shipmentID(x)
	}
	if !ok || id != "" && !checkReservation(x, id) {
		return
	}
	u, ok := x.ReadUpload(s.intake())
	if !ok {
		return
	}
	release, no := x.Claim(id, u)
	if no != nil {
		x.Note(func(c *simulator.Call) { c.Fault = "" })
		x.Refuse(*no)
		return
	}
	defer release()
	if !u.Fault.Accepts() {
		release() // before the caller gets the answer and calls again
	}
	x.Play(u.Fault, func(lost bool) any { return idRecord{ID: x.Book(u, id, lost)} })
}

// checkReservation refuses another sender's id.
//
// Assumption: an id that was never reserved is accepted, as users of the SOAP twin of this call send ids of their own
// (upstream-facts, section 2.4). It is a violation nevertheless.
func checkReservation(x *simulator.Exchange, id string) bool {
	switch x.Sim.OwnerOf(id) {
	case x.AccountID:
		return true
	case "":
		x.Violate("the id was not reserved")
		return true
	}
	x.Fail(http.StatusNotFound)
	return false
}

func (s service) intake() simulator.Intake {
	return simulator.Intake{
		Rules:  metadataRules(),
		Decode: func(metadata []byte) (simulator.Metadata, error) { return decode(s.Options.Wire, metadata) },
		Strict: s.Options.Wire == simulator.WireSpec,
	}
}
