package dispatch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// TestHolidays holds the computed days against the almanac: the holidays of these years that follow Easter, Maundy Thursday to
// Whit Monday, and those with a date.
func TestHolidays(t *testing.T) {
	t.Parallel()
	for year, moving := range map[int]string{
		2000: "0420 0421 0423 0424 0601 0611 0612", // the leap year of a century
		2008: "0320 0321 0323 0324 0501 0511 0512", // Ascension Day on the first of May
		2011: "0421 0422 0424 0425 0602 0612 0613",
		2024: "0328 0329 0331 0401 0509 0519 0520",
		2025: "0417 0418 0420 0421 0529 0608 0609",
		2026: "0402 0403 0405 0406 0514 0524 0525",
		2027: "0325 0326 0328 0329 0506 0516 0517", // Whit Monday on the seventeenth of May
		2028: "0413 0414 0416 0417 0525 0604 0605",
		2038: "0422 0423 0425 0426 0603 0613 0614", // the latest that Easter can be
		2100: "0325 0326 0328 0329 0506 0516 0517", // no leap year
		2285: "0319 0320 0322 0323 0430 0510 0511", // the earliest
	} {
		want := map[string]bool{"0101": true, "0501": true, "0517": true, "1225": true, "1226": true}
		for _, day := range strings.Fields(moving) {
			want[day] = true
		}
		for day := time.Date(year, 1, 1, 12, 0, 0, 0, dispatch.Oslo); day.Year() == year; day = day.AddDate(0, 0, 1) {
			if got := (dispatch.HolidayOf(day) != ""); got != want[day.Format("0102")] {
				t.Errorf("%s: got %t", day.Format("2006-01-02"), got)
			}
		}
	}
}

// TestEasterIsASunday, in every year that anybody plans for, between the bounds of the rule.
func TestEasterIsASunday(t *testing.T) {
	t.Parallel()
	for year := 1990; year < 2400; year++ {
		day := dispatch.Easter(year)
		if text := day.Format("0102"); day.Weekday() != time.Sunday || text < "0322" || text > "0425" {
			t.Errorf("%d: %s", year, day.Format("Mon 02.01"))
		}
	}
}

func TestNextWorkday(t *testing.T) {
	t.Parallel()
	for now, want := range map[string]string{
		"2026-11-26 10:00:00 +01": "2026-11-27 08:00:00 +01", // a Thursday
		"2026-11-27 07:00:00 +01": "2026-11-30 08:00:00 +01", // a Friday, before it begins: the next one all the same
		"2026-11-28 10:00:00 +01": "2026-11-30 08:00:00 +01",
		"2026-04-01 12:00:00 +02": "2026-04-07 08:00:00 +02", // over Easter
		"2026-12-23 12:00:00 +01": "2026-12-24 08:00:00 +01",
		"2026-12-24 12:00:00 +01": "2026-12-28 08:00:00 +01",
		"2027-05-14 12:00:00 +02": "2027-05-18 08:00:00 +02", // Whit Monday is the seventeenth
		"2026-12-31 23:30:00 +01": "2027-01-04 08:00:00 +01",
		"2027-03-26 12:00:00 +01": "2027-03-30 08:00:00 +02", // the clock is put forward on Easter Sunday
		"2026-06-30 22:30:00 +00": "2026-07-02 08:00:00 +02", // in Oslo it is the first of July
	} {
		if got := (dispatch.Account{}).NextWorkday(at(t, now), dispatch.KindSMS); !got.Equal(at(t, want)) {
			t.Errorf("after %s: got %s, want %s", now, got, want)
		}
	}
	early := dispatch.Account{Daytime: dispatch.Daytime{From: 360, To: 480}}
	if got := early.NextWorkday(at(t, "2026-11-26 10:00:00 +01"), dispatch.KindSMS); !got.Equal(at(t, "2026-11-27 06:00:00 +01")) {
		t.Errorf("an account that closes at eight: %s", got)
	}
	if got := early.NextWorkday(at(t, "2026-11-26 10:00:00 +01"), dispatch.KindShipment); !got.Equal(at(t, "2026-11-27 08:00:00 +01")) {
		t.Errorf("a shipment of that account: %s", got)
	}
	late := dispatch.Account{Daytime: dispatch.Daytime{From: 540, To: 1200}}
	if got := late.NextWorkday(at(t, "2026-11-26 10:00:00 +01"), dispatch.KindSMS); !got.Equal(at(t, "2026-11-27 09:00:00 +01")) {
		t.Errorf("an account that begins at nine: %s", got)
	}
}

