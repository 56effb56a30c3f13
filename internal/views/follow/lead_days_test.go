package follow

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
)

// TestDaysOfPeriod: month and year common to both days are written once.
func TestDaysOfPeriod(t *testing.T) {
	t.Parallel()
	day := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, views.Oslo)
	}
	tests := []struct {
		name string
		from time.Time
		to   time.Time // the day after the last
		want string
	}{
		{"a day", day(2026, 11, 23), day(2026, 11, 24), "23. november 2026"},
		{"a week", day(2026, 11, 17), day(2026, 11, 24), "17.–23. november 2026"},
		{"days of two months", day(2026, 10, 28), day(2026, 11, 4), "28. oktober 2026 – 3. november 2026"},
		{"the same month of two years", day(2025, 11, 1), day(2026, 11, 2), "1. november 2025 – 1. november 2026"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := LeadPage{Stats: dispatch.Statistics{From: test.from, To: test.to}}
			if got := p.days(i18ntest.InNorwegian(t)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestSpansOfPeriod: periods of more than a month are shown by ISO weeks that contain each day of the period once.
func TestSpansOfPeriod(t *testing.T) {
	t.Parallel()
	day := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, views.Oslo)
	}
	for _, test := range []struct {
		name        string
		from, to    time.Time // the day after the last
		spans       int
		first, last string
	}{
		{"a day", day(2026, 11, 23), day(2026, 11, 24), 1, "mandag 23.11.2026", "mandag 23.11.2026"},
		{"31 days", day(2026, 10, 1), day(2026, 11, 1), 31, "torsdag 01.10.2026", "lørdag 31.10.2026"},
		{"32 days, over the end of summer time", day(2026, 10, 1), day(2026, 11, 2), 5, "Uke 40 (1.10.–04.10.2026)", "Uke 44 (26.10.–01.11.2026)"},
		{"a year that has a week 53", day(2026, 1, 1), day(2027, 1, 2), 53, "Uke 1 (1.1.–04.01.2026)", "Uke 53 (28.12.–01.01.2027)"},
		{"eleven months", day(2026, 1, 1), day(2026, 11, 27), 48, "Uke 1 (1.1.–04.01.2026)", "Uke 48 (23.11.–26.11.2026)"},
		{"from one week 1 to the next", day(2025, 12, 29), day(2026, 12, 30), 53, "Uke 1 (29.12.–04.01.2026)", "Uke 53 (28.12.–29.12.2026)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx := i18ntest.InNorwegian(t)
			p := LeadPage{Stats: dispatch.Statistics{From: test.from, To: test.to}}
			sent := 0
			for at := test.from; at.Before(test.to); at = at.AddDate(0, 0, 1) {
				p.Stats.Outcomes = append(p.Stats.Outcomes, dispatch.OfOutcome{Day: at, Kind: dispatch.KindSMS, Outcome: string(dispatch.StatusDelivered), Tally: dispatch.Tally{N: 2}})
				sent += 2
			}
			spans := p.spans()
			n, until := 0, test.from
			for _, s := range spans {
				if n += s.SMS.N; !s.Day.Equal(until) {
					t.Errorf("%s begins %s, and the one before it ends %s", s.name(ctx), s.Day, until)
				}
				until = s.To
			}
			if first, last := spans[0].name(ctx), spans[len(spans)-1].name(ctx); len(spans) != test.spans || first != test.first || last != test.last {
				t.Errorf("%d spans from %q to %q", len(spans), first, last)
			}
			if n != sent || !until.Equal(test.to) {
				t.Errorf("%d of %d items, until %s", n, sent, until)
			}
			if c := p.daysChart(ctx, spans); len(c.Columns) != test.spans || c.Says == "" {
				t.Errorf("a chart of %d columns: %q", len(c.Columns), c.Says)
			}
		})
	}
}

func TestNiceTop(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 2, 1: 2, 2: 2, 3: 4, 5: 6, 8: 8, 9: 10, 11: 12, 21: 30, 61: 80, 81: 100, 99: 100, 101: 120, 12_345: 16_000} {
		if got := niceTop(n); got != want {
			t.Errorf("%d: got %d, want %d", n, got, want)
		}
	}
}

// TestComparedPeriods: a period is compared with as many days before, or the same days a year before, also across a leap day and a
// clock change.
func TestComparedPeriods(t *testing.T) {
	t.Parallel()
	day := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, views.Oslo)
	}
	for _, test := range []struct {
		against              Comparison
		from, to, then, till time.Time
	}{
		{CompareBefore, day(2026, 11, 20), day(2026, 11, 27), day(2026, 11, 13), day(2026, 11, 20)},
		{CompareBefore, day(2026, 10, 26), day(2026, 10, 28), day(2026, 10, 24), day(2026, 10, 26)},
		{CompareYear, day(2026, 11, 20), day(2026, 11, 27), day(2025, 11, 20), day(2025, 11, 27)},
		{CompareYear, day(2028, 2, 1), day(2028, 3, 1), day(2027, 2, 1), day(2027, 3, 1)},
	} {
		if then, till := test.against.Of(test.from, test.to); !then.Equal(test.then) || !till.Equal(test.till) {
			t.Errorf("%s of %s: got %s to %s", test.against, test.from, then, till)
		}
	}
}
