package views

import (
	"context"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// AsideCause explains why background work failed.
func AsideCause(ctx context.Context, c dispatch.AsideCause) string {
	if code, ok := strings.CutPrefix(string(c), "sql_"); ok {
		return i18n.T(ctx, "aside.cause.sql", "Code", code)
	}
	return i18n.T(ctx, "aside.cause."+string(c))
}
