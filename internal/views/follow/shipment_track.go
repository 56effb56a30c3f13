package follow

import (
	"context"
	"slices"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// trackStep is one step of a shipment's progress.
type trackStep struct {
	views.Look
	Status  dispatch.Status
	At      time.Time // when we saw it; zero: an assumed earlier step, or one ahead
	Current bool
	Ahead   bool
}

// Done tells whether the step is past, or the successful end.
func (s trackStep) Done() bool { return !s.Ahead && (!s.Current || s.Color == "success") }

// Ended tells whether the progress stopped here.
func (s trackStep) Ended() bool {
	return s.Current && s.Status.Of(dispatch.KindShipment).Group() == dispatch.GroupStopped
}

// track is a shipment's progress: the observed statuses, with the usual steps before and after. It is for orientation
// only, since the specification defines no transitions; the latest status is always the current step.
func track(ctx context.Context, it dispatch.ShipmentItem, events []dispatch.Event) []trackStep {
	if it.Status == "" {
		return nil
	}
	seen := sightings(it.Item, events)
	if at := it.ServiceStatusAt; !at.IsZero() {
		seen[len(seen)-1].At = at
	}
	var steps []trackStep
	add := func(s dispatch.Status, at time.Time, ahead bool) {
		steps = append(steps, trackStep{Look: views.StatusLook(ctx, dispatch.KindShipment, s), Status: s, At: at, Ahead: ahead})
	}
	passed := map[dispatch.Status]bool{}
	for _, s := range seen {
		passed[s.Status] = true
	}
	for _, s := range seen {
		for _, before := range s.Status.Of(dispatch.KindShipment).After {
			if !passed[before] {
				passed[before] = true
				add(before, time.Time{}, false)
			}
		}
		add(s.Status, s.At, false)
	}
	steps[len(steps)-1].Current = true
	for _, next := range following(it) {
		if !passed[next] {
			add(next, time.Time{}, true)
		}
	}
	return steps
}

// sighting is a status with the time when we first saw it; the latest, when it changed by the service's clock, if that is told.
type sighting struct {
	Status dispatch.Status
	At     time.Time
}

// sightings are the observed statuses, oldest first, each once at its last position; the item's own status is last.
func sightings(it dispatch.Item, events []dispatch.Event) []sighting {
	var seen []sighting
	add := func(s dispatch.Status, at time.Time) {
		seen = slices.DeleteFunc(seen, func(old sighting) bool { return old.Status == s })
		seen = append(seen, sighting{s, at})
	}
	for _, e := range slices.Backward(events) {
		if e.Kind == dispatch.EventStatus {
			add(dispatch.Status(e.Detail), e.At)
		}
	}
	if len(seen) == 0 || seen[len(seen)-1].Status != it.Status {
		add(it.Status, it.StatusAt)
	}
	return seen
}

// following are the usual steps after the item's status; before a channel is chosen, those of the most likely one.
func following(it dispatch.ShipmentItem) []dispatch.Status {
	likely := []dispatch.Status{dispatch.StatusNotified, dispatch.StatusRead}
	switch {
	case it.Addressee() == dispatch.ToHealth:
		likely = []dispatch.Status{dispatch.StatusSentToHealth, dispatch.StatusDeliveredToHealth}
	case it.Addressee() == dispatch.ToPaper && !it.DigitalOnly:
		likely = []dispatch.Status{dispatch.StatusSentToPrint, dispatch.StatusPrinted}
	case it.Over != "" && !dispatch.StatusNotified.Of(dispatch.KindShipment).In(it.Over.Row().Generation):
		likely = []dispatch.Status{dispatch.StatusSentToAltinn, dispatch.StatusDeliveredToAltinn, dispatch.StatusRead}
	}
	row := it.Status.Of(dispatch.KindShipment)
	if row.JobGroup() == dispatch.JobHandedOver {
		return slices.Concat(row.Next, likely)
	}
	return row.Next
}
