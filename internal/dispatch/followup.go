package dispatch

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Cause is why a caseworker must act on an item. The database decides which items have one, by follow_up_of
// (docs/lists.md, Follow-ups), in the order given here.
type Cause string

// The causes, in the order in which people are told of them.
const (
	CauseUncertain    Cause = "uncertain"     // nobody knows whether it was sent, and no look-up is planned
	CauseRejected     Cause = "rejected"      // it was not taken
	CauseFailed       Cause = "failed"        // the service could not be reached for a day
	CauseNotDelivered Cause = "not_delivered" // taken, and then not delivered
	CauseWaiting      Cause = "waiting"       // queued for more than a day: should it still go?
	CauseSigningEnded Cause = "signing_ended" // the signing was refused, or its deadline passed
	CauseSigning      Cause = "signing"       // the deadline for signing is within two days
	CauseMissing      Cause = "missing"       // the service has said three times that it does not know it
	CauseUnread       Cause = "unread"        // still unread, and will be printed
	CauseSilent       Cause = "silent"        // taken, and nothing heard of it for long
)

// Causes returns all causes in their order.
func Causes() []Cause {
	return []Cause{CauseUncertain, CauseRejected, CauseFailed, CauseNotDelivered, CauseWaiting, CauseSigningEnded, CauseSigning,
		CauseMissing, CauseUnread, CauseSilent}
}

// Stays tells whether the cause holds also when another item that replaces the item has been sent.
func (c Cause) Stays() bool { return c == CauseUncertain || c == CauseWaiting }

// CausesAfter returns the causes that are told only where a cause does not hold.
func CausesAfter(c Cause) []Cause {
	all := Causes()
	return all[slices.Index(all, c)+1:]
}

// FollowUp is an item on which a caseworker must act, with what people have written about it.
type FollowUp struct {
	Cause  Cause
	Since  time.Time
	Owner  UserID
	Name   string    // of the owner; empty: nobody has taken it
	Due    time.Time // a day in Oslo; zero: none
	Note   string
	DoneAt time.Time // zero: it is open
	DoneBy string    // name
	Reason string    // why it is done with
}

// Open tells whether somebody still has to do something.
func (f FollowUp) Open() bool { return f.Cause != "" && f.DoneAt.IsZero() }

// Late tells whether the day by which it was to be done has passed.
func (f FollowUp) Late(now time.Time) bool {
	return f.Open() && !f.Due.IsZero() && !now.In(Oslo).Before(f.Due.AddDate(0, 0, 1))
}

// Ownership is who is to take care of a follow-up.
type Ownership string

// The choices of an owner: colleagues are reached through what they sent.
const (
	OwnerKeep   Ownership = "keep"
	OwnerMe     Ownership = "me"
	OwnerSender Ownership = "sender"
	OwnerNobody Ownership = "nobody"
)

// Fields of what is written about a follow-up; the forms use the same names.
const (
	FieldFollowOwner  = "ansvarlig"
	FieldFollowDue    = "frist"
	FieldFollowNote   = "notat"
	FieldFollowReason = "begrunnelse"
)

// FollowUpMax is how long a note or a reason may be.
const FollowUpMax = 1000

// Handling is what a person writes about follow-ups.
type Handling struct {
	Owner   Ownership
	Due     time.Time
	KeepDue bool // the day stays as it is
	Note    string
	Done    bool
	Reason  string // why they are done with
}

// Validate returns what keeps the handling from being saved. What is marked as done says why.
func (h Handling) Validate() Problems {
	var ps Problems
	if h.Done && !saysSomething(h.Reason, 2, 2) {
		ps.add(&Problem{Field: FieldFollowReason, Key: "problem.follow_up.reason"})
	}
	for _, text := range []struct{ field, value string }{{FieldFollowReason, h.Reason}, {FieldFollowNote, h.Note}} {
		if utf8.RuneCountInString(text.value) > FollowUpMax || !Readable(text.value) {
			ps.add(&Problem{Field: text.field, Key: "problem.follow_up.long"})
		} else if HoldsNationalID(text.value) {
			ps.add(&Problem{Field: text.field, Key: "problem.follow_up.number"})
		}
	}
	switch h.Owner {
	case OwnerKeep, OwnerMe, OwnerSender, OwnerNobody:
	default:
		ps.add(&Problem{Field: FieldFollowOwner, Key: "problem.follow_up.owner"})
	}
	return ps
}

// ParseDue reads the day by which something is to be done; empty is none.
func ParseDue(typed string) (time.Time, *Problem) {
	if strings.TrimSpace(typed) == "" {
		return time.Time{}, nil
	}
	day, ok := ParseDay(typed)
	if !ok {
		return time.Time{}, &Problem{Field: FieldFollowDue, Key: "problem.date"}
	}
	return day, nil
}

// EndedBadly tells whether the recipient will surely not get the item, so that another one can go instead.
func (it Item) EndedBadly() bool {
	switch it.State {
	case StateRejected, StateFailed:
		return true
	case StateAccepted:
		return it.Status.Of(it.Kind).EndedBadly()
	}
	return false
}

// AwaitsSigning tells whether the recipient can still sign the shipment.
func (i ShipmentItem) AwaitsSigning() bool {
	return i.Signing() && i.State == StateAccepted && !i.SigningStatus.Settled()
}

// OriginKind is what an item has to do with the one that it was made from.
type OriginKind string

// The kinds of origin.
const (
	OriginReplaces OriginKind = "replaces" // it goes instead of that one
	OriginReminds  OriginKind = "reminds"  // it reminds the recipient of that one
)

// Origin is the item that another one was made from.
type Origin struct {
	Item ItemID
	Kind OriginKind
}

// Relative is an item that another one was made from, or that was made from it.
type Relative struct {
	Item
	Origin OriginKind
	Before bool // the other one was made from it
}

// FollowedItem is one line of the list of what wants a person: the item, why, and what a list may say of it.
type FollowedItem struct {
	Item
	FollowUp  FollowUp
	SMS       SMSItem // of an SMS
	Title     string  // of a shipment
	Recipient string
	Signing   SigningStatus
	SignBy    time.Time
}
