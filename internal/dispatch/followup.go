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
	CauseUncertain    Cause = "uncertain"     // may or may not have been sent, and no look-up is planned
	CauseRejected     Cause = "rejected"      // the service rejected it
	CauseFailed       Cause = "failed"        // the service could not be reached for a day
	CauseNotDelivered Cause = "not_delivered" // accepted, and then not delivered
	CauseWaiting      Cause = "waiting"       // queued for more than a day: should it still go?
	CauseSigningEnded Cause = "signing_ended" // the signing was refused, or its deadline passed
	CauseSigning      Cause = "signing"       // the deadline for signing is within two days
	CauseMissing      Cause = "missing"       // the service has answered 404 three times in a row
	CauseUnread       Cause = "unread"        // still unread, and will be printed
	CauseSilent       Cause = "silent"        // accepted, and no news for long
)

// Causes returns all causes in their order.
func Causes() []Cause {
	return []Cause{CauseUncertain, CauseRejected, CauseFailed, CauseNotDelivered, CauseWaiting, CauseSigningEnded, CauseSigning,
		CauseMissing, CauseUnread, CauseSilent}
}

// HoldsWhenReplaced tells whether the cause holds although a replacement of the item has been sent.
func (c Cause) HoldsWhenReplaced() bool { return c == CauseUncertain || c == CauseWaiting }

// FailureCauses returns the causes that say that an item surely or perhaps did not arrive.
func FailureCauses() []Cause {
	return []Cause{CauseUncertain, CauseRejected, CauseFailed, CauseNotDelivered}
}

// CausesAfter returns the causes of lower rank than a cause.
func CausesAfter(c Cause) []Cause {
	all := Causes()
	return all[slices.Index(all, c)+1:]
}

// FollowUp is an item on which a caseworker must act, with its owner, due day and notes.
type FollowUp struct {
	Cause  Cause
	Since  time.Time
	Owner  UserID
	Name   string    // of the owner; empty: nobody has taken it
	Due    time.Time // a day in Oslo; zero: none
	Note   string
	DoneAt time.Time // zero: it is open
	DoneBy string    // name
	Reason string    // why it was closed
}

// Open tells whether somebody must still act.
func (f FollowUp) Open() bool { return f.Cause != "" && f.DoneAt.IsZero() }

// Late tells whether the due day has passed.
func (f FollowUp) Late(now time.Time) bool {
	return f.Open() && !f.Due.IsZero() && !now.In(Oslo).Before(f.Due.AddDate(0, 0, 1))
}

// Ownership is a choice of the follow-up's owner.
type Ownership string

// The choices.
const (
	OwnerKeep   Ownership = "keep"
	OwnerMe     Ownership = "me"
	OwnerSender Ownership = "sender"
	OwnerNobody Ownership = "nobody"
	OwnerOther  Ownership = "other" // a colleague, Handling.To
)

// Fields of a follow-up's form that problems are tied to.
const (
	FieldFollowOwner  = "ansvarlig"
	FieldFollowDue    = "frist"
	FieldFollowNote   = "notat"
	FieldFollowReason = "begrunnelse"
)

// FollowUpMax is the longest note or reason in characters.
const FollowUpMax = 1000

// Handling is a change of follow-ups by a person.
type Handling struct {
	Owner   Ownership
	To      UserID // of OwnerOther
	Due     time.Time
	IfFree  bool // nothing is changed where somebody else has taken it
	KeepDue bool // the due day stays
	Note    string
	Done    bool
	Reason  string // for closing them
}

// Validate returns the problems that keep the handling from being saved. Closing requires a reason.
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
	case OwnerOther:
		if !IsUUID(string(h.To)) {
			ps.add(&Problem{Field: FieldFollowOwner, Key: "problem.follow_up.owner"})
		}
	default:
		ps.add(&Problem{Field: FieldFollowOwner, Key: "problem.follow_up.owner"})
	}
	return ps
}

// ParseDue parses the due day; empty is none.
func ParseDue(typed string) (time.Time, *Problem) {
	if strings.TrimSpace(typed) == "" {
		return time.Time{}, nil
	}
	day, ok := ParseDay(typed)
	if !ok {
		return time.Time{}, DayProblem(FieldFollowDue, typed)
	}
	return day, nil
}

// EndedBadly tells whether the recipient will certainly not get the item, so that a replacement can be sent.
func (it Item) EndedBadly() bool {
	switch it.State {
	case StateRejected, StateFailed:
		return true
	case StateAccepted:
		return it.Status.Of(it.Kind).EndedBadly()
	}
	return false
}

// Revived tells whether an item that ended badly has been sent again, or has got another status since.
func (it Item) Revived() bool { return it.State != StateCancelled && !it.EndedBadly() }

// AwaitsSigning tells whether the recipient can still sign the shipment.
func (i ShipmentItem) AwaitsSigning() bool {
	return i.Signing() && i.State == StateAccepted && !i.SigningStatus.Settled()
}

// SigningFailed tells whether the signing has ended without a signature.
func (i ShipmentItem) SigningFailed() bool { return i.Signing() && i.SigningStatus.Row().Failed() }

// OriginKind relates an item to the item that it was made from.
type OriginKind string

// The kinds of origin.
const (
	OriginReplaces OriginKind = "replaces" // it is sent instead of that one
	OriginReminds  OriginKind = "reminds"  // it reminds the recipient of that one
)

// Origin is the item from which another was made.
type Origin struct {
	Item ItemID
	Kind OriginKind
}

// Relative is an item from which, or for which, another was made.
type Relative struct {
	Item
	Origin  OriginKind
	Before  bool          // the relative is the origin
	Signing SigningStatus // of a shipment to be signed
}

// Replacement is why a draft that is to replace an item would give the recipient two. Zero: it would not.
type Replacement struct {
	Item  Item  // it was sent in place of that item; or, with Again, that item itself
	Job   JobID // makes one in place of it soon
	Again bool  // the item to be replaced was sent again, or arrived after all
}

// None tells whether the draft would be the only one.
func (r Replacement) None() bool { return r.Item.ID == "" && r.Job == "" }

// FollowedItem is a row of the worklist: the item, its follow-up, and what a list may show of it.
type FollowedItem struct {
	Item
	FollowUp  FollowUp
	SMS       SMSItem // of an SMS
	Title     string  // of a shipment
	Recipient string
	Signing   SigningStatus
	SignBy    time.Time
	Protected ProtectedID // of its recipient; empty: they are not
	Hidden    bool        // the viewer is not among the named
	Numbered  bool        // its recipient has a number
}

// Hide removes what tells whom the item went to, or what it is.
func (it *FollowedItem) Hide() {
	it.FollowUp.Note, it.FollowUp.Reason = "", ""
	*it = FollowedItem{Item: it.Item, FollowUp: it.FollowUp, Protected: it.Protected, Hidden: true}
}
