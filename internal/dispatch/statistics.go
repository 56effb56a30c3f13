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

// Statistics are an account's figures for a period.
type Statistics struct {
	From, To  time.Time // the first day, and the day after the last
	Outcomes  []OfOutcome
	Senders   []OfValue
	Templates []OfValue
	Billing   []OfValue
	Read      Bands
	Sign      Bands
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
