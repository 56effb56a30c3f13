package dispatch

import "time"

// MaxWait is how long a due item is tried or blocked before a person must confirm it.
const MaxWait = 24 * time.Hour

// Item is the common part of an SMS and a shipment: account, owner, state, and the service's status.
type Item struct {
	ID        ItemID
	AccountID AccountID
	Kind      Kind
	State     State
	CreatedAt time.Time
	CreatedBy UserID
	Creator   string // name
	Restored  bool   // from a backup, while delivery was paused

	DueAt    time.Time // next attempt; zero while a draft
	DueSince time.Time // first due time; MaxWait counts from here
	Block    Block
	Reason   Reason // of rejection, failure, uncertainty or waiting

	RecoverAt  time.Time // next look-up of an uncertain item; zero: a person must decide
	UpstreamID string
	AcceptedAt time.Time
	Status     Status
	StatusAt   time.Time // when we first saw the status
	CheckedAt  time.Time // last successful read
	NextCheck  time.Time // zero: no more reads
	CheckError Reason    // of the last read; zero: it succeeded
	Missing    int       // reads in a row answered 404
	JobID      JobID     // empty: not part of a job

	// MayHaveArrived tells, of an item that was given up or stopped, that an earlier release took a 503 as proof that
	// nothing was sent, though the request had gone out whole and a proxy may have answered.
	MayHaveArrived bool

	// Doubted tells, of an item that ended unsent, that an earlier attempt may have arrived: a person chose to send it again without proof.
	Doubted bool

	AwaitsApproval bool   // a draft that stays as it is until somebody else has approved it
	ReturnedBy     string // name of who did not approve a draft, until it is asked about again; lists fill it in

	StopAskedAt time.Time // when somebody asked to stop it while a call was under way; zero: nobody did
	StopAskedBy string    // name
}

// Reason is a catalogue key for why something happened, with codes from the service.
type Reason struct {
	Key        string
	HTTPStatus int
	ErrorID    string // the service's, for its support
	At         time.Time
}

// Stage returns what a person is shown of the item at the given moment.
func (it Item) Stage(now time.Time) Stage {
	switch it.State {
	case StateQueued:
		return it.queuedStage(now)
	case StateAccepted:
		if it.Status != "" {
			return StageStatus
		}
		return StageAccepted
	case StateDraft:
		if it.AwaitsApproval {
			return StageApproval
		}
	}
	return Stage(it.State)
}

// Countdown is how long before sending the page counts the seconds, for undoing. A blocked item is not sent when it is due: within the
// countdown it counts as waiting, before that as scheduled.
const Countdown = 2 * time.Minute

func (it Item) queuedStage(now time.Time) Stage {
	switch {
	case it.DueSince.Sub(now) > Countdown, it.DueSince.After(now) && it.Block == BlockNone:
		return StageScheduled
	case it.Overdue(now):
		return StageAsking
	case it.Block != BlockNone:
		return StageWaiting
	}
	return StageQueued
}

// Overdue tells whether a queued item is MaxWait past its due time, so that a person must confirm it before it is
// sent.
func (it Item) Overdue(now time.Time) bool {
	return it.State == StateQueued && !it.DueSince.IsZero() && now.Sub(it.DueSince) >= MaxWait
}

// Settled tells whether nothing more changes without a person: the page may stop polling.
func (it Item) Settled() bool {
	switch it.State {
	case StateRejected, StateFailed, StateCancelled, StateDraft:
		return true
	case StateAccepted:
		return it.Status.Settled(it.Kind) || it.UpstreamID == "" || it.NextCheck.IsZero()
	}
	return false
}

// MayCancel tells whether the item can still be stopped: no call has begun.
func (it Item) MayCancel() bool { return it.State == StateQueued }

// MayAskToStop tells whether a wish to stop the item can be kept until it is known whether it was sent: a call is under way, or it is
// looked for.
func (it Item) MayAskToStop() bool {
	return it.StopAskedAt.IsZero() && (it.State == StateSending || it.State == StateUncertain && !it.RecoverAt.IsZero())
}

// MayConfirm tells whether a person is asked if it should still go.
func (it Item) MayConfirm(now time.Time) bool { return it.Overdue(now) }

// MaySendAgain tells whether the item ended unsent, so that the same content may be sent again.
func (it Item) MaySendAgain() bool { return it.State == StateFailed }

// Lost tells whether the service has answered 404 three times in a row.
func (it Item) Lost() bool { return it.Missing >= 3 }

// Group returns the item's group in lists and counts.
func (it Item) Group(now time.Time) Group {
	switch stage := it.Stage(now); stage {
	case StageDraft, StageApproval, StageScheduled:
		return GroupPlanned
	case StageWaiting:
		if it.DueSince.After(now) {
			return GroupPlanned // as lists count it: by its time
		}
	case StageUncertain:
		return GroupUncertain
	case StageRejected, StageFailed, StageCancelled:
		return GroupStopped
	case StageStatus:
		return it.Status.Of(it.Kind).Group()
	}
	return GroupWorking
}
