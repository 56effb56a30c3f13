package dispatch

import "time"

// Tally is how many items there are of something, and what became of them.
type Tally struct {
	N, Arrived, Stopped int
	Parts               int // of SMS
}

// Add adds another tally.
func (t Tally) Add(o Tally) Tally {
	return Tally{t.N + o.N, t.Arrived + o.Arrived, t.Stopped + o.Stopped, t.Parts + o.Parts}
}

// Route is how something reaches its recipient.
type Route string

// The routes. An open one is not known yet.
const (
	RouteSMS     Route = "sms"
	RouteDigital Route = "digital"
	RoutePrint   Route = "print"
	RouteOpen    Route = "open"
)

// Outcomes that are no state and no status.
const (
	OutcomeOpen      = "open"      // there is nothing to tell yet
	OutcomeUntracked = "untracked" // handed over, and no status can be read
)

// OfOutcome is a tally of one kind and outcome on one day.
type OfOutcome struct {
	Day     time.Time
	Kind    Kind
	Outcome string
	Tally
}

// OfValue is a tally of one value: a sender, a template, a billing code.
type OfValue struct {
	Kind  Kind
	Value string
	Name  string // in words; empty: the value itself
	Tally
}

// Band is how long something took, from 1, within an hour, to 6, more than a week; 0: whatever it took.
type Band int

// Bands are how many items took how long, from within an hour to more than a week.
type Bands [6]int

// Total is how many there are in all.
func (b Bands) Total() (n int) {
	for _, one := range b {
		n += one
	}
	return n
}

// Median is the band that half of them were done within; -1: there are none.
func (b Bands) Median() int {
	seen := 0
	for i, n := range b {
		if seen += n; n > 0 && 2*seen >= b.Total() {
			return i
		}
	}
	return -1
}

// Statistics are what an account has sent in a period.
type Statistics struct {
	From, To  time.Time // the first day, and the day after the last
	Outcomes  []OfOutcome
	Senders   []OfValue
	Templates []OfValue
	Billing   []OfValue
	Read      Bands
	Sign      Bands
}

// By adds up the outcomes that a rule chooses.
func (s Statistics) By(which func(OfOutcome) bool) (t Tally) {
	for _, o := range s.Outcomes {
		if which(o) {
			t = t.Add(o.Tally)
		}
	}
	return t
}

// Prices are what an account pays, in øre; 0: not said.
type Prices struct{ SMS, Digital, Print int }

// validPrice tells whether a price in øre can be one: at most 10 000 kroner.
func validPrice(ore int) bool { return ore >= 0 && ore <= 1_000_000 }

// Set tells whether any price is known.
func (p Prices) Set() bool { return p != Prices{} }

// Cost is what the items of a route cost in øre, of those that were handed over.
func (p Prices) Cost(s Statistics, r Route) int {
	t := s.By(func(o OfOutcome) bool {
		return RouteOf(o.Kind, o.Outcome) == r && o.Outcome != OutcomeOpen && o.Outcome != string(StateRejected) &&
			o.Outcome != string(StateFailed) && o.Outcome != string(StateCancelled) && o.Outcome != string(StateUncertain)
	})
	if r == RouteSMS {
		return t.Parts * p.Of(r)
	}
	return t.N * p.Of(r)
}

// Of is the price of a route in øre: per part for SMS, else per item; 0 when none is known.
func (p Prices) Of(r Route) int {
	switch r {
	case RouteSMS:
		return p.SMS
	case RouteDigital:
		return p.Digital
	case RoutePrint:
		return p.Print
	}
	return 0
}
