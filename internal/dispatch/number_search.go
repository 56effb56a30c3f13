package dispatch

import "time"

// Limits of searches for a person's number. A search reveals whether something was sent to a number, so trying all
// numbers that match a masked one would reveal the whole number.
const (
	NumbersPerHour = 30  // different numbers that one user may search for in an hour
	NumbersUnusual = 20  // different numbers in a day after which the team lead is told
	SearchesKept   = 100 // of one user
)

// NumberUse counts the different numbers that a user has searched for within the last hour.
type NumberUse struct {
	Numbers int
	Known   bool      // the number of this search is one of them
	Oldest  time.Time // when the least recently searched number was searched for
}

// Refuse returns why a search must wait; nil when it may be made. Team leads may override it with a reason.
func (u NumberUse) Refuse() *Problem {
	if u.Known || u.Numbers < NumbersPerHour {
		return nil
	}
	return &Problem{Field: FieldSearch, Key: "problem.search.often", Args: Args{"N": NumbersPerHour, "When": u.Oldest.Add(time.Hour)}}
}

// NumberSearcher is a user who searched for unusually many different numbers on a day.
type NumberSearcher struct {
	Day     time.Time
	Name    string
	Numbers int
}
