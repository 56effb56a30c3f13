package dispatch

// Kind tells an SMS from a shipment.
type Kind string

// The kinds of item.
const (
	KindSMS Kind = "sms"
)

// State is an item's progress on our side. The set is closed. "Scheduled" is queued with a later due time.
type State string

// The states of an item.
const (
	StateDraft     State = "draft"
	StateQueued    State = "queued"
	StateSending   State = "sending"
	StateAccepted  State = "accepted"
	StateRejected  State = "rejected"
	StateFailed    State = "failed"
	StateUncertain State = "uncertain"
	StateCancelled State = "cancelled"
)

// Block is why a queued item is blocked: not tried although it is due.
type Block string

// The reasons for blocking.
const (
	BlockNone     Block = ""
	BlockRefused  Block = "refused"  // the service refuses our credentials
	BlockAccount  Block = "account"  // the service refuses the account
	BlockStopped  Block = "stopped"  // the integration was stopped by a person or after repeated uncertain outcomes
	BlockMissing  Block = "missing"  // the account has no integration for this channel
	BlockJob      Block = "job"      // a person paused its job
	BlockPaused   Block = "paused"   // delivery is paused after a restore
	BlockDisabled Block = "disabled" // an administrator disabled the account
)

// Stage is an item's progress as shown: the state, split by due time and hold, until there is a status.
type Stage string

// The stages of an item.
const (
	StageDraft     Stage = "draft"
	StageApproval  Stage = "approval" // a draft that somebody else has to approve
	StageScheduled Stage = "scheduled"
	StageQueued    Stage = "queued"
	StageWaiting   Stage = "waiting"
	StageAsking    Stage = "asking"
	StageSending   Stage = "sending"
	StageAccepted  Stage = "accepted"
	StageStatus    Stage = "status" // the status is shown instead
	StageRejected  Stage = "rejected"
	StageFailed    Stage = "failed"
	StageUncertain Stage = "uncertain"
	StageCancelled Stage = "cancelled"
)

// Group is where lists and counts put a stage or status.
type Group string

// The groups, as shown.
const (
	GroupPlanned   Group = "planned"
	GroupWorking   Group = "working"
	GroupOnItsWay  Group = "on_its_way"
	GroupArrived   Group = "arrived"
	GroupStopped   Group = "stopped"
	GroupUncertain Group = "uncertain"
)
