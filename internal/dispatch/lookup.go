package dispatch

import "time"

// Limits of look-ups in the contact register. What a person needs for a case is far below; the whole population is not
// to be asked for.
const (
	LookupMax            = 5000 // numbers in one look-up
	LookupPurposeMin     = 5
	LookupPurposeMax     = 200
	LookupsPerHour       = 20
	LookupNumbersPerHour = 5000
)

// LookupKept is how long the answers of a look-up are kept.
const LookupKept = 15 * time.Minute

// Fields of a look-up that problems are tied to; the form uses the same names.
const (
	FieldNumbers = "numre"
	FieldPurpose = "formal"
	FieldReason  = "begrunnelse"
)

// ContactStatus is what the register says of a phone number, verbatim: an open set.
type ContactStatus string

// The values of the specification (SMS spec, KontaktInformasjonRespons).
const (
	ContactValid    ContactStatus = "GYLDIG"
	ContactInvalid  ContactStatus = "UGYLDIG"
	ContactNotFound ContactStatus = "IKKE_FUNNET"
)

// Contact is what the contact register answers about one number.
type Contact struct {
	Number LookupNumber
	Phone  Phone
	Status ContactStatus
}

// LookupCall is one call of the register: what was asked for, and what came back.
type LookupCall struct {
	Asked    []LookupNumber
	Contacts []Contact
	Failure  Reason // zero: it was answered
	Answer   Answer // what the service said of a failure
}

// LookupAnswer tells what became of one number.
type LookupAnswer string

// The answers.
const (
	AnswerNone    LookupAnswer = ""        // the call failed, or was not made
	AnswerGiven   LookupAnswer = "given"   // the register answered
	AnswerMissing LookupAnswer = "missing" // it answered the call, and left the number out
	AnswerUnclear LookupAnswer = "unclear" // it said two different things
)

// LookupEntry is one number of a look-up.
type LookupEntry struct {
	Line   int // where it was typed
	Number LookupNumber
	Answer LookupAnswer
	Phone  Phone
	Status ContactStatus
}

// Recipient returns how to send to who was looked up: people by national identity number, since their phone may change
// until then; organisations by the phone that was found.
func (e LookupEntry) Recipient() (SMSRecipient, bool) {
	if e.Answer != AnswerGiven || e.Status != ContactValid {
		return SMSRecipient{}, false
	}
	if e.Number.Person() {
		return SMSRecipient{NationalID: NationalID(e.Number)}, true
	}
	phone, problem := ParsePhone(FieldPhone, e.Phone.Reveal())
	return SMSRecipient{Phone: phone}, problem == nil
}

// Lookup is one look-up in the contact register with its answers.
type Lookup struct {
	Key      string // of the form
	Purpose  string
	At       time.Time
	Entries  []LookupEntry
	Repeated int    // numbers that were typed again
	Extra    int    // answers to a number that had one
	Strange  int    // answers about numbers that the call did not ask for
	Failure  Reason // of the latest call that failed; zero: none did
	Answer   Answer // what the service said of it
}

// Until is when the answers are forgotten.
func (l Lookup) Until() time.Time { return l.At.Add(LookupKept) }

// Unanswered returns the numbers that the register has not answered about, in the order in which they were typed.
func (l Lookup) Unanswered() []LookupNumber {
	var numbers []LookupNumber
	for _, e := range l.Entries {
		if e.Answer != AnswerGiven {
			numbers = append(numbers, e.Number)
		}
	}
	return numbers
}

// Valid returns who can be sent to.
func (l Lookup) Valid() []SMSRecipient {
	var recipients []SMSRecipient
	for _, e := range l.Entries {
		if r, ok := e.Recipient(); ok {
			recipients = append(recipients, r)
		}
	}
	return recipients
}

// Rows returns who can be sent to as rows of a job's list, numbered by the lines where they were typed; of several on a
// line, the later ones get the next numbers. A phone that two organisations have is sent to once.
func (l Lookup) Rows() []JobRow {
	var rows []JobRow
	first, last := map[string]int{}, 0
	for _, e := range l.Entries {
		r, ok := e.Recipient()
		if !ok {
			continue
		}
		last = max(e.Line, last+1)
		row := JobRow{Position: last, Recipient: r, Phone: r.Phone, Typed: e.Number.Reveal()}
		if at := first[r.Phone.Comparable()]; r.ByPhone() && at > 0 {
			row.Problem = Problem{Field: FieldRecipient, Key: ProblemDuplicate, Args: Args{"N": at}}
		} else if r.ByPhone() {
			first[r.Phone.Comparable()] = last
		}
		rows = append(rows, row)
	}
	return rows
}

// LookupGroup is what a look-up's numbers are counted by.
type LookupGroup string

// The groups; each number is in one.
const (
	GroupValid      LookupGroup = "valid"
	GroupInvalid    LookupGroup = "invalid"
	GroupNotFound   LookupGroup = "not_found"
	GroupOther      LookupGroup = "other" // a status that we do not know
	GroupUnanswered LookupGroup = "unanswered"
)

// Group returns the group that the number is in.
func (e LookupEntry) Group() LookupGroup {
	if e.Answer != AnswerGiven {
		return GroupUnanswered
	}
	switch e.Status {
	case ContactValid:
		return GroupValid
	case ContactInvalid:
		return GroupInvalid
	case ContactNotFound:
		return GroupNotFound
	}
	return GroupOther
}

// In returns the numbers of a group, in the order in which they were typed; all of them for the empty one.
func (l Lookup) In(g LookupGroup) []LookupEntry {
	if g == "" {
		return l.Entries
	}
	var entries []LookupEntry
	for _, e := range l.Entries {
		if e.Group() == g {
			entries = append(entries, e)
		}
	}
	return entries
}

// Take enters the answers of calls. Only what a call asked for is believed of it.
//
// Assumption: the register writes a number as it was asked for.
func (l *Lookup) Take(calls []LookupCall) {
	entries := make(map[LookupNumber]*LookupEntry, len(l.Entries))
	for i := range l.Entries {
		entries[l.Entries[i].Number] = &l.Entries[i]
	}
	l.Failure, l.Answer = Reason{}, Answer{}
	for _, c := range calls {
		if c.Failure.Key != "" {
			l.Failure, l.Answer = c.Failure, c.Answer
			continue
		}
		l.takeCall(c, entries)
	}
}

func (l *Lookup) takeCall(c LookupCall, entries map[LookupNumber]*LookupEntry) {
	open := make(map[LookupNumber]bool, len(c.Asked))
	for _, n := range c.Asked {
		if e := entries[n]; e != nil {
			open[n], e.Answer = true, AnswerMissing
		}
	}
	for _, contact := range c.Contacts {
		e := entries[contact.Number]
		switch {
		case !open[contact.Number]:
			l.Strange++
		case e.Answer == AnswerMissing:
			e.Answer, e.Phone, e.Status = AnswerGiven, contact.Phone, contact.Status
		default:
			l.Extra++
			if e.Phone != contact.Phone || e.Status != contact.Status {
				e.Answer, e.Phone, e.Status = AnswerUnclear, "", ""
			}
		}
	}
}
