package compose

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// FieldCleaned holds the cleaned files that the user has confirmed after looking at them again.
const FieldCleaned = "sett-fil"

// shownChanged is the most pages with a changed appearance that are shown.
const shownChanged = 12

// kindsText names kinds of content.
func kindsText(ctx context.Context, kinds []dispatch.ActiveKind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = i18n.T(ctx, "clean.kind."+string(k))
	}
	return views.ClaimsMany(ctx, words)
}

// changedText names the pages that may look different.
func changedText(ctx context.Context, c dispatch.Cleaning) string {
	pages := dispatch.PagesText(c.Changed.First)
	if more := c.Changed.Count - len(c.Changed.First); more > 0 {
		pages = i18n.T(ctx, "finding.more", "Pages", pages, "N", more)
	}
	return i18n.T(ctx, "clean.changed", "N", c.Changed.Count, "Pages", pages)
}

// altered returns the files whose pages may look different after cleaning.
func altered(s dispatch.Shipment) (list []dispatch.Document) {
	for _, d := range s.Documents {
		if d.Altered() {
			list = append(list, d)
		}
	}
	return list
}

// changedPages returns the pages of a file that are shown for confirmation after cleaning.
func changedPages(d dispatch.Document) []int {
	return d.Cleaned.Changed.First[:min(len(d.Cleaned.Changed.First), shownChanged)]
}
