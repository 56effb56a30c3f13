package dispatch

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Fields of the time to send; the form uses the same names.
const (
	FieldSendDay  = "dag"
	FieldSendTime = "klokkeslett"
	FieldUrgent   = "haster"

	FieldNextWorkday = "virkedag" // of the button that plans for the next working day; its value is the day and time it shows
)

// MaxAhead is how far ahead sending can be scheduled.
const MaxAhead = 365 * 24 * time.Hour

// Daytime is the time of day in which an account sends, in minutes in Oslo; To is exclusive, and both 0 are the whole day. It
// may be restricted to working days. The zero value is always.
type Daytime struct {
	From, To int
	Workdays bool
}

const dayMinutes = 24 * 60

// Always tells whether sending is not restricted.
func (d Daytime) Always() bool { return d == Daytime{} }

// valid tells whether the window opens before it closes, on the same day.
func (d Daytime) valid() bool {
	return d.AllDay() || 0 <= d.From && d.From < d.To && d.To <= dayMinutes
}

// AllDay tells whether the hours of the day are not restricted.
func (d Daytime) AllDay() bool { return d.From == 0 && d.To == 0 }

// open tells whether the hours include a minute of the day.
func (d Daytime) open(minute int) bool { return d.AllDay() || d.From <= minute && minute < d.To }

// on tells whether the account sends on a day.
func (d Daytime) on(day time.Time) bool { return !d.Workdays || Workday(day) }

// Next returns the first moment from t on that is within the window. Of a day it passes over, it waits until eight on the next one
// where the hours are not restricted: midnight is no time to wake people.
func (d Daytime) Next(t time.Time) time.Time {
	day, minute := t.In(Oslo), minuteOfDay(t)
	switch {
	case d.on(day) && d.open(minute):
		return t
	case d.on(day) && minute < d.From:
		return wall(day, d.From)
	}
	for day = day.AddDate(0, 0, 1); !d.on(day); {
		day = day.AddDate(0, 0, 1)
	}
	return wall(day, d.begins())
}

// begins is when the day begins, in minutes.
func (d Daytime) begins() int {
	if d.AllDay() {
		return workdayBegins
	}
	return d.From
}

// ClockText formats a time of day: "08.00".
func ClockText(minutes int) string {
	return time.Date(2000, 1, 1, 0, minutes, 0, 0, time.UTC).Format("15.04")
}

// ParseClock parses a time of day: "8", "08.00", "8:30", "0830", and "24.00" for the end of the day.
func ParseClock(typed string) (minutes int, ok bool) {
	s := strings.ReplaceAll(strings.TrimSpace(typed), ":", ".")
	h, m, split := strings.Cut(s, ".")
	if !split && len(s) == 4 {
		h, m = s[:2], s[2:]
	} else if !split {
		m = "00"
	}
	if !allDigits(h) || !allDigits(m) || len(h) > 2 || len(m) != 2 {
		return 0, false
	}
	hours, _ := strconv.Atoi(h)     // digits
	minutesOf, _ := strconv.Atoi(m) // digits
	minutes = hours*60 + minutesOf
	return minutes, minutesOf < 60 && minutes <= dayMinutes
}

// dayForms are the accepted formats of a day.
var dayForms = []string{"2.1.2006", "2.1.06", "02012006", "2006-01-02"}

