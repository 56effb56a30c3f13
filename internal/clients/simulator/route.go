package simulator

import (
	"slices"
	"time"
)

// Moment is a status of a shipment with its time and log line.
type Moment struct {
	At     time.Time
	Status string
	Events []string
}

// route is the sequence of statuses of an accepted shipment, one for each Options.Pace, in the words of its generation.
func (b *Booked) route() []string {
	var all []string
	for _, status := range b.plan() {
		switch v3 := b.Generation == GenerationV3; {
		case v3 && status == ShipmentNotified:
			all = append(all, shipmentSentToAltinn, shipmentInAltinn)
		case !v3 && status == shipmentFailed:
			all = append(all, shipmentRejected)
		case !v3 && status == shipmentDeleted:
		default:
			all = append(all, status)
		}
	}
	return all
}

// plan is the route in the words of V1 and V2 where they have one (upstream-facts, section 3).
//
// Assumption: on V3, what goes to an organisation with a receiving system waits there; of the other routes that the
// specification of V3 lists, a person's is Altinn's.
func (b *Booked) plan() []string {
	notified := []string{shipmentReceived, shipmentAccepted, ShipmentNotified}
	printed := []string{shipmentReceived, shipmentAccepted, shipmentSentToPrint, shipmentPrinted}
	hasID := b.Fields.recipientID() != ""
	switch {
	case b.Rejected != "":
		return []string{shipmentReceived, shipmentRejected}
	case slices.Contains(b.Words.route, shipmentNotDelivered) && !b.DigitalOnly: // the status of digital-only shipments alone
		return printed
	case b.Words.route != nil:
		return b.Words.route
	case b.Fields.Health:
		return []string{shipmentReceived, shipmentAccepted, shipmentSentToHealth, shipmentInHealth}
	case b.Generation == GenerationV3 && receives(b.OrganizationNumber):
		return []string{shipmentReceived, shipmentAccepted, shipmentReady, shipmentRead}
	case hasID && b.DigitalOnly:
		return append(notified, shipmentSentDigitally)
	case hasID:
		return append(notified, shipmentRead)
	case b.DigitalOnly:
		return []string{shipmentReceived, shipmentAccepted, shipmentNotDelivered}
	default:
		return printed
	}
}

// moments are the statuses up to now. Marking a shipment as read ends its route.
func (b *Booked) moments(now time.Time, pace time.Duration, zone *time.Location) []Moment {
	var all []Moment
	if b.PreGenerated {
		all = append(all, Moment{At: b.reservedAt, Status: shipmentReceived, Events: []string{eventReceived}})
	}
	if b.AcceptedAt.IsZero() {
		return all
	}
	end := now
	if len(b.Readings) > 0 {
		end = b.Readings[0].At
	}
	previous := ""
	for i, status := range b.route() {
		at := b.AcceptedAt.Add(time.Duration(i) * pace)
		if i > 0 && at.After(end) {
			break
		}
		all = append(all, Moment{At: at, Status: status, Events: b.events(status, previous)})
		previous = status
	}
	for _, r := range b.Readings {
		all = append(all, Moment{At: r.At, Status: shipmentRead, Events: []string{r.event(b.Owner, zone)}})
	}
	return all
}

// Latest is the last status, and when it began.
func Latest(moments []Moment) Moment {
	last := moments[len(moments)-1]
	for i := len(moments) - 2; i >= 0 && moments[i].Status == last.Status; i-- {
		last = moments[i]
	}
	return last
}
