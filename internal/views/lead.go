package views

import (
	"strconv"
)

// Bar is one piece of the chart, in its own units: a hundred high.
type Bar struct{ X, Y, Width, Height, Class string }

// Kroner is an amount: "1 071,50 kr".
func Kroner(ore int) string {
	rest := strconv.Itoa(ore % 100)
	if len(rest) == 1 {
		rest = "0" + rest
	}
	return Number(ore/100) + "," + rest + "\u00a0kr"
}
