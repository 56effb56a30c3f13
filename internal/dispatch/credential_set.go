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
	ID         CredentialID
	State      CredentialState
	Method     AuthMethod
	CreatedAt  time.Time
	CreatedBy  string    // name; empty: the program
	SwitchAt   time.Time // when a next set takes over
	ExpiresAt  time.Time // zero: not known
	ReplacedAt time.Time
	WipedAt    time.Time
	Refusal    Reason // by the service: another set is tried instead; zero: none
}

// MethodFor returns the authentication method with a kind of integration.
func (c CredentialSet) MethodFor(kind IntegrationKind) AuthMethod {
	return Credentials{Method: c.Method}.MethodFor(kind)
}

// UsedSet returns the set that is logged in with now, of those that are not refused: as the store orders them. Empty: none.
func UsedSet(sets []CredentialSet, now time.Time) (used CredentialID) {
	best := 4
	for _, c := range sets { // newest first
		rank := 3
		switch {
		case c.State == CredentialWiped || !c.Refusal.At.IsZero():
			continue
		case c.State == CredentialNext && !c.SwitchAt.After(now):
			rank = 0
		case c.State == CredentialActive:
			rank = 1
		case c.State == CredentialRetiring:
			rank = 2
		}
		if rank < best {
			best, used = rank, c.ID
		}
	}
	return used
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
