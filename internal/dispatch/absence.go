package dispatch

import "time"

// Absence is somebody's absence from an account.
type Absence struct {
	User       UserID
	Name       string
	Deputy     UserID // the stand-in; empty: none
	DeputyName string
	Until      time.Time // the last day, at midnight in Oslo
}

// The fields of an absence's form.
const (
	FieldAway      = "hvem"
	FieldAwayUntil = "til-og-med"
	FieldDeputy    = "stedfortreder"
)

// absenceLongest is how far ahead an absence may end.
const absenceLongest = 366

// ParseAbsence reads the last day of an absence, and refuses one in the past or more than a year ahead.
func ParseAbsence(typed string, now time.Time) (time.Time, *Problem) {
	day, ok := ParseDay(typed)
	y, m, d := now.In(Oslo).Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, Oslo)
	switch {
	case typed == "":
		return day, &Problem{Field: FieldAwayUntil, Key: "problem.absence.until"}
	case !ok:
		return day, DayProblem(FieldAwayUntil, typed)
	case day.Before(today):
		return day, &Problem{Field: FieldAwayUntil, Key: "problem.absence.past"}
	case day.After(today.AddDate(0, 0, absenceLongest)):
		return day, &Problem{Field: FieldAwayUntil, Key: "problem.absence.long"}
	}
	return day, nil
}

// HandOverCounts is what somebody has open on an account.
type HandOverCounts struct {
	FollowUps int // open ones of what they sent or have taken
	Drafts    int // of SMS and shipments, to one and to many; not those that wait for approval
}

// None tells whether there is nothing.
func (h HandOverCounts) None() bool { return h.FollowUps == 0 && h.Drafts == 0 }
