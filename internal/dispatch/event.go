package dispatch

import "time"

// EventKind names what happened to an item.
type EventKind string

// Events of our own, and changes that we observed at the service.
const (
	EventCreated     EventKind = "created"
	EventEdited      EventKind = "edited"
	EventQueued      EventKind = "queued"
	EventCancelled   EventKind = "cancelled"
	EventStopAsked   EventKind = "stop_asked"  // a person asked to stop it while a call was under way
	EventRescheduled EventKind = "rescheduled" // it has another time to send
	EventConfirmed   EventKind = "confirmed"   // a person confirmed that it should still be sent
	EventRequeued    EventKind = "requeued"    // a person sends it again
	EventOutcome     EventKind = "outcome"     // an attempt ended; Detail is the outcome
	EventGaveUp      EventKind = "gave_up"
	EventResolved    EventKind = "resolved"  // a person decided; Detail is the decision
	EventLookedUp    EventKind = "looked_up" // an uncertain shipment was looked up; Detail is the outcome it proved
	EventSigning     EventKind = "signing"   // the service reported a new signing status; Detail is the status
	EventStatus      EventKind = "status"    // the service reported a new status; Detail is the status
	EventMissing     EventKind = "missing"   // the service has answered 404 three times in a row
	EventRestored    EventKind = "restored"  // restored from a backup: may have been sent after the backup
	EventRevealed    EventKind = "revealed"
	EventOpened      EventKind = "opened"      // somebody else opened its content; the reason is in the event log
	EventCopied      EventKind = "copied"      // somebody else made a draft of its content; the reason is in the event log
	EventHandedOver  EventKind = "handed_over" // a draft was handed over to a colleague; Detail is their name
	EventTakenBack   EventKind = "taken_back"  // and was taken back
	EventFollowedUp  EventKind = "followed_up" // a person marked it as followed up
	EventAssigned    EventKind = "assigned"    // a person set the owner, the due day or a note; Detail is a new owner's name, or OwnerNobody
	EventLookAgain   EventKind = "look_again"  // a person had an uncertain shipment looked up once more
	EventMarkedRead  EventKind = "marked_read" // a person told the service that it was read elsewhere; Detail is the system

	EventApprovalAsked     EventKind = "asked"     // others are asked to approve the draft
	EventApprovalApproved  EventKind = "approved"  // somebody else approved it: it is sent
	EventApprovalReturned  EventKind = "returned"  // somebody else gave it back, with a note
	EventApprovalWithdrawn EventKind = "withdrawn" // who asked took it back

	EventArchived   EventKind = "archived"   // a person noted in which case it is archived; Detail is the case
	EventUnarchived EventKind = "unarchived" // and took that back

	EventDeletedDocuments EventKind = "deleted_documents" // the service deleted its files; Detail tells which
)

// Event is one line of an item's timeline.
type Event struct {
	At     time.Time
	Kind   EventKind
	Actor  string // name; empty: the system
	Detail string
	Reason Reason
}

// FromService tells whether the event is a change at the service.
func (e Event) FromService() bool { return e.Kind == EventStatus || e.Kind == EventSigning }
