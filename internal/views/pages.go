package views

import (
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// pageAttributes tell script where a file is, what reads it, and the words for its pages.
func pageAttributes(ctx context.Context, p Page, d dispatch.Document, file string) templ.Attributes {
	return templ.Attributes{
		"data-sider": file, "data-antall": strconv.Itoa(d.Pages),
		"data-leser": p.Assets.Path("pdf.js"), "data-arbeider": p.Assets.Path("pdf.worker.js"),
		"data-bilder": path.Dir(p.Assets.Path("openjpeg_nowasm_fallback.js")) + "/",
		"data-side":   i18n.T(ctx, "document.page"), "data-giroside": i18n.T(ctx, "document.page.giro"), "data-feil": i18n.T(ctx, "document.page.failed"),
	}
}

// fetchedAtOnce is the largest file that a review fetches by itself to show its first page.
const fetchedAtOnce = 20_000_000

// picturesAtOnce is how many pages are shown where there is no script to show more.
const picturesAtOnce = 12

// pictureOf is the address of the picture of a page.
func pictureOf(file string, page int) string { return file + "/sider/" + strconv.Itoa(page) }

// shownAtOnce is how many pages a review shows by itself.
func shownAtOnce(d dispatch.Document) int {
	if d.Size > fetchedAtOnce {
		return 0
	}
	return 1
}

// spaced writes page numbers for script.
func spaced(pages []int) string {
	words := make([]string, len(pages))
	for i, page := range pages {
		words[i] = strconv.Itoa(page)
	}
	return strings.Join(words, " ")
}
