package views

import (
	"context"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// ParseDate parses a date, in Oslo.
func ParseDate(typed string) (time.Time, bool) { return dispatch.ParseDay(typed) }

// FileSize formats a size: "29 kB", "190,4 MB", "48,2 GB", in English "190.4 MB". A file that is not empty has at least 1 kB.
func FileSize(ctx context.Context, n int64) string {
	if n < 999_500 {
		return Number(int(max((n+500)/1000, min(n, 1)))) + "\u00a0kB"
	}
	unit, tenths := "MB", (n+50_000)/100_000
	if tenths >= 10_000 {
		unit, tenths = "GB", (n+50_000_000)/100_000_000
	}
	return i18n.T(ctx, "number.tenths", "Whole", int(tenths/10), "Tenths", int(tenths%10)) + "\u00a0" + unit
}
