package views

import (
	"time"

	"utsending/internal/dispatch"
)

// Place is the anchor of a value in the dictionary.
func Place(chapter, value string) string { return chapter + "-" + value }

// AboutToGo is the name, in catalogue keys and anchors, of what the tag of a scheduled item says in the countdown.
const AboutToGo = "soon"

// Explained is the anchor that explains an item's tag; for an unknown status, its chapter.
func Explained(it dispatch.Item, now time.Time) string {
	stage := it.Stage(now)
	if SecondsLeft(it, now) > 0 {
		return "/ordliste#" + Place("stage", AboutToGo)
	}
	if stage != dispatch.StageStatus {
		return "/ordliste#" + Place("stage", string(stage))
	}
	if !described(it) {
		return "/ordliste#" + string(it.Kind)
	}
	return "/ordliste#" + Place(string(it.Kind), string(it.Status))
}
