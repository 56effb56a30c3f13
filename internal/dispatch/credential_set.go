package dispatch

import "time"

// CredentialID names one set of credentials.
type CredentialID string

// CredentialState is a step in the life cycle of a credential set.
type CredentialState string

// The states. A set begins as active, or as next until its switch time; the set that it replaces stays as a fallback.
const (
	CredentialNext     CredentialState = "next"
	CredentialActive   CredentialState = "active"
	CredentialRetiring CredentialState = "retiring"
	CredentialWiped    CredentialState = "wiped"
)

// CredentialSet is the part of a credential set that may be shown.
type CredentialSet struct {
	ID          CredentialID
	State       CredentialState
	Method      AuthMethod
	CreatedAt   time.Time
	CreatedBy   string    // name; empty: the program
	SwitchAt    time.Time // when a next set takes over
	ExpiresAt   time.Time // zero: not known
	ReplacedAt  time.Time
	WipedAt     time.Time
	WorkedAt    time.Time // when the service last accepted something with it; zero: never, or it has refused it since
	DeniedAt    time.Time // when the service last refused something sent with it; zero: it never did, or it has worked since
	TriedAt     time.Time // last trial by an administrator (see Trial)
	TriedFailed TrialStep // the failed step of that trial; empty: none
	Refusal     Reason    // by the service: another set is tried instead; zero: none
}

// Health returns the state of a set by the newest of its trial, its last acceptance and its last refusal: failed, denied, untried or working.
func (c CredentialSet) Health() IntegrationState {
	tried := c.TriedAt.After(c.WorkedAt) && c.TriedAt.After(c.DeniedAt)
	switch {
	case tried && c.TriedFailed != "":
		return IntegrationFailed
	case !c.DeniedAt.IsZero() && !tried:
		return IntegrationDenied
	case c.WorkedAt.IsZero() && c.TriedAt.IsZero():
		return IntegrationUntried
	}
	return IntegrationWorking
}

// LastTried returns the set that an administrator tried last; zero: none was.
func LastTried(sets []CredentialSet) (last CredentialSet) {
	for _, c := range sets {
		if c.TriedAt.After(last.TriedAt) {
			last = c
		}
	}
	return last
}

// MethodFor returns the authentication method with a kind of integration.
func (c CredentialSet) MethodFor(kind IntegrationKind) AuthMethod {
	return Credentials{Method: c.Method}.MethodFor(kind)
}

// UsedSet returns the set that is logged in with now, of those that are not refused: as the store orders them. Empty: none.
func UsedSet(sets []CredentialSet, now time.Time) CredentialID {
	return firstSet(sets, now, func(c CredentialSet) bool { return c.Refusal.At.IsZero() })
}

// NextSet returns the set that is to take over at its time; zero: none is.
func NextSet(sets []CredentialSet, now time.Time) CredentialSet {
	for _, c := range sets {
		if c.State == CredentialNext && c.SwitchAt.After(now) {
			return c
		}
	}
	return CredentialSet{}
}

// HasReserve tells whether another set is used if the service refuses the one in use.
func HasReserve(sets []CredentialSet, now time.Time) bool {
	used := UsedSet(sets, now)
	return firstSet(sets, now, func(c CredentialSet) bool { return c.Refusal.At.IsZero() && c.ID != used }) != ""
}

// FallenBack tells whether a set is used only because the service refuses the one that would be used else.
func FallenBack(sets []CredentialSet, now time.Time) bool {
	return !FallenBackSince(sets, now).IsZero()
}

// FallenBackSince returns when the service refused the set that would be used else than the one that is. Zero: that one is used, or none.
func FallenBackSince(sets []CredentialSet, now time.Time) time.Time {
	used := UsedSet(sets, now)
	first := firstSet(sets, now, func(CredentialSet) bool { return true })
	if used == "" || used == first {
		return time.Time{}
	}
	return SetOf(sets, first).Refusal.At
}

// InUseSince returns since when the set that is used has been: since it was entered, or took over from another. Zero: none is used.
func InUseSince(sets []CredentialSet, now time.Time) (since time.Time) {
	used := UsedSet(sets, now)
	if used == "" {
		return since
	}
	for _, c := range sets {
		from := c.ReplacedAt
		switch {
		case c.ID == used:
			from = c.CreatedAt
			if c.State == CredentialNext && c.SwitchAt.Before(now) {
				from = c.SwitchAt
			}
		case !c.Refusal.At.IsZero() && c.Refusal.At.Before(from):
			from = c.Refusal.At // since then another was used
		}
		if from.After(since) {
			since = from
		}
	}
	return since
}

// firstSet returns the first of some sets in the order in which they are used. Empty: none.
func firstSet(sets []CredentialSet, now time.Time, among func(CredentialSet) bool) (first CredentialID) {
	best := 4
	for _, c := range sets { // newest first
		rank := 3
		switch {
		case c.State == CredentialWiped || !among(c):
			continue
		case c.State == CredentialNext && !c.SwitchAt.After(now):
			rank = 0
		case c.State == CredentialActive:
			rank = 1
		case c.State == CredentialRetiring:
			rank = 2
		}
		if rank < best {
			best, first = rank, c.ID
		}
	}
	return first
}

// ExpiryWarning is how long before its end a set of credentials is warned about.
const ExpiryWarning = 30 * 24 * time.Hour

// Expiring tells in how many days a current or next set expires, and whether that is soon.
func (c CredentialSet) Expiring(now time.Time) (days int, soon bool) {
	if c.ExpiresAt.IsZero() || c.State != CredentialActive && c.State != CredentialNext {
		return 0, false
	}
	return max(DaysUntil(c.ExpiresAt, now), 0), c.ExpiresAt.Sub(now) <= ExpiryWarning
}
