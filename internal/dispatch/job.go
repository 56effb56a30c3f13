package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// JobID is our id of a job.
type JobID string

// JobState is a job's progress. The set is closed.
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
	ModeTraceable JobMode = "traceable" // one call per message; each has a status
	ModeFast      JobMode = "fast"      // batches of up to a thousand phone numbers a call; no status
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
	Duplicate int // left out: same recipient as an earlier row
	Foreign   int // valid, with a foreign number
	Phone     int // different phone numbers of valid ones
	Unfit     int // valid, but the row's own text cannot be sent
	Warned    int // valid, with a warning
	LeftOut   int // by a person; only in lists of shipments, where nothing is left out automatically
}

// Invalid counts the rows with a problem of their own.
func (l JobList) Invalid() int { return l.Read - l.Valid - l.Duplicate - l.LeftOut }

// Faulty counts the rows of a list of shipments that keep the job from being sent.
func (l JobList) Faulty() int { return l.Read - l.Valid - l.LeftOut }

// Recipients counts the rows that are sent to.
func (l JobList) Recipients(m JobMode) int {
	if m == ModeFast {
		return l.Phone
	}
	return l.Valid - l.Unfit
}

// To is the number of recipients. For a draft it is the number that would be sent to.
func (j Job) To() int {
	if j.Recipients > 0 {
		return j.Recipients
	}
	return max(j.List.Recipients(j.Mode)-j.Replaced, 0)
}

// LeftOut counts the rows of the list that got nothing.
func (j Job) LeftOut() int { return max(j.List.Read-j.To()-j.Replaced, 0) }

// AllLeftOut tells whether a person has left out all that a draft could be sent to.
func (j Job) AllLeftOut() bool {
	return j.List.Valid == 0 && j.List.LeftOut > 0 && j.List.Invalid() == 0
}

// NobodyLeft tells whether every valid row of a draft was sent meanwhile. Unless AllReplaced, it can be sent once a row that is left out is
// taken in again.
func (j Job) NobodyLeft() bool { return j.AllReplaced || j.Replaced > 0 && j.Replaced >= j.List.Valid }

// Started tells whether the job has begun to hand over: a job that is stopped before its time never does.
func (j Job) Started(now time.Time) bool {
	return j.State != JobDraft && !j.DueAt.After(now) && (j.StoppedAt.IsZero() || !j.StoppedAt.Before(j.DueAt))
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
	Purged       bool     // list and content were deleted when their retention ended
	HideInReport bool
	SecondText
	Forms        FormCounts  // of the rows that are sent to, at the review; zero where all get the same text
	Template     TemplateUse // what the text was written from
	TemplateName string
	Timing
	List          JobList
	Reading       ListReading
	Received      bool // the list is stored as received, and can be read with other choices
	Found         bool // phone numbers came from the contact register: the creator may not see them
	Segments      int  // segments of all messages, at the review
	SentAt        time.Time
	DueAt         time.Time
	Recipients    int // number of items when all are created
	Made          int // items created so far
	MadeAt        time.Time
	StoppedAt     time.Time
	HaltedAt      time.Time // when it was paused or stopped; zero: it goes on, or that is not known
	HaltedBy      string    // name of who did
	DoneAt        time.Time
	Uncertain     bool   // at least one item is uncertain
	Restored      bool   // came as a draft from a restored backup
	Draft         ItemID // of the shipment, until it is sent
	DraftTitle    string // its title
	ChecksVersion string // version of the shipment and rules at the last check of its rows
	Revision      string // of the draft: changes with its text or its list
	Division      Division
	Unassigned    []UnassignedSlice // pages of the divided file that go to nobody

	AwaitsApproval bool   // a draft that stays as it is until somebody else has approved it
	ReturnedBy     string // name of who did not approve the draft, until it is asked about again
	Again          bool   // to those whom an earlier job did not reach
	Former         JobID  // that job; empty where it is deleted
	Replaced       int    // of a draft: how many of those were sent it meanwhile, so that their rows must be left out
	AllReplaced    bool   // of a draft: every row, valid or left out, was sent it meanwhile, so that it can only be deleted
	OnlyStopped    bool   // none of those failed: the job was stopped; pages of drafts fill it in
	Doubted        int    // how many of those an earlier attempt may have reached; pages of drafts fill it in
	Block          Block  // why its account cannot send now; pages fill it in
}

// Successor is a job to those whom an earlier one did not reach.
type Successor struct {
	ID    JobID
	Draft bool
	N     int       // recipients; of a draft, those who were not sent it meanwhile
	At    time.Time // when it was sent, or its draft made

	AllReplaced bool `db:"all_replaced"` // of a draft: as Job.AllReplaced
}

// SameJob is a job that sent the same to the same list earlier the same day. Zero: none did.
type SameJob struct {
	ID      JobID
	Reached int // recipients who got it, may have got it, or are to get it
	All     int // recipients
}

// Unreached counts the items of a job that reached nobody.
type Unreached struct {
	Left    int // a new draft would go to them
	Doubted int // of these: an earlier attempt may have arrived
	Drafted int // in the viewer's drafts already
	Resent  int // something was sent in their place, or is about to be
}

// Division divides one file of a shipment among the recipients of a job: each row of the list gets a slice.
type Division struct {
	Document DocumentID // empty: all get the same files
	By       DivideBy   // empty: by pages
	Mark     string     // where the file is divided by one
	Pages    int        // per slice; 0: they differ
	Slices   int        // slices made; 0: not divided yet
	Kept     bool       // the slices are those of an earlier job
	Column   string     // column of the list that names each row's own file
	Giro     string     // column of the list with the giro pages of each slice; empty: all have those of the file
}

