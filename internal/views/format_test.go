package views

import (
	"context"
	"testing"
	"time"

	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
)

// at reads an instant: "2026-11-20T09:41:00Z".
func at(t *testing.T, text string) time.Time {
	t.Helper()
	instant, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return instant
}

// TestTimes: always Oslo's clock, also in the hour that comes twice.
func TestTimes(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	tests := []struct{ name, instant, clock, date, precise, machine string }{
		{"in winter", "2026-11-18T08:31:12Z", "09.31", "18.11.2026", "18.11.2026 kl. 09.31.12", "2026-11-18T09:31:12+01:00"},
		{"in summer", "2026-07-01T08:05:00Z", "10.05", "01.07.2026", "01.07.2026 kl. 10.05.00", "2026-07-01T10:05:00+02:00"},
		{"after midnight here, before it in UTC", "2026-11-18T23:30:00Z", "00.30", "19.11.2026", "19.11.2026 kl. 00.30.00", "2026-11-19T00:30:00+01:00"},
		{"the first time it is half past two", "2026-10-25T00:30:00Z", "02.30", "25.10.2026", "25.10.2026 kl. 02.30.00 (sommertid)", "2026-10-25T02:30:00+02:00"},
		{"the second time it is half past two", "2026-10-25T01:30:00Z", "02.30", "25.10.2026", "25.10.2026 kl. 02.30.00 (vintertid)", "2026-10-25T02:30:00+01:00"},
		{"the last second before summer time", "2026-03-29T00:59:59Z", "01.59", "29.03.2026", "29.03.2026 kl. 01.59.59", "2026-03-29T01:59:59+01:00"},
		{"the first second of summer time", "2026-03-29T01:00:00Z", "03.00", "29.03.2026", "29.03.2026 kl. 03.00.00", "2026-03-29T03:00:00+02:00"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			instant := at(t, test.instant)
			for _, f := range []struct {
				name string
				got  string
				want string
			}{
				{"clock", Clock(ctx, instant), test.clock},
				{"oclock", Oclock(ctx, instant), "kl. " + test.clock},
				{"tableDate", TableDate(ctx, instant), test.date},
				{"span", Span(ctx, instant), test.date + " kl. " + test.clock},
				{"precise", Precise(ctx, instant), test.precise},
				{"machine", Machine(instant), test.machine},
			} {
				if f.got != f.want {
					t.Errorf("%s: got %q, want %q", f.name, f.got, f.want)
				}
			}
		})
	}
}

// TestDatesInEnglish: the month is a word, so that no day is taken for another; what people type stays numbers.
func TestDatesInEnglish(t *testing.T) {
	t.Parallel()
	ctx := i18n.With(t.Context(), i18ntest.Languages(t).In("en"))
	day := at(t, "2026-01-09T08:31:12Z")
	for _, f := range []struct{ name, got, want string }{
		{"a table", TableDate(ctx, day), "9 Jan 2026"},
		{"a sentence", SentenceDate(ctx, day), "9 January 2026"},
		{"a long sentence", DateText(ctx, day), "9 January 2026"},
		{"a span", Span(ctx, day), "9 Jan 2026 at 09:31"},
		{"a history", Precise(ctx, day), "9 Jan 2026 at 09:31:12"},
		{"a field", TypedDate(day), "09.01.2026"},
		{"a row of a list", rowTime(ctx, day), `<time datetime="2026-01-09T09:31:12+01:00">9 Jan 2026 <small>at 09:31</small></time>`},
	} {
		if f.got != f.want {
			t.Errorf("%s: got %q, want %q", f.name, f.got, f.want)
		}
	}
}

func rowTime(ctx context.Context, at time.Time) string {
	var m markup
	m.moment(ctx, at)
	return string(m)
}

