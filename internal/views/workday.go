package views

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// LongDate formats a date with its weekday: "fredag 27. november 2026".
func LongDate(ctx context.Context, t time.Time) string {
	day := t.In(Oslo)
	return i18n.T(ctx, "time.weekday_date", "Weekday", weekday(ctx, day), "Date", DateText(ctx, day))
}

func weekday(ctx context.Context, t time.Time) string {
	return i18n.T(ctx, "weekday."+strconv.Itoa(int(t.In(Oslo).Weekday())))
}

// NotWorkday says of a day that is no working day which one it is: "lørdag 2. januar 2027 er ikke en virkedag". Of a working day it
// says nothing.
func NotWorkday(ctx context.Context, t time.Time) string {
	switch h := dispatch.HolidayOf(t); {
	case dispatch.Workday(t):
		return ""
	case h != dispatch.HolidayNone:
		return i18n.T(ctx, "workday.holiday", "Date", LongDate(ctx, t), "Holiday", i18n.T(ctx, "holiday."+string(h)))
	}
	return i18n.T(ctx, "workday.weekend", "Date", LongDate(ctx, t))
}

// nextWorkday is when the button plans for: its own words and value.
type nextWorkday struct {
	at   time.Time
	date string // with the holidays until then
}

func nextWorkdayOf(ctx context.Context, p Page, kind dispatch.Kind) nextWorkday {
	at := p.Account.NextWorkday(p.Now, kind)
	w := nextWorkday{at: at, date: LongDate(ctx, at)}
	var names []string
	for _, h := range dispatch.HolidaysBefore(at, p.Now) {
		names = append(names, i18n.T(ctx, "holiday."+string(h)))
	}
	if n := len(names); n > 1 {
		w.date = i18n.T(ctx, "workday.after", "Date", w.date, "Holidays", i18n.T(ctx, "reading.and", "First", strings.Join(names[:n-1], ", "), "Last", names[n-1]))
	} else if n == 1 {
		w.date = i18n.T(ctx, "workday.after", "Date", w.date, "Holidays", names[0])
	}
	return w
}

// value is what the button posts: the day and time that it shows.
func (w nextWorkday) value() string { return TypedDate(w.at) + " " + TypedClock(w.at) }
