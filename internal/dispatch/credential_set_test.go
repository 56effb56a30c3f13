package dispatch

import (
	"testing"
	"time"
)

// TestUsedSet: a set that the service refuses is not the one in use while there is another.
func TestUsedSet(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	set := func(id CredentialID, s CredentialState, refused bool, switchAt time.Time) CredentialSet {
		c := CredentialSet{ID: id, State: s, SwitchAt: switchAt}
		if refused {
			c.Refusal.At = now
		}
		return c
	}
	active, refused, retiring := set("a", CredentialActive, false, time.Time{}), set("a", CredentialActive, true, time.Time{}), set("r", CredentialRetiring, false, time.Time{})
	wiped, later, due := set("w", CredentialWiped, false, time.Time{}), set("n", CredentialNext, false, now.Add(time.Hour)), set("n", CredentialNext, false, now)
	for name, tt := range map[string]struct {
		sets []CredentialSet
		want CredentialID
		back bool // because another is refused
		more bool // another is used if this is refused
	}{
		"the active one": {[]CredentialSet{later, active, retiring, wiped}, "a", false, true}, "the former while it is refused": {[]CredentialSet{later, refused, retiring, wiped}, "r", true, true},
		"the next before its time": {[]CredentialSet{later, refused}, "n", true, false}, "the next at its time": {[]CredentialSet{due, active}, "n", false, true},
		"none": {[]CredentialSet{refused, wiped}, "", false, false}, "the newest of two": {[]CredentialSet{set("1", CredentialRetiring, false, time.Time{}), retiring}, "1", false, true},
		"the active one beside a former that is refused": {[]CredentialSet{set("1", CredentialRetiring, true, time.Time{}), active}, "a", false, false},
	} {
		if got := UsedSet(tt.sets, now); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
		if got := FallenBack(tt.sets, now); got != tt.back {
			t.Errorf("%s: used because another is refused: %t", name, got)
		}
		if got := HasReserve(tt.sets, now); got != tt.more {
			t.Errorf("%s: another is in reserve: %t", name, got)
		}
	}
}
