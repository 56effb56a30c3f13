package views

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// inquiryReason explains why a service could not answer a query.
func inquiryReason(ctx context.Context, r dispatch.Reason) string {
	if other, ok := OfLookups[r.Key]; ok {
		return i18n.T(ctx, other)
	}
	return i18n.T(ctx, Worded(dispatch.KindShipment, r.Key))
}
