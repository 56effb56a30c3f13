package simulator

import "time"

// moment is when a shipment came into a status, and what its log says about it.
type moment struct {
	at     time.Time
	status string
	events []string
}

// route is the way of an accepted shipment through the status values, one for each Options.Pace (upstream-facts,
// section 3).
func (b *booked) route() []string {
	notified := []string{shipmentReceived, shipmentAccepted, shipmentNotified}
	hasID := b.letter.recipientID() != ""
	switch {
	case b.Rejected != "":
		return []string{shipmentReceived, shipmentRejected}
	case b.words.route != nil:
		return b.words.route
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

// moments tells what has happened until now. Whoever marks a shipment as read ends its route there.
func (b *booked) moments(now time.Time, pace time.Duration, zone *time.Location) []moment {
	var all []moment
	if b.PreGenerated {
		all = append(all, moment{at: b.reservedAt, status: shipmentReceived, events: []string{eventReceived}})
	}
	if b.AcceptedAt.IsZero() {
		return all
	}
	end := now
	if len(b.readings) > 0 {
		end = b.readings[0].at
	}
	previous := ""
	for i, status := range b.route() {
		at := b.AcceptedAt.Add(time.Duration(i) * pace)
		if i > 0 && at.After(end) {
			break
		}
		all = append(all, moment{at: at, status: status, events: b.events(status, previous)})
		previous = status
	}
	for _, r := range b.readings {
		all = append(all, moment{at: r.at, status: shipmentRead, events: []string{r.event(b.owner, zone)}})
	}
	return all
}

// latest is the last status, and when it was first so.
func latest(moments []moment) moment {
	last := moments[len(moments)-1]
	for i := len(moments) - 2; i >= 0 && moments[i].status == last.status; i-- {
		last = moments[i]
	}
	return last
}
