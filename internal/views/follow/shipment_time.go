package follow

import (
	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// ShipmentTimePage changes a scheduled shipment's time.
type ShipmentTimePage struct {
	views.Page
	Item dispatch.ShipmentItem
	Form dispatch.TimingFields
}

// reschedulable tells whether the shipment's time can still be changed.
func (p ShipmentPage) reschedulable() bool {
	return p.Item.State == dispatch.StateQueued && p.Item.DueSince.After(p.Now)
}
