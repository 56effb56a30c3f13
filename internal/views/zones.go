package views

import (
	"context"
	"strconv"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// zone is a zone of a printed page to keep free or to use: rectangles in millimetres, and a description.
type zone struct {
	Class string
	Areas []Bar
	Text  string
}

// zonesOf are the zones of a page under an account's rules. With the service's cover sheet, nothing of ours is in the
// address window.
func zonesOf(ctx context.Context, r dispatch.PrintRules) []zone {
	const width, height = 210, 297
	area := func(x, y, w, h int) Bar {
		return Bar{X: strconv.Itoa(x), Y: strconv.Itoa(y), Width: strconv.Itoa(w), Height: strconv.Itoa(h)}
	}
	inner := height - 2*r.EndMargin
	zones := []zone{
		{"zone-margin", []Bar{area(0, 0, width, r.EndMargin), area(0, height-r.EndMargin, width, r.EndMargin), area(0, r.EndMargin, r.SideMargin, inner), area(width-r.SideMargin, r.EndMargin, r.SideMargin, inner)},
			i18n.T(ctx, "zones.margin", "Side", r.SideMargin, "End", r.EndMargin)},
		{"zone-barcode", []Bar{area(0, dispatch.BarcodeTop, r.BarcodeWidth, dispatch.BarcodeBottom-dispatch.BarcodeTop)},
			i18n.T(ctx, "zones.barcode", "Width", r.BarcodeWidth, "From", dispatch.BarcodeTop, "To", dispatch.BarcodeBottom)},
	}
	if !r.CoverSheet {
		zones = append(zones, zone{"zone-window", []Bar{area(r.WindowLeft, r.WindowTop, r.WindowWidth, r.WindowHeight)},
			i18n.T(ctx, "zones.window", "Width", r.WindowWidth, "Height", r.WindowHeight, "Left", r.WindowLeft, "Top", r.WindowTop)})
	}
	return zones
}
