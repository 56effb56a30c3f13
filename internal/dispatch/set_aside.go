package dispatch

import "time"

// Queue is a queue of background work that all accounts share.
type Queue string

// The queues.
const (
	QueueMake      Queue = "make"      // creation of jobs' items; keys are jobs
	QueueClaim     Queue = "claim"     // claims; keys are items
	QueueRefresh   Queue = "refresh"   // status reads; keys are items
	QueueRecover   Queue = "recover"   // look-ups of uncertain shipments; keys are items
	QueueExport    Queue = "export"    // exports; keys are exports
	QueueBulk      Queue = "bulk"      // acts on chosen items; keys are acts
	QueueFollowUps Queue = "follow_up" // follow-ups that become due with time; keys are items
	QueueNumbers   Queue = "numbers"   // folding of changes into counts; keys are changes
	QueueChain     Queue = "chain"     // chaining of the event log; keys are its lines
	QueuePurge     Queue = "purge"     // keys are items and jobs
	QueueReseal    Queue = "reseal"    // keys are places of sealed values
)

// Queues returns all queues.
func Queues() []Queue {
	return []Queue{QueueMake, QueueClaim, QueueRefresh, QueueRecover, QueueExport, QueueBulk, QueueFollowUps, QueueNumbers, QueueChain, QueuePurge, QueueReseal}
}

// SetAsideAfter is the number of failed tries after which work is reported as set aside.
const SetAsideAfter = 3

// SetAside is background work that has failed so often, for a reason of its own, that it is skipped for a while.
type SetAside struct {
	Queue   Queue
	Key     string
	Account AccountID // empty: not of an account
	Name    string    // of the account
	Tries   int
	Cause   AsideCause
	First   time.Time
	Last    time.Time
}

// AsideCause is a code for why work failed: one of the constants, or "sql_" and an SQLSTATE. It holds nothing
// personal.
type AsideCause string

// The causes other than database errors.
const (
	AsideSealed AsideCause = "sealed" // a sealed value cannot be opened
	AsideSlice  AsideCause = "part"   // a slice of a divided file is missing
	AsideOther  AsideCause = "other"
)
