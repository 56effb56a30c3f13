package views

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// oslo is the zone of every time on screen.
var oslo = dispatch.Oslo

// How times and dates are written: "10.41", "20.11.2026".
const (
	clockLayout = "15.04"
	dateLayout  = "02.01.2006"
	atClock     = "kl. "
)

// clock is the time of day.
func clock(t time.Time) string { return t.In(oslo).Format(clockLayout) }

// tableDate is a date in a table.
func tableDate(t time.Time) string { return t.In(oslo).Format(dateLayout) }

// Day is a date in a text of ours to somebody: "20.11.2026".
func Day(t time.Time) string { return tableDate(t) }

// precise is a time in a history, with seconds: "18.11.2026 kl. 09.31.12".
func precise(ctx context.Context, t time.Time) string {
	return told(ctx, t, t.In(oslo).Format("02.01.2006 kl. 15.04.05"))
}

// told adds to a time of day which one it is, when the hour comes twice because clocks go back.
func told(ctx context.Context, t time.Time, clock string) string {
	_, offset := t.In(oslo).Zone()
	_, before := t.Add(-time.Hour).In(oslo).Zone()
	_, after := t.Add(time.Hour).In(oslo).Zone()
	switch {
	case after < offset:
		return i18n.T(ctx, "time.summer", "Time", clock)
	case before > offset:
		return i18n.T(ctx, "time.winter", "Time", clock)
	}
	return clock
}

// machine is the value of a datetime attribute, with offset.
func machine(t time.Time) string { return t.In(oslo).Format(time.RFC3339) }

// near is a time in a sentence: today and yesterday by name, else with the date.
func near(ctx context.Context, t, now time.Time) string { return withDay(ctx, t, now, clock(t)) }

// withDay puts the day before a time of day.
func withDay(ctx context.Context, t, now time.Time, clock string) string {
	day, today := t.In(oslo), now.In(oslo)
	clock = told(ctx, t, clock)
	switch {
	case sameDay(day, today):
		return i18n.T(ctx, "time.today", "Clock", clock)
	case sameDay(day, today.AddDate(0, 0, -1)):
		return i18n.T(ctx, "time.yesterday", "Clock", clock)
	}
	date := i18n.T(ctx, "time.date", "Day", day.Day(), "Month", i18n.T(ctx, "month."+strconv.Itoa(int(day.Month()))), "Year", strconv.Itoa(day.Year()))
	return i18n.T(ctx, "time.date_clock", "Date", date, "Clock", clock)
}

// soon is near with seconds for what happens within two minutes, where seconds matter.
func soon(ctx context.Context, t, now time.Time) string {
	if d := t.Sub(now); d > -time.Minute && d < 2*time.Minute {
		return withDay(ctx, t, now, t.In(oslo).Format("15.04.05"))
	}
	return near(ctx, t, now)
}

func sameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

// number groups thousands with a hard space: "1 071".
func number(n int) string { return i18n.Number(n) }

// TypedNumber reads a whole number as people type it, with or without the blanks between thousands that pages show.
func TypedNumber(typed string) (int, error) {
	return strconv.Atoi(strings.Join(strings.Fields(typed), ""))
}

// TypedVersion reads the version that a form was made from; what is no number, or too large for one, is 0, which none has.
func TypedVersion(typed string) int {
	n, err := strconv.ParseInt(typed, 10, 32)
	if err != nil {
		return 0
	}
	return int(n)
}

// typedDecimal is TypedNumber for a number that may have a decimal comma.
func typedDecimal(typed string) (float64, error) {
	return strconv.ParseFloat(strings.ReplaceAll(strings.Join(strings.Fields(typed), ""), ",", "."), 64)
}

// words writes a number to nine in words: "to".
func words(ctx context.Context, n int) string {
	if n >= 2 && n <= 9 {
		return i18n.T(ctx, "number."+strconv.Itoa(n))
	}
	return number(n)
}

// excerpt is the beginning of a text on one line, at most n characters.
func excerpt(text string, n int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return strings.TrimRight(string(runes[:n-1]), " ") + "…"
}

// problemsKey heads the problems of a form: one that decides, looks up or sets up something sends nothing.
func problemsKey(ps dispatch.Problems, section Section) string {
	for _, p := range ps {
		switch {
		case section == SectionLookup:
			return lookupProblemsKey(p)
		case strings.HasPrefix(p.Key, "problem.decision."):
		case section.sendsNothing(), p.Field == FieldFrom, p.Field == FieldTo:
			return "form.refused"
		default:
			return "form.problems"
		}
	}
	return "form.undecided"
}

// problemText is the text of a problem. A time is one of these hours.
func problemText(ctx context.Context, p dispatch.Problem) string {
	values := make(map[string]any, len(p.Args))
	for name, v := range p.Args {
		if at, ok := v.(time.Time); ok {
			v = clock(at)
		}
		values[name] = v
	}
	return i18n.T(ctx, p.Key, values)
}

// span is a time in "shown from … to …" of a list: "20.11.2026 kl. 10.41".
func span(t time.Time) string { return tableDate(t) + " kl. " + clock(t) }

// shown makes a character visible that has no ink of its own.
func shown(r rune) string {
	switch r {
	case ' ':
		return "␣"
	}
	switch dispatch.LookalikeOf(r) {
	case dispatch.LookalikeBlank, dispatch.LookalikeTab:
		return "␣"
	case dispatch.LookalikeInvisible, dispatch.LookalikeLineBreak:
		return fmt.Sprintf("U+%04X", r)
	}
	return string(r)
}

// oclock is the time of day in a table: "kl. 10.41".
func oclock(t time.Time) string { return atClock + clock(t) }
