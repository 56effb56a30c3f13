package admin

import (
	"context"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// UsagePage tells which account uses what.
type UsagePage struct {
	views.Page
	Rows []UsageLine
}

// UsageLine is one account with what it uses.
type UsageLine struct {
	AccountLine
	LastSMS, LastShipment time.Time // when the last item that was handed over was made; zero: none of late
}

// features lists what the account has turned on.
func (r UsageLine) features(ctx context.Context) string {
	var words []string
	for _, f := range r.Features() {
		words = append(words, i18n.T(ctx, "usage.feature."+string(f)))
	}
	if len(words) == 0 {
		return i18n.T(ctx, "usage.feature.none")
	}
	return strings.Join(words, ", ")
}

// credentials describes the integration's credentials and their expiry.
func (r *IntegrationLine) credentials(ctx context.Context) string {
	set := activeSet(r.Sets)
	if set == nil {
		return i18n.T(ctx, "usage.credentials.none")
	}
	method := i18n.T(ctx, "usage.method."+string(set.MethodFor(r.Kind)))
	if set.ExpiresAt.IsZero() {
		return i18n.T(ctx, "usage.credentials.method", "Method", method)
	}
	return i18n.T(ctx, "usage.credentials.until", "Method", method, "Day", views.TableDate(set.ExpiresAt))
}

// lastDay is the day of the last item that was handed over, or the word for none.
func lastDay(ctx context.Context, day time.Time) string {
	if day.IsZero() {
		return i18n.T(ctx, "usage.never")
	}
	return i18n.T(ctx, "usage.last", "Day", views.TableDate(day))
}

// channels are the account's two channels with their last use.
func (r UsageLine) channels() []usedChannel {
	return []usedChannel{{dispatch.KindSMS, r.SMS, r.LastSMS}, {dispatch.KindShipment, r.Shipments, r.LastShipment}}
}

type usedChannel struct {
	kind dispatch.Kind
	in   *IntegrationLine
	last time.Time
}
