package follow

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// reschedulable tells whether the SMS's time can still be changed.
func (p SMSPage) reschedulable() bool {
	return p.Item.State == dispatch.StateQueued && p.Item.DueSince.After(p.Now)
}

// SMSPage shows one SMS.
type SMSPage struct {
	views.Page
	Item dispatch.SMSItem
	Around
}

// number is the recipient's number, masked unless revealed.
func (p SMSPage) number() string {
	if !p.Opened.Numbers {
		return p.Item.Recipient.Masked()
	}
	return p.Item.Recipient.Phone.Reveal() + p.Item.Recipient.NationalID.Reveal()
}

// copyable tells whether the page offers to copy the SMS.
func (p SMSPage) copyable() bool {
	if p.Reach == dispatch.ReachNone || !p.May(dispatch.RightSendSMS) || p.Item.Purged() {
		return false
	}
	switch p.Item.State {
	case dispatch.StateRejected, dispatch.StateCancelled, dispatch.StateFailed:
		return true
	}
	return p.Item.EndedBadly()
}

// correctedBy is the sender, who like a lead can correct what failed; empty: the reader can, or nobody.
func (p SMSPage) correctedBy() string {
	if !p.Item.EndedBadly() || p.Item.Purged() {
		return ""
	}
	return p.correctors(&p.Page, p.Item.Item)
}

// copyLabel is the catalogue key of the copy button.
func (p SMSPage) copyLabel() string {
	if p.Item.EndedBadly() {
		return "shipment.item.correct"
	}
	return "sms.item.copy"
}

// mailable tells whether the page offers to send a shipment instead.
func (p SMSPage) mailable() bool {
	return p.Reach != dispatch.ReachNone && p.SendsShipments() && p.Item.EndedBadly() && p.Item.Recipient != (dispatch.SMSRecipient{})
}

// at is an address below this SMS.
func (p SMSPage) at(parts ...string) string {
	return p.PathTo(append([]string{"sms", string(p.Item.ID)}, parts...)...)
}

// filtered is the address of this page with the lines of one origin.
func (p SMSPage) filtered(from Origin) string { return historyAddress(p.at(), false, from) }

// history is what has happened to the SMS, newest first.
func (p SMSPage) history(ctx context.Context) []line {
	return once(ctx, eventLines(ctx, dispatch.KindSMS, p.Events), p.Now)
}

// stopAskedKey is the catalogue key of the sentence about a wish to stop an item; empty: there is none, or its status says it.
func stopAskedKey(it dispatch.Item) string {
	if it.StopAskedAt.IsZero() {
		return ""
	}
	switch it.State {
	case dispatch.StateSending:
		return "stop.asked.sending"
	case dispatch.StateUncertain:
		return "stop.asked.uncertain"
	case dispatch.StateAccepted:
		return "stop.asked.late"
	}
	return ""
}

// cancelKey is what the button says that stops an item.
func cancelKey(it dispatch.Item, now time.Time) string {
	if views.SecondsLeft(it, now) > 0 {
		return "sms.item.undo"
	}
	return "sms.item.cancel"
}

// checkReason is the catalogue key of why the status could not be read. The texts of these reasons advise to send the item again, which
// would send it twice: it has been handed over.
func checkReason(it dispatch.Item) string {
	switch it.CheckError.Key {
	case "reason.rejected", "reason.invalid", "reason.too_large", "reason.perhaps_too_large", "reason.early_error", "reason.not_its_own", "reason.duplicate":
		return "sms.item.check_answered"
	}
	return views.Worded(it.Kind, it.CheckError.Key)
}

// nextCheckKey is the catalogue key of the sentence about the next read of the status: the first is not said to come again.
func nextCheckKey(it dispatch.Item) string {
	if it.CheckedAt.IsZero() && it.CheckError.Key == "" {
		return "sms.item.first_check"
	}
	return "sms.item.next_check"
}
