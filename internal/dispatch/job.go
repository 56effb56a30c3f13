package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// JobID is our id of a job.
type JobID string

// JobState is how far a job has come. The set is closed.
type JobState string

// The states of a job.
const (
	JobDraft   JobState = "draft"
	JobRunning JobState = "running"
	JobPaused  JobState = "paused"
	JobStopped JobState = "stopped"
	JobDone    JobState = "done" // nothing is left to hand over
)

// JobMode is how a job's messages are handed over.
type JobMode string

// The two modes.
const (
	ModeTraceable JobMode = "traceable" // one call each, each with a status
	ModeFast      JobMode = "fast"      // up to a thousand phone numbers a call, none with a status
)

// Known tells whether the mode is one of ours.
func (m JobMode) Known() bool { return m == ModeTraceable || m == ModeFast }

// JobRowsMax is how many rows a list may have.
const JobRowsMax = 50_000

// ShipmentRowsMax is how many rows a list of recipients of a shipment may have.
const ShipmentRowsMax = 10_000

// JobList counts the rows of a job's list.
type JobList struct {
	Read      int // all
	Valid     int // can be sent to
	Duplicate int // left out: their recipient stands further up
	Foreign   int // valid, with a foreign number
	Phone     int // different phone numbers of valid ones
	Unfit     int // valid, but their own text cannot be sent
	Warned    int // valid, with something to be looked at
	LeftOut   int // by a person; in lists of shipments, where nothing is left out by itself
}

// Invalid is how many rows have a problem of their own.
func (l JobList) Invalid() int { return l.Read - l.Valid - l.Duplicate - l.LeftOut }

// Faulty is how many rows of a list of shipments keep all of it from being sent.
func (l JobList) Faulty() int { return l.Read - l.Valid - l.LeftOut }

// Recipients is how many rows are sent to.
func (l JobList) Recipients(m JobMode) int {
	if m == ModeFast {
		return l.Phone
	}
	return l.Valid - l.Unfit
}

// Job is one text, or one shipment, to many recipients.
type Job struct {
	ID           JobID
	Kind         Kind
	AccountID    AccountID
	CreatedBy    UserID
	Creator      string
	CreatedAt    time.Time
	State        JobState
	Mode         JobMode
	Text         string   // with placeholders; the title of a shipment
	Columns      []string // names of the list's personal columns
	Purged       bool     // list and content have been kept for as long as they may
	HideInReport bool
	Template     TemplateUse // what the text was written from
	Timing
	List       JobList
	Reading    ListReading
	Received   bool // the list is kept as it was received, and can be read in another way
	Found      bool // the contact register gave the phone numbers: they are not the maker's to see
	Parts      int  // of all messages, as reviewed
	SentAt     time.Time
	DueAt      time.Time
	Recipients int // how many items it has when all are made
	Made       int // how many there are
	MadeAt     time.Time
	StoppedAt  time.Time
	DoneAt     time.Time
	Uncertain  bool   // of some of its items nobody knows whether they were sent
	Restored   bool   // was a draft in a backup that was restored
	Draft      ItemID // of the shipment, until it is sent
	Looked     string // what its shipments were held against last
	Revision   string // of the draft: another one after each change of its text or its list
	Division   Division
}

// Division is a file of a shipment that is divided among the recipients of a job: each row of the list gets as many pages, in
// the order of both.
type Division struct {
	Document DocumentID // empty: all get the same files
	Pages    int        // for each recipient
	Parts    int        // that there are; 0: it is not divided yet
	Kept     bool       // the parts come from an earlier job
}

// Shipments tells whether the job sends shipments.
func (j Job) Shipments() bool { return j.Kind == KindShipment }

// Scheduled tells whether the job waits for its time: nothing of it has gone yet, and it can get another time.
func (j Job) Scheduled(now time.Time) bool { return j.Active() && j.DueAt.After(now) }

// Active tells whether something may still be handed over by itself, or when somebody lets the job go on.
func (j Job) Active() bool { return j.State == JobRunning || j.State == JobPaused }

// Over tells that the job was sent and nothing more of it is handed over.
func (j Job) Over() bool { return !j.Active() && j.State != JobDraft }

