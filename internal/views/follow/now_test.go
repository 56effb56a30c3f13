package follow

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
)

var lookNow = time.Date(2026, 11, 20, 9, 41, 0, 0, time.UTC)

func sms(change func(*dispatch.Item)) dispatch.Item {
	it := dispatch.Item{
		ID: "a", Kind: dispatch.KindSMS, State: dispatch.StateQueued, CreatedAt: lookNow.Add(-time.Hour), DueAt: lookNow, DueSince: lookNow,
		NextCheck: lookNow.Add(time.Hour),
	}
	change(&it)
	return it
}

func in(s dispatch.State) func(*dispatch.Item) {
	return func(it *dispatch.Item) { it.State = s }
}

func status(s dispatch.Status) func(*dispatch.Item) {
	return func(it *dispatch.Item) {
		it.State, it.UpstreamID, it.AcceptedAt, it.Status = dispatch.StateAccepted, "u", lookNow.Add(-time.Minute), s
	}
}

func held(h dispatch.Block) func(*dispatch.Item) { return func(it *dispatch.Item) { it.Block = h } }

func because(s dispatch.State, key string) func(*dispatch.Item) {
	return func(it *dispatch.Item) { it.State, it.Reason.Key = s, key }
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	instant, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return instant
}
