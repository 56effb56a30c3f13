package dispatch

import "time"

// EventKind names what happened to an item.
type EventKind string

// Our own events, and what we observed at the service.
const (
	EventCreated     EventKind = "created"
	EventEdited      EventKind = "edited"
	EventQueued      EventKind = "queued"
	EventCancelled   EventKind = "cancelled"
	EventRescheduled EventKind = "rescheduled" // it is to go at another time
	EventConfirmed   EventKind = "confirmed"   // it should still be sent
	EventRequeued    EventKind = "requeued"    // a person sends it again
	EventOutcome     EventKind = "outcome"     // an attempt ended; Detail is the outcome
	EventGaveUp      EventKind = "gave_up"
	EventResolved    EventKind = "resolved"  // a person decided; Detail is the decision
	EventLookedUp    EventKind = "looked_up" // an uncertain shipment was looked up; Detail is the outcome it proved
	EventSigning     EventKind = "signing"   // the service told a new signing status; Detail is the status
	EventStatus      EventKind = "status"    // the service told a new status; Detail is the status
	EventMissing     EventKind = "missing"   // the service has said three times that it does not know the item
	EventRestored    EventKind = "restored"  // came out of a backup: may have been sent after it
	EventRevealed    EventKind = "revealed"
	EventOpened      EventKind = "opened"      // somebody else read what it holds; why stands in the event log
	EventHandedOver  EventKind = "handed_over" // a draft went to a colleague; Detail is their name
	EventTakenBack   EventKind = "taken_back"  // and came back
	EventFollowedUp  EventKind = "followed_up" // a person marked it as followed up
	EventAssigned    EventKind = "assigned"    // a person wrote who takes care of it, by when, or a note
	EventLookAgain   EventKind = "look_again"  // a person has an uncertain shipment looked for once more
	EventMarkedRead  EventKind = "marked_read" // a person told the service that it was read elsewhere; Detail is the system

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

// FromService tells whether the event shows what the service said rather than what we did.
func (e Event) FromService() bool { return e.Kind == EventStatus || e.Kind == EventSigning }
