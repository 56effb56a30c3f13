package dispatch

import "time"

// Watch is a question of a team lead whose answer depends on the time, and that a list can be filtered by.
type Watch string

// The questions.
const (
	WatchFailed Watch = "failed" // what has failed, or may have, since yesterday began, and is not put right
	WatchUnread Watch = "unread" // what lies unread in Altinn past the service's reading deadline
	WatchQueued Watch = "queued" // what is due and has not been handed over
)

// Watches returns all questions.
func Watches() []Watch { return []Watch{WatchFailed, WatchUnread, WatchQueued} }

// WatchAt returns the time that decides a question now: what failed then or later, was notified then or earlier, or was due then
// or earlier.
func (a Account) WatchAt(w Watch, now time.Time) time.Time {
	switch w {
	case WatchFailed:
		return startOfDay(now).AddDate(0, 0, -1)
	case WatchUnread:
		return a.UnreadSince(now)
	case WatchQueued:
		return now
	}
	return time.Time{}
}

// Waits is how many wait in one place, and since when.
type Waits struct {
	N     int
	Above bool // there are more than N
	Since time.Time
}

// Standing is what a team lead asks first of an account: where something is wrong or waits now.
type Standing struct {
	Failed     Waits // see WatchFailed; since the first of them
	FailedOpen int   // those that nobody has marked as followed up
	Sought     int   // uncertain since the same time, and looked for by the program: not among Failed until it gives up
	Unread     Waits // see WatchUnread; the oldest by when it was sent
	SMS        Waits // see WatchQueued
	Shipments  Waits // the same
	Uncertain  Waits // of any age
	Silent     Waits // at the service, and no news for long
	Missing    Waits // at the service, which does not know them
	Ready      Waits // in a receiving organisation's system, unread, for the service without a limit in time
	Approvals  Waits // for somebody to approve them
}

// Due is the sum of what is due of SMS and shipments. If the count of either stops at its limit, so does the sum.
func (s Standing) Due() Waits {
	w := Waits{N: s.SMS.N + s.Shipments.N, Above: s.SMS.Above || s.Shipments.Above, Since: s.SMS.Since}
	if w.Above {
		w.N = max(s.SMS.N, s.Shipments.N)
	}
	if w.Since.IsZero() || !s.Shipments.Since.IsZero() && s.Shipments.Since.Before(w.Since) {
		w.Since = s.Shipments.Since
	}
	return w
}
