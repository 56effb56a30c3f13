package simulator

import (
	"net/http"
	"strconv"
)

// receiver is what the simulator knows of a receiving system. The organisations are fictional.
type receiver struct {
	organization, shipmentType, system, id string
	level                                  int
}

// receivingSystemV1 is MottakerForsendelsesTyper.
type receivingSystemV1 struct {
	Organization any    `json:"organisasjonsNummer"` // OrganisasjonsNummer, or text from the deployed service
	ShipmentType string `json:"forsendelsesType"`
	System       string `json:"mottakerSystem"`
	ID           string `json:"mottakerId"`
	Level        int    `json:"niva"`
}

func shipmentTypes() []string {
	return []string{"Byggesøknad", "Delingssøknad", "ks.signertforsendelse"}
}

func receivers() []receiver {
	return []receiver{
		{"987654325", "Byggesøknad", "ePhorte", "7f1c0001-0000-4000-8000-000000000001", 3},
		{"987654325", "Byggesøknad", "ePhorte sikker", "7f1c0001-0000-4000-8000-000000000002", 4},
		{"987654325", "ks.signertforsendelse", "Signert post", "7f1c0001-0000-4000-8000-000000000003", 4},
		{"812345672", "Delingssøknad", "Acos WebSak", "7f1c0001-0000-4000-8000-000000000004", 3},
	}
}

func (s *Simulator) registerLookupsV1(mux *http.ServeMux) {
	mux.HandleFunc("GET "+baseV1+"/mottakersystem", s.operationV1(OpReceivingSystems, s.receivingSystems))
	mux.HandleFunc("GET "+baseV1+"/mottakersystem/{orgnr}", s.operationV1(OpReceivingSystems, s.systemsOfOrganization))
	mux.HandleFunc("GET "+baseV1+"/eksternref/{reference...}", s.operationV1(OpExternalReference, s.byReference))
}

func (s *Simulator) shipmentTypes(x *exchange) {
	if !x.checkQuery() || !x.checkShape() {
		return
	}
	x.play(x.decide("", NoFault), func(bool) any { return s.list("forsendelseTyper", shipmentTypes()) })
}

// receivingSystems filters by what the query gives.
func (s *Simulator) receivingSystems(x *exchange) {
	if !x.checkQuery("organisasjonsNummer", "forsendelsesType", "niva") || !x.checkShape() {
		return
	}
	q := x.r.URL.Query()
	if q.Has("organisasjonsNummer") && !isNumber(q.Get("organisasjonsNummer"), 9) {
		x.invalid("organisasjonsNummer is not nine digits")
		return
	}
	if q.Has("niva") && q.Get("niva") != "3" && q.Get("niva") != "4" {
		x.invalid("niva is neither 3 nor 4")
		return
	}
	x.answerSystems(func(r receiver) bool {
		return (!q.Has("organisasjonsNummer") || q.Get("organisasjonsNummer") == r.organization) &&
			(!q.Has("forsendelsesType") || q.Get("forsendelsesType") == r.shipmentType) &&
			(!q.Has("niva") || q.Get("niva") == strconv.Itoa(r.level))
	})
}

func (s *Simulator) systemsOfOrganization(x *exchange) {
	number := x.r.PathValue("orgnr")
	switch {
	case !x.checkQuery() || !x.checkShape():
	case !isNumber(number, 9):
		x.invalid("orgnr is not nine digits")
	default:
		x.answerSystems(func(r receiver) bool { return r.organization == number })
	}
}

func (x *exchange) answerSystems(wanted func(receiver) bool) {
	x.play(x.decide("", NoFault), func(bool) any {
		all := []receivingSystemV1{}
		for _, r := range receivers() {
			if !wanted(r) {
				continue
			}
			v := receivingSystemV1{
				Organization: organizationV1{ID: r.organization}, ShipmentType: r.shipmentType,
				System: r.system, ID: r.id, Level: r.level,
			}
			if x.s.options.Wire == WireDeployed {
				v.Organization = r.organization
			}
			all = append(all, v)
		}
		return x.s.list("treff", all)
	})
}

// byReference takes the rest of the path as the reference, escaped or not: some clients do not escape a slash.
//
// Assumption: GET, as the deployed service has it; the specification does not show the method. No shipment with the
// reference is an empty list.
func (s *Simulator) byReference(x *exchange) {
	reference := x.r.PathValue("reference")
	if !x.checkQuery() || !x.checkShape() {
		return
	}
	if reference == "" {
		x.invalid("eksternref is missing")
		return
	}
	found := x.findShipments(s.referred(x.accountID, reference))
	title := ""
	if len(found) > 0 {
		title = found[0].Title
	}
	x.play(x.decide(title, NoFault), func(bool) any {
		ids := []idRecord{}
		for _, b := range found {
			ids = append(ids, idRecord{ID: b.ID})
		}
		return s.list("forsendelseIder", ids)
	})
}
