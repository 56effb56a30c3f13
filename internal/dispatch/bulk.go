package dispatch

import "time"

// BulkAct is an act on chosen items.
type BulkAct string

// The acts, in the order in which they are offered.
const (
	BulkAgain  BulkAct = "again"  // send again what certainly did not arrive
	BulkSMS    BulkAct = "sms"    // an SMS to those whom a shipment did not reach
	BulkRemind BulkAct = "remind" // an SMS to those who have not signed
	BulkStop   BulkAct = "stop"   // stop what waits
	BulkAssign BulkAct = "assign" // owner and day of the follow-up
	BulkDone   BulkAct = "done"   // followed up
	BulkDecide BulkAct = "decide" // decide about what may have been sent
	BulkLook   BulkAct = "look"   // look for it at the service again
	BulkExport BulkAct = "export" // a file of the rows
)

// BulkActs are all acts.
func BulkActs() []BulkAct {
	return []BulkAct{BulkAgain, BulkSMS, BulkRemind, BulkStop, BulkAssign, BulkDone, BulkDecide, BulkLook, BulkExport}
}

// BulkMost is how many items one act takes.
const BulkMost = 100_000

// ToDraft tells whether the act makes a draft to many, which is looked over and sent as any other.
func (a BulkAct) ToDraft() bool { return a == BulkSMS || a == BulkRemind }

// Right is the right that the act asks for.
func (a BulkAct) Right() Right {
	switch a {
	case BulkExport:
		return RightSeeItems
	case BulkSMS, BulkRemind:
		return RightSendSMS
	}
	return RightFollowUp
}

// BulkItem is what decides whether an act applies to an item.
type BulkItem struct {
	Item
	Signs         bool // it is to be signed
	SigningStatus SigningStatus
	Looking       bool  // it is uncertain, and looked for
	Numbered      bool  // its recipient has a number
	Purged        bool  // its content is gone
	Bare          bool  // its files are gone: it cannot be sent as it is
	Replaced      bool  // something was sent instead of it
	Cause         Cause // of its open follow-up; empty: none
	Reach         Reach // of whoever acts
}

// BulkResult tells what an act came to for one item.
type BulkResult string

// The results. All but BulkDid are reasons for which an item is left out.
const (
	BulkDid          BulkResult = "did"
	BulkDraft        BulkResult = "draft"         // it was never sent
	BulkUncertain    BulkResult = "uncertain"     // it may have been sent
	BulkWaits        BulkResult = "waits"         // it is about to be sent
	BulkStopped      BulkResult = "stopped"       // somebody stopped it
	BulkAsked        BulkResult = "asked"         // it is stopped if it turns out not to have been sent
	BulkEnded        BulkResult = "ended"         // it could not be sent, and is not tried again by itself
	BulkSent         BulkResult = "sent"          // it has been sent, and has not failed
	BulkReplaced     BulkResult = "replaced"      // something was sent instead
	BulkPurged       BulkResult = "purged"        // its content is gone
	BulkBare         BulkResult = "bare"          // its files are gone
	BulkNoReach      BulkResult = "no_reach"      // a colleague's content, which one may not open
	BulkNotShipment  BulkResult = "not_shipment"  // it is no shipment
	BulkNoNumber     BulkResult = "no_number"     // its recipient has no national identity number
	BulkUnsigned     BulkResult = "unsigned"      // nothing is to be signed
	BulkNoFollowUp   BulkResult = "no_follow_up"  // nobody has to follow it up
	BulkNotUncertain BulkResult = "not_uncertain" // it is clear what became of it
	BulkChanged      BulkResult = "changed"       // it changed meanwhile, or is gone
	BulkQuota        BulkResult = "quota"         // the SMS quota is used up
	BulkBudget       BulkResult = "budget"        // the budget does not suffice
	BulkApproval     BulkResult = "approval"      // somebody else has to approve it
	BulkFaulty       BulkResult = "faulty"        // something in it has to be corrected first
	BulkProtected    BulkResult = "protected"     // its recipient is protected, and who gets or sends it is not named
	BulkFailed       BulkResult = "failed"        // an error of ours
)

