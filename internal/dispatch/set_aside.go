package dispatch

import "time"

// Queue is a queue of background work that all accounts share.
type Queue string

// The queues.
const (
	QueueMake      Queue = "make"      // items of jobs; keys are jobs
	QueueClaim     Queue = "claim"     // what is handed over; keys are items
	QueueRefresh   Queue = "refresh"   // statuses; keys are items
	QueueRecover   Queue = "recover"   // look-ups of uncertain shipments; keys are items
	QueueExport    Queue = "export"    // lists as files; keys are exports
	QueueFollowUps Queue = "follow_up" // follow-ups that come with time; keys are items
	QueueNumbers   Queue = "numbers"   // folding of numbers; keys are changes
	QueueChain     Queue = "chain"     // chaining of the event log; keys are its lines
	QueuePurge     Queue = "purge"     // keys are items and jobs
	QueueReseal    Queue = "reseal"    // keys are places of sealed values
)

// Queues returns all of them.
func Queues() []Queue {
	return []Queue{QueueMake, QueueClaim, QueueRefresh, QueueRecover, QueueExport, QueueFollowUps, QueueNumbers, QueueChain, QueuePurge, QueueReseal}
}

// SetAsideAfter is after how many tries work that fails for its own sake is told of.
const SetAsideAfter = 3

// SetAside is background work that failed for its own sake, so often that it is told of. It is tried again now and then.
type SetAside struct {
	Queue   Queue
	Key     string
	Account AccountID // empty: no account's
	Name    string    // of the account
	Tries   int
	Cause   AsideCause
	First   time.Time
	Last    time.Time
}

// AsideCause is a code for why work failed: one of the constants, or an SQLSTATE after "sql_". It holds nothing personal.
type AsideCause string

// The causes that are no database error.
const (
	AsideSealed AsideCause = "sealed" // a sealed value does not open
	AsidePart   AsideCause = "part"   // a part of a divided file is missing
	AsideOther  AsideCause = "other"
)
