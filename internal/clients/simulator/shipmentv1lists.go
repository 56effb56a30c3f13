package simulator

import (
	"net/http"
	"strings"
	"time"
)

// maxStatuses is how many shipments one call may ask about.
//
// Assumption: the limit of V2 (upstream-facts, section 1.2), and that an empty list is refused as there.
const maxStatuses = 1000

// missingStatus is the fault that leaves a shipment out of a list.
const missingStatus = Fault(http.StatusNotFound)

// readV1 is LestAv. On the deployed wire the id stands in the path only.
type readV1 struct {
	ShipmentID *idRecord `json:"forsendelsesId"`
	NationalID string    `json:"lestAvFodselsNummer"`
	System     string    `json:"navnPaEksterntSystem"`
	At         *int64    `json:"datoLest"`
}

// readIDs reads a list of shipment ids, as records or as bare texts.
func (x *exchange) readIDs(bare bool) ([]string, bool) {
	var records []idRecord
	var ids []string
	var err error
	if bare {
		err = decodeStrict(x.body, &ids)
	} else {
		err = decodeStrict(x.body, &records)
	}
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	if err != nil {
		return nil, x.invalid(err.Error())
	}
	return ids, x.checkIDs(ids)
}

func (x *exchange) checkIDs(ids []string) bool {
	if len(ids) < 1 || len(ids) > maxStatuses {
		return x.invalid("the list has not 1 to 1000 items")
	}
	for _, id := range ids {
		if !isUUID(id) {
			return x.invalid("an id is not a uuid")
		}
	}
	return true
}

// findShipments leaves out what is not found.
//
// Assumption: an unknown id among others is no error; nothing is said about it.
func (x *exchange) findShipments(ids []string) []booked {
	var found []booked
	for _, id := range ids {
		if b, ok := x.s.findShipment(x.accountID, id); ok {
			found = append(found, b)
		}
	}
	if len(found) > 0 {
		x.setRecipient(found[0].Title)
	}
	return found
}

// shipmentStatuses meets the fault of its first shipment, except that a 404 only leaves a shipment out.
func (s *Simulator) shipmentStatuses(x *exchange) {
	if !x.checkQuery() || !x.checkShape() {
		return
	}
	ids, ok := x.readIDs(s.options.Wire == WireDeployed)
	if !ok {
		return
	}
	found := x.findShipments(ids)
	title, fault := "", NoFault
	if len(found) > 0 {
		title, fault = found[0].Title, found[0].words.read
	}
	if fault == missingStatus {
		fault = NoFault
	}
	fault = x.decide(title, fault)
	x.play(fault, func(bool) any {
		statuses := []statusV1{}
		for _, b := range found {
			if b.words.read != missingStatus {
				statuses = append(statuses, s.statusOf(b, fault))
			}
		}
		return s.list("statuser", statuses)
	})
}

// markRead sets LEST. Coming before the next step of the route, it ends the route: a letter that was read is not printed
// (upstream-facts, section 3).
func (s *Simulator) markRead(x *exchange) {
	b, ok := x.shipment()
	if !ok {
		return
	}
	if b.AcceptedAt.IsZero() { // only reserved
		x.fail(http.StatusNotFound)
		return
	}
	var in readV1
	if !x.decode(&in) || !x.checkRead(in, b.ID) {
		return
	}
	x.play(x.decide(b.Title, NoFault), func(bool) any {
		r := reading{at: s.options.Now(), on: time.UnixMilli(*in.At), by: in.NationalID, system: in.System}
		s.changeShipment(b.ID, func(b *booked) {
			b.readings = append(b.readings, r)
			b.ReadBy, b.ReadSystem, b.ReadAt = r.by, r.system, r.on
		})
		return nil
	})
}

// checkRead wants everything that its wire has.
func (x *exchange) checkRead(in readV1, id string) bool {
	deployed := x.s.options.Wire == WireDeployed
	switch {
	case deployed && in.ShipmentID != nil:
		return x.invalid(`unknown field "forsendelsesId"`)
	case !deployed && (in.ShipmentID == nil || !strings.EqualFold(in.ShipmentID.ID, id)):
		return x.invalid("forsendelsesId is not the id in the path")
	case !isNumber(in.NationalID, 11):
		return x.invalid("lestAvFodselsNummer is not eleven digits")
	case blank(in.System):
		return x.invalid("navnPaEksterntSystem is missing")
	case in.At == nil:
		return x.invalid("datoLest is missing")
	}
	return true
}

// deleteFiles takes the documents of shipments away; the shipments stay.
func (s *Simulator) deleteFiles(x *exchange) {
	if !x.checkQuery() || !x.checkShape() {
		return
	}
	ids, ok := x.readIDs(false)
	if !ok {
		return
	}
	found := x.findShipments(ids)
	if len(found) < len(ids) {
		x.fail(http.StatusNotFound)
		return
	}
	x.success = http.StatusNoContent
	x.play(x.decide(found[0].Title, NoFault), func(bool) any {
		for _, b := range found {
			s.changeShipment(b.ID, func(b *booked) { b.FilesDeleted = true })
		}
		return nil
	})
}
