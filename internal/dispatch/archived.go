package dispatch

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Archived is a person's note that an item is archived.
type Archived struct {
	Case string // where, as typed: "2026/1234"
	By   string // name
	At   time.Time
}

// FieldArchiveCase is the field of the case.
const FieldArchiveCase = "sak"

// archiveCaseMax is the longest name of a case in characters.
const archiveCaseMax = 100

// ParseArchiveCase parses the case in which an item is archived.
func ParseArchiveCase(typed string) (string, *Problem) {
	name := strings.Join(strings.Fields(typed), " ")
	switch {
	case name == "":
		return name, &Problem{Field: FieldArchiveCase, Key: "problem.archive.empty"}
	case utf8.RuneCountInString(name) > archiveCaseMax || !Readable(name):
		return name, &Problem{Field: FieldArchiveCase, Key: "problem.archive.long"}
	case HoldsNationalID(name):
		return name, &Problem{Field: FieldArchiveCase, Key: "problem.archive.number"}
	}
	return name, nil
}
