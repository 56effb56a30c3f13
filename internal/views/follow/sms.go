package follow

import (
	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// reschedulable tells whether the SMS can still get another time.
func (p SMSPage) reschedulable() bool {
	return p.Item.State == dispatch.StateQueued && p.Item.DueSince.After(p.Now)
}

// SMSPage shows one SMS and what became of it.
type SMSPage struct {
	views.Page
	Item    dispatch.SMSItem
	Events  []dispatch.Event
	Own     bool // the viewer made it
	Reach   dispatch.Reach
	Opened  Opened
	CopyKey string

	FollowUp  dispatch.FollowUp
	Relatives []dispatch.Relative
}

// number is the recipient as it may be shown on this page.
func (p SMSPage) number() string {
	if !p.Opened.Numbers {
		return p.Item.Recipient.Masked()
	}
	return p.Item.Recipient.Phone.Reveal() + p.Item.Recipient.NationalID.Reveal()
}

// copyable tells whether the page offers to make a new SMS with the same content.
func (p SMSPage) copyable() bool {
	if !p.Own || !p.May(dispatch.RightSendSMS) || p.Item.Purged() {
		return false
	}
	switch p.Item.State {
	case dispatch.StateRejected, dispatch.StateCancelled, dispatch.StateFailed:
		return true
	}
	return p.Item.EndedBadly()
}

// mailable tells whether the page offers to send a shipment instead.
func (p SMSPage) mailable() bool {
	return p.Own && p.SendsShipments() && p.Item.EndedBadly() && p.Item.Recipient != (dispatch.SMSRecipient{})
}
