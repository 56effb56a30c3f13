package views

import (
	"time"
)

// Fields of the pages of jobs.
const (
	FieldList   = "liste"
	FieldFile   = "fil"
	FieldMode   = "mate"
	FieldAnyway = "likevel"
	FieldSeen   = "sett" // the version that a review has shown
)

// FileTime formats a time in a file: "20.11.2026 10.41.12".
func FileTime(t time.Time) string { return t.In(Oslo).Format("02.01.2006 15.04.05") }
