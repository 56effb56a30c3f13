package compose

import (
	"time"

	"utsending/internal/dispatch"
)

// encryptHint explains the choice to encrypt, or that it cannot be made yet.
func (p ShipmentFormPage) encryptHint() string {
	if p.Account.EncryptUntil.IsZero() {
		return "shipment.encrypt.none"
	}
	return "shipment.encrypt.hint"
}

// planned is when the shipment goes if it is sent now: an account's daytime is for SMS.
func (p ShipmentReviewPage) planned() time.Time {
	return p.Account.Planned(dispatch.Timing{SendAt: p.Shipment.SendAt, Urgent: true}, p.Now)
}
