package dispatch

import "time"

// Holiday names a public holiday in Norway; empty: none. Sundays are none of themselves.
type Holiday string

// The public holidays.
const (
	HolidayNone           Holiday = ""
	HolidayNewYear        Holiday = "new_year"
	HolidayLabour         Holiday = "labour"
	HolidayConstitution   Holiday = "constitution"
	HolidayChristmas      Holiday = "christmas"
	HolidayBoxing         Holiday = "boxing"
	HolidayMaundyThursday Holiday = "maundy_thursday"
	HolidayGoodFriday     Holiday = "good_friday"
	HolidayEasterSunday   Holiday = "easter_sunday"
	HolidayEasterMonday   Holiday = "easter_monday"
	HolidayAscension      Holiday = "ascension"
	HolidayWhitSunday     Holiday = "whit_sunday"
	HolidayWhitMonday     Holiday = "whit_monday"
)

// Easter returns the day of Easter Sunday in a year, at midnight in Oslo: the Gregorian computus of Meeus, Jones and Butcher.
func Easter(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 19*l) / 433
	month := (h + l - 7*m + 90) / 25
	day := (h + l - 7*m + 33*month + 19) % 32
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, Oslo)
}

// HolidayOf returns the public holiday on a day in Oslo. Where two fall together it is the one that has a date.
//
// Assumption: Christmas Eve and New Year's Eve are working days: the law makes no holidays of them.
func HolidayOf(t time.Time) Holiday {
	t = t.In(Oslo)
	switch month, day := t.Month(), t.Day(); {
	case month == time.January && day == 1:
		return HolidayNewYear
	case month == time.May && day == 1:
		return HolidayLabour
	case month == time.May && day == 17:
		return HolidayConstitution
	case month == time.December && day == 25:
		return HolidayChristmas
	case month == time.December && day == 26:
		return HolidayBoxing
	}
	switch t.YearDay() - Easter(t.Year()).YearDay() {
	case -3:
		return HolidayMaundyThursday
	case -2:
		return HolidayGoodFriday
	case 0:
		return HolidayEasterSunday
	case 1:
		return HolidayEasterMonday
	case 39:
		return HolidayAscension
	case 49:
		return HolidayWhitSunday
	case 50:
		return HolidayWhitMonday
	}
	return HolidayNone
}

// Workday tells whether people are at work on a day in Oslo: Monday to Friday, but for public holidays.
func Workday(t time.Time) bool {
	switch t.In(Oslo).Weekday() {
	case time.Saturday, time.Sunday:
		return false
	}
	return HolidayOf(t) == HolidayNone
}

// workdayBegins is when a working day begins, in minutes.
const workdayBegins = 8 * 60

// NextWorkday returns when the first working day after today begins: at eight, or, for SMS, when the account's daytime begins if it is
// not open at eight.
func (a Account) NextWorkday(now time.Time, kind Kind) time.Time {
	day := now.In(Oslo).AddDate(0, 0, 1)
	for !Workday(day) {
		day = day.AddDate(0, 0, 1)
	}
	if kind != KindSMS || a.Daytime.open(workdayBegins) {
		return wall(day, workdayBegins)
	}
	return wall(day, a.Daytime.From)
}

// HolidaysBefore returns the public holidays between today and a later day, in their order.
func HolidaysBefore(day, now time.Time) []Holiday {
	var list []Holiday
	end := day.In(Oslo)
	y, m, d := now.In(Oslo).Date()
	for at := time.Date(y, m, d+1, 12, 0, 0, 0, Oslo); at.Before(end) && (at.YearDay() != end.YearDay() || at.Year() != end.Year()); at = at.AddDate(0, 0, 1) {
		if h := HolidayOf(at); h != HolidayNone {
			list = append(list, h)
		}
	}
	return list
}
