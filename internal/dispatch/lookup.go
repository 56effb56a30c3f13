package dispatch

import "time"

// Limits of look-ups in the contact register: ample for casework, far below the whole population.
const (
	LookupMax            = 5000 // numbers in one look-up
	LookupPurposeMin     = 5
	LookupPurposeMax     = 200
	LookupsPerHour       = 20
	LookupNumbersPerHour = 5000
)

// LookupKept is how long answers are stored.
const LookupKept = 15 * time.Minute

// Fields of the look-up form that problems are tied to.
const (
	FieldNumbers = "numre"
	FieldPurpose = "formal"
	FieldReason  = "begrunnelse"
)

// ContactStatus is the register's status of a phone number, verbatim: an open set.
type ContactStatus string

// The values of the specification (SMS spec, KontaktInformasjonRespons).
const (
	ContactValid    ContactStatus = "GYLDIG"
	ContactInvalid  ContactStatus = "UGYLDIG"
	ContactNotFound ContactStatus = "IKKE_FUNNET"
)

// Contact is the register's answer about one number.
type Contact struct {
	Number LookupNumber
	Phone  Phone
	Status ContactStatus
}

// LookupCall is one call of the register, with its answers.
type LookupCall struct {
	Asked    []LookupNumber
	Contacts []Contact
	Failure  Reason // zero: it succeeded
	Answer   Answer // the service's error answer
}

// LookupAnswer tells whether a number was answered.
type LookupAnswer string

// The answers.
const (
	AnswerNone    LookupAnswer = ""        // the call failed, or was not made
	AnswerGiven   LookupAnswer = "given"   // the register answered
	AnswerMissing LookupAnswer = "missing" // the call was answered without this number
	AnswerUnclear LookupAnswer = "unclear" // two contradictory answers
)

// LookupEntry is one number of a look-up.
type LookupEntry struct {
	Line   int // line on which it was typed
	Number LookupNumber
	Answer LookupAnswer
	Phone  Phone
	Status ContactStatus
}

// Recipient returns the recipient to send to: a person by national identity number, since the phone may change before
// then; an organisation by the phone that was found.
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
	Key      string // form key (idempotency key)
	Purpose  string
	Job      JobID // of whose list; empty: of none
	At       time.Time
	Entries  []LookupEntry
	Repeated int    // numbers typed more than once
	Extra    int    // answers about a number that already had one
	Strange  int    // answers about numbers that were not asked for
	Failure  Reason // of the latest failed call; zero: none
	Answer   Answer // the service's error answer to it
}

// Until is when the answers are deleted.
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

// Valid returns the recipients that can be sent to.
func (l Lookup) Valid() []SMSRecipient {
	var recipients []SMSRecipient
	for _, e := range l.Entries {
		if r, ok := e.Recipient(); ok {
			recipients = append(recipients, r)
		}
	}
	return recipients
}

// Rows returns the recipients that can be sent to as rows of a list, numbered by the lines where they were typed;
// further ones on a line get the next numbers. A phone that two organisations share gets one row.
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

// LookupGroup groups the numbers of a look-up.
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

// In returns the entries of a group, in the order in which they were typed; all for the empty group.
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

// Take stores the answers of calls. Answers that a call did not ask for are only counted.
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
