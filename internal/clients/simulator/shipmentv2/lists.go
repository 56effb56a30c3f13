package shipmentv2

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
	"utsending/internal/clients/simulator"
)

// statusSearch is the body of status-sok.
type statusSearch struct {
	IDs []string `json:"forsendelseIds"`
}

type statuses struct {
	Statuses []shipmentStatus `json:"statuser"`
	later
}

type shipmentStatus struct {
	ID      string `json:"id"`
	Changed string `json:"sisteStatusEndring"`
	Status  string `json:"status"`
	later
}

type references struct {
	IDs []string `json:"forsendelseIds"`
	later
}

type referencesMetadata struct {
	Shipments []referenceMetadata `json:"forsendelser"`
	later
}

type referenceMetadata struct {
	ID           string `json:"id"`
	At           string `json:"dato"`
	SourceSystem string `json:"avgivendeSystem,omitempty"`
	Status       string `json:"status,omitempty"` // of later versions
	later
}

type types struct {
	Types []string `json:"forsendelsestyper"`
	later
}

type receivingSystems struct {
	Systems []receivingSystem `json:"mottakersystemer"`
	later
}

// receivingSystem is Mottakersystem.
type receivingSystem struct {
	ID           string `json:"id"`
	Name         string `json:"navn"`
	Organization string `json:"organisasjonsnummer"`
	ShipmentType string `json:"forsendelseType"`
	Level        int    `json:"niva"`
	later
}

// shipmentStatuses has the fault of its first shipment, except that a 404 only leaves a shipment out, as are ids that
// are unknown or of another account.
func (s service) shipmentStatuses(x *simulator.Exchange) {
	var in statusSearch
	if !x.CheckQuery() || !x.Decode(&in) || !x.CheckIDs(in.IDs) {
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
		all := statuses{Statuses: []shipmentStatus{}, later: s.later()}
		for _, b := range found {
			if b.Words.Read == simulator.MissingStatus {
				continue
			}
			status, at := s.status(b, fault)
			all.Statuses = append(all.Statuses, shipmentStatus{
				ID: b.ID, Changed: s.isoTime(at), Status: status, later: s.later(),
			})
		}
		return all
	})
}

// reference reads the external reference in the query. The title is for the faults.
//
// Assumption: a query without one is refused; without a match the list is empty.
func reference(x *simulator.Exchange) (found []simulator.Booked, title string, ok bool) {
	if !x.CheckQuery("eksternRef") {
		return nil, "", false
	}
	reference := x.Request.URL.Query().Get("eksternRef")
	if reference == "" {
		return nil, "", x.Invalid("eksternRef is missing")
	}
	found = x.FindShipments(x.Sim.Referred(x.AccountID, reference))
	if len(found) > 0 {
		title = found[0].Title
	}
	return found, title, true
}

func (s service) byReference(x *simulator.Exchange) {
	found, title, ok := reference(x)
	if !ok {
		return
	}
	x.Play(x.Decide(title, simulator.NoFault), func(bool) any {
		all := references{IDs: []string{}, later: s.later()}
		for _, b := range found {
			all.IDs = append(all.IDs, b.ID)
		}
		return all
	})
}

// metadataByReference gives each shipment's time and source system.
//
// Assumption: dato is the time of acceptance.
func (s service) metadataByReference(x *simulator.Exchange) {
	found, title, ok := reference(x)
	if !ok {
		return
	}
	fault := x.Decide(title, simulator.NoFault)
	x.Play(fault, func(bool) any {
		all := referencesMetadata{Shipments: []referenceMetadata{}, later: s.later()}
		for _, b := range found {
			m := referenceMetadata{ID: b.ID, At: s.isoTime(b.AcceptedAt), SourceSystem: b.SourceSystem, later: s.later()}
			if s.Options.Ahead {
				m.Status, _ = s.status(b, fault)
			}
			all.Shipments = append(all.Shipments, m)
		}
		return all
	})
}

func (s service) shipmentTypes(x *simulator.Exchange) {
	if !x.CheckQuery() || !x.CheckShape() {
		return
	}
	x.Play(x.Decide("", simulator.NoFault), func(bool) any { return types{Types: simulator.ShipmentTypes(), later: s.later()} })
}

// receivingSystems filters by the query.
func (s service) receivingSystems(x *simulator.Exchange) {
	if !x.CheckQuery("organisasjonsnummer", "forsendelseType", "niva") || !x.CheckShape() {
		return
	}
	q := x.Request.URL.Query()
	organization, shipmentType, level := q.Get("organisasjonsnummer"), q.Get("forsendelseType"), q.Get("niva")
	switch {
	case q.Has("organisasjonsnummer") && !simulator.IsNumber(organization, 9):
		x.Invalid("organisasjonsnummer is not nine digits")
		return
	case q.Has("forsendelseType") && !isShipmentType(shipmentType):
		x.Invalid("forsendelseType is not 1 to 100 letters, digits and inner dots")
		return
	case q.Has("niva") && !simulator.IsNumber(level, 1):
		x.Invalid("niva is not 0 to 9")
		return
	}
	x.Play(x.Decide("", simulator.NoFault), func(bool) any {
		all := receivingSystems{Systems: []receivingSystem{}, later: s.later()}
		for _, r := range simulator.Receivers() {
			if (organization == "" || organization == r.Organization) && (shipmentType == "" || shipmentType == r.ShipmentType) &&
				(level == "" || level == strconv.Itoa(r.Level)) {
				all.Systems = append(all.Systems, receivingSystem{
					ID: r.Id, Name: r.System, Organization: r.Organization, ShipmentType: r.ShipmentType, Level: r.Level,
					later: s.later(),
				})
			}
		}
		return all
	})
}

func isShipmentType(text string) bool {
	odd := strings.ContainsFunc(text, func(r rune) bool { return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	inner := !strings.HasPrefix(text, ".") && !strings.HasSuffix(text, ".")
	return text != "" && utf8.RuneCountInString(text) <= maxShort && !odd && inner
}
