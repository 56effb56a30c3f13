package dispatch

import "time"

// RefreshPlan schedules status reads of accepted items.
type RefreshPlan struct {
	First      []time.Duration // after acceptance
	Then       time.Duration   // between later reads
	Until      time.Duration   // after acceptance; reads of unsettled items end then
	Settled    time.Duration   // between reads of settled items, which may still have late events
	SettledFor time.Duration   // after the item settled
	OnView     time.Duration   // minimum interval of reads caused by opening an item
}

// DefaultRefreshPlan is the plan of docs/delivery.md: 1, 5, 15, 60 minutes, then every 6 hours up to 30 days; settled
// items daily for 7 days.
func DefaultRefreshPlan() RefreshPlan {
	const day = 24 * time.Hour
	return RefreshPlan{
		First: []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour},
		Then:  6 * time.Hour, Until: 30 * day,
		Settled: day, SettledFor: 7 * day,
		OnView: 30 * time.Second,
	}
}

// Next returns when to read an item's status next; zero: never again. settledAt is zero while unsettled.
func (p RefreshPlan) Next(now, acceptedAt, settledAt time.Time) time.Time {
	if !settledAt.IsZero() {
		return step(now, p.Settled, settledAt.Add(p.SettledFor))
	}
	for _, after := range p.First {
		if at := acceptedAt.Add(after); at.After(now) {
			return at
		}
	}
	return step(now, p.Then, acceptedAt.Add(p.Until))
}

// Signing extends the plan for a shipment with a deadline for signing: reads go on until a day after it.
func (p RefreshPlan) Signing(acceptedAt, signBy time.Time) RefreshPlan {
	p.Until = max(p.Until, signBy.Sub(acceptedAt)+24*time.Hour)
	return p
}

// step adds an interval. The last read is moved to the limit itself: reads always run a little late, and it would
// otherwise be dropped.
func step(now time.Time, interval time.Duration, limit time.Time) time.Time {
	if !now.Before(limit) {
		return time.Time{}
	}
	if at := now.Add(interval); at.Before(limit) {
		return at
	}
	return limit
}
