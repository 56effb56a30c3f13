package views

import (
	"time"

	"utsending/internal/dispatch"
)

// ShipmentTimePage is where a shipment that waits for its time gets another one.
type ShipmentTimePage struct {
	Page
	Item dispatch.ShipmentItem
	Form TimingForm
}

// reschedulable tells whether the shipment can still get another time.
func (p ShipmentPage) reschedulable() bool {
	return p.Item.State == dispatch.StateQueued && p.Item.DueSince.After(p.Now)
}

// planned is when the shipment goes if it is sent now: an account's daytime is for SMS.
func (p ShipmentReviewPage) planned() time.Time {
	return p.Account.Planned(dispatch.Timing{SendAt: p.Shipment.SendAt, Urgent: true}, p.Now)
}
