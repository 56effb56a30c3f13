package simulator

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// statusSearchV2 is the body of status-sok.
type statusSearchV2 struct {
	IDs []string `json:"forsendelseIds"`
}

type statusesV2 struct {
	Statuses []shipmentStatusV2 `json:"statuser"`
	later
}

type shipmentStatusV2 struct {
	ID      string `json:"id"`
	Changed string `json:"sisteStatusEndring"`
	Status  string `json:"status"`
	later
}

type referencesV2 struct {
	IDs []string `json:"forsendelseIds"`
	later
}

type referencesMetadataV2 struct {
	Shipments []referenceMetadataV2 `json:"forsendelser"`
	later
}

type referenceMetadataV2 struct {
	ID           string `json:"id"`
	At           string `json:"dato"`
	SourceSystem string `json:"avgivendeSystem,omitempty"`
	Status       string `json:"status,omitempty"` // of later versions
	later
}

type typesV2 struct {
	Types []string `json:"forsendelsestyper"`
	later
}

type receivingSystemsV2 struct {
	Systems []receivingSystemV2 `json:"mottakersystemer"`
	later
}

// receivingSystemV2 is Mottakersystem.
type receivingSystemV2 struct {
	ID           string `json:"id"`
	Name         string `json:"navn"`
	Organization string `json:"organisasjonsnummer"`
	ShipmentType string `json:"forsendelseType"`
	Level        int    `json:"niva"`
	later
}

// shipmentStatusesV2 meets the fault of its first shipment, except that a 404 only leaves a shipment out, as do ids that
// are unknown or of another account.
func (s *Simulator) shipmentStatusesV2(x *exchange) {
	var in statusSearchV2
	if !x.checkQuery() || !x.decode(&in) || !x.checkIDs(in.IDs) {
		return
	}
	found := x.findShipments(in.IDs)
	title, fault := "", NoFault
	if len(found) > 0 {
		title, fault = found[0].Title, found[0].words.read
	}
	if fault == missingStatus {
		fault = NoFault
	}
	fault = x.decide(title, fault)
	x.play(fault, func(bool) any {
		all := statusesV2{Statuses: []shipmentStatusV2{}, later: s.later()}
		for _, b := range found {
			if b.words.read == missingStatus {
				continue
			}
			status, at := s.statusV2(b, fault)
			all.Statuses = append(all.Statuses, shipmentStatusV2{
				ID: b.ID, Changed: s.isoTime(at), Status: status, later: s.later(),
			})
		}
		return all
	})
}

// referenceV2 reads the external reference that is asked for. The title is for the faults.
//
// Assumption: a question without one is refused; no shipment with the reference is an empty list.
func (x *exchange) referenceV2() (found []booked, title string, ok bool) {
	if !x.checkQuery("eksternRef") {
		return nil, "", false
	}
	reference := x.r.URL.Query().Get("eksternRef")
	if reference == "" {
		return nil, "", x.invalid("eksternRef is missing")
	}
	found = x.findShipments(x.s.referred(x.accountID, reference))
	if len(found) > 0 {
		title = found[0].Title
	}
	return found, title, true
}

func (s *Simulator) byReferenceV2(x *exchange) {
	found, title, ok := x.referenceV2()
	if !ok {
		return
	}
	x.play(x.decide(title, NoFault), func(bool) any {
		all := referencesV2{IDs: []string{}, later: s.later()}
		for _, b := range found {
			all.IDs = append(all.IDs, b.ID)
		}
		return all
	})
}

// metadataByReferenceV2 tells when each shipment came and from which system.
//
// Assumption: dato is the moment of acceptance.
func (s *Simulator) metadataByReferenceV2(x *exchange) {
	found, title, ok := x.referenceV2()
	if !ok {
		return
	}
	fault := x.decide(title, NoFault)
	x.play(fault, func(bool) any {
		all := referencesMetadataV2{Shipments: []referenceMetadataV2{}, later: s.later()}
		for _, b := range found {
			m := referenceMetadataV2{ID: b.ID, At: s.isoTime(b.AcceptedAt), SourceSystem: b.SourceSystem, later: s.later()}
			if s.options.Ahead {
				m.Status, _ = s.statusV2(b, fault)
			}
			all.Shipments = append(all.Shipments, m)
		}
		return all
	})
}

func (s *Simulator) shipmentTypesV2(x *exchange) {
	if !x.checkQuery() || !x.checkShape() {
		return
	}
	x.play(x.decide("", NoFault), func(bool) any { return typesV2{Types: shipmentTypes(), later: s.later()} })
}

// receivingSystemsV2 filters by what the query gives.
func (s *Simulator) receivingSystemsV2(x *exchange) {
	if !x.checkQuery("organisasjonsnummer", "forsendelseType", "niva") || !x.checkShape() {
		return
	}
	q := x.r.URL.Query()
	organization, shipmentType, level := q.Get("organisasjonsnummer"), q.Get("forsendelseType"), q.Get("niva")
	switch {
	case q.Has("organisasjonsnummer") && !isNumber(organization, 9):
		x.invalid("organisasjonsnummer is not nine digits")
		return
	case q.Has("forsendelseType") && !isShipmentType(shipmentType):
		x.invalid("forsendelseType is not 1 to 100 letters, digits and inner dots")
		return
	case q.Has("niva") && !isNumber(level, 1):
		x.invalid("niva is not 0 to 9")
		return
	}
	x.play(x.decide("", NoFault), func(bool) any {
		all := receivingSystemsV2{Systems: []receivingSystemV2{}, later: s.later()}
		for _, r := range receivers() {
			if (organization == "" || organization == r.organization) && (shipmentType == "" || shipmentType == r.shipmentType) &&
				(level == "" || level == strconv.Itoa(r.level)) {
				all.Systems = append(all.Systems, receivingSystemV2{
					ID: r.id, Name: r.system, Organization: r.organization, ShipmentType: r.shipmentType, Level: r.level,
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
