package views

import (
	"strconv"
)

// Bar is a rectangle of the chart, in the chart's units: its height is 100.
type Bar struct{ X, Y, Width, Height, Class string }

// Kroner formats an amount: "1 071,50 kr".
func Kroner(ore int) string {
	rest := strconv.Itoa(ore % 100)
	if len(rest) == 1 {
		rest = "0" + rest
	}
	return Number(ore/100) + "," + rest + "\u00a0kr"
}
