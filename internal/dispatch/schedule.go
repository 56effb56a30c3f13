package dispatch

import (
	"strconv"
	"strings"
	"time"
)

// Fields of the time at which something is to go; the form uses the same names.
const (
	FieldSendDay  = "dag"
	FieldSendTime = "klokkeslett"
	FieldUrgent   = "haster"
)

// MaxAhead is how far ahead sending can be planned.
const MaxAhead = 365 * 24 * time.Hour

// Daytime is when an account sends, in minutes of the day in Oslo: from the first up to the last. The zero value is the
// whole day.
type Daytime struct{ From, To int }

const dayMinutes = 24 * 60

// Always tells whether there is no window.
func (d Daytime) Always() bool { return d == Daytime{} }

// valid tells whether the window opens before it closes, on the same day.
func (d Daytime) valid() bool {
	return d.Always() || 0 <= d.From && d.From < d.To && d.To <= dayMinutes
}

// Next returns the first moment from t on at which the window is open.
func (d Daytime) Next(t time.Time) time.Time {
	minute := minuteOfDay(t)
	switch {
	case d.Always(), d.From <= minute && minute < d.To:
		return t
	case minute < d.From:
		return wall(t.In(Oslo), d.From)
	}
	return wall(t.In(Oslo).AddDate(0, 0, 1), d.From)
}

// ClockText is a time of day as people write it: "08.00".
func ClockText(minutes int) string {
	return time.Date(2000, 1, 1, 0, minutes, 0, 0, time.UTC).Format("15.04")
}

// ParseClock reads a time of day: "8", "08.00", "8:30", "0830", and "24.00" for the end of the day.
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

// dayForms are the ways in which people write a day.
var dayForms = []string{"2.1.2006", "2.1.06", "02012006", "2006-01-02"}

// ParseDay reads a day as typed, in Oslo.
func ParseDay(typed string) (time.Time, bool) {
	for _, form := range dayForms {
		if t, err := time.ParseInLocation(form, strings.TrimSpace(typed), Oslo); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// ParseSendAt reads when something is to go. Both empty means now, the zero time. A time that the clock skips when it is
// put forward is a problem; one that comes twice when it is put back is the first that is still to come.
func ParseSendAt(day, clock string, now time.Time) (time.Time, *Problem) {
	problem := func(field, key string) (time.Time, *Problem) { return time.Time{}, &Problem{Field: field, Key: key} }
	day, clock = strings.TrimSpace(day), strings.TrimSpace(clock)
	if day == "" && clock == "" {
		return time.Time{}, nil
	}
	date, dayOK := ParseDay(day)
	minutes, clockOK := ParseClock(clock)
	switch {
	case day == "":
		return problem(FieldSendDay, "problem.send_day.empty")
	case !dayOK:
		return problem(FieldSendDay, "problem.date")
	case clock == "":
		return problem(FieldSendTime, "problem.send_time.empty")
	case !clockOK || minutes == dayMinutes:
		return problem(FieldSendTime, "problem.clock")
	}
	at := wall(date, minutes)
	if second := at.Add(time.Hour); !at.After(now) && shows(second, minutes) {
		at = second
	}
	switch {
	case !shows(at, minutes):
		return problem(FieldSendTime, "problem.send_time.skipped")
	case !at.After(now):
		return problem(FieldSendDay, "problem.send_at.past")
	case at.Sub(now) > MaxAhead:
		return problem(FieldSendDay, "problem.send_at.far")
	}
	return at, nil
}

// Timing is when an SMS, or all of a job, is to go.
type Timing struct {
	SendAt time.Time // zero: now
	Urgent bool      // it goes outside the account's daytime window too
}

// Late tells whether the time at which it was to go has passed before it was sent.
func (t Timing) Late(now time.Time) bool { return !t.SendAt.IsZero() && !t.SendAt.After(now) }

// Planned returns when something of the account goes that is sent now: at its own time, after the undo window, and within
// the account's daytime unless it is urgent.
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

// ValidateSendAt returns what keeps a shipment, which is right otherwise, from going at the time that it has.
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

// Postponed tells whether the account's daytime makes something wait that is sent now.
func (a Account) Postponed(t Timing, now time.Time) bool {
	return a.Planned(t, now).After(a.Planned(Timing{SendAt: t.SendAt, Urgent: true}, now))
}
