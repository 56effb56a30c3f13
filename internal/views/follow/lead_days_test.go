package follow

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
)

// TestDaysOfPeriod: what is the same of both days is said once.
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
