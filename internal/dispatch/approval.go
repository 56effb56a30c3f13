package dispatch

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ApprovalID is our id of one time that somebody asked for approval.
type ApprovalID string

// ApprovalState is what became of it. The set is closed.
type ApprovalState string

// The states of an approval.
const (
	ApprovalWaiting   ApprovalState = "waiting"
	ApprovalApproved  ApprovalState = "approved"
	ApprovalReturned  ApprovalState = "returned"  // with a note
	ApprovalWithdrawn ApprovalState = "withdrawn" // by who asked
)

// ApprovalReason is why somebody else has to look at what is sent. The set is closed.
type ApprovalReason string

// The reasons, in the order in which they are told.
const (
	ApprovalRecipients ApprovalReason = "recipients" // there are as many as the account says, or more
	ApprovalCost       ApprovalReason = "cost"       // it costs as much as the account says, or more
	ApprovalTemplate   ApprovalReason = "template"   // it is written from a template that asks for it
	ApprovalSensitive  ApprovalReason = "sensitive"  // it is marked as such
	ApprovalProtected  ApprovalReason = "protected"  // it may be printed to a typed address, to a protected person
	ApprovalChange     ApprovalReason = "change"     // it is a new or changed template
)

// Fields of the rule and of a decision that problems are tied to; the forms use the same names.
const (
	FieldApprovalRecipients = "godkjenning-antall"
	FieldApprovalCost       = "godkjenning-kostnad"
	FieldApprovalSensitive  = "godkjenning-sensitivt"
	FieldApprovalTemplates  = "godkjenning-maler"
	FieldApprovalNote       = "merknad"
)

// ApprovalRule is when an account demands approval; the zero rule never does. Templates ask for it themselves.
type ApprovalRule struct {
	Recipients int  `json:"recipients,omitempty"` // from how many; 0: however many
	Cost       int  `json:"cost,omitempty"`       // from how many øre, as far as prices are known; 0: whatever it costs
	Sensitive  bool `json:"sensitive,omitempty"`
	Templates  bool `json:"templates,omitempty"` // new and changed ones, before they are used
}

// Sending is what the rule looks at in something that is to be sent.
type Sending struct {
	Recipients int
	Cost       int // at most, in øre, as far as prices are known
	Sensitive  bool
	Template   TemplateID
	Printed    bool       // it may be printed to an address that somebody typed,
	To         NationalID // to this person,
	Job        JobID      // or to those of this list
}

// Reasons are why somebody else has to approve it; none: nobody has to. byTemplate tells whether its template asks for it, toProtected whether
// it goes to a protected person: that is asked about where it may be printed, whatever the account's rule is.
//
// Assumption: each sending counts by itself. Who divides a list to stay below the number is seen in the event log, not stopped.
func (r ApprovalRule) Reasons(s Sending, byTemplate, toProtected bool) (reasons []ApprovalReason) {
	if r.Recipients > 0 && s.Recipients >= r.Recipients {
		reasons = append(reasons, ApprovalRecipients)
	}
	if r.Cost > 0 && s.Cost >= r.Cost {
		reasons = append(reasons, ApprovalCost)
	}
	if byTemplate {
		reasons = append(reasons, ApprovalTemplate)
	}
	if r.Sensitive && s.Sensitive {
		reasons = append(reasons, ApprovalSensitive)
	}
	if s.Printed && toProtected {
		reasons = append(reasons, ApprovalProtected)
	}
	return reasons
}

// Sending is the SMS of so many segments as the rule looks at it: text that the service's reports are not to show is sensitive.
func (m SMS) Sending(p Prices, segments int) Sending {
	return Sending{Recipients: 1, Cost: p.SMS.Times(segments).Ore, Sensitive: m.HideInReport, Template: m.Template.ID}
}

// Sending is a job of SMS as the rule looks at it.
func (j Job) Sending(p Prices) Sending {
	return Sending{Recipients: j.List.Recipients(j.Mode), Cost: p.SMS.Times(j.Segments).Ore, Sensitive: j.HideInReport, Template: j.Template.ID}
}

// Sending is the shipment as the rule looks at it, to so many recipients and with the choices of a template: it is sensitive when
// it goes into the health network, or anything of it is marked as confidential, sensitive, to be encrypted or to be opened at the highest level only.
func (s Shipment) Sending(c ListCost, template TemplateID) Sending {
	return Sending{Recipients: c.N, Cost: c.Most, Template: template, Printed: !s.DigitalOnly, To: s.Recipient.Digital.NationalID, Sensitive: s.Health != nil || s.Confidential || s.Encrypted || s.RequireLevel4 ||
		slices.ContainsFunc(s.Documents, func(d Document) bool { return d.Sensitive })}
}

// ToList is the sending to those of a list.
func (s Sending) ToList(id JobID) Sending {
	s.Job = id
	return s
}

// Approval is one time that somebody asked others to approve a draft, or a version of a template.
type Approval struct {
	ID         ApprovalID
	AccountID  AccountID
	Kind       Kind
	Item       ItemID // the draft of an SMS or a shipment; of a list of shipments, the draft that all get. Empty: it has been sent
	Job        JobID  // empty: to one
	Template   TemplateID
	Name       string // that the template gets
	New        bool   // the template has no version in use
	State      ApprovalState
	Reasons    []ApprovalReason
	Recipients int
	Seen       string // revision of the draft, or number of the template's version
	AskedBy    UserID
	Asker      string
	AskedAt    time.Time
	Decider    string
	DecidedAt  time.Time
	Note       string
	Anyway     bool // it goes although the same was sent to the same list that day, or something in place of the same item: who asked has said so
}

// Waiting tells whether nobody has decided yet.
func (a Approval) Waiting() bool { return a.State == ApprovalWaiting }

// Returned tells whether the sender is to change something.
func (a Approval) Returned() bool { return a.State == ApprovalReturned }

// MayDecide tells whether the user may approve or return it: somebody else's, with the right.
func (a Approval) MayDecide(u User) bool {
	return a.Waiting() && a.AskedBy != u.ID && u.May(RightApprove, a.AccountID)
}

// ApprovalNoteMax is the longest note in characters.
const ApprovalNoteMax = 1000

// ParseApprovalNote reads what the sender is to put right.
func ParseApprovalNote(typed string) (string, *Problem) {
	note := strings.TrimSpace(NormalizeText(typed))
	switch {
	case note == "":
		return note, &Problem{Field: FieldApprovalNote, Key: "problem.approval.note"}
	case utf8.RuneCountInString(note) > ApprovalNoteMax:
		return note, &Problem{Field: FieldApprovalNote, Key: "problem.approval.note_long"}
	}
	return note, nil
}
