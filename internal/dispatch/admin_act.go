package dispatch

import (
	"maps"
	"time"
)

// AdminAct is an act of administrators that is asked about on a page of its own, with its effect.
type AdminAct string

// The acts.
const (
	ActPause             AdminAct = "pause"              // all delivery
	ActStop              AdminAct = "stop"               // an integration
	ActOpen              AdminAct = "open"               // a stopped integration
	ActDelete            AdminAct = "delete"             // an unused integration
	ActRemoveCertificate AdminAct = "remove_certificate" // of an integration's service
	ActWipe              AdminAct = "wipe"               // a set of credentials
	ActDisable           AdminAct = "disable"            // an account
	ActRemoveRight       AdminAct = "remove_right"
	ActRetention         AdminAct = "retention" // shorter
)

// NeedsSecond tells whether another administrator must approve the act. Environment is that of the integration that it
// concerns; one that is not known counts as production. What must be possible at once, to stop and to wipe what has leaked,
// never waits for another.
func (a AdminAct) NeedsSecond(e Environment) bool {
	switch a {
	case ActDelete, ActRetention:
		return true
	case ActOpen:
		return e != EnvironmentTest
	}
	return false
}

// Right is the right that doing and approving the act requires.
func (a AdminAct) Right() Right {
	switch a {
	case ActPause, ActStop, ActOpen:
		return RightOperate
	}
	return RightAdminister
}

// ParseActReason parses the reason for an act, and for a protection. It is logged, so it must not hold numbers.
func ParseActReason(typed string) (string, *Problem) { return parseWhy(whyAct, typed) }

// FieldEffect is the place of problems with the act itself.
const FieldEffect = "virkning"

// ActRequestLife is how long an act waits for another administrator: over a weekend.
const ActRequestLife = 72 * time.Hour

// ActRequestID names a request.
type ActRequestID string

// ActRequestState is what became of a request.
type ActRequestState string

// The states of a request. One that has waited too long is expired.
const (
	ActWaiting   ActRequestState = "waiting"
	ActApproved  ActRequestState = "approved"
	ActRefused   ActRequestState = "refused"
	ActWithdrawn ActRequestState = "withdrawn"
	ActExpired   ActRequestState = "expired"
)

// ActRequest is an act that one administrator has asked for, and another one decides about.
type ActRequest struct {
	ID            ActRequestID
	Act           AdminAct
	Object        IntegrationID // empty: the whole system
	Name          string        // of the object, as it was
	Seen          string        // the object's state for which it was asked
	Before, After Retention     // of ActRetention
	Reason        string
	State         ActRequestState
	AskedBy       UserID
	Asker         string
	AskedAt       time.Time
	ExpiresAt     time.Time
	Decider       string
	DecidedAt     time.Time
}

// Waiting tells whether the request can still be decided.
func (r ActRequest) Waiting(now time.Time) bool {
	return r.State == ActWaiting && now.Before(r.ExpiresAt)
}

// MayDecide tells whether the user may approve or refuse it: somebody else's, with the act's right.
func (r ActRequest) MayDecide(u User, now time.Time) bool {
	return r.Waiting(now) && r.AskedBy != u.ID && u.MaySystem(r.Act.Right())
}

// MayWithdraw tells whether the user may take it back: who asked.
func (r ActRequest) MayWithdraw(u User, now time.Time) bool {
	return r.Waiting(now) && r.AskedBy == u.ID
}

// Changed returns the times in force with those that the request changes. It is false when one of these is no longer as it was
// when the request was made, or the times no longer fit together.
func (r ActRequest) Changed(now Retention) (Retention, bool) {
	changed := maps.Clone(now)
	for _, k := range Keepings() {
		if r.After[k] == r.Before[k] {
			continue
		}
		if now[k] != r.Before[k] {
			return now, false
		}
		changed[k] = r.After[k]
	}
	return changed, len(changed.Validate()) == 0
}

// Overtaken tells whether the request can no longer be approved because what it concerns changed before a new request for the same.
func (r ActRequest) Overtaken(by ActRequest) bool {
	switch r.Act {
	case ActRetention:
		_, ok := r.Changed(by.Before)
		return !ok
	case ActOpen:
		return r.Seen != by.Seen
	}
	return false
}

// Longest is the longer time of each category.
func (r Retention) Longest(o Retention) Retention {
	longest := maps.Clone(r)
	for k, days := range o {
		longest[k] = max(longest[k], days)
	}
	return longest
}

// Shortens tells whether anything is kept for a shorter time than before.
func (r Retention) Shortens(before Retention) bool {
	for _, k := range Keepings() {
		if r[k] < before[k] {
			return true
		}
	}
	return false
}
