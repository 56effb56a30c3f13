package dispatch

import (
	"slices"
	"time"
)

// NewestFirst merges histories, each newest first, into one. An entry without a time stays next to its neighbour in
// its history; a history without any times stands first, in its own order.
func NewestFirst[T any](at func(T) time.Time, histories ...[]T) []T {
	type placed struct {
		entry T
		at    time.Time
	}
	var all []placed
	for _, history := range histories {
		times := make([]time.Time, len(history))
		for i, entry := range history {
			times[i] = at(entry)
		}
		fillTimes(times)
		for i, entry := range history {
			all = append(all, placed{entry, times[i]})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return b.at.Compare(a.at) })
	joined := make([]T, len(all))
	for i, p := range all {
		joined[i] = p.entry
	}
	return joined
}

// fillTimes gives each zero time that of its older neighbour, else of its newer one, else one later than all.
func fillTimes(times []time.Time) {
	for i := len(times) - 2; i >= 0; i-- {
		if times[i].IsZero() {
			times[i] = times[i+1]
		}
	}
	newer := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	for i := range times {
		if times[i].IsZero() {
			times[i] = newer
		}
		newer = times[i]
	}
}

// DaysBetween returns the whole days in Oslo between two moments, without their own: 0 for the same and neighbouring days.
func DaysBetween(early, late time.Time) int { return max(0, DaysAfter(early, late)-1) }

// DaysAfter returns how many days in Oslo a moment is after another: 0 on the same day, 1 on the next.
func DaysAfter(early, late time.Time) int {
	day := func(t time.Time) time.Time {
		t = t.In(Oslo)
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	return max(0, int(day(late).Sub(day(early))/(24*time.Hour)))
}
