package shipmentv1

import (
	"net/http"
	"strings"
	"time"
	"utsending/internal/clients/simulator"
)

// read is LestAv. On the deployed wire the id is in the path only.
type read struct {
	ShipmentID *idRecord `json:"forsendelsesId"`
	NationalID string    `json:"lestAvFodselsNummer"`
	System     string    `json:"navnPaEksterntSystem"`
	At         *int64    `json:"datoLest"`
}

// readIDs reads a list of shipment ids, as objects or as bare strings.
func readIDs(x *simulator.Exchange, bare bool) ([]string, bool) {
	var records []idRecord
	var ids []string
	var err error
	if bare {
		err = simulator.DecodeStrict(x.Body, &ids)
	} else {
		err = simulator.DecodeStrict(x.Body, &records)
	}
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	if err != nil {
		return nil, x.Invalid(err.Error())
	}
	return ids, x.CheckIDs(ids)
}

// shipmentStatuses has the fault of its first shipment, except that a 404 only leaves a shipment out.
func (s service) shipmentStatuses(x *simulator.Exchange) {
	if !x.CheckQuery() || !x.CheckShape() {
		return
	}
	ids, ok := readIDs(x, s.Options.Wire == simulator.WireDeployed)
	if !ok {
		return
	}
	found := x.FindShipments(ids)
	title, fault := "", simulator.NoFault
	if len(found) > 0 {
		title, fault = found[0].Title, found[0].Words.Read
	}
	if fault == simulator.MissingStatus {
		fault = simulator.NoFault
	}
	fault = x.Decide(title, fault)
	x.Play(fault, func(bool) any {
		statuses := []status{}
		for _, b := range found {
			if b.Words.Read != simulator.MissingStatus {
				statuses = append(statuses, s.statusOf(b, fault))
			}
		}
		return s.list("statuser", statuses)
	})
}

// markRead sets LEST and, before the next step of the route, ends the route: a shipment that was read is not printed
// (upstream-facts, section 3).
func (s service) markRead(x *simulator.Exchange) {
	b, ok := shipment(x)
	if !ok {
		return
	}
	if b.AcceptedAt.IsZero() { // reserved only
		x.Fail(http.StatusNotFound)
		return
	}
	var in read
	if !x.Decode(&in) || !checkRead(x, in, b.ID) {
		return
	}
	x.Play(x.Decide(b.Title, simulator.NoFault), func(bool) any {
		r := simulator.Reading{At: s.Options.Now(), On: time.UnixMilli(*in.At), By: in.NationalID, System: in.System}
		s.ChangeShipment(b.ID, func(b *simulator.Booked) {
			b.Readings = append(b.Readings, r)
			b.ReadBy, b.ReadSystem, b.ReadAt = r.By, r.System, r.On
		})
		return nil
	})
}

// checkRead requires everything that its wire has.
func checkRead(x *simulator.Exchange, in read, id string) bool {
	deployed := x.Sim.Options.Wire == simulator.WireDeployed
	switch {
	case deployed && in.ShipmentID != nil:
		return x.Invalid(`unknown field "forsendelsesId"`)
	case !deployed && (in.ShipmentID == nil || !strings.EqualFold(in.ShipmentID.ID, id)):
		return x.Invalid("forsendelsesId is not the id in the path")
	case !simulator.IsNumber(in.NationalID, 11):
		return x.Invalid("lestAvFodselsNummer is not eleven digits")
	case simulator.Blank(in.System):
		return x.Invalid("navnPaEksterntSystem is missing")
	case in.At == nil:
		return x.Invalid("datoLest is missing")
	}
	return true
}

// deleteFiles deletes the documents of shipments; the shipments stay.
func (s service) deleteFiles(x *simulator.Exchange) {
	if !x.CheckQuery() || !x.CheckShape() {
		return
	}
	ids, ok := readIDs(x, false)
	if !ok {
		return
	}
	found := x.FindShipments(ids)
	if len(found) < len(ids) {
		x.Fail(http.StatusNotFound)
		return
	}
	x.Success = http.StatusNoContent
	x.Play(x.Decide(found[0].Title, simulator.NoFault), func(bool) any {
		for _, b := range found {
			s.ChangeShipment(b.ID, func(b *simulator.Booked) { b.FilesDeleted = true })
		}
		return nil
	})
}
