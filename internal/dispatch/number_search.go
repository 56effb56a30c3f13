package dispatch

import "time"

// Limits of searches for a person's number. A search answers whether something was sent to a number, so whoever may try
// all numbers that a masked one can stand for knows the whole one.
const (
	NumbersPerHour = 30  // different numbers that one person may search for in an hour
	NumbersUnusual = 20  // different numbers in a day from which the team lead is told
	SearchesKept   = 100 // of one person
)

// NumberUse is how many different numbers a person has searched for within the last hour.
type NumberUse struct {
	Numbers int
	Known   bool      // the number that is searched for now is one of them
	Oldest  time.Time // when the number that was left alone for longest was searched for
}

// Refuse returns why a search has to wait; nil when it may be made. Whoever leads the account can go on with a reason.
func (u NumberUse) Refuse() *Problem {
	if u.Known || u.Numbers < NumbersPerHour {
		return nil
	}
	return &Problem{Field: FieldSearch, Key: "problem.search.often", Args: Args{"N": NumbersPerHour, "When": u.Oldest.Add(time.Hour)}}
}

// NumberSearcher is a person who searched for unusually many different numbers on a day.
type NumberSearcher struct {
	Day     time.Time
	Name    string
	Numbers int
}
