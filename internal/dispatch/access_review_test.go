package dispatch_test

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// TestUnused: half a year without login or act, and never before a role is half a year old.
func TestUnused(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	months := func(n int) time.Time { return now.AddDate(0, -n, 0) }
	for name, tt := range map[string]struct {
		holding dispatch.Holding
		want    bool
	}{
		"given today, to nobody yet":             {dispatch.Holding{GivenAt: months(0)}, false},
		"given today, not used yet":              {dispatch.Holding{GivenAt: months(0), Person: "Kari", LoginAt: months(0)}, false},
		"given long ago, to nobody":              {dispatch.Holding{GivenAt: months(7)}, true},
		"given long ago, logged in, never used":  {dispatch.Holding{GivenAt: months(7), Person: "Kari", LoginAt: months(0)}, true},
		"used":                                   {dispatch.Holding{GivenAt: months(7), Person: "Kari", LoginAt: months(1), ActAt: months(1)}, false},
		"used long ago, though still logging in": {dispatch.Holding{GivenAt: months(20), Person: "Kari", LoginAt: months(0), ActAt: months(7)}, true},
		"used long ago, and not logged in since": {dispatch.Holding{GivenAt: months(20), Person: "Kari", LoginAt: months(7), ActAt: months(7)}, true},
	} {
		if got := tt.holding.Unused(now); got != tt.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
