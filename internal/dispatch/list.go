package dispatch

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// ListRow is an SMS or a shipment in a list.
type ListRow struct {
	Item

	Recipient    SMSRecipient // of an SMS
	Text         string
	HideInReport bool

	Title             string // of a shipment
	RecipientName     string
	ExternalReference string
	DigitalOnly       bool
	SigningStatus     SigningStatus
	SignBy            time.Time // the end of the last day to sign; zero: nothing to sign
}

// ListFilter is what somebody chooses to see of an account's items; its zero value is everything. It holds nothing
// personal but who sent.
type ListFilter struct {
	Kind        Kind
	Group       Group
	Status      Status
	From, To    time.Time // the first day, and the day after the last one
	Sender      UserID
	BillingCode string // of shipments, as the rest
	Type        string
	Signing     SigningStatus
	Job         JobID
	JobGroup    JobGroup   // of the job
	Outcome     string     // as numbers call it; one of ListOutcomes
	Route       Route      // of shipments
	Template    TemplateID // of SMS
	Read        Band       // of shipments: how long it took until they were read, and signed
	Signed      Band
}

// OutcomeSent stands for all outcomes: drafts have none.
const OutcomeSent = "sent"

// ListOutcomes are the outcomes that a list can be narrowed to. Those that are a status or a group are chosen as such.
func ListOutcomes() []string {
	return []string{OutcomeSent, OutcomeOpen, OutcomeUntracked, string(StateRejected), string(StateFailed), string(StateCancelled)}
}

// OfKind tells whether the filter lets items of a kind through at all.
func (f ListFilter) OfKind(k Kind) bool {
	switch {
	case f.Kind != "" && f.Kind != k:
		return false
	case k == KindSMS:
		return f.BillingCode == "" && f.Type == "" && f.Signing == "" && f.Route == "" && f.Read == 0 && f.Signed == 0
	case k == KindShipment:
		return f.Template == ""
	}
	return true
}

// Plain tells whether nothing is chosen but the kind and the group: of those the counts are known.
func (f ListFilter) Plain() bool { return f == ListFilter{Kind: f.Kind, Group: f.Group} }

// Choices is how many things are chosen by, besides the kind and days.
func (f ListFilter) Choices() (n int) {
	for _, set := range []bool{
		f.Group != "", f.Status != "", f.Sender != "", f.BillingCode != "", f.Type != "", f.Signing != "", f.Job != "", f.JobGroup != "",
		f.Outcome != "" && f.Outcome != OutcomeSent, f.Route != "", f.Template != "", f.Read != 0, f.Signed != 0,
	} {
		if set {
			n++
		}
	}
	return n
}

// Groups returns all groups in the order of the page.
func Groups() []Group {
	return []Group{GroupPlanned, GroupWorking, GroupOnItsWay, GroupArrived, GroupStopped, GroupUncertain}
}

// GroupCount is how many items of a group there are. One that is not exact stands for more than is worth counting.
type GroupCount struct {
	N     int
	Above bool // there are more
}

// GroupCounts are the counts of a list.
type GroupCounts map[Group]GroupCount

// FieldSearch is where people type what they search for.
const FieldSearch = "q"

// Search is what somebody searches for: one of words, an id and a number. Words of three digits are the end of a phone
// number as well.
type Search struct {
	Words      string
	LastThree  string
	ID         ItemID // ours, or the service's
	NationalID NationalID
	Phone      Phone
	Number     OrganizationNumber
}

// Person tells whether the search is for one recipient by number.
func (s Search) Person() bool { return s.NationalID != "" || s.Phone != "" || s.Number != "" }

// searchMax is the longest search in characters.
const searchMax = 200

// ParseSearch reads what somebody searches for. What looks like a whole number is one; anything else is words.
func ParseSearch(typed string) (Search, *Problem) {
	text := strings.TrimSpace(typed)
	bare := withoutBlanks(text)
	switch {
	case !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return Search{}, &Problem{Field: FieldSearch, Key: "problem.search.empty"}
	case utf8.RuneCountInString(text) > searchMax || !Readable(text):
		return Search{}, &Problem{Field: FieldSearch, Key: "problem.search.unreadable"}
	case isUUID(bare):
		return Search{ID: ItemID(strings.ToLower(bare))}, nil
	case allDigits(bare) && len(bare) == 3:
		return Search{Words: text, LastThree: bare}, nil
	}
	if s := parseNumber(bare); s.Person() {
		return s, nil
	}
	return Search{Words: text}, nil
}

// ParsePersonSearch reads a whole number to search for.
func ParsePersonSearch(typed string) (Search, *Problem) {
	bare := withoutBlanks(typed)
	if s := parseNumber(bare); s.Person() {
		return s, nil
	}
	if bare == "" {
		return Search{}, &Problem{Field: FieldSearch, Key: "problem.search.number_empty"}
	}
	return Search{}, &Problem{Field: FieldSearch, Key: "problem.search.number"}
}

// parseNumber reads a national id, an organisation number or a phone number without blanks. Nine digits can be both of
// the latter.
func parseNumber(bare string) (s Search) {
	if n, problem := ParseNationalID(FieldSearch, bare); problem == nil {
		return Search{NationalID: n}
	}
	if allDigits(bare) && len(bare) == 9 {
		s.Number = OrganizationNumber(bare)
	}
	if p, problem := ParsePhone(FieldSearch, bare); problem == nil {
		s.Phone = p
	}
	return s
}

// Masked is the number that is searched for, as it may be shown.
func (s Search) Masked() string {
	switch {
	case s.NationalID != "":
		return s.NationalID.Masked()
	case s.Phone != "":
		return s.Phone.Masked()
	}
	return string(s.Number)
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, r := range s {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (r == '-') || !dash && !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return false
		}
	}
	return true
}

// FilterName tells whether a saved filter can have a name.
func FilterName(name string) bool {
	return strings.TrimSpace(name) != "" && utf8.RuneCountInString(name) <= 60 && !hasControl(name)
}
