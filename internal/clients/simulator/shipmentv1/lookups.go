package shipmentv1

import (
	"net/http"
	"strconv"
	"utsending/internal/clients/simulator"
)

// receivingSystem is MottakerForsendelsesTyper.
type receivingSystem struct {
	Organization any    `json:"organisasjonsNummer"` // OrganisasjonsNummer, or text from the deployed service
	ShipmentType string `json:"forsendelsesType"`
	System       string `json:"mottakerSystem"`
	ID           string `json:"mottakerId"`
	Level        int    `json:"niva"`
}

func (s service) registerLookups(mux *http.ServeMux) {
	mux.HandleFunc("GET "+base+"/mottakersystem", s.operation(OpReceivingSystems, s.receivingSystems))
	mux.HandleFunc("GET "+base+"/mottakersystem/{orgnr}", s.operation(OpReceivingSystems, s.systemsOfOrganization))
	mux.HandleFunc("GET "+base+"/eksternref/{reference...}", s.operation(OpExternalReference, s.byReference))
}

func (s service) shipmentTypes(x *simulator.Exchange) {
	if !x.CheckQuery() || !x.CheckShape() {
		return
	}
	x.Play(x.Decide("", simulator.NoFault), func(bool) any { return s.list("forsendelseTyper", simulator.ShipmentTypes()) })
}

// receivingSystems filters by the query.
func (s service) receivingSystems(x *simulator.Exchange) {
	if !x.CheckQuery("organisasjonsNummer", "forsendelsesType", "niva") || !x.CheckShape() {
		return
	}
	q := x.Request.URL.Query()
	if q.Has("organisasjonsNummer") && !simulator.IsNumber(q.Get("organisasjonsNummer"), 9) {
		x.Invalid("organisasjonsNummer is not nine digits")
		return
	}
	if q.Has("niva") && q.Get("niva") != "3" && q.Get("niva") != "4" {
		x.Invalid("niva is neither 3 nor 4")
		return
	}
	answerSystems(x, func(r simulator.Receiver) bool {
		return (!q.Has("organisasjonsNummer") || q.Get("organisasjonsNummer") == r.Organization) &&
			(!q.Has("forsendelsesType") || q.Get("forsendelsesType") == r.ShipmentType) &&
			(!q.Has("niva") || q.Get("niva") == strconv.Itoa(r.Level))
	})
}

func (s service) systemsOfOrganization(x *simulator.Exchange) {
	number := x.Request.PathValue("orgnr")
	switch {
	case !x.CheckQuery() || !x.CheckShape():
	case !simulator.IsNumber(number, 9):
		x.Invalid("orgnr is not nine digits")
	default:
		answerSystems(x, func(r simulator.Receiver) bool { return r.Organization == number })
	}
}

func answerSystems(x *simulator.Exchange, wanted func(simulator.Receiver) bool) {
	x.Play(x.Decide("", simulator.NoFault), func(bool) any {
		all := []receivingSystem{}
		for _, r := range simulator.Receivers() {
			if !wanted(r) {
				continue
			}
			v := receivingSystem{
				Organization: organization{ID: r.Organization}, ShipmentType: r.ShipmentType,
				System: r.System, ID: r.Id, Level: r.Level,
			}
			if x.Sim.Options.Wire == simulator.WireDeployed {
				v.Organization = r.Organization
			}
			all = append(all, v)
		}
		return service{x.Sim}.list("treff", all)
	})
}

// byReference takes the rest of the path as the reference, escaped or not: some clients do not escape a slash.
//
// Assumption: GET, as the deployed service has it; the specification does not show the method. Without a match the
// list is empty.
func (s service) byReference(x *simulator.Exchange) {
	reference := x.Request.PathValue("reference")
	if !x.CheckQuery() || !x.CheckShape() {
		return
	}
	if reference == "" {
		x.Invalid("eksternref is missing")
		return
	}
	found := x.FindShipments(s.Referred(x.AccountID, reference))
	title := ""
	if len(found) > 0 {
		title = found[0].Title
	}
	x.Play(x.Decide(title, simulator.NoFault), func(bool) any {
		ids := []idRecord{}
		for _, b := range found {
			ids = append(ids, idRecord{ID: b.ID})
		}
		return s.list("forsendelseIder", ids)
	})
}
