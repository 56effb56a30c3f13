package dispatch

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// AlarmKind is what leads and operators are told of at once.
type AlarmKind string

// The kinds.
const (
	AlarmStopped     AlarmKind = "stopped"     // an integration is stopped, by a person or after uncertain answers
	AlarmRefused     AlarmKind = "refused"     // a service refuses the credentials
	AlarmFallback    AlarmKind = "fallback"    // a service refuses the credentials in use, and others are used instead
	AlarmPaused      AlarmKind = "paused"      // delivery is paused
	AlarmQueue       AlarmKind = "queue"       // due items are not handed over
	AlarmFailing     AlarmKind = "failing"     // much of what an account has just sent fails
	AlarmProtected   AlarmKind = "protected"   // somebody opened a message to a protected person today
	AlarmCredentials AlarmKind = "credentials" // credentials end soon
	AlarmCertificate AlarmKind = "certificate" // the certificate for encrypted files ends soon
)

// AlarmKinds returns all kinds.
func AlarmKinds() []AlarmKind {
	return []AlarmKind{AlarmPaused, AlarmStopped, AlarmRefused, AlarmFallback, AlarmQueue, AlarmFailing, AlarmProtected, AlarmCredentials, AlarmCertificate}
}

// Ends tells whether the end of such a condition is news too. A deadline only comes closer, and what was opened stays so.
func (k AlarmKind) Ends() bool {
	return k != AlarmCredentials && k != AlarmCertificate && k != AlarmProtected
}

// LeadsOnly tells whether it concerns an account's leads alone, and no operator.
func (k AlarmKind) LeadsOnly() bool { return k == AlarmProtected }

const (
	// QueueStands is how long a due item may wait for its hand-over before somebody is told.
	QueueStands = 15 * time.Minute
	// An account's items made within FailingSpan raise an alarm if at least FailingLeast of them, and FailingPercent per cent, failed,
	// unless the account has a FailingRule of its own.
	FailingSpan    = 2 * time.Hour
	FailingLeast   = 10
	FailingPercent = 20
	// AlarmRest is how long a condition must be gone before it counts as over: one that comes and goes is told once.
	AlarmRest = 10 * time.Minute
)

// Condition is a state of affairs that an alarm is about.
type Condition struct {
	Kind        AlarmKind
	Integration IntegrationID
	Account     AccountID
	Figure      int       // days left, minutes waited, or percent that fails
	Step        string    // of a deadline: which one, and how close
	Since       time.Time // when it began, where that is known
	Kept        bool      // an alarm that is open goes on, and none begins: its cause has been told, or nobody is concerned
	Unused      bool      // no account uses the integration
}

// Key identifies a condition as long as it lasts.
func (c Condition) Key() string {
	return fmt.Sprintf("%s/%s%s/%s", c.Kind, c.Integration, c.Account, c.Step)
}

// Alarm is a condition that began, and has perhaps ended.
type Alarm struct {
	ID string
	Condition
	Name  string // of the integration or the account
	Began time.Time
	Seen  time.Time // when the condition was last found, or when a person or a delivery ended it
	Ended time.Time // zero: it lasts
}

// Told is the end of the catalogue key of the alarm's sentence: its kind, and of what ends, whether that is today or is past.
func (a Alarm) Told() string {
	if a.Kind != AlarmCredentials && a.Kind != AlarmCertificate || a.Figure > 0 {
		return string(a.Kind)
	}
	if strings.HasSuffix(a.Step, "/0") {
		return string(a.Kind) + ".over"
	}
	return string(a.Kind) + ".today"
}

// Lasts tells whether the condition still holds.
func (a Alarm) Lasts() bool { return a.Ended.IsZero() }

// deadlineDays are the days before an end at which somebody is told, the last first; 0: it is over.
var deadlineDays = []int{0, 1, 7, 30, 60}

// Deadline tells which of the days 60, 30, 7, 1 and 0 before an end has come, and how many days of the calendar are left.
func Deadline(end, now time.Time) (step, left int, ok bool) {
	remaining := end.Sub(now)
	for _, days := range deadlineDays {
		if remaining <= time.Duration(days)*24*time.Hour {
			return days, max(DaysUntil(end, now), 0), true
		}
	}
	return 0, 0, false
}

// FailingRule is when so much of what an account has just made fails that somebody is told; where it says 0, the installation's
// FailingLeast and FailingPercent hold.
type FailingRule struct{ Least, Percent int }

// Whole returns the rule with the installation's values where it has none.
func (r FailingRule) Whole() FailingRule {
	return FailingRule{cmp.Or(r.Least, FailingLeast), cmp.Or(r.Percent, FailingPercent)}
}

// Fails tells whether so much fails that somebody is told, and in percent.
func (r FailingRule) Fails(made, failed int) (percent int, much bool) {
	r = r.Whole()
	if failed < r.Least {
		return 0, false
	}
	percent = failed * 100 / max(made, failed)
	return percent, percent >= r.Percent
}

// failingLeastMost is the largest number of failures that a rule may wait for.
const failingLeastMost = 10_000

// Validate returns the problems that keep a rule from being saved.
func (r FailingRule) Validate() (ps Problems) {
	if r.Least < 0 || r.Least > failingLeastMost {
		ps.add(&Problem{Field: FieldFailingLeast, Key: "problem.failing.least"})
	}
	if r.Percent < 0 || r.Percent > 100 {
		ps.add(&Problem{Field: FieldFailingPercent, Key: "problem.failing.percent"})
	}
	return ps
}

// Digests tells whether the digests of today are due, on which day in Oslo, and until when they are news: on working days
// from half past seven until noon.
func Digests(now time.Time) (day, until time.Time, due bool) {
	now = now.In(Oslo)
	y, m, d := now.Date()
	day, until = time.Date(y, m, d, 0, 0, 0, 0, time.UTC), time.Date(y, m, d, 12, 0, 0, 0, Oslo)
	return day, until, Workday(now) && !now.Before(time.Date(y, m, d, 7, 30, 0, 0, Oslo)) && now.Before(until)
}

// DigestSince returns the time of the digest on the working day before: later failures are new.
func DigestSince(day time.Time) time.Time {
	y, m, d := day.Date()
	for d--; !Workday(time.Date(y, m, d, 12, 0, 0, 0, Oslo)); d-- {
	}
	return time.Date(y, m, d, 7, 30, 0, 0, Oslo)
}

// Digest is what somebody has to follow up on an account.
type Digest struct {
	Account Account
	Failed  int // new since the last working day: failures of what they sent
	Open    int // open follow-ups of what they sent or have taken
	Due     int // of these, with a date that has come
	Others  int // open ones of absent colleagues whom they stand in for
}

// Nothing tells whether there is nothing to tell.
func (d Digest) Nothing() bool { return d.Open == 0 && d.Others == 0 }

// DigestMost bounds what a digest counts; above it says "more than".
const DigestMost = 1000
