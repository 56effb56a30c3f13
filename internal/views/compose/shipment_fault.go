package compose

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// failure tells what became of the draft's original, and why.
func (p ShipmentFormPage) failure(ctx context.Context) (what, why string) {
	if !p.Failed.EndedBadly() { // it came through, and was not signed
		return i18n.T(ctx, "shipment.new.of_unsigned"), i18n.T(ctx, "signing."+string(p.Failed.SigningStatus)+".means")
	}
	return i18n.T(ctx, "shipment.new.of_failed"), views.Why(ctx, p.Failed.Item, nil, p.Now) + " " + views.Reason(ctx, p.Failed.Item, p.Now)
}

// said quotes the service above the form: problems without a field, and the newest line of the shipment's history if it was
// dismissed after being accepted.
func (p ShipmentFormPage) said() string {
	switch {
	case p.Failed.State == dispatch.StateRejected && p.Failed.Fault.Field == "":
		return p.Failed.Fault.Said
	case p.Failed.State == dispatch.StateAccepted && p.Failed.EndedBadly() && len(p.Failed.Events) > 0:
		return p.Failed.Events[0].Text
	}
	return ""
}
