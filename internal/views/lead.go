package views

import (
	"context"
	"fmt"

	"utsending/internal/i18n"
)

// Bar is a rectangle of the chart, in the chart's units: its height is 100.
type Bar struct{ X, Y, Width, Height, Class string }

// Kroner formats an amount as the language does: "1 071,50 kr".
func Kroner(ctx context.Context, ore int) string {
	return i18n.T(ctx, "number.kroner", "Whole", Number(ore/100), "Rest", fmt.Sprintf("%02d", ore%100))
}
