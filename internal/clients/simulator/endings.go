package simulator

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// The values of SmsRespons.status.
const (
	statusCreated      = "OPPRETTET"
	statusSent         = "SENDT"
	statusNotSent      = "IKKE_SENDT"
	statusNotDelivered = "IKKE_LEVERT"
	statusDelivered    = "LEVERT"
	statusUnknown      = "UKJENT"
	StatusNew          = "NY_VERDI" // not in the specification
)

// Ending is the meaning of the last three digits of a phone number, or of a word in the title of a shipment.
type Ending struct {
	Digits  string // for [Words]: the word, with its brackets
	Meaning string

	fate fate
	send Fault // of send and, if the first number has it, sendBatch
	read Fault // of hentStatus
}

// fate is a message's sequence of statuses: one step for each Options.Pace.
//
// Assumption: the transitions; the specification shows none.
type fate struct {
	steps    []string
	dayLater string // a day after the last step, if set
}

// Endings lists the effects of the last three digits of a phone number. The simulator itself runs from this list. Any
// other ending, and every national id, is accepted and goes OPPRETTET, SENDT, LEVERT.
func Endings() []Ending {
	var all []Ending
	all = append(all, fateEndings()...)
	all = append(all, statusEndings()...)
	all = append(all, sendEndings()...)
	return append(all, readEndings()...)
}

func fateEndings() []Ending {
	fated := func(digits, meaning string, steps ...string) Ending {
		return Ending{Digits: digits, Meaning: meaning, fate: fate{steps: steps}}
	}
	late := fated("006", "LEVERT, and a day later IKKE_LEVERT", statusCreated, statusSent, statusDelivered)
	late.fate.dayLater = statusNotDelivered
	return []Ending{
		fated("001", "ends IKKE_SENDT", statusCreated, statusNotSent),
		fated("002", "ends IKKE_LEVERT", statusCreated, statusSent, statusNotDelivered),
		fated("003", "stays UKJENT after SENDT", statusCreated, statusSent, statusUnknown),
		fated("004", "UKJENT after SENDT, later LEVERT", statusCreated, statusSent, statusUnknown, statusDelivered),
		fated("005", "stays OPPRETTET", statusCreated),
		late,
	}
}

// statusEndings are the endings that are an HTTP status themselves.
func statusEndings() []Ending {
	var all []Ending
	for _, code := range []int{400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504} {
		meaning := fmt.Sprintf("send answers %d %s, nothing is accepted", code, http.StatusText(code))
		if code == http.StatusTooManyRequests {
			meaning += "; with Retry-After: 2"
		}
		all = append(all, Ending{Digits: strconv.Itoa(code), Meaning: meaning, send: Status(code)})
	}
	return all
}

func sendEndings() []Ending {
	return []Ending{
		{Digits: "901", Meaning: "send accepts, then cuts the connection without an answer", send: LostAfter},
		{Digits: "902", Meaning: "send cuts the connection, nothing is accepted", send: LostBefore},
		{Digits: "903", Meaning: "send answers 200 with HTML, nothing is accepted", send: HTMLAnswer},
		{Digits: "904", Meaning: "send accepts, then cuts the connection in the middle of the answer", send: HalfAnswer},
		{Digits: "905", Meaning: "send accepts, but is slow to answer", send: Slow},
		{Digits: "906", Meaning: "send answers 307 to another address, nothing is accepted", send: Redirect},
		{Digits: "907", Meaning: "send answers 400 with errorJson as an object, nothing is accepted", send: ErrorObject},
		{Digits: "908", Meaning: "send answers 500 without a body, nothing is accepted", send: EmptyAnswer},
		{Digits: "909", Meaning: "send answers 400 with HTML, nothing is accepted", send: HTMLError},
		{Digits: "910", Meaning: "send answers 503 the first time for the number, then works", send: DownOnce},
		{Digits: "911", Meaning: "send answers 200 without an id, nothing is accepted", send: NoID},
		{Digits: "912", Meaning: "send accepts, but answers 500 the first time for the number", send: FailedOnce},
	}
}

func readEndings() []Ending {
	return []Ending{
		{Digits: "921", Meaning: "hentStatus answers 403", read: Status(http.StatusForbidden)},
		{Digits: "922", Meaning: "hentStatus answers 404", read: Status(http.StatusNotFound)},
		{Digits: "923", Meaning: "hentStatus answers 500", read: Status(http.StatusInternalServerError)},
		{Digits: "924", Meaning: "hentStatus answers the unknown status NY_VERDI", read: NewStatus},
	}
}

// ending returns the ending of a number; a national id is passed as the empty number.
func (s *Simulator) ending(phone string) Ending {
	e := s.endings[phone[max(0, len(phone)-3):]]
	if e.fate.steps == nil {
		e.fate.steps = []string{statusCreated, statusSent, statusDelivered}
	}
	return e
}

// statusAfter is the status of a message at an age.
func (f fate) statusAfter(age, pace time.Duration) string {
	last := len(f.steps) - 1
	if f.dayLater != "" && age >= time.Duration(last)*pace+24*time.Hour {
		return f.dayLater
	}
	step := int(max(age, 0) / pace)
	return f.steps[min(step, last)]
}
