package dispatch

import "time"

// Tally counts items, with how many of them arrived and how many were stopped.
type Tally struct {
	N, Arrived, Stopped int
	Segments            int // of SMS
}

// Add adds another tally.
func (t Tally) Add(o Tally) Tally {
	return Tally{t.N + o.N, t.Arrived + o.Arrived, t.Stopped + o.Stopped, t.Segments + o.Segments}
}

// Route is how an item reaches its recipient.
type Route string

// The routes. An open one is not known yet.
const (
	RouteSMS     Route = "sms"
	RouteDigital Route = "digital"
	RoutePrint   Route = "print"
	RouteOpen    Route = "open"
)

// Outcomes in statistics that are neither a state nor a status.
const (
	OutcomeOpen      = "open"      // no result yet
	OutcomeUntracked = "untracked" // handed over, and no status can be read
)

// OfOutcome is the tally of one kind and outcome on one day.
type OfOutcome struct {
	Day     time.Time
	Kind    Kind
	Outcome string
	Tally
}

// OfValue is the tally of one value: a sender, a template, a billing code.
type OfValue struct {
	Kind  Kind
	Value string
	Name  string // display name; empty: the value itself
	Tally
}

// Band is a range of durations: 1, within an hour, to 6, more than a week; 0: any.
type Band int

// Bands is a histogram of durations, from within an hour to more than a week.
type Bands [6]int

// Total is the number of items.
func (b Bands) Total() (n int) {
	for _, one := range b {
		n += one
	}
	return n
}

// Median is the index of the band with the median; -1: no items.
func (b Bands) Median() int {
	seen := 0
	for i, n := range b {
		if seen += n; n > 0 && 2*seen >= b.Total() {
			return i
		}
	}
	return -1
}

// Within is the share, in per cent, of items up to a band.
func (b Bands) Within(band int) int {
	if b.Total() == 0 {
		return 0
	}
	n := 0
	for _, one := range b[:band+1] {
		n += one
	}
	return (n*100 + b.Total()/2) / b.Total()
}

// Hours are histograms of how long reading took, by the hour of the day in Oslo at which an item was handed over.
type Hours [24]Bands

// hourEnough is how many items of an hour tell something about it.
const hourEnough = 20

// soonBand is the last band of what is read soon: within four hours.
const soonBand = 1

// Best is the hour of which most items are read within four hours, and their share in per cent; -1: too few were read to tell.
func (h Hours) Best() (hour, share int) {
	hour = -1
	for i, b := range h {
		if of := b.Within(soonBand); b.Total() >= hourEnough && (hour < 0 || of > share) {
			hour, share = i, of
		}
	}
	return hour, share
}

// Total is the number of items.
func (h Hours) Total() (n int) {
	for _, b := range h {
		n += b.Total()
	}
	return n
}

// Statistics are an account's figures for a period.
type Statistics struct {
	From, To  time.Time // the first day, and the day after the last
	Outcomes  []OfOutcome
	Senders   []OfValue
	Templates []OfValue
	Billing   []OfValue
	Read      Bands
	Sign      Bands
	Hours     Hours // of what has been read
}

// By adds up the outcomes that match.
func (s Statistics) By(which func(OfOutcome) bool) (t Tally) {
	for _, o := range s.Outcomes {
		if which(o) {
			t = t.Add(o.Tally)
		}
	}
	return t
}
