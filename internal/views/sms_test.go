package views

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// TestAskAgain: often while something happens, seldom later, never when it is settled.
func TestAskAgain(t *testing.T) {
	t.Parallel()
	since := func(d time.Duration) func(*dispatch.Item) {
		return func(it *dispatch.Item) { status(dispatch.StatusSent)(it); it.AcceptedAt = lookNow.Add(-d) }
	}
	tests := []struct {
		name string
		item dispatch.Item
		want int
	}{
		{"scheduled", sms(func(it *dispatch.Item) { it.DueSince = lookNow.Add(time.Minute) }), 2},
		{"queued", sms(func(*dispatch.Item) {}), 2},
		{"sending", sms(in(dispatch.StateSending)), 2},
		{"held back", sms(held(dispatch.BlockRefused)), 30},
		{"held back when its time comes", sms(func(it *dispatch.Item) { it.DueSince, it.Block = lookNow.Add(time.Minute), dispatch.BlockRefused }), 2},
		{"waiting for a person to confirm", sms(func(it *dispatch.Item) { it.DueSince = lookNow.Add(-25 * time.Hour) }), 30},
		{"uncertain", sms(in(dispatch.StateUncertain)), 30},
		{"just accepted", sms(since(0)), 3},
		{"accepted a while ago", sms(since(2 * time.Minute)), 10},
		{"accepted long ago", sms(since(15 * time.Minute)), 60},
		{"with a status that is not described", sms(status("UTSATT")), 3},
		{"of unknown fate", sms(status(dispatch.StatusUnknown)), 3},
		{"delivered", sms(status(dispatch.StatusDelivered)), 0},
		{"not delivered", sms(status(dispatch.StatusNotDelivered)), 0},
		{"not sent", sms(status(dispatch.StatusNotSent)), 0},
		{"accepted without an id", sms(in(dispatch.StateAccepted)), 0},
		{"rejected", sms(in(dispatch.StateRejected)), 0},
		{"failed", sms(in(dispatch.StateFailed)), 0},
		{"cancelled", sms(in(dispatch.StateCancelled)), 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := askAgain(test.item, lookNow); got != test.want {
				t.Errorf("got %d seconds, want %d", got, test.want)
			}
			want := map[int]string{0: "", 2: "2", 3: "3", 10: "10", 30: "30", 60: "60"}[test.want]
			if got := LiveAfter(test.item, lookNow); got != want {
				t.Errorf("got attribute %q, want %q", got, want)
			}
		})
	}
}
