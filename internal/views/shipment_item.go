package views

import (
	"context"
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// AwaitsSigning tells whether the recipient may still sign.
func AwaitsSigning(s dispatch.State, status dispatch.SigningStatus) bool {
	return s == dispatch.StateAccepted && status.Awaited()
}

// Deadline formats the deadline for signing: the last day, and the number of days left.
func Deadline(ctx context.Context, by, now time.Time) string {
	days := dispatch.DaysUntil(by, now)
	switch {
	case by.Before(now):
		return i18n.T(ctx, "signing.deadline.over", "When", DateText(ctx, by))
	case days == 0:
		return i18n.T(ctx, "signing.deadline.today")
	}
	return i18n.T(ctx, "signing.deadline", "N", days, "When", DateText(ctx, by))
}

// Ordinal formats a number in a list from its index: "1".
func Ordinal(index int) string { return strconv.Itoa(index + 1) }
