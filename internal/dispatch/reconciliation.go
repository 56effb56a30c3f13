package dispatch

import "time"

// Verdict is what the comparison of an item with its service came to.
type Verdict string

// The verdicts.
const (
	VerdictAgrees     Verdict = "agrees"
	VerdictBehind     Verdict = "behind"     // the service has another status than we show
	VerdictMissing    Verdict = "missing"    // we hold it for open, and the service does not know it
	VerdictThere      Verdict = "there"      // we do not hold it for sent, and the service has it
	VerdictStranger   Verdict = "stranger"   // the service has more under its reference than we do
	VerdictUnanswered Verdict = "unanswered" // the service could not be asked
)

// Discrepancies returns the verdicts on items that a person must look into, the gravest first.
func Discrepancies() []Verdict { return []Verdict{VerdictThere, VerdictStranger, VerdictMissing} }

// Verdicts returns the discrepancies and the unanswered.
func Verdicts() []Verdict { return append(Discrepancies(), VerdictUnanswered) }

// Question is a way to ask the service about an item.
type Question string

// The questions. No generation of the services lists everything that it has for an account, so what it has and we do
// not is found by what we may have sent: an id that was reserved, or a reference that no other item has.
const (
	QuestionStatus    Question = "status"
	QuestionReserved  Question = "reserved"
	QuestionReference Question = "reference"
)

// The most items that one comparison asks about. Statuses of shipments are read a thousand with one call; an SMS and a
// reference take a call each.
const (
	ReconcileShipments  = 10_000
	ReconcileSMS        = 500
	ReconcileReferences = 500
)

// ReconcileBack is how far back items are looked for that may have been sent without our knowing: the service keeps
// documents for about three months (upstream facts, Retention).
const ReconcileBack = 90 * 24 * time.Hour

// Compare tells what the service's answer about an item means: its status, or that it has none.
func (q Question) Compare(ours State, known bool, our, theirs Status) Verdict {
	switch {
	case q == QuestionReserved && known && theirs != StatusReceived && ours != StateAccepted:
		return VerdictThere // a reserved id of which nothing was received stays MOTTATT
	case q == QuestionReserved:
		return VerdictAgrees
	case !known:
		return VerdictMissing
	case our != theirs:
		return VerdictBehind
	}
	return VerdictAgrees
}

// Strangers tells what ids mean that the service has under an item's own reference, and no item has.
func Strangers(ours State, strangers int) Verdict {
	switch {
	case strangers == 0:
		return VerdictAgrees
	case ours == StateAccepted:
		return VerdictStranger
	}
	return VerdictThere
}

// Reconciliation is a comparison of an account with its services.
type Reconciliation struct {
	ID        string
	Account   Account
	By        string // name of who ordered it
	OrderedAt time.Time
	DoneAt    time.Time // zero: it is going on
	Cut       bool      // there was more than one comparison asks about
	Gathered  bool
	Left      int // questions that are not answered yet
	Counts    map[Verdict]int
	Rows      []ReconciledItem
	Silent    []SilentService
}

// Asked is how many questions were asked, or are to be.
func (r Reconciliation) Asked() int {
	n := r.Left
	for _, c := range r.Counts {
		n += c
	}
	return n
}

// Clean tells whether it is done, was answered in full, and found nothing.
func (r Reconciliation) Clean() bool {
	for _, f := range Verdicts() {
		if r.Counts[f] > 0 {
			return false
		}
	}
	return !r.DoneAt.IsZero() && !r.Cut
}

// ReconciledItem is a discrepancy of one item.
type ReconciledItem struct {
	ID         ItemID    `db:"id"`
	Kind       Kind      `db:"kind"`
	State      State     `db:"state"`
	Status     Status    `db:"status"`
	Verdict    Verdict   `db:"finding"`
	Strangers  []string  `db:"-"` // ids at the service that no item has
	UpstreamID string    `db:"upstream_id"`
	CreatedAt  time.Time `db:"created_at"`
	Gone       bool      `db:"gone"` // purged since
}

// SilentService is how many questions an integration left unanswered, and why.
type SilentService struct {
	Name    string `db:"name"`
	Key     string `db:"reason_key"`
	ErrorID string `db:"error_id"`
	N       int    `db:"n"`
}
