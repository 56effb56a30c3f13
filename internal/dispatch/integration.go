package dispatch

import (
	"strings"
	"time"
	"unicode/utf8"
)

// IntegrationKind tells which service and generation an integration speaks with.
type IntegrationKind string

// The kinds of integration.
const (
	IntegrationSMS        IntegrationKind = "sms"
	IntegrationShipmentV1 IntegrationKind = "shipment_v1"
	IntegrationShipmentV2 IntegrationKind = "shipment_v2"
)

// Integration is a set of credentials for one outside service, with what is known of how it works.
type Integration struct {
	ID          IntegrationID
	Name        string
	Kind        IntegrationKind
	Service     string      // which of the configured services it calls
	Environment Environment // of that service when it was chosen; empty: not noted
	Wire        string      // shipment V1: spec or deployed; empty: spec
	ReserveIDs  bool        // shipment V1: an id is reserved before each submission
	Encryption  Encryption  // of the files of shipments
	Parallelism int         // calls at once, over all processes
	RatePerSec  float64

	RefusedAt       time.Time // zero: not refused
	Refusal         Reason
	StoppedAt       time.Time // zero: not stopped
	StoppedBy       string    // empty: by us, after repeated uncertain answers
	UncertainStreak int
	NextProbeAt     time.Time // when one held row is tried although refused
	LastUsedAt      time.Time
	LastSuccessAt   time.Time
	TriedAt         time.Time // last trial by an administrator
	TriedFailed     TrialStep // where it failed; empty: all went well
	Version         int       // of the row: two administrators must not overwrite each other
}

// UncertainLimit is how many uncertain answers in a row stop an integration: one outage must not make ten thousand
// decisions.
const UncertainLimit = 3

// ProbeInterval is how often one held row tries a refused integration or account.
const ProbeInterval = 15 * time.Minute

// Shipments tells whether the kind sends shipments.
func (k IntegrationKind) Shipments() bool {
	return k == IntegrationShipmentV1 || k == IntegrationShipmentV2
}

// Validate returns what keeps the integration from being saved, in the order of the form.
func (in Integration) Validate() Problems {
	var ps Problems
	if strings.TrimSpace(in.Name) == "" {
		ps.add(&Problem{Field: FieldName, Key: "problem.integration.name"})
	}
	if utf8.RuneCountInString(in.Name) > 100 {
		ps.add(&Problem{Field: FieldName, Key: "problem.name.long"})
	}
	if in.Parallelism < 1 || in.Parallelism > 1000 {
		ps.add(&Problem{Field: FieldParallelism, Key: "problem.parallelism"})
	}
	if !(in.RatePerSec > 0 && in.RatePerSec <= 1000) {
		ps.add(&Problem{Field: FieldRate, Key: "problem.rate"})
	}
	return ps
}

// IntegrationState is what an administrator is told of an integration, most serious first (ui-spec 6.7).
type IntegrationState string

// The states.
const (
	IntegrationStopped  IntegrationState = "stopped"
	IntegrationRefused  IntegrationState = "refused"
	IntegrationBare     IntegrationState = "bare" // without credentials
	IntegrationExpiring IntegrationState = "expiring"
	IntegrationUntried  IntegrationState = "untried"
	IntegrationWorking  IntegrationState = "working"
)

// State returns what an administrator is told; sets are the integration's credentials.
func (in Integration) State(sets []CredentialSet, now time.Time) IntegrationState {
	usable, expiring := false, false
	for _, s := range sets {
		usable = usable || s.State != CredentialWiped
		_, soon := s.Expiring(now)
		expiring = expiring || s.State == CredentialActive && soon
	}
	switch {
	case !in.StoppedAt.IsZero():
		return IntegrationStopped
	case !in.RefusedAt.IsZero(), in.TriedFailed != "" && in.TriedAt.After(in.LastSuccessAt):
		return IntegrationRefused
	case !usable:
		return IntegrationBare
	case expiring:
		return IntegrationExpiring
	case in.LastSuccessAt.IsZero() && in.TriedAt.IsZero():
		return IntegrationUntried
	}
	return IntegrationWorking
}

// TokenState is what a process holds of an integration's tokens: each fetches its own.
type TokenState struct {
	Held  bool      // it has one that can be used now
	Until time.Time // zero: no end was told
}