// Absent tells whether what is divided is no file of the draft's.
func (d Division) Absent() bool { return d.Kept || d.By == DivideByFiles }

// Shipments tells whether the job sends shipments.
func (j Job) Shipments() bool { return j.Kind == KindShipment }

// Scheduled tells whether the job waits for its time: nothing has been sent, and the time can be changed.
func (j Job) Scheduled(now time.Time) bool { return j.Active() && j.DueAt.After(now) }

// Active tells whether items may still be handed over, now or when a person resumes the job.
func (j Job) Active() bool { return j.State == JobRunning || j.State == JobPaused }

// Over tells whether the job was sent and hands over nothing more.
func (j Job) Over() bool { return !j.Active() && j.State != JobDraft }

// JobRow is one row of a list: a recipient with personal fields, or a problem.
type JobRow struct {
	Position  int // line of a text, row of a sheet
	Recipient SMSRecipient
	Phone     Phone    // of the row, also when the recipient is a national id
	Typed     string   // the cell that has the problem, else that of the recipient
	Fields    []string // personal fields, in the order of the job's columns
	Problem   Problem  // without a key: the row is valid
	Column    string   // name of the column that the problem is about
	Unfit     bool     // the row's own text cannot be sent
	Warnings  []RowWarning
	Replaces  ItemID // the item in place of which its item is sent; empty: none

	Doubts    []SliceDoubt // whether the row's slice of the divided file is its recipient's; shown with the slice
	SliceHash string       // hash of the slice's content, if there are doubts

	Shipment *ShipmentRecipient // of a list of shipments; the SMS fields above are empty then
}

// SameFindings tells whether two checks of a row found the same.
func (r JobRow) SameFindings(o JobRow) bool {
	return r.Problem.Key == o.Problem.Key && r.Column == o.Column && slices.Equal(r.Warnings, o.Warnings) && fmt.Sprint(r.Problem.Args) == fmt.Sprint(o.Problem.Args)
}

// RowWarning is a warning about a row; it stops nothing.
type RowWarning struct {
	Key    string // in the catalogue
	Column string // the column; empty: the row
}

// Misshapen tells whether the row could not be split into the list's columns, so that any cell may be misplaced or
// lost.
func (r JobRow) Misshapen() bool {
	return r.Problem.Key == ProblemQuote || r.Problem.Key == ProblemCells || r.Problem.Key == ProblemAbove
}

// Misread tells whether a row of shipments could not be read properly, whatever the shipment. It stays so until
// somebody corrects the row.
func (r JobRow) Misread() bool { return r.Misshapen() || r.Problem.Key == ProblemError }

// ReadWarnings returns the warnings from reading the list, not those from checking the shipment.
func (r JobRow) ReadWarnings() (list []RowWarning) {
	for _, w := range r.Warnings {
		if strings.HasPrefix(w.Key, "hint.row.") {
			list = append(list, w)
		}
	}
	return list
}

// Keys of row problems. ProblemDuplicate: an earlier row has the recipient; ProblemLeftOut: left out by a person;
// ProblemQuote, ProblemCells: the row could not be split; ProblemAbove: a row above the headings holds a number;
// ProblemError: a cell shows a formula error instead of a value. ProblemUndigital: a shipment that is digital only has
// no number. ProblemNoSlice: no slice of the divided file names the row.
const (
	ProblemDuplicate = "problem.row.duplicate"
	ProblemUndigital = "problem.shipment.digital_number"
	ProblemLeftOut   = "problem.row.left_out"
	ProblemQuote     = "problem.row.quote"
	ProblemCells     = "problem.row.cells"
	ProblemAbove     = "problem.row.above"
	ProblemError     = "problem.row.error"
	ProblemNoSlice   = "problem.row.no_slice"
)

// JobGroup groups the items of a job for its page and the list behind each count.
type JobGroup string

// The groups, in the order of the page.
const (
	JobWaiting      JobGroup = "waiting"
	JobSending      JobGroup = "sending"
	JobHandedOver   JobGroup = "handed_over"
	JobUntracked    JobGroup = "untracked" // accepted without an id, so no status can be read
	JobOnItsWay     JobGroup = "on_its_way"
	JobArrived      JobGroup = "arrived"
	JobNotDelivered JobGroup = "not_delivered"
	JobNotSent      JobGroup = "not_sent" // rejected, or given up
	JobUncertain    JobGroup = "uncertain"
	JobCancelled    JobGroup = "cancelled"
	JobClosed       JobGroup = "closed" // a shipment that was closed by hand or deleted
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

// JobCounts counts the items of a job in each group.
type JobCounts map[JobGroup]int

// Resendable counts the recipients that sending the text again would reach: those that it did not reach. Uncertain items
// are not among them, since they may have arrived.
func (c JobCounts) Resendable() int { return c[JobNotSent] + c[JobNotDelivered] }

// OnlyCancelled tells whether all items were stopped before they were handed over.
func (c JobCounts) OnlyCancelled() bool {
	for group, n := range c {
		if n > 0 && group != JobCancelled {
			return false
		}
	}
	return c[JobCancelled] > 0
}

// Awaited counts the items that are handed over and have no final status.
func (c JobCounts) Awaited() int { return c[JobHandedOver] + c[JobOnItsWay] }

// StatusesCome tells whether statuses of the job's items are still to come: they are read for so long after it has ended.
func (j Job) StatusesCome(c JobCounts, now time.Time) bool {
	ended := j.DoneAt
	if ended.IsZero() {
		ended = j.StoppedAt
	}
	return c.Awaited() > 0 && now.Sub(ended) < DefaultRefreshPlan().Until
}

// Left counts the items still to be handed over.
func (c JobCounts) Left() int { return c[JobWaiting] + c[JobSending] }
