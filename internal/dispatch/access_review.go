package dispatch

import "time"

// Holding is a role that a value of the rights claim gives on an account or in the whole system, with one person
// whose latest login had the value.
type Holding struct {
	Claim   string
	Account Account // zero: the whole system
	Role    Role
	GivenAt time.Time // when the value began to give the role
	Person  string    // empty: nobody has logged in with the value
	LoginAt time.Time // their latest login
	ActAt   time.Time // their latest act there other than logging in or out; zero: none
}

// Unused tells whether nobody with the claim value has acted there, or logged in, for half a year.
func (h Holding) Unused(now time.Time) bool {
	used := h.ActAt
	if h.LoginAt.Before(used) {
		used = h.LoginAt
	}
	if used.Before(h.GivenAt) {
		used = h.GivenAt
	}
	return reviewDue(used).Before(now)
}

// AccessReview is a signed-off review of all roles.
type AccessReview struct {
	At     time.Time
	By     string // name
	People int    // people who had a role then
	Note   string
}

func reviewDue(t time.Time) time.Time { return t.AddDate(0, 6, 0) }

// ReviewDue is when the next review is due after this one; at once after none.
func (r AccessReview) ReviewDue() time.Time {
	if r.At.IsZero() {
		return time.Time{}
	}
	return reviewDue(r.At)
}

// Overdue tells whether the next review should have been made by now.
func (r AccessReview) Overdue(now time.Time) bool { return r.ReviewDue().Before(now) }

// MaxReviewNote bounds the note of a review.
const MaxReviewNote = 2000
