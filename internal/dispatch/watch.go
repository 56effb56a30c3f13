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
