package compose

import (
	"time"

	"utsending/internal/dispatch"
)

// encryptHint explains encryption, or why it cannot be chosen yet.
func (p ShipmentFormPage) encryptHint() string {
	if p.Account.EncryptUntil.IsZero() {
		return "shipment.encrypt.none"
	}
	return "shipment.encrypt.hint"
}

// waits tells whether the reader would send it now, and it would wait because the account cannot deliver.
func (p ShipmentReviewPage) waits() bool {
	return p.Approving.waits(p.Held, !p.Shipment.SendAt.IsZero())
}

// planned is when the shipment would go if it were sent now. The account's daytime applies to SMS only.
func (p ShipmentReviewPage) planned() time.Time {
	return p.Account.Planned(dispatch.Timing{SendAt: p.Shipment.SendAt, Urgent: true}, p.Now)
}
