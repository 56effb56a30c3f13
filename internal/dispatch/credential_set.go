package dispatch

import "time"

// CredentialID names one set of credentials.
type CredentialID string

// CredentialState is where a set of credentials is in its life.
type CredentialState string

// The states. A set begins as active, or as next until its switch time; what it replaces is kept as a fallback.
const (
	CredentialNext     CredentialState = "next"
	CredentialActive   CredentialState = "active"
	CredentialRetiring CredentialState = "retiring"
	CredentialWiped    CredentialState = "wiped"
)

// CredentialSet is all that may be shown of one set of credentials.
type CredentialSet struct {
	ID         CredentialID
	State      CredentialState
	Method     AuthMethod
	CreatedAt  time.Time
	CreatedBy  string    // name of who entered it; empty: the program
	SwitchAt   time.Time // when a next set takes over
	ExpiresAt  time.Time // zero: not known
	ReplacedAt time.Time
	WipedAt    time.Time
	Refusal    Reason // why another set is tried instead; zero: it is not
}

// ExpiryWarning is how long before its end a set of credentials is warned about.
const ExpiryWarning = 30 * 24 * time.Hour

// Expiring tells whether the set is used or about to be, and ends soon, and in how many whole days.
func (c CredentialSet) Expiring(now time.Time) (days int, soon bool) {
	if c.ExpiresAt.IsZero() || c.State != CredentialActive && c.State != CredentialNext {
		return 0, false
	}
	left := c.ExpiresAt.Sub(now)
	return max(int(left/(24*time.Hour)), 0), left <= ExpiryWarning
}
