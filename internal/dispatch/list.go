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

	Template string // its name; of an SMS, while the account has it

	Title             string // of a shipment
	RecipientName     string
	ExternalReference string
	DigitalOnly       bool
	Unnumbered        bool // its recipient has no number: it goes on paper
	SigningStatus     SigningStatus
	Many              *Job      // list of a draft of a shipment, as far as its name tells of it; nil: it has none
	SignBy            time.Time // the end of the last day to sign; zero: nothing to sign

	Value     string      // of the column by which the list is sorted, if it has few (ListSort.Few)
	Protected ProtectedID // of its recipient; empty: they are not
	Hidden    bool        // the viewer is not among the named: nothing tells whom it went to, or what it is
}

// Hide removes what tells whom the item went to, or what it is.
func (r *ListRow) Hide() {
	*r = ListRow{Item: r.Item, Value: r.Value, Protected: r.Protected, Hidden: true}
}

// ListFilter selects items of an account; the zero value selects all. It holds nothing personal except the sender.
type ListFilter struct {
	Kind        Kind
	Group       Group
	Status      Status
	From, To    time.Time // the first day, and the day after the last
	Sender      UserID
	BillingCode string // this and the following: of shipments
	Type        string
	Signing     SigningStatus
	Job         JobID
	JobGroup    JobGroup // of the job
	Outcome     string   // as in the statistics; one of ListOutcomes
	Route       Route    // of shipments
	Template    TemplateID
	Read        Band // of shipments: time until they were read, and signed
	Signed      Band
	Unarchived  bool // of shipments: nobody has noted that they are archived
	Held        bool // under legal hold
	Watch       Watch
	WatchAt     time.Time // what decides the question, see Account.WatchAt
}

// StatusHandedOver stands, in a filter, for items that a service has and that have no status from it yet.
const StatusHandedOver Status = "overlevert"

// OutcomeSent stands for every outcome: drafts have none.
const OutcomeSent = "sent"

// ListOutcomes are the outcomes that can be filtered by. Statuses and groups have filters of their own.
func ListOutcomes() []string {
	return []string{OutcomeSent, OutcomeOpen, OutcomeUntracked, string(StateRejected), string(StateFailed), string(StateCancelled)}
}

// OfKind tells whether the filter can match items of a kind.
func (f ListFilter) OfKind(k Kind) bool {
	switch {
	case f.Kind != "" && f.Kind != k:
		return false
	case k == KindSMS:
		return f.BillingCode == "" && f.Type == "" && f.Signing == "" && f.Route == "" && f.Read == 0 && f.Signed == 0 && f.Watch != WatchUnread && !f.Unarchived
	}
	return true
}

// Plain tells whether only kind and group are chosen: those counts are kept ready.
func (f ListFilter) Plain() bool { return f == ListFilter{Kind: f.Kind, Group: f.Group} }

// Choices counts the filters in use, besides the kind and days.
func (f ListFilter) Choices() (n int) {
	for _, set := range []bool{
		f.Group != "", f.Status != "", f.Sender != "", f.BillingCode != "", f.Type != "", f.Signing != "", f.Job != "", f.JobGroup != "",
		f.Outcome != "" && f.Outcome != OutcomeSent, f.Route != "", f.Template != "", f.Read != 0, f.Signed != 0, f.Watch != "", f.Unarchived, f.Held,
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

// GroupCount is the number of items in a group, counted up to a limit.
type GroupCount struct {
	N     int
	Above bool // there are more than N
}

// GroupCounts are the counts of a list.
type GroupCounts map[Group]GroupCount

// FieldSearch is the search field.
const FieldSearch = "q"

// Search is a parsed search: words, an id or a number. Words of three digits also match the end of a phone number.
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

// ParseSearch parses a search. A whole number, or an id, is searched for as such; anything else is words.
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

// ParsePersonSearch parses a search for a whole number.
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

// ParseReportNumber parses the number that a report is about. Unlike a search, a report answers for a person or an organization: digits
// that are no number are refused, since "nothing is sent" would be taken as the answer. A check digit that does not fit only warns
// (Mistyped): lists and the older services let such numbers through.
func ParseReportNumber(typed string) (Search, *Problem) {
	bare := withoutBlanks(typed)
	refused := func(key string) (Search, *Problem) { return Search{}, &Problem{Field: FieldSearch, Key: key} }
	_, prefixed := splitPrefix(bare)
	switch whole := allDigits(bare) && !prefixed; {
	case bare == "":
		return refused("problem.search.number_empty")
	case whole && len(bare) == NationalIDLength:
		if !NationalID(bare).DateFits() {
			return refused("problem.report.national_id")
		}
		return Search{NationalID: NationalID(bare)}, nil
	case whole && len(bare) == OrganizationNumberLength:
		return Search{Number: OrganizationNumber(bare)}, nil
	case whole && len(bare) != PhoneMinDigits || !whole && !prefixed:
		return refused("problem.search.number")
	}
	phone, problem := ParsePhone(FieldSearch, bare)
	if problem == nil && !phone.Foreign() && len(phone.Comparable()) != len("+47")+PhoneMinDigits {
		return refused("problem.report.phone")
	}
	return Search{Phone: phone}, problem
}

// Mistyped tells whether check digits of the number do not fit.
func (s Search) Mistyped() bool {
	return s.NationalID != "" && !s.NationalID.CheckDigitsFit() || s.Number != "" && !s.Number.CheckDigitFits()
}

// parseNumber parses a national id, an organisation number or a phone number without blanks. Nine digits may be
// either of the last two.
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

// Masked returns the searched number, masked for the page.
func (s Search) Masked() string {
	switch {
	case s.NationalID != "":
		return s.NationalID.Masked()
	case s.Number.CheckDigitFits() || s.Phone == "": // an organization's number is public
		return s.Number.Grouped()
	}
	return s.Phone.Masked()
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

// LongestFilterName is how many characters the name of a saved filter may have.
const LongestFilterName = 60

// FilterName tells whether a name is valid for a saved filter.
func FilterName(name string) bool {
	return strings.TrimSpace(name) != "" && utf8.RuneCountInString(name) <= LongestFilterName && !hasControl(name)
}
