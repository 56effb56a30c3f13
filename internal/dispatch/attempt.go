package dispatch

import (
	"math"
	"time"
)

// Outcome is the result of one call that hands an item over (docs/delivery.md, Outcomes).
type Outcome string

// The five outcomes. An attempt without one is still running, or its process died.
const (
	OutcomeNone        Outcome = ""
	OutcomeAccepted    Outcome = "accepted"
	OutcomeRejected    Outcome = "rejected"
	OutcomeUnavailable Outcome = "unavailable"
	OutcomeRefused     Outcome = "refused"
	OutcomeUncertain   Outcome = "uncertain"
)

// Resolution is what a person decided about an uncertain attempt.
type Resolution string

// The resolutions.
const (
	ResolutionNone    Resolution = ""
	ResolutionSent    Resolution = "sent"     // it came through: treat as accepted
	ResolutionNotSent Resolution = "not_sent" // it did not: it may be sent again, or be left
)

// Attempt is one call that hands an item over: written before the call, completed after it.
type Attempt struct {
	ID         AttemptID
	StartedAt  time.Time
	FinishedAt time.Time
	Outcome    Outcome
	Reason     Reason
	UpstreamID string
	Resolution Resolution
}

// StateAfter derives an item's state from its attempts, oldest first: an accepted one wins; else an unresolved
// uncertain one, whatever later attempts say; else the latest decides. Unavailable and refused mean queued.
func StateAfter(attempts []Attempt) State {
	state := StateQueued
	for _, a := range attempts {
		if a.Outcome == OutcomeAccepted || a.Outcome == OutcomeUncertain && a.Resolution == ResolutionSent {
			return StateAccepted
		}
	}
	for _, a := range attempts {
		if a.Outcome == OutcomeUncertain && a.Resolution == ResolutionNone {
			return StateUncertain
		}
		if a.Outcome == OutcomeRejected {
			state = StateRejected
		} else {
			state = StateQueued
		}
	}
	return state
}

// Overrules tells whether the state implied by the attempts may replace the item's own when an attempt ends. A late
// answer is proof and counts, but never undoes what a person has started meanwhile, nor another call in progress
// (mine is false when the lease was lost).
func Overrules(implied, current State, mine bool) bool {
	switch current {
	case StateSending:
		return mine || implied == StateAccepted
	case StateUncertain, StateAccepted:
		return true
	}
	return implied == StateAccepted
}

// Scope tells what a refusal applies to.
type Scope string

// The scopes of a refusal.
const (
	ScopeIntegration Scope = "integration"
	ScopeAccount     Scope = "account"
)

// Result is an attempt's outcome with its consequences.
type Result struct {
	Outcome     Outcome
	Reason      Reason
	Fault       Fault // of a shipment that was rejected
	Answer      Answer
	UpstreamID  string
	Scope       Scope         // of a refusal, whether or not the refused call may have arrived
	Wait        time.Duration // before the next attempt, when unavailable
	NextCheck   time.Time     // first read of the status, when accepted with an id
	LookUpAfter time.Duration // before an uncertain shipment is looked up
	Window      time.Duration // how long a look-up that finds nothing proves nothing, since the service may still be processing
	Died        bool          // uncertain because our process died: does not count against the integration
	Sent        time.Time     // when the last byte was written; zero: never
}

// MayHaveArrived tells whether the message may or may not have been sent. Every other outcome is proof.
func (r Result) MayHaveArrived() bool { return r.Outcome == OutcomeUncertain }

// Decision is a person's decision about an uncertain item.
type Decision string

// The decisions.
const (
	DecisionSent      Decision = "sent"       // it arrived
	DecisionSendAgain Decision = "send_again" // it did not arrive, or a second one does no harm
	DecisionDrop      Decision = "drop"       // leave it unsent
)

// Known tells whether the decision is one of ours.
func (d Decision) Known() bool {
	return d == DecisionSent || d == DecisionSendAgain || d == DecisionDrop
}

// Resolution returns the resolution of the uncertain attempts that the decision implies.
func (d Decision) Resolution() Resolution {
	if d == DecisionSent {
		return ResolutionSent
	}
	return ResolutionNotSent
}

// State returns the state that the decision leads to.
func (d Decision) State() State {
	switch d {
	case DecisionSent:
		return StateAccepted
	case DecisionSendAgain:
		return StateQueued
	}
	return StateCancelled
}

// RetryWait returns the backoff after the n-th attempt in a row (from 1) that found the service unavailable: n⁴
// seconds ± 10 % by jitter, a number from 0 to 1; at most an hour.
func RetryWait(n int, jitter float64) time.Duration {
	const spread = 0.1
	seconds := math.Min(math.Pow(float64(max(n, 1)), 4), time.Hour.Seconds()/(1+spread))
	return time.Duration(seconds * (1 - spread + 2*spread*jitter) * float64(time.Second))
}
