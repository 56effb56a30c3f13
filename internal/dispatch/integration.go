package dispatch

import "time"

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
