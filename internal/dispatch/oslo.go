package dispatch

import (
	"time"
	_ "time/tzdata" // Europe/Oslo for images without zone files
)

// Oslo is the zone of all times that people read or type. It is embedded, so that loading it cannot fail.
var Oslo = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	return zone
}()

// DaysUntil counts the days of the calendar in Oslo from today until a day; negative: it is past.
func DaysUntil(day, now time.Time) int {
	y, m, d := now.In(Oslo).Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC) // whose days are all as long
	y, m, d = day.In(Oslo).Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Sub(today) / (24 * time.Hour))
}

// wall returns the first moment of a day in Oslo at which the clock shows at least a time of day, in minutes: for a
// time that daylight saving skips, the moment of the change; for a time that occurs twice, the first.
func wall(day time.Time, minutes int) time.Time {
	y, m, d := day.Date()
	t := time.Date(y, m, d, 0, minutes, 0, 0, Oslo)
	if before := t.Add(-time.Hour); shows(before, minutes) && before.Day() == t.Day() {
		return before
	}
	if !shows(t, minutes) { // Go does not specify which side of the gap time.Date chooses
		return gapEnd(t)
	}
	return t
}

// gapEnd is the moment near t at which the clock is put forward.
func gapEnd(t time.Time) time.Time {
	from := t.Add(-2 * time.Hour).Truncate(time.Hour)
	for at := from; at.Before(from.Add(5 * time.Hour)); at = at.Add(time.Hour) {
		_, before := at.Add(-time.Second).Zone()
		if _, after := at.Zone(); after > before {
			return at
		}
	}
	return t
}

// shows tells whether the clock shows a time of day, in minutes.
func shows(t time.Time, minutes int) bool { return minuteOfDay(t) == minutes }

// minuteOfDay returns the time of day in Oslo, in minutes.
func minuteOfDay(t time.Time) int {
	h, m, _ := t.In(Oslo).Clock()
	return h*60 + m
}