// BulkLeavings are the reasons for which an item is left out.
func BulkLeavings() []BulkResult {
	return []BulkResult{BulkDraft, BulkUncertain, BulkWaits, BulkStopped, BulkAsked, BulkEnded, BulkSent, BulkReplaced, BulkPurged, BulkBare, BulkNoReach, BulkNotShipment, BulkNoNumber,
		BulkUnsigned, BulkNoFollowUp, BulkNotUncertain, BulkChanged, BulkQuota, BulkBudget, BulkApproval, BulkFaulty, BulkProtected, BulkFailed}
}

// LeftOut tells why the act does not apply to an item; empty: it does.
func (a BulkAct) LeftOut(it BulkItem) BulkResult {
	switch a {
	case BulkStop:
		return it.unstoppable()
	case BulkAgain:
		return it.unsendable()
	case BulkSMS:
		return it.unwritable(it.unrepeatable)
	case BulkRemind:
		return it.unwritable(it.unremindable)
	case BulkAssign, BulkDone:
		if it.Cause == "" {
			return BulkNoFollowUp
		}
	case BulkDecide, BulkLook:
		if it.Cause != CauseUncertain {
			return BulkNotUncertain
		}
		if a == BulkLook && it.Kind != KindShipment {
			return BulkNotShipment
		}
	}
	return ""
}

func (it BulkItem) unstoppable() BulkResult {
	switch it.State {
	case StateQueued, StateSending:
		return ""
	case StateDraft:
		return BulkDraft
	case StateCancelled:
		return BulkStopped
	case StateUncertain:
		if it.Looking {
			return ""
		}
		return BulkUncertain
	case StateRejected, StateFailed:
		return BulkEnded
	}
	if it.Status.Of(it.Kind).Meaning == MeaningRefused {
		return BulkEnded
	}
	return BulkSent
}

// unrepeatable is why an item is not sent again. What was given up goes as it is; of anything else a copy is sent, for which its
// content is opened.
func (it BulkItem) unrepeatable() BulkResult {
	switch {
	case it.State == StateDraft:
		return BulkDraft
	case it.State == StateUncertain || it.MayHaveArrived:
		return BulkUncertain
	case it.State == StateQueued || it.State == StateSending:
		return BulkWaits
	case it.State == StateCancelled:
		return BulkStopped
	case !it.EndedBadly():
		return BulkSent
	case it.Replaced:
		return BulkReplaced
	case it.Purged:
		return BulkPurged
	case it.State != StateFailed && it.Reach == ReachNone:
		return BulkNoReach
	}
	return ""
}

// unsendable is why an item is not sent again without a review. The deadline of a signing is not copied.
func (it BulkItem) unsendable() BulkResult {
	why := it.unrepeatable()
	if why == BulkSent && it.Signs && it.SigningStatus.Row().Failed() {
		if it.Reach == ReachNone {
			return BulkNoReach
		}
		return BulkFaulty // it needs another deadline
	}
	if why != "" {
		return why
	}
	switch {
	case it.Bare:
		return BulkBare
	case it.Signs && it.State != StateFailed:
		return BulkFaulty
	}
	return ""
}

func (it BulkItem) unremindable() BulkResult {
	if !it.Signs || it.State != StateAccepted || it.SigningStatus.Settled() {
		return BulkUnsigned
	}
	if it.Purged {
		return BulkPurged
	}
	return ""
}

// unwritable is why no SMS is written about a shipment: it takes the recipient's number, which is content.
func (it BulkItem) unwritable(of func() BulkResult) BulkResult {
	if it.Kind != KindShipment {
		return BulkNotShipment
	}
	if why := of(); why != "" {
		return why
	}
	switch {
	case !it.Numbered:
		return BulkNoNumber
	case it.Reach == ReachNone:
		return BulkNoReach
	}
	return ""
}

// Opens tells whether the act opens the content of an item to which it applies.
func (a BulkAct) Opens(it BulkItem) bool {
	return a == BulkAgain && it.State != StateFailed || a.ToDraft()
}

// Bulk is an act on chosen items that somebody has ordered.
type Bulk struct {
	ID        string
	Act       BulkAct
	Account   AccountID
	User      UserID
	Total     int
	Shown     int // to how many it applied when the user confirmed it
	Left      int // still to do
	Results   map[BulkResult]int
	CreatedAt time.Time
	Done      bool
}
