package admin

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// CertificateForm is the service's certificate as typed.
type CertificateForm struct {
	Certificate string
	Transport   dispatch.KeyTransport
}

// certificateLook is the tag of a certificate that has expired or expires soon.
func certificateLook(ctx context.Context, in dispatch.Integration, now time.Time) (views.Look, bool) {
	days, soon := in.CertificateExpiring(now)
	switch {
	case !soon:
		return views.Look{}, false
	case days < 0:
		return views.Look{Word: i18n.T(ctx, "certificate.ended"), Color: "danger", Icon: "XMarkOctagon"}, true
	}
	return views.Look{Word: i18n.T(ctx, "certificate.ends", "N", days), Color: "warning", Icon: "ClockDashed"}, true
}