func TestNear(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	tests := []struct{ name, instant, now, want string }{
		{"a while ago", "2026-11-20T09:41:00Z", "2026-11-20T12:00:00Z", "i dag kl. 10.41"},
		{"later today", "2026-11-20T20:00:00Z", "2026-11-20T12:00:00Z", "i dag kl. 21.00"},
		{"yesterday", "2026-11-19T09:41:00Z", "2026-11-20T12:00:00Z", "i går kl. 10.41"},
		{"two days ago", "2026-11-18T09:41:00Z", "2026-11-20T12:00:00Z", "18. november 2026 kl. 10.41"},
		{"tomorrow", "2026-11-21T09:41:00Z", "2026-11-20T12:00:00Z", "21. november 2026 kl. 10.41"},
		{"the same day a year ago", "2025-11-20T09:41:00Z", "2026-11-20T12:00:00Z", "20. november 2025 kl. 10.41"},
		{"today here, yesterday in UTC", "2026-11-19T23:30:00Z", "2026-11-20T00:30:00Z", "i dag kl. 00.30"},
		{"yesterday here, today in UTC", "2026-11-20T22:30:00Z", "2026-11-20T23:30:00Z", "i går kl. 23.30"},
		{"last year's last evening", "2026-12-31T22:50:00Z", "2026-12-31T23:10:00Z", "i går kl. 23.50"},
		{"the hour that comes twice, the first time", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "i dag kl. 02.30 (sommertid)"},
		{"yesterday, 25 hours long", "2026-10-24T22:30:00Z", "2026-10-25T23:30:00Z", "i går kl. 00.30"},
		{"yesterday, 23 hours long", "2026-03-28T23:30:00Z", "2026-03-29T22:30:00Z", "i går kl. 00.30"},
		{"a leap day", "2028-02-29T09:00:00Z", "2028-03-01T09:00:00Z", "i går kl. 10.00"},
	}
	for _, test := range tests {
		t.Run("names "+test.name, func(t *testing.T) {
			t.Parallel()
			if got := Near(ctx, at(t, test.instant), at(t, test.now)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestSoon: seconds where they matter.
func TestSoon(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	tests := []struct{ name, instant, now, want string }{
		{"in ten seconds", "2026-11-20T09:41:10Z", "2026-11-20T09:41:00Z", "i dag kl. 10.41.10"},
		{"just short of two minutes", "2026-11-20T09:42:59Z", "2026-11-20T09:41:00Z", "i dag kl. 10.42.59"},
		{"in two minutes", "2026-11-20T09:43:00Z", "2026-11-20T09:41:00Z", "i dag kl. 10.43"},
		{"a moment ago", "2026-11-20T09:40:01Z", "2026-11-20T09:41:00Z", "i dag kl. 10.40.01"},
		{"a minute ago", "2026-11-20T09:40:00Z", "2026-11-20T09:41:00Z", "i dag kl. 10.40"},
		{"in an hour", "2026-11-20T10:41:00Z", "2026-11-20T09:41:00Z", "i dag kl. 11.41"},
		{"after midnight", "2026-11-20T23:00:20Z", "2026-11-20T22:59:50Z", "21. november 2026 kl. 00.00.20"},
		{"before midnight", "2026-11-20T22:59:50Z", "2026-11-20T23:00:20Z", "i går kl. 23.59.50"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Soon(ctx, at(t, test.instant), at(t, test.now)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	tests := []struct {
		n             int
		digits, words string
	}{
		{0, "0", "0"}, {1, "1", "1"}, {2, "2", "to"}, {9, "9", "ni"}, {10, "10", "10"}, {999, "999", "999"}, {1000, "1\u00a0000", "1\u00a0000"},
		{1071, "1\u00a0071", "1\u00a0071"}, {1600, "1\u00a0600", "1\u00a0600"}, {1234567, "1\u00a0234\u00a0567", "1\u00a0234\u00a0567"}, {-1, "-1", "-1"},
	}
	for _, test := range tests {
		if got := Number(test.n); got != test.digits {
			t.Errorf("%d: got %q, want %q", test.n, got, test.digits)
		}
		if got := words(ctx, test.n); got != test.words {
			t.Errorf("%d in words: got %q, want %q", test.n, got, test.words)
		}
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		n          int
		want       string
	}{
		{"leaves a short text alone", "Hei", 10, "Hei"},
		{"leaves a text of that length alone", "1234567890", 10, "1234567890"},
		{"cuts a longer one", "12345678901", 10, "123456789…"},
		{"leaves no blank before the dots", "12345678 01", 10, "12345678…"},
		{"puts everything on one line", " Hei,\n\nvi\t ses\u00a0! ", 60, "Hei, vi ses !"},
		{"counts characters, not bytes", "æøåæøåæøåæøå", 10, "æøåæøåæøå…"},
		{"never splits a character", "😀😀😀", 2, "😀…"},
		{"makes nothing of nothing", " \n ", 10, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Excerpt(test.text, test.n); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestShown(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune]string{'–': "–", '😀': "😀", '\u00a0': "␣", '\u202f': "␣", '\u2009': "␣", '\t': "␣"} {
		if got := Shown(r); got != want {
			t.Errorf("%q: got %q, want %q", r, got, want)
		}
	}
}
