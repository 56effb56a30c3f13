package simulator

import "time"

// Moment is a status of a shipment with its time and log line.
type Moment struct {
	At     time.Time
	Status string
	Events []string
}

// route is the sequence of statuses of an accepted shipment, one for each Options.Pace (upstream-facts, section 3).
func (b *Booked) route() []string {
	notified := []string{shipmentReceived, shipmentAccepted, ShipmentNotified}
	hasID := b.Fields.recipientID() != ""
	switch {
	case b.Rejected != "":
		return []string{shipmentReceived, shipmentRejected}
	case b.Words.route != nil:
		return b.Words.route
	case hasID && b.DigitalOnly:
		return append(notified, shipmentSentDigitally)
	case hasID:
		return append(notified, shipmentRead)
	case b.DigitalOnly:
		return []string{shipmentReceived, shipmentAccepted, shipmentNotDelivered}
	default:
		return []string{shipmentReceived, shipmentAccepted, shipmentSentToPrint, shipmentPrinted}
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
