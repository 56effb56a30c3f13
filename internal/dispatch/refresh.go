package dispatch

import "time"

// RefreshPlan says when the status of an accepted item is read.
type RefreshPlan struct {
	First      []time.Duration // after acceptance
	Then       time.Duration   // between reads after that
	Until      time.Duration   // after acceptance; unsettled items are given up then
	Settled    time.Duration   // between reads of settled items: late events happen
	SettledFor time.Duration   // after the item settled
	OnView     time.Duration   // opening an item pulls its read forward, at most this often
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

// Next returns when to read the status of an item next; zero means never again. settledAt is zero while unsettled.
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

// Signing is the plan for a shipment that may be signed until a time: it is not given up before a day after that.
func (p RefreshPlan) Signing(acceptedAt, signBy time.Time) RefreshPlan {
	p.Until = max(p.Until, signBy.Sub(acceptedAt)+24*time.Hour)
	return p
}

// step goes on by an interval. The last read is at the limit itself: reads always run a little late, and the last one
// would else fall out.
func step(now time.Time, interval time.Duration, limit time.Time) time.Time {
	if !now.Before(limit) {
		return time.Time{}
	}
	if at := now.Add(interval); at.Before(limit) {
		return at
	}
	return limit
}
