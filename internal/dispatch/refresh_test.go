package dispatch_test

import (
	"slices"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

var acceptedAt = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

func TestRefreshPlanNext(t *testing.T) {
	t.Parallel()
	never := time.Duration(-1)
	tests := map[string]struct{ now, want time.Duration }{ // since acceptance
		"at acceptance: after a minute":               {0, time.Minute},
		"a clock that went back: after a minute":      {-time.Hour, time.Minute},
		"just before the first: at the first":         {time.Minute - 1, time.Minute},
		"at the first: after five minutes":            {time.Minute, 5 * time.Minute},
		"at the second: after fifteen":                {5 * time.Minute, 15 * time.Minute},
		"at the third: after an hour":                 {15 * time.Minute, time.Hour},
		"at the fourth: six hours later":              {time.Hour, 7 * time.Hour},
		"a late read skips what it missed":            {20 * time.Minute, time.Hour},
		"a read that is a day late: six hours later":  {day, day + 6*time.Hour},
		"near the end: six hours later":               {29 * day, 29*day + 6*time.Hour},
		"six hours before the end: at the end":        {30*day - 6*time.Hour, 30 * day},
		"an hour before the end: at the end":          {30*day - time.Hour, 30 * day},
		"at the end: never":                           {30 * day, never},
		"after the end, though it was never read yet": {31 * day, never},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want time.Time
			if tt.want != never {
				want = acceptedAt.Add(tt.want)
			}
			got := dispatch.DefaultRefreshPlan().Next(acceptedAt.Add(tt.now), acceptedAt, time.Time{})
			if !got.Equal(want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// A shipment that may be signed for longer than others are followed is followed until then.
func TestRefreshPlanSigning(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ signBy, now, want time.Duration }{ // since acceptance; 0: never
		"no deadline":            {-1000 * day, 30*day - time.Hour, 30 * day},
		"an early deadline":      {10 * day, 30 * day, 0},
		"a late one":             {60 * day, 31 * day, 31*day + 6*time.Hour},
		"at a late one":          {60 * day, 60 * day, 60*day + 6*time.Hour},
		"a day after a late one": {60 * day, 61 * day, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want time.Time
			if tt.want != 0 {
				want = acceptedAt.Add(tt.want)
			}
			got := dispatch.DefaultRefreshPlan().Signing(acceptedAt, acceptedAt.Add(tt.signBy)).Next(acceptedAt.Add(tt.now), acceptedAt, time.Time{})
			if !got.Equal(want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestRefreshPlanNextWhenSettled(t *testing.T) {
	t.Parallel()
	settled := acceptedAt.Add(10 * day)
	tests := map[string]struct{ now, want time.Duration }{ // since it settled; 0: never
		"as it settles: a day later":      {0, day},
		"a day later: the next day":       {day, 2 * day},
		"six days later: the seventh day": {6 * day, 7 * day},
		"late on the sixth: the seventh":  {6*day + time.Hour, 7 * day},
		"seven days later: never":         {7 * day, 0},
		"long after: never":               {70 * day, 0},
		"five days later: the sixth day":  {5 * day, 6 * day},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want time.Time
			if tt.want != 0 {
				want = settled.Add(tt.want)
			}
			got := dispatch.DefaultRefreshPlan().Next(settled.Add(tt.now), acceptedAt, settled)
			if !got.Equal(want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	t.Run("an item that settled at once is not read every minute", func(t *testing.T) {
		t.Parallel()
		got := dispatch.DefaultRefreshPlan().Next(acceptedAt.Add(time.Second), acceptedAt, acceptedAt.Add(time.Second))
		if want := acceptedAt.Add(time.Second + day); !got.Equal(want) {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// reads runs the plan as delivery does: each read is a little later than planned.
func reads(t *testing.T, next func(now time.Time) time.Time) []time.Duration {
	t.Helper()
	var all []time.Duration
	for now := acceptedAt; ; {
		at := next(now)
		if at.IsZero() {
			return all
		}
		if !at.After(now) || len(all) > 1000 {
			t.Fatalf("got %s at %s, want an end", at, now)
		}
		all = append(all, at.Sub(acceptedAt).Truncate(time.Minute))
		now = at.Add(2 * time.Second)
	}
}

func TestRefreshPlanOfAnItemThatNeverSettles(t *testing.T) {
	t.Parallel()
	plan := dispatch.DefaultRefreshPlan()
	got := reads(t, func(now time.Time) time.Time { return plan.Next(now, acceptedAt, time.Time{}) })
	first := []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 7 * time.Hour, 13 * time.Hour}
	if !slices.Equal(got[:len(first)], first) {
		t.Errorf("got %s first, want %s", got[:len(first)], first)
	}
	if last := got[len(got)-1]; last != 30*day {
		t.Errorf("got %s last, want 30 days", last)
	}
	if want := 4 + 120; len(got) != want {
		t.Errorf("got %d reads, want %d", len(got), want)
	}
}

func TestRefreshPlanOfASettledItem(t *testing.T) {
	t.Parallel()
	plan := dispatch.DefaultRefreshPlan()
	got := reads(t, func(now time.Time) time.Time { return plan.Next(now, acceptedAt, acceptedAt) })
	want := []time.Duration{day, 2 * day, 3 * day, 4 * day, 5 * day, 6 * day, 7 * day}
	if !slices.Equal(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}