// ParseDay parses a day, in Oslo.
func ParseDay(typed string) (time.Time, bool) {
	for _, form := range dayForms {
		if t, err := time.ParseInLocation(form, strings.TrimSpace(typed), Oslo); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// DayProblem says why ParseDay refused a day: it is written in another form, or the date does not exist.
func DayProblem(field, typed string) *Problem {
	for _, form := range dayForms {
		var wrong *time.ParseError
		if _, err := time.Parse(form, strings.TrimSpace(typed)); errors.As(err, &wrong) && strings.HasSuffix(wrong.Message, "out of range") {
			return &Problem{Field: field, Key: "problem.date.none"}
		}
	}
	return &Problem{Field: field, Key: "problem.date"}
}

// ParseSendAt parses the time to send. Both empty means now, the zero time. A time that daylight saving skips is a
// problem; of a time that occurs twice, the first that is still ahead is taken.
func ParseSendAt(day, clock string, now time.Time) (time.Time, Problems) {
	day, clock = strings.TrimSpace(day), strings.TrimSpace(clock)
	if day == "" && clock == "" {
		return time.Time{}, nil
	}
	date, minutes, ps := parseMoment(day, clock)
	if len(ps) > 0 {
		return time.Time{}, ps
	}
	at := wall(date, minutes)
	if second := at.Add(time.Hour); !at.After(now) && shows(second, minutes) {
		at = second
	}
	switch {
	case !shows(at, minutes):
		return time.Time{}, Problems{{Field: FieldSendTime, Key: "problem.send_time.skipped"}}
	case !at.After(now):
		return time.Time{}, Problems{{Field: FieldSendDay, Key: "problem.send_at.past"}}
	case at.Sub(now) > MaxAhead:
		return time.Time{}, Problems{{Field: FieldSendDay, Key: "problem.send_at.far"}}
	}
	return at, nil
}

// parseMoment parses the day and the time of day to send, with the problems of both.
func parseMoment(day, clock string) (date time.Time, minutes int, ps Problems) {
	date, dayOK := ParseDay(day)
	switch {
	case day == "":
		ps.add(&Problem{Field: FieldSendDay, Key: "problem.send_day.empty"})
	case !dayOK:
		ps.add(DayProblem(FieldSendDay, day))
	}
	minutes, clockOK := ParseClock(clock)
	switch {
	case clock == "":
		ps.add(&Problem{Field: FieldSendTime, Key: "problem.send_time.empty"})
	case !clockOK || minutes == dayMinutes:
		ps.add(&Problem{Field: FieldSendTime, Key: "problem.clock"})
	}
	return date, minutes, ps
}

// Timing is when an SMS or a job is to be sent.
type Timing struct {
	SendAt time.Time // zero: now
	Urgent bool      // not restricted to the account's daytime
}

// Late tells whether the chosen time has passed.
func (t Timing) Late(now time.Time) bool { return !t.SendAt.IsZero() && !t.SendAt.After(now) }

// Planned returns when an item that is queued now becomes due: at its own time, not before the undo window ends, and
// within the account's daytime unless urgent.
func (a Account) Planned(t Timing, now time.Time) time.Time {
	at := now.Add(a.UndoWindow)
	if t.SendAt.After(at) {
		at = t.SendAt
	}
	if t.Urgent {
		return at
	}
	return a.Daytime.Next(at)
}

// ValidateSendAt returns the problem of a valid shipment with its time to send.
func (a Account) ValidateSendAt(s Shipment, now time.Time) *Problem {
	var ps Problems
	if s.validateSigning(&ps, now); ps.For(FieldSignBy) != nil {
		return &Problem{Field: FieldSendDay, Key: "problem.send_at.deadline"}
	}
	if len(a.ValidateEncryption(s, now)) == 0 {
		return nil
	}
	return &Problem{Field: FieldSendDay, Key: "problem.send_at.certificate"}
}

// Postponed tells whether the account's daytime delays an item that is queued now.
func (a Account) Postponed(t Timing, now time.Time) bool {
	return a.Planned(t, now).After(a.Planned(Timing{SendAt: t.SendAt, Urgent: true}, now))
}

// DayToTell returns the day of which is told when it is no working day: the chosen one, today where the account waits for a working
// day, else the day on which the item goes.
func (a Account) DayToTell(t Timing, now time.Time) time.Time {
	switch {
	case !t.SendAt.IsZero() && !Workday(t.SendAt):
		return t.SendAt
	case t.SendAt.IsZero() && a.Daytime.Workdays && !t.Urgent && !Workday(now):
		return now
	}
	return a.Planned(t, now)
}

// Goes returns when an item goes that first became due then: at the chosen time, unless the account's daytime, the undo window or a
// pause made it wait.
func (t Timing) Goes(due time.Time) (at time.Time, waits bool) {
	if due.Sub(t.SendAt) < time.Minute { // less is the way through the database
		return t.SendAt, false
	}
	return due, true
}
