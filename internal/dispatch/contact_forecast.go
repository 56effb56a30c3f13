package dispatch

import "time"

// ContactForecast counts the rows of a list that can be sent to by what the contact register said about them.
type ContactForecast struct {
	ByPhone    int // SMS by a phone number that the list has: there is nothing to ask about
	Numberless int // shipments without a number; counted where the rows are read
	Valid      int
	Invalid    int
	NotFound   int
	Other      int       // a status that we do not know
	Unanswered int       // not asked about, or not answered
	Replaced   int       // must be left out: of a draft to those not reached, who were sent the same meanwhile
	LeftOut    int       // by a person
	Returning  int       // of those: who can be taken in again
	Staying    int       // of those: who cannot, since they were sent the same meanwhile
	Unfit      int       // their own text cannot be sent
	Phoneless  int       // sent by phone numbers that the list has, and it has none of theirs
	At         time.Time // of the last answer
}

// Asked tells whether the register has said something about the list.
func (f ContactForecast) Asked() bool { return !f.At.IsZero() }

// Reachable counts the rows that an SMS can be sent to, as far as is known.
func (f ContactForecast) Reachable() int { return f.ByPhone + f.Valid }

// Unsent counts the rows that get no SMS whether they can be reached or not.
func (f ContactForecast) Unsent() int { return f.Unfit + f.Phoneless }

// Unclear counts the rows about which nothing is known.
func (f ContactForecast) Unclear() int { return f.Other + f.Unanswered }

// Rest counts the rows that no SMS reaches, as far as is known; unclear counts the others about which nothing is known
// among them.
func (f ContactForecast) Rest(unclear bool) int {
	n := f.Invalid + f.NotFound
	if unclear {
		n += f.Unclear()
	}
	return n
}

// Add counts rows of a group.
func (f *ContactForecast) Add(g LookupGroup, n int) {
	switch g {
	case GroupValid:
		f.Valid += n
	case GroupInvalid:
		f.Invalid += n
	case GroupNotFound:
		f.NotFound += n
	case GroupOther:
		f.Other += n
	default:
		f.Unanswered += n
	}
}

// LookupNumber returns the number by which the register can be asked about a row: of an SMS by national identity number,
// or of a shipment with a number. Empty: there is none.
func (r JobRow) LookupNumber() LookupNumber {
	if r.Shipment == nil {
		return LookupNumber(r.Recipient.NationalID)
	}
	if n := LookupNumber(withoutBlanks(r.Shipment.Number)); n.Valid() {
		return n
	}
	return ""
}
