package compose

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// FieldCleaned names the cleaned files that a person has looked over again.
const FieldCleaned = "sett-fil"

// shownChanged is how many pages that may look different are shown.
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

// altered are the files of a shipment whose pages may look different since they were cleaned.
func altered(s dispatch.Shipment) (list []dispatch.Document) {
	for _, d := range s.Documents {
		if d.Altered() {
			list = append(list, d)
		}
	}
	return list
}

// changedPages are the pages of a file that are shown to be looked over again.
func changedPages(d dispatch.Document) []int {
	return d.Cleaned.Changed.First[:min(len(d.Cleaned.Changed.First), shownChanged)]
}