// TestDaytimeOnWorkdays: an account that sends on working days only lets the rest wait.
func TestDaytimeOnWorkdays(t *testing.T) {
	t.Parallel()
	hours, all := dispatch.Daytime{From: 480, To: 960, Workdays: true}, dispatch.Daytime{Workdays: true}
	for _, tt := range []struct {
		d         dispatch.Daytime
		now, want string
	}{
		{hours, "2026-11-27 10:00:00 +01", "2026-11-27 10:00:00 +01"},
		{hours, "2026-11-27 07:00:00 +01", "2026-11-27 08:00:00 +01"},
		{hours, "2026-11-27 16:00:00 +01", "2026-11-30 08:00:00 +01"},
		{hours, "2026-11-28 07:00:00 +01", "2026-11-30 08:00:00 +01"},
		{hours, "2026-12-24 17:00:00 +01", "2026-12-28 08:00:00 +01"},
		{all, "2026-11-27 23:59:00 +01", "2026-11-27 23:59:00 +01"},
		{all, "2026-11-28 00:00:00 +01", "2026-11-30 08:00:00 +01"},
		{all, "2027-03-25 12:00:00 +01", "2027-03-30 08:00:00 +02"},
		{dispatch.Daytime{From: 480, To: 960}, "2026-11-28 07:00:00 +01", "2026-11-28 08:00:00 +01"},
	} {
		if got := tt.d.Next(at(t, tt.now)); !got.Equal(at(t, tt.want)) {
			t.Errorf("%s: got %s, want %s", fmt.Sprint(tt.d, tt.now), got, tt.want)
		}
	}
	if all.Always() || !(dispatch.Daytime{}).Always() {
		t.Error("what is restricted to working days is not always")
	}
}

// TestHolidaysHaveTheirNames: in a year with both clock changes, and where two fall together.
func TestHolidaysHaveTheirNames(t *testing.T) {
	t.Parallel()
	for day, want := range map[string]dispatch.Holiday{
		"2028-01-01": dispatch.HolidayNewYear, "2028-04-13": dispatch.HolidayMaundyThursday, "2028-04-14": dispatch.HolidayGoodFriday,
		"2028-04-16": dispatch.HolidayEasterSunday, "2028-04-17": dispatch.HolidayEasterMonday, "2028-05-01": dispatch.HolidayLabour,
		"2028-05-17": dispatch.HolidayConstitution, "2028-05-25": dispatch.HolidayAscension, "2028-06-04": dispatch.HolidayWhitSunday,
		"2028-06-05": dispatch.HolidayWhitMonday, "2028-12-25": dispatch.HolidayChristmas, "2028-12-26": dispatch.HolidayBoxing,
		"2028-02-29": dispatch.HolidayNone, "2028-12-24": dispatch.HolidayNone, "2028-12-31": dispatch.HolidayNone, "2028-04-15": dispatch.HolidayNone,
		"2027-05-17": dispatch.HolidayConstitution, "2008-05-01": dispatch.HolidayLabour,
	} {
		for _, clock := range []string{" 00:00", " 23:59"} {
			at, err := time.ParseInLocation("2006-01-02 15:04", day+clock, dispatch.Oslo)
			if got := dispatch.HolidayOf(at.UTC()); err != nil || got != want {
				t.Errorf("%s%s: got %q, want %q (%v)", day, clock, got, want, err)
			}
		}
	}
}

func TestHolidaysBefore(t *testing.T) {
	t.Parallel()
	for now, want := range map[string]string{
		"2026-04-01 12:00:00 +02": "[maundy_thursday good_friday easter_sunday easter_monday]",
		"2026-12-31 23:30:00 +01": "[new_year]",
		"2026-11-27 12:00:00 +01": "[]",
		"2027-05-16 23:59:00 +02": "[constitution]",
	} {
		if got := fmt.Sprint(dispatch.HolidaysBefore((dispatch.Account{}).NextWorkday(at(t, now), dispatch.KindSMS), at(t, now))); got != want {
			t.Errorf("%s: got %s, want %s", now, got, want)
		}
	}
}

// TestDayToTell: a chosen day is told of as it was chosen, even where the account waits for another one.
func TestDayToTell(t *testing.T) {
	t.Parallel()
	workdays, hours := dispatch.Account{Daytime: dispatch.Daytime{Workdays: true}}, dispatch.Account{Daytime: dispatch.Daytime{From: 480, To: 960}}
	for name, tt := range map[string]struct {
		a                 dispatch.Account
		sendAt, now, want string
	}{
		"a holiday is chosen":        {dispatch.Account{}, "2026-12-25 10:00:00 +01", "2026-12-23 10:00:00 +01", "2026-12-25"},
		"which the account passes":   {workdays, "2026-12-25 10:00:00 +01", "2026-12-23 10:00:00 +01", "2026-12-25"},
		"now, on a Sunday":           {workdays, "", "2026-11-29 10:00:00 +01", "2026-11-29"},
		"hours that end on a Friday": {hours, "2026-11-27 23:00:00 +01", "2026-11-26 10:00:00 +01", "2026-11-28"},
		"on a Sunday until Monday":   {hours, "", "2026-11-29 23:00:00 +01", "2026-11-30"},
		"a working day is chosen":    {workdays, "2026-11-27 10:00:00 +01", "2026-11-26 10:00:00 +01", "2026-11-27"},
	} {
		var m dispatch.Timing
		if tt.sendAt != "" {
			m.SendAt = at(t, tt.sendAt)
		}
		if got := tt.a.DayToTell(m, at(t, tt.now)).In(dispatch.Oslo).Format("2006-01-02"); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}
