package dispatch

import (
	"math"
	"time"
)

// Outcome is what one call that hands an item over came to (docs/delivery.md, Outcomes).
type Outcome string

// The five outcomes. An attempt without one is still running, or died.
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

// The decisions.
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

// StateAfter returns the state that an item's attempts imply, oldest first: any accepted one wins; else an unresolved
// uncertain one, whatever later attempts say; else the latest decides. Waiting outcomes mean queued.
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

// Overrules tells whether the state that the attempts imply may replace the item's own when an attempt ends. An answer
// that comes late is proof and counts, but never undoes what a person has started meanwhile, nor another call in progress
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

// Scope tells what a refusal concerns.
type Scope string

// The scopes of a refusal.
const (
	ScopeIntegration Scope = "integration"
	ScopeAccount     Scope = "account"
)

// Result is what an attempt came to, with what follows from it.
type Result struct {
	Outcome     Outcome
	Reason      Reason
	Fault       Fault // of a shipment that was rejected
	Answer      Answer
	UpstreamID  string
	Scope       Scope         // of a refusal, whether or not the refused call itself may have arrived
	Wait        time.Duration // before the next attempt, when unavailable
	NextCheck   time.Time     // first read of the status, when accepted with an id
	LookUpAfter time.Duration // before an uncertain shipment is looked up
	Window      time.Duration // before which "not there" proves nothing of an uncertain shipment
	Died        bool          // uncertain because we died: does not count against the integration
	Sent        time.Time     // when the last byte was let go; zero: never
}

// MayHaveArrived tells whether a call may have brought the message over although nobody said so. Every other outcome is
// proof that it did not, or did.
func (r Result) MayHaveArrived() bool { return r.Outcome == OutcomeUncertain }

// Decision is what a person decides about an uncertain item.
type Decision string

// The decisions.
const (
	DecisionSent      Decision = "sent"       // it came through
	DecisionSendAgain Decision = "send_again" // it did not, or a second one does no harm: send it again
	DecisionDrop      Decision = "drop"       // leave it unsent
)

// Known tells whether the decision is one of ours.
func (d Decision) Known() bool {
	return d == DecisionSent || d == DecisionSendAgain || d == DecisionDrop
}

// Resolution returns what the decision says about the uncertain attempts.
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

// RetryWait returns how long to wait after the n-th attempt in a row (from 1) that found the service unavailable:
// n⁴ seconds ± 10 % by jitter, a number from 0 to 1; never over an hour.
func RetryWait(n int, jitter float64) time.Duration {
	const spread = 0.1
	seconds := math.Min(math.Pow(float64(max(n, 1)), 4), time.Hour.Seconds()/(1+spread))
	return time.Duration(seconds * (1 - spread + 2*spread*jitter) * float64(time.Second))
}
