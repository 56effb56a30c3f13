package follow

import (
	"context"
	"slices"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// trackStep is one step of a shipment's way.
type trackStep struct {
	views.Look
	Status  dispatch.Status
	At      time.Time // when we saw it; zero: it is on the way to one that we saw, or ahead
	Current bool
	Ahead   bool
}

// Done tells whether the step is behind us, or the good end.
func (s trackStep) Done() bool { return !s.Ahead && (!s.Current || s.Color == "success") }

// Ended tells whether the way stopped here.
func (s trackStep) Ended() bool {
	return s.Current && s.Status.Of(dispatch.KindShipment).Group() == dispatch.GroupStopped
}

// track is the way of a shipment: what was seen of it, with the usual steps that lead there and follow. It is a help and
// no rule, since transitions are not specified; the latest status is always the current step.
func track(ctx context.Context, it dispatch.ShipmentItem, events []dispatch.Event) []trackStep {
	if it.Status == "" {
		return nil
	}
	seen := sightings(it.Item, events)
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

// sighting is a status with the moment we first saw it.
type sighting struct {
	Status dispatch.Status
	At     time.Time
}

// sightings are the statuses that we have seen, oldest first, each once and where it was last; the item's own ends them.
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

// following are the usual steps after the item's status; before a channel is chosen, those of the likeliest one.
func following(it dispatch.ShipmentItem) []dispatch.Status {
	likely := []dispatch.Status{dispatch.StatusNotified, dispatch.StatusRead}
	if it.Recipient.Digital.Empty() && !it.DigitalOnly {
		likely = []dispatch.Status{dispatch.StatusSentToPrint, dispatch.StatusPrinted}
	}
	row := it.Status.Of(dispatch.KindShipment)
	if row.JobGroup() == dispatch.JobHandedOver {
		return slices.Concat(row.Next, likely)
	}
	return row.Next
}
