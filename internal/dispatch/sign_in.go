package dispatch

import (
	"strings"
	"time"
)

// Ending is how a login session ended.
type Ending string

// The endings.
const (
	EndingNone      Ending = "" // it has not ended
	EndingLogout    Ending = "logout"
	EndingProvider  Ending = "provider"  // the login provider ended it
	EndingIdle      Ending = "idle"      // it was not used
	EndingExpired   Ending = "expired"   // its maximum duration passed
	EndingRights    Ending = "rights"    // the user had no right left
	EndingElsewhere Ending = "elsewhere" // ended by the user from another browser
	EndingAgain     Ending = "again"     // the same browser logged in anew
)

// SignIn is one login: user, origin, duration and ending.
type SignIn struct {
	User      UserID
	Session   string   // key under which the session is stored
	Claims    []string // values of the rights claim
	Origin    string   // address of the client
	Browser   Browser
	StartedAt time.Time
	SeenAt    time.Time // last use, to the minute
	EndedAt   time.Time // zero: it has not ended, or the end was not recorded
	Ending    Ending
	Current   bool // it is the current session
}

// Until is when the login was last used, or ended.
func (s SignIn) Until() time.Time {
	if s.EndedAt.IsZero() || s.Ending == EndingIdle {
		return s.SeenAt
	}
	return s.EndedAt
}

// Browser is a browser family.
type Browser string

// The families that are distinguished.
const (
	BrowserOther   Browser = "other"
	BrowserEdge    Browser = "edge"
	BrowserFirefox Browser = "firefox"
	BrowserChrome  Browser = "chrome"
	BrowserSafari  Browser = "safari"
)

// BrowserOf returns the family by user agent. Most browsers name others too, so the order counts.
func BrowserOf(userAgent string) Browser {
	for _, b := range []struct {
		mark   string
		family Browser
	}{{"Edg", BrowserEdge}, {"Firefox/", BrowserFirefox}, {"FxiOS/", BrowserFirefox}, {"Chrome/", BrowserChrome}, {"CriOS/", BrowserChrome}, {"Safari/", BrowserSafari}} {
		if strings.Contains(userAgent, b.mark) {
			return b.family
		}
	}
	return BrowserOther
}
