package dispatch

import (
	"strings"
	"time"
)

// ReferenceMatch is a shipment that the service has under an external reference. V1 tells the id only.
type ReferenceMatch struct {
	ID           string
	SourceSystem string
	At           time.Time
}

// ReferenceFind is what is known under an external reference.
type ReferenceFind struct {
	Own       []ListRow        // sent from the account
	Strangers []ReferenceMatch // at the service, and not sent from here
	Asked     bool             // the service was asked
	Failure   Reason           // why it could not answer, if so
}

// Uncertain tells whether one of our own is uncertain: then a stranger may be that one.
func (f ReferenceFind) Uncertain() bool {
	for _, r := range f.Own {
		if r.State == StateUncertain {
			return true
		}
	}
	return false
}

// ParseReference reads an external reference to search for.
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
