package simulator

import (
	"net/http"
	"slices"
	"strings"
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

const baseV1 = "/tjenester/api/forsendelse/v1"

// idRecord is ForsendelsesId.
type idRecord struct {
	ID string `json:"id"`
}

// registerShipmentsV1 needs two more muxes: to one, /{id}/status and /mottakersystem/{orgnr} would be in conflict.
func (s *Simulator) registerShipmentsV1() {
	plain, lookups := http.NewServeMux(), http.NewServeMux()
	for _, mux := range []*http.ServeMux{plain, lookups} {
		mux.HandleFunc("/", s.operation(opUnknown, s.noSuchOperation))
	}
	s.registerSubmissionV1(plain)
	s.registerReadsV1(plain)
	s.registerLookupsV1(lookups)
	s.mux.HandleFunc(baseV1, s.operation(opUnknown, s.noSuchOperation)) // else a redirect to the next line
	s.mux.HandleFunc(baseV1+"/", func(w http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, baseV1+"/"), "/")
		if first == "mottakersystem" || first == "eksternref" {
			lookups.ServeHTTP(w, r)
			return
		}
		plain.ServeHTTP(w, r)
	})
}

func (s *Simulator) registerSubmissionV1(mux *http.ServeMux) {
	send := s.upload(OpSendShipment, func(x *exchange) {
		if x.enterV1() {
			s.sendShipment(x)
		}
	})
	mux.HandleFunc("POST "+baseV1+"/startNyForsendelse", s.operationV1(OpStartShipment, s.startShipment))
	mux.HandleFunc("POST "+baseV1+"/sendForsendelse", send)
	mux.HandleFunc("POST "+baseV1+"/{id}/sendForsendelse", send)
}

// operationV1 puts the checks that all operations share before the handler.
func (s *Simulator) operationV1(name string, h func(*exchange)) http.HandlerFunc {
	return s.operation(name, func(x *exchange) {
		if x.enterV1() {
			h(x)
		}
	})
}

func (x *exchange) enterV1() bool {
	x.challenge, x.missing, x.generation = `Basic realm="svarut"`, "Fant ingen forsendelse", GenerationV1
	return x.checkUp() && x.checkBasic()
}

// checkQuery refuses parameters that the operation does not have.
func (x *exchange) checkQuery(known ...string) bool {
	for name, values := range x.r.URL.Query() {
		if !slices.Contains(known, name) || len(values) > 1 {
			return x.invalid("unknown or repeated query parameter")
		}
	}
	return true
}

// shipmentID reads {id} from the path.
func (x *exchange) shipmentID() (string, bool) {
	id := x.r.PathValue("id")
	if !isUUID(id) {
		return "", x.invalid("id is not a uuid")
	}
	return strings.ToLower(id), x.checkQuery()
}

// startShipment wants no body.
func (s *Simulator) startShipment(x *exchange) {
	x.noteKeys()
	if len(x.body) > 0 {
		x.violate("a body where none belongs")
	}
	if !x.checkQuery() {
		return
	}
	x.play(x.decide("", NoFault), func(bool) any { return idRecord{ID: x.reserve()} })
}

// sendShipment takes a submission under an id of the caller's, or gives it one.
func (s *Simulator) sendShipment(x *exchange) {
	id, ok := "", x.checkQuery()
	if x.r.PathValue("id") != "" {
		id, ok = x.shipmentID()
	}
	if !ok || id != "" && !x.checkReservation(id) {
		return
	}
	u, ok := x.readUpload(s.intakeV1())
	if !ok {
		return
	}
	release, no := x.claim(id, u)
	if no != nil {
		x.note(func(c *Call) { c.Fault = "" })
		x.refuse(*no)
		return
	}
	defer release()
	if !u.fault.accepts() {
		release() // before the caller hears of it and comes again
	}
	x.play(u.fault, func(lost bool) any { return idRecord{ID: x.book(u, id, lost)} })
}

// checkReservation refuses an id of somebody else.
//
// Assumption: an id that was never reserved is accepted, as users of the SOAP twin of this call send ids of their own
// (upstream-facts, section 2.4). It is a violation nevertheless.
func (x *exchange) checkReservation(id string) bool {
	switch x.s.ownerOf(id) {
	case x.accountID:
		return true
	case "":
		x.violate("the id was not reserved")
		return true
	}
	x.fail(http.StatusNotFound)
	return false
}

func (s *Simulator) intakeV1() intake {
	return intake{
		rules:  metadataRules(),
		decode: func(metadata []byte) (letter, error) { return decodeV1(s.options.Wire, metadata) },
		strict: s.options.Wire == WireSpec,
	}
}