// JobRow is one row of a list: a recipient and personal fields, or what is wrong.
type JobRow struct {
	Position  int // line of a text, row of a sheet
	Recipient SMSRecipient
	Phone     Phone    // of the row, also when the recipient is a national id
	Typed     string   // the cell that the problem is about, else that of the recipient
	Fields    []string // personal fields, in the order of the job's columns
	Problem   Problem  // without a key: the row is valid
	Column    string   // name of the column that the problem is about
	Unfit     bool     // its own text cannot be sent
	Warnings  []RowWarning

	Doubts []PartDoubt // of the part of a divided file that the row gets; they are told with the part
	InPart string      // hash of the content of that part, where there are doubts

	Shipment *ShipmentRecipient // of a list of shipments; the fields above that tell of phones are empty then
}

// SameFindings tells whether a row came to the same as another time it was checked.
func (r JobRow) SameFindings(o JobRow) bool {
	return r.Problem.Key == o.Problem.Key && r.Column == o.Column && slices.Equal(r.Warnings, o.Warnings) && fmt.Sprint(r.Problem.Args) == fmt.Sprint(o.Problem.Args)
}

// RowWarning is what a person should look at in a row; it stops nothing.
type RowWarning struct {
	Key    string // in the catalogue
	Column string // name of the column that it is about; empty: the row
}

// Misshapen tells whether the row could not be taken apart into the columns of its list, so that any of its cells may
// have moved or be lost.
func (r JobRow) Misshapen() bool {
	return r.Problem.Key == ProblemQuote || r.Problem.Key == ProblemCells || r.Problem.Key == ProblemAbove
}

// Misread tells whether a row of shipments is faulty as it was read, whatever the shipment is. It stays so until somebody has
// corrected it.
func (r JobRow) Misread() bool { return r.Misshapen() || r.Problem.Key == ProblemError }

// ReadWarnings are those that the list gave a row, not its shipment.
func (r JobRow) ReadWarnings() (list []RowWarning) {
	for _, w := range r.Warnings {
		if strings.HasPrefix(w.Key, "hint.row.") {
			list = append(list, w)
		}
	}
	return list
}

// ProblemDuplicate marks a row whose recipient stands further up, and ProblemLeftOut one that a person has left out.
// ProblemQuote and ProblemCells mark rows that could not be taken apart, ProblemAbove one over the headings that holds a
// number. ProblemError marks a cell that shows a fault of a formula instead of a value.
const (
	ProblemDuplicate = "problem.row.duplicate"
	ProblemLeftOut   = "problem.row.left_out"
	ProblemQuote     = "problem.row.quote"
	ProblemCells     = "problem.row.cells"
	ProblemAbove     = "problem.row.above"
	ProblemError     = "problem.row.error"
)

// JobGroup gathers the items of a job for its page and for the list behind each count.
type JobGroup string

// The groups, in the order of the page.
const (
	JobWaiting      JobGroup = "waiting"
	JobSending      JobGroup = "sending"
	JobHandedOver   JobGroup = "handed_over"
	JobUntracked    JobGroup = "untracked" // accepted without an id: nothing more is ever known
	JobOnItsWay     JobGroup = "on_its_way"
	JobArrived      JobGroup = "arrived"
	JobNotDelivered JobGroup = "not_delivered"
	JobNotSent      JobGroup = "not_sent" // rejected, or given up
	JobUncertain    JobGroup = "uncertain"
	JobCancelled    JobGroup = "cancelled"
	JobClosed       JobGroup = "closed" // a shipment that was closed by hand, or deleted
)

// JobGroups returns all groups in the order of the page.
func JobGroups() []JobGroup {
	return []JobGroup{JobWaiting, JobSending, JobHandedOver, JobUntracked, JobOnItsWay, JobArrived, JobNotDelivered, JobNotSent, JobUncertain, JobCancelled, JobClosed}
}

// JobGroupOf returns the group of an item of a job; tracked tells whether the service gave an id.
func JobGroupOf(kind Kind, state State, status Status, tracked bool) JobGroup {
	switch state {
	case StateDraft, StateQueued:
		return JobWaiting
	case StateSending:
		return JobSending
	case StateRejected, StateFailed:
		return JobNotSent
	case StateUncertain:
		return JobUncertain
	case StateCancelled:
		return JobCancelled
	}
	switch {
	case kind == KindSMS && !tracked:
		return JobUntracked
	case status == "":
		return JobHandedOver
	}
	return status.Of(kind).JobGroup()
}

// JobCounts is how many items of a job each group has.
type JobCounts map[JobGroup]int

// Again is how many would get the text once more if it were sent again to those that it did not reach. Uncertain ones
// are not among them: they may have it.
func (c JobCounts) Again() int { return c[JobNotSent] + c[JobNotDelivered] }

// Left is how many are still to be handed over.
func (c JobCounts) Left() int { return c[JobWaiting] + c[JobSending] }
