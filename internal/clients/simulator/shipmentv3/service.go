// Package shipmentv3 imitates generation V3 of the shipment service: send and status. What V3 does not replace is
// V2's, which finds V3's shipments too.
package shipmentv3

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"utsending/internal/clients/simulator"
)

// The operations of V3 of the shipment service, as in [Call.Operation].
const (
	OpSendPerson       = "v3 person"
	OpSendOrganization = "v3 organisasjon"
	OpSendPrint        = "v3 print"
	OpSendHealth       = "v3 nhn"
	OpStatuses         = "v3 status/sok"
)

// Sends are the operations that accept a shipment.
func Sends() []string { return []string{OpSendPerson, OpSendOrganization, OpSendPrint, OpSendHealth} }

// service answers the operations of V3.
type service struct{ *simulator.Simulator }

var _ = simulator.Provide(func(s *simulator.Simulator) { service{s}.register() })

func (s service) register() {
	const shipments = "POST /api/v3/kontoer/{kontoId}/forsendelser"
	for path, k := range kinds() {
		s.Mux.HandleFunc(shipments+"/"+path, s.Upload(k.operation, func(x *simulator.Exchange) {
			if s.enter(x) {
				s.send(x, k)
			}
		}))
	}
	s.Mux.HandleFunc(shipments+"/status/sok", s.Operation(OpStatuses, func(x *simulator.Exchange) {
		if s.enter(x) {
			s.statuses(x)
		}
	}))
}

func (s service) enter(x *simulator.Exchange) bool {
	x.Missing, x.Generation = "Fant ingen forsendelse", simulator.GenerationV3
	if !x.CheckUp() || !x.CheckToken() {
		return false
	}
	x.ReadIntegration()
	if !simulator.IsUUID(x.Credential.IntegrationID) || x.Credential.IntegrationPassword == "" {
		x.Violate("IntegrasjonId is not a uuid, or no IntegrasjonPassord")
	}
	return x.CheckIntegration() && x.CheckAccount() && x.CheckQuery()
}

// sent is the answer to a submission.
type sent struct {
	ID string `json:"id"`
	later
}

// later is a field of a future version of V3; see Options.Ahead.
type later struct {
	New string `json:"nyttFelt,omitempty"`
}

func (s service) later() later {
	if !s.Options.Ahead {
		return later{}
	}
	return later{"ukjent"}
}

// send accepts a submission. It has no idempotency: a repeated submission is another shipment.
func (s service) send(x *simulator.Exchange, k kind) {
	registered := len(s.Options.Health) == 0 || slices.Contains(s.Options.Health, x.AccountID)
	if k.operation == OpSendHealth && !registered {
		x.FailWith(http.StatusBadRequest, "the account has no HER-id")
		return
	}
	u, ok := x.ReadUpload(k.intake())
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

// statusSearch is the body of hentStatuser.
type statusSearch struct {
	IDs []string `json:"id"`
}

type statusAnswer struct {
	Statuses []shipmentStatus `json:"statuser"`
	later
}

type shipmentStatus struct {
	ID      string `json:"id"`
	Changed string `json:"sisteStatusEndring"`
	Status  string `json:"status"`
	later
}

// statuses has the fault of its first shipment, except that a 404 only leaves a shipment out, as are ids that are
// unknown or of another account.
//
// Assumption: a shipment that came by V2 is answered too, in the words of V2.
func (s service) statuses(x *simulator.Exchange) {
	var in statusSearch
	if !x.CheckShape() || !x.Decode(&in) || !x.CheckIDs(in.IDs) {
		return
	}
	found := x.FindShipments(in.IDs)
	title, fault := "", simulator.NoFault
	if len(found) > 0 {
		title, fault = found[0].Title, found[0].Words.Read
	}
	if fault == simulator.MissingStatus {
		fault = simulator.NoFault
	}
	fault = x.Decide(title, fault)
	x.Play(fault, func(bool) any {
		all := statusAnswer{Statuses: []shipmentStatus{}, later: s.later()}
		for _, b := range found {
			if b.Words.Read == simulator.MissingStatus {
				continue
			}
			last := simulator.Latest(s.Moments(b))
			if fault == simulator.NewStatus {
				last.Status = simulator.StatusNew
			}
			all.Statuses = append(all.Statuses, shipmentStatus{
				ID: strings.ToLower(b.ID), Changed: last.At.In(s.Oslo).Format(time.RFC3339Nano), Status: last.Status, later: s.later(),
			})
		}
		return all
	})
}
