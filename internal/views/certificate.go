package views

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// CertificateForm is the service's certificate as typed.
type CertificateForm struct {
	Certificate string
	Transport   dispatch.KeyTransport
}

// certificateLook is the tag of a certificate that has ended or ends soon.
func certificateLook(ctx context.Context, in dispatch.Integration, now time.Time) (look, bool) {
	days, soon := in.CertificateExpiring(now)
	switch {
	case !soon:
		return look{}, false
	case days < 0:
		return look{Word: i18n.T(ctx, "certificate.ended"), Color: "danger", Icon: "XMarkOctagon"}, true
	}
	return look{Word: i18n.T(ctx, "certificate.ends", "N", days), Color: "warning", Icon: "ClockDashed"}, true
}

// encryptHint explains the choice to encrypt, or that it cannot be made yet.
func (p ShipmentFormPage) encryptHint() string {
	if p.Account.EncryptUntil.IsZero() {
		return "shipment.encrypt.none"
	}
	return "shipment.encrypt.hint"
}
