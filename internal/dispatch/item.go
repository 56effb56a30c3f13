package dispatch

import "time"

// MaxWait is how long a due item is tried or held back before a person is asked.
const MaxWait = 24 * time.Hour

// Item is what an SMS and a shipment have in common: whose it is, its state, and what the service says of it.
type Item struct {
	ID        ItemID
	AccountID AccountID
	Kind      Kind
	State     State
	CreatedAt time.Time
	CreatedBy UserID
	Creator   string // name of who made it
	Restored  bool   // came out of a backup while delivery was paused

	DueAt    time.Time // when it is tried next; zero while a draft
	DueSince time.Time // when it should have gone; what MaxWait counts from
	Hold     Hold
	Reason   Reason // why it was rejected, failed, is uncertain or waits

	RecoverAt  time.Time // next look-up of an uncertain item; zero: a person must decide
	UpstreamID string
	AcceptedAt time.Time
	Status     Status
	StatusAt   time.Time // when we first saw this status
	CheckedAt  time.Time // last successful read
	NextCheck  time.Time // zero: no more reads
	CheckError Reason    // what the last read failed with; zero after a successful one
	Missing    int       // reads in a row that answered 404
	JobID      JobID     // of the job that it belongs to; empty: sent alone

	// MayBeThere tells of what was given up or stopped that an earlier release took a 503 for proof, though the call had gone out
	// whole and a machine on the way may have answered.
	MayBeThere bool
}

// Reason is a cause in words: a catalogue key, with what the service told to go with it.
type Reason struct {
	Key        string
	HTTPStatus int
	ErrorID    string // the service's, for its support
	At         time.Time
}

// Stage tells what a person sees of the item at the given moment.
func (it Item) Stage(now time.Time) Stage {
	switch it.State {
	case StateQueued:
		return it.queuedStage(now)
	case StateAccepted:
		if it.Status != "" {
			return StageStatus
		}
		return StageAccepted
	}
	return Stage(it.State)
}

func (it Item) queuedStage(now time.Time) Stage {
	switch {
	case it.DueSince.After(now):
		return StageScheduled
	case it.Overdue(now):
		return StageAsking
	case it.Hold != HoldNone:
		return StageWaiting
	}
	return StageQueued
}

// Overdue tells whether a queued item has waited so long that a person must confirm it before it goes.
func (it Item) Overdue(now time.Time) bool {
	return it.State == StateQueued && !it.DueSince.IsZero() && now.Sub(it.DueSince) >= MaxWait
}

// Settled tells whether nothing more is expected to happen by itself: the page may stop asking.
func (it Item) Settled() bool {
	switch it.State {
	case StateRejected, StateFailed, StateCancelled, StateDraft:
		return true
	case StateAccepted:
		return it.Status.Settled(it.Kind) || it.UpstreamID == "" || it.NextCheck.IsZero()
	}
	return false
}

// MayCancel tells whether the item can still be stopped: it has not been handed to a call.
func (it Item) MayCancel() bool { return it.State == StateQueued }

// MayConfirm tells whether a person is asked if it should still go.
func (it Item) MayConfirm(now time.Time) bool { return it.Overdue(now) }

// MaySendAgain tells whether the item ended without having been sent, so that the same content may go again.
func (it Item) MaySendAgain() bool { return it.State == StateFailed }

// Lost tells whether the service has said three times in a row that it does not know the item.
func (it Item) Lost() bool { return it.Missing >= 3 }

// Group tells where lists and counts put the item.
func (it Item) Group(now time.Time) Group {
	switch stage := it.Stage(now); stage {
	case StageDraft, StageScheduled:
		return GroupPlanned
	case StageUncertain:
		return GroupUncertain
	case StageRejected, StageFailed, StageCancelled:
		return GroupStopped
	case StageStatus:
		return it.Status.Of(it.Kind).Group()
	}
	return GroupWorking
}
