package compose

import (
	"utsending/internal/dispatch"
)

// said is what is told above the form of the service's own words: what stands at no field of the form, and when the
// shipment was dismissed later, the newest line of its history there.
func (p ShipmentFormPage) said() string {
	switch {
	case p.Failed.State == dispatch.StateRejected && p.Failed.Fault.Field == "":
		return p.Failed.Fault.Said
	case p.Failed.State == dispatch.StateAccepted && len(p.Failed.Events) > 0:
		return p.Failed.Events[0].Text
	}
	return ""
}
