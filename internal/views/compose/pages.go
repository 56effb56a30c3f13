package compose

import (
	"context"
	"fmt"
	"html"
	"slices"
	"strconv"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// drawnAtOnce is the largest file, in bytes, whose first page a review shows without being asked.
const drawnAtOnce = 20_000_000

// mostShown is the most pages of a file that are shown.
const mostShown = 100

// pictureOf is the address of the picture of a page.
func pictureOf(file string, page int) string { return file + "/sider/" + strconv.Itoa(page) }

// largePictureOf is the address of a picture large enough to read.
func largePictureOf(file string, page int) string { return pictureOf(file, page) + "?stor=1" }

// shownPages is the number of pages of a file that can be shown.
func shownPages(d dispatch.Document) int { return min(d.Pages, mostShown) }

// shownAtOnce is the number of pages that a review shows unfolded.
func shownAtOnce(d dispatch.Document) int {
	if d.Size > drawnAtOnce {
		return 0
	}
	return 1
}

// restOfPages is the label that unfolds the other pages.
func restOfPages(d dispatch.Document) string {
	if shownAtOnce(d) == 0 {
		return "document.pages.show"
	}
	return "document.pages.rest"
}

// pageName is the caption below a picture.
func pageName(ctx context.Context, page int, giro []int) string {
	if slices.Contains(giro, page) {
		return i18n.T(ctx, "document.page.number_giro", "Page", page)
	}
	return i18n.T(ctx, "document.page.number", "Page", page)
}

// onTop tells whether the first page of this file is shown beside the recipient.
func (p ShipmentReviewPage) onTop(d dispatch.Document) bool {
	top, ok := p.topFile()
	return ok && top.ID == d.ID
}

// topFile is the file whose first page a review shows beside the recipient: the first file with pages, unless it is larger than
// drawnAtOnce. A review of a list has none, since it has many recipients.
func (p ShipmentReviewPage) topFile() (dispatch.Document, bool) {
	if p.Many {
		return dispatch.Document{}, false
	}
	i := slices.IndexFunc(p.Shipment.Documents, func(d dispatch.Document) bool { return d.PDF() && d.Pages > 0 })
	if i < 0 || shownAtOnce(p.Shipment.Documents[i]) == 0 {
		return dispatch.Document{}, false
	}
	return p.Shipment.Documents[i], true
}

// NoPicture is an SVG in place of a page that cannot be drawn.
func NoPicture(ctx context.Context) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 226" width="160" height="226">`+
		`<rect width="160" height="226" fill="#f4f5f6"/><text x="80" y="113" text-anchor="middle" font-family="sans-serif" font-size="12" fill="#23262a">%s</text></svg>`,
		html.EscapeString(i18n.T(ctx, "document.page.failed")))
}
