package compose

import (
	"utsending/internal/dispatch"
)

// said quotes the service above the form: problems without a field, and the newest line of the shipment's history if it was
// dismissed after being accepted.
func (p ShipmentFormPage) said() string {
	switch {
	case p.Failed.State == dispatch.StateRejected && p.Failed.Fault.Field == "":
		return p.Failed.Fault.Said
	case p.Failed.State == dispatch.StateAccepted && len(p.Failed.Events) > 0:
		return p.Failed.Events[0].Text
	}
	return ""
}
