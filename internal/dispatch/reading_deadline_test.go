package dispatch

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestReadingDeadline(t *testing.T) {
	at := func(text string) time.Time {
		parsed, err := time.ParseInLocation("Mon 2006-01-02 15:04", text, Oslo)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for _, c := range []struct {
		says, notified, ends string
		holidaysCount        bool
	}{
		{"on Monday", "Mon 2026-11-23 08:00", "Wed 2026-11-25 00:00", false},
		{"on Thursday, over a weekend", "Thu 2026-11-26 10:00", "Mon 2026-11-30 02:00", false},
		{"on Friday evening", "Fri 2026-11-27 20:00", "Tue 2026-12-01 12:00", false},
		{"on Saturday, which does not count", "Sat 2026-11-28 12:00", "Tue 2026-12-01 16:00", false},
		{"on Sunday at midnight", "Sun 2026-11-29 00:00", "Tue 2026-12-01 16:00", false},
		{"as Monday begins", "Mon 2026-11-30 00:00", "Tue 2026-12-01 16:00", false},
		{"over the night when summer time ends", "Fri 2026-10-23 10:00", "Tue 2026-10-27 02:00", false},
		{"over the night when summer time begins", "Fri 2026-03-27 10:00", "Tue 2026-03-31 02:00", false},
		{"before Easter", "Wed 2026-04-01 12:00", "Wed 2026-04-08 04:00", false},
		{"before Easter, where holidays count", "Wed 2026-04-01 12:00", "Fri 2026-04-03 04:00", true},
		{"before 17 May, a Sunday that is also no working day", "Fri 2026-05-15 12:00", "Tue 2026-05-19 04:00", false},
		{"Christmas, with Christmas Eve a working day", "Wed 2026-12-23 12:00", "Mon 2026-12-28 04:00", false},
		{"over New Year", "Wed 2026-12-30 12:00", "Mon 2027-01-04 04:00", false},
	} {
		t.Run(c.says, func(t *testing.T) {
			a := Account{HolidaysCount: c.holidaysCount}
			ends := at(c.ends)
			if got := a.ReadingDeadline(at(c.notified)); !got.Equal(ends) {
				t.Errorf("got %s, want %s", got.Format("Mon 2006-01-02 15:04"), c.ends)
			}
			if at(c.notified).After(a.UnreadSince(ends)) {
				t.Error("it is not over when it ends")
			}
			if !at(c.notified).After(a.UnreadSince(ends.Add(-time.Minute))) {
				t.Error("it is over a minute before it ends")
			}
		})
	}
}

// TestUnreadSinceInvertsReadingDeadline: whatever the hour, what the one says of a notice the other says too.
func TestUnreadSinceInvertsReadingDeadline(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	year := time.Date(2026, 1, 1, 0, 0, 0, 0, Oslo)
	for range 20_000 {
		a := Account{HolidaysCount: rng.IntN(2) == 0}
		now := year.Add(time.Duration(rng.Int64N(int64(2 * 365 * 24 * time.Hour))))
		notified := now.Add(-time.Duration(rng.Int64N(int64(12 * 24 * time.Hour)))).Truncate(time.Duration(1+rng.IntN(2)*59) * time.Minute)
		if over, since := !a.ReadingDeadline(notified).After(now), !notified.After(a.UnreadSince(now)); over != since {
			t.Fatalf("notified %s, now %s: past the deadline %t, since %s %t", notified, now, over, a.UnreadSince(now), since)
		}
	}
}

func TestWatchAt(t *testing.T) {
	now := time.Date(2026, 10, 26, 9, 30, 0, 0, Oslo) // the day after summer time ended
	for w, want := range map[Watch]time.Time{
		WatchFailed: time.Date(2026, 10, 25, 0, 0, 0, 0, Oslo), WatchQueued: now, "": {},
		WatchUnread: time.Date(2026, 10, 22, 17, 30, 0, 0, Oslo),
	} {
		if got := (Account{}).WatchAt(w, now); !got.Equal(want) {
			t.Errorf("%q: got %s, want %s", w, got, want)
		}
	}
	if got := UnreadInAltinn(); len(got) != 3 || got[0] != StatusNotified {
		t.Errorf("unread in Altinn are %q", got)
	}
}
