package follow

import (
	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// ShipmentTimePage is where a shipment that waits for its time gets another one.
type ShipmentTimePage struct {
	views.Page
	Item dispatch.ShipmentItem
	Form views.TimingForm
}

// reschedulable tells whether the shipment can still get another time.
func (p ShipmentPage) reschedulable() bool {
	return p.Item.State == dispatch.StateQueued && p.Item.DueSince.After(p.Now)
}
