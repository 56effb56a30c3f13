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
	LastSMS, LastShipment UsedLast
}

// UsedLast is when an account last had something handed over to a service.
type UsedLast struct {
	At    time.Time // zero: none of late
	Over  string    // name of the integration, if another than the account's
	Whole bool      // all that the account made has been looked at
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
	return views.Capitalized(strings.Join(words, ", "))
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
	return i18n.T(ctx, "usage.credentials.until", "Method", method, "Day", views.TableDate(ctx, set.ExpiresAt))
}

// neverKey is the catalogue key for an account of which nothing was handed over, as far as was looked.
func neverKey(whole bool) string {
	if whole {
		return "usage.none"
	}
	return "usage.never"
}

// text says when the account itself last had something handed over.
func (u UsedLast) text(ctx context.Context, now time.Time) string {
	when := dayOrNear(ctx, u.At, now)
	switch {
	case u.At.IsZero():
		return i18n.T(ctx, neverKey(u.Whole))
	case u.Over != "":
		return i18n.T(ctx, "usage.last.over", "When", when, "Name", u.Over)
	}
	return i18n.T(ctx, "usage.last", "When", when)
}

// channels are the account's two channels with their last use.
func (r UsageLine) channels() []usedChannel {
	return []usedChannel{{dispatch.KindSMS, r.SMS, r.LastSMS}, {dispatch.KindShipment, r.Shipments, r.LastShipment}}
}

type usedChannel struct {
	kind dispatch.Kind
	in   *IntegrationLine
	last UsedLast
}
