package dispatch

import (
	"strings"
	"time"
)

// Ending is how a login ended.
type Ending string

// The endings.
const (
	EndingNone      Ending = "" // it has not ended
	EndingLogout    Ending = "logout"
	EndingProvider  Ending = "provider"  // the login provider ended it
	EndingIdle      Ending = "idle"      // nobody used it
	EndingExpired   Ending = "expired"   // its time was up
	EndingRights    Ending = "rights"    // no right was left
	EndingElsewhere Ending = "elsewhere" // its owner ended it from another browser
	EndingAgain     Ending = "again"     // the same browser logged in again
)

// SignIn is one login: when, from where, how long, and how it ended.
type SignIn struct {
	User      UserID
	Session   string   // what the session is stored under
	Claims    []string // values of the rights claim
	Origin    string   // address that it came from
	Browser   Browser
	StartedAt time.Time
	SeenAt    time.Time // last use, to the minute
	EndedAt   time.Time // zero: it has not ended, or nobody noted it
	Ending    Ending
	Current   bool // it is the one that asks
}

// Until is when the login was used last, or ended.
func (s SignIn) Until() time.Time {
	if s.EndedAt.IsZero() || s.Ending == EndingIdle {
		return s.SeenAt
	}
	return s.EndedAt
}

// Browser is a family of browsers.
type Browser string

// The families that are told apart.
const (
	BrowserOther   Browser = "other"
	BrowserEdge    Browser = "edge"
	BrowserFirefox Browser = "firefox"
	BrowserChrome  Browser = "chrome"
	BrowserSafari  Browser = "safari"
)

// BrowserOf tells the family of a browser by how it calls itself. Most call themselves by others' names too, so the order
// counts.
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
