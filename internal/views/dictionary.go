package views

import (
	"time"

	"utsending/internal/dispatch"
)

// Place is where a value stands on the page.
func Place(chapter, value string) string { return chapter + "-" + value }

// Explained is where the dictionary explains what an item's page shows; of a value that is not described yet, its chapter.
func Explained(it dispatch.Item, now time.Time) string {
	stage := it.Stage(now)
	if stage != dispatch.StageStatus {
		return "/ordliste#" + Place("stage", string(stage))
	}
	if !described(it) {
		return "/ordliste#" + string(it.Kind)
	}
	return "/ordliste#" + Place(string(it.Kind), string(it.Status))
}
