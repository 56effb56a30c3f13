package simulator

import (
	"net/http"
	"strings"
)

// lookup is OppslagRequest.
type lookup struct {
	Numbers []string `json:"fnrOrgnrs"`
}

// contact is KontaktInformasjonRespons.
type contact struct {
	Number      string `json:"fnrOrgnr"`
	Phone       string `json:"telefonnummer,omitempty"`
	PhoneStatus string `json:"telefonnummerStatus"`
}

// Faults of look-ups only: the call succeeds, and its answer is not what was asked for.
const (
	leftOut     Fault = 2001 + iota // no answer about the number
	twice                           // two answers, alike
	differently                     // two answers that differ
	ofAnother                       // the answer is about another number
	newContact                      // a telefonnummerStatus unknown to the specification
)

// lookupEnding is the effect of the end of a looked-up number, with its text for docs/simulator.md.
type lookupEnding struct {
	Ending
	answer Fault // affects its own answer only, not the rest of the call
	kind   func(number string) contact
}

// LookupEndings lists the effects of the last digits of a national identity or organisation number when it is looked
// up in the contact register; the longest match counts. The first ones are the five kinds of test users that the
// register's owner offers (upstream-facts, section 10); a bad number is one more. The simulator itself runs from this
// list.
//
// Assumption: a person without a mobile, deleted, or with a number not confirmed for 18 months is IKKE_FUNNET.
func LookupEndings() []Ending {
	all := make([]Ending, 0, len(lookupEndings()))
	for _, e := range lookupEndings() {
		all = append(all, e.Ending)
	}
	return all
}

func lookupEndings() []lookupEnding {
	var all []lookupEnding
	kind := func(meaning string, make func(string) contact, digits ...string) {
		for _, d := range digits {
			all = append(all, lookupEnding{Ending: Ending{Digits: d, Meaning: meaning}, kind: make})
		}
	}
	fault := func(digits, meaning string, call, answer Fault) {
		all = append(all, lookupEnding{Ending: Ending{Digits: digits, Meaning: meaning, read: call}, answer: answer})
	}
	kind("mobile, mail and mailbox: GYLDIG", mobile, "0", "1", "2", "3")
	kind("mobile only: GYLDIG", mobile, "4", "5")
	kind("mail only: IKKE_FUNNET", nothing, "6")
	kind("deleted: IKKE_FUNNET", nothing, "7")
	kind("not confirmed for 18 months: IKKE_FUNNET", nothing, "77")
	kind("a landline: UGYLDIG", landline, "8", "9")
	fault("931", "oppslag leaves the number out", NoFault, leftOut)
	fault("932", "oppslag answers twice about the number", NoFault, twice)
	fault("933", "oppslag answers about another number instead", NoFault, ofAnother)
	fault("934", "the whole oppslag answers 500", Status(http.StatusInternalServerError), NoFault)
	fault("935", "the whole oppslag answers 503 the first time for the number, then works", DownOnce, NoFault)
	fault("936", "oppslag answers twice about the number, and differently", NoFault, differently)
	fault("937", "oppslag answers the unknown status NY_VERDI", NoFault, newContact)
	fault("938", "the whole oppslag answers 403", Status(http.StatusForbidden), NoFault)
	return all
}

func (s *Simulator) lookup(x *Exchange) {
	var in lookup
	if !x.Decode(&in) {
		return
	}
	if err := in.check(); err != nil {
		x.Invalid(err.Error())
		return
	}
	decider, fault := s.faultOfLookup(in.Numbers)
	x.SetRecipient(decider)

	x.Play(x.Decide(decider, fault), func(bool) any {
		found := make([]contact, 0, len(in.Numbers))
		for _, number := range in.Numbers {
			found = append(found, s.contactsOf(number)...)
		}
		return found
	})
}

// faultOfLookup returns the first number whose ending fails the whole call, else the first one.
func (s *Simulator) faultOfLookup(numbers []string) (decider string, fault Fault) {
	for _, n := range numbers {
		if f := s.lookupEnding(n).read; f != NoFault {
			return n, f
		}
	}
	return numbers[0], NoFault
}

// contactsOf makes up the register's answers about a number.
func (s *Simulator) contactsOf(number string) []contact {
	e := s.lookupEnding(number)
	c := s.kindOf(number)(number)
	switch e.answer {
	case leftOut:
		return nil
	case twice:
		return []contact{c, c}
	case differently:
		return []contact{mobile(number), nothing(number)}
	case ofAnother:
		return []contact{mobile(neighbour(number))}
	case newContact:
		c.PhoneStatus = StatusNew
	}
	return []contact{c}
}

// lookupEnding is a number's longest ending in the list; three digits, two, or one.
func (s *Simulator) lookupEnding(number string) lookupEnding {
	for n := 3; n > 0; n-- {
		if e, ok := s.lookups[number[len(number)-n:]]; ok {
			return e
		}
	}
	return lookupEnding{}
}

// kindOf is the kind of contact of a number: endings that are faults have one too, by their last digit.
func (s *Simulator) kindOf(number string) func(string) contact {
	if e := s.lookupEnding(number); e.kind != nil {
		return e.kind
	}
	return s.lookups[number[len(number)-1:]].kind
}

// mobile is a contact whose phone ends in 20, which is not an ending, so that a message to it is delivered.
func mobile(number string) contact {
	return contact{Number: number, Phone: "+4790" + middle(number) + "20", PhoneStatus: "GYLDIG"}
}

func landline(number string) contact {
	return contact{Number: number, Phone: "22" + middle(number) + "20", PhoneStatus: "UGYLDIG"}
}

func nothing(number string) contact { return contact{Number: number, PhoneStatus: "IKKE_FUNNET"} }

func middle(number string) string { return number[len(number)-4:] }

// neighbour is another number of the same form.
func neighbour(number string) string {
	first := "1"
	if strings.HasPrefix(number, first) {
		first = "2"
	}
	return first + number[1:]
}
