package dispatch

import "time"

// readingHours is how long the shipment service waits for a shipment in Altinn to be read, on working days, before it prints it or
// leaves it unread (upstream facts, Reading deadline).
const readingHours = 40 * time.Hour

// readingDay tells whether hours of a day count towards the reading deadline.
//
// Assumption: public holidays do not count, as on the Saturdays and Sundays of which it is known; an account may say otherwise.
func (a Account) readingDay(t time.Time) bool {
	switch t.In(Oslo).Weekday() {
	case time.Saturday, time.Sunday:
		return false
	}
	return a.HolidaysCount || HolidayOf(t) == HolidayNone
}

// ReadingDeadline returns when the service's deadline of a shipment ends whose recipient was notified through Altinn.
func (a Account) ReadingDeadline(notified time.Time) time.Time {
	at := notified.In(Oslo)
	for left := readingHours; ; {
		next := startOfDay(at).AddDate(0, 0, 1)
		if room := next.Sub(at); a.readingDay(at) {
			if room >= left {
				return at.Add(left)
			}
			left -= room
		}
		at = next
	}
}

// UnreadSince returns the latest time of a notice whose reading deadline has passed: the inverse of ReadingDeadline.
func (a Account) UnreadSince(now time.Time) time.Time {
	at := now.In(Oslo)
	for left := readingHours; ; {
		day := startOfDay(at.Add(-time.Nanosecond))
		if room := at.Sub(day); a.readingDay(day) {
			if room >= left {
				return at.Add(-left)
			}
			left -= room
		}
		at = day
	}
}

// startOfDay returns the midnight in Oslo before or at a time.
func startOfDay(t time.Time) time.Time {
	y, m, d := t.In(Oslo).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, Oslo)
}

// UnreadInAltinn returns the statuses of shipments that lie in Altinn, unread: the service's reading deadline is for those only.
func UnreadInAltinn() (list []Status) {
	for _, r := range statusRows {
		if r.Meaning == MeaningNotified || r.Channel == ChannelAltinn {
			list = append(list, r.Status)
		}
	}
	return list
}
