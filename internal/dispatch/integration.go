package dispatch

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// IntegrationKind is a service with its generation.
type IntegrationKind string

// The kinds of integration.
const (
	IntegrationSMS        IntegrationKind = "sms"
	IntegrationShipmentV1 IntegrationKind = "shipment_v1"
	IntegrationShipmentV2 IntegrationKind = "shipment_v2"
	IntegrationShipmentV3 IntegrationKind = "shipment_v3"
)

// Integration is a connection to an outside service: its credentials, settings and health.
type Integration struct {
	ID          IntegrationID
	Name        string
	Kind        IntegrationKind
	Service     string      // which of the configured services it calls
	Environment Environment // of that service when it was chosen; empty: not recorded
	Wire        string      // shipment V1: spec or deployed; empty: spec
	ReserveIDs  bool        // shipment V1: an id is reserved before each submission
	Encryption  Encryption  // of shipments' files
	Parallelism int         // concurrent calls, over all processes
	RatePerSec  float64

	RefusedAt       time.Time // zero: not refused
	Refusal         Reason
	ClearedAt       time.Time // when a person last said that a refusal is mended
	StoppedAt       time.Time // zero: not stopped
	StoppedBy       string    // empty: by us, after repeated uncertain answers
	UncertainStreak int
	NextProbeAt     time.Time // when one blocked item is tried although the integration is refused
	LastUsedAt      time.Time
	LastSuccessAt   time.Time
	Version         int // of the row, for optimistic locking
}

// UncertainLimit is how many uncertain outcomes in a row stop an integration: one outage must not leave ten thousand
// items for people to decide.
const UncertainLimit = 3

// ProbeInterval is how often one blocked item is tried at a refused integration or account.
const ProbeInterval = 15 * time.Minute

// Validate returns the problems that keep the integration from being saved, in the order of the form.
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

// IntegrationState is an integration's health as administrators see it, most serious first (ui-spec 6.7).
type IntegrationState string

// The states.
const (
	IntegrationStopped IntegrationState = "stopped"
	IntegrationRefused IntegrationState = "refused"
	IntegrationBare    IntegrationState = "bare"   // without credentials
	IntegrationFailed  IntegrationState = "failed" // in an administrator's trial
	IntegrationDenied  IntegrationState = "denied" // the service refused its credentials when they were last used
	IntegrationUntried IntegrationState = "untried"
	IntegrationWorking IntegrationState = "working"
)

// State returns the integration's health; sets are its credential sets.
func (in Integration) State(sets []CredentialSet, now time.Time) IntegrationState {
	usable := slices.ContainsFunc(sets, func(s CredentialSet) bool { return s.State != CredentialWiped })
	switch {
	case !in.StoppedAt.IsZero():
		return IntegrationStopped
	case !in.RefusedAt.IsZero():
		return IntegrationRefused
	case !usable:
		return IntegrationBare
	}
	return SetOf(sets, UsedSet(sets, now)).Health()
}

// SetOf is the set with an id; zero: there is none.
func SetOf(sets []CredentialSet, id CredentialID) CredentialSet {
	for _, c := range sets {
		if c.ID == id {
			return c
		}
	}
	return CredentialSet{}
}

// Retried tells whether a person has asked for a new attempt after a refusal, and nothing has come of it yet. waiting is how many
// items wait for the integration: an attempt in progress is not among them.
func (in Integration) Retried(sets []CredentialSet, waiting int, now time.Time) bool {
	asked := in.ClearedAt
	if !in.StoppedAt.IsZero() || !in.RefusedAt.IsZero() || waiting == 0 && now.Sub(asked) > time.Minute {
		return false
	}
	return asked.After(in.LastSuccessAt) && asked.After(LastTried(sets).TriedAt) && asked.After(InUseSince(sets, now))
}

// TokenState tells what token of an integration this process has cached: each process fetches its own.
type TokenState struct {
	Held  bool      // a valid token is cached
	Until time.Time // its expiry; zero: none was told
}
