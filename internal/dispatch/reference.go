package dispatch

import (
	"strings"
	"time"
)

// ReferenceMatch is a shipment at the service with an external reference. V1 returns the id only.
type ReferenceMatch struct {
	ID           string
	SourceSystem string
	At           time.Time
}

// ReferenceFind is the result of a search for an external reference.
type ReferenceFind struct {
	Own       []ListRow        // sent from the account
	Strangers []ReferenceMatch // at the service, and not sent from here
	Asked     bool             // the service was asked
	Failure   Reason           // of the service's answer; zero: none
}

// Uncertain tells whether one of our own is uncertain: a stranger may then be that one.
func (f ReferenceFind) Uncertain() bool {
	for _, r := range f.Own {
		if r.State == StateUncertain {
			return true
		}
	}
	return false
}

// ParseReference parses an external reference to search for.
func ParseReference(typed string) (string, *Problem) {
	reference := strings.TrimSpace(typed)
	switch {
	case reference == "":
		return "", &Problem{Field: FieldReference, Key: "problem.reference.empty"}
	case !Readable(reference) || len(reference) > 1000 || reference == "." || reference == "..":
		return "", &Problem{Field: FieldReference, Key: "problem.reference.unreadable"}
	}
	return reference, nil
}
