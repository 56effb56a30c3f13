package simulator

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// SMS is one accepted message.
type SMS struct {
	ID           string
	AccountID    string
	NationalID   string // either this or Phone is set
	Phone        string // as sent
	Text         string
	HideInReport bool
	AcceptedAt   time.Time
	AnswerLost   bool // accepted, but the answer was withheld on purpose; a slow answer counts as lost until it is sent
	Batch        bool // from sendBatch, so the caller never learns ID
}

// Call is a call that reached the simulator, whatever its result.
type Call struct {
	Operation  string     // one of the Op constants
	AccountID  string     // kontoId; for V1 of the shipment service the user of HTTP Basic
	Credential Credential // as far as it was verified; the two headers as sent
	Recipient  string     // phone number, national id or title; for lists the first one; empty if the call failed before
	At         time.Time
	Status     int    // HTTP status of the answer; 0: the connection was cut, or there is no answer yet
	Fault      string // name of the injected fault, or empty
}

// Books returns every accepted SMS in the order of acceptance.
func (s *Simulator) Books() []SMS {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.books)
}

// Calls returns every call in the order of arrival, token requests included.
func (s *Simulator) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Violations returns a line for each violation of the contract that a correct client never commits. The lines hold no
// recipients and no texts.
func (s *Simulator) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// accept records messages under one lock, so that a batch stays together, and remembers their indexes for settle.
func (x *Exchange) accept(lost bool, messages ...SMS) []SMS {
	now := x.Sim.Options.Now()
	x.Sim.mu.Lock()
	defer x.Sim.mu.Unlock()
	for i := range messages {
		m := &messages[i]
		m.ID, m.AccountID, m.AcceptedAt, m.AnswerLost = uuid.NewString(), x.AccountID, now, lost
		x.booked = append(x.booked, len(x.Sim.books))
		x.Sim.byID[m.ID] = len(x.Sim.books)
		x.Sim.books = append(x.Sim.books, *m)
	}
	return messages
}

// settle records that the answer about this exchange's messages was sent after all.
func (x *Exchange) settle() {
	x.Sim.mu.Lock()
	defer x.Sim.mu.Unlock()
	for _, i := range x.booked {
		x.Sim.books[i].AnswerLost = false
	}
	for _, i := range x.shipped {
		x.Sim.shipments.list[i].AnswerLost = false
	}
}

// find returns an account's message; other accounts' messages are not found.
func (s *Simulator) find(accountID, id string) (SMS, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.byID[strings.ToLower(id)]
	if !ok || s.books[i].AccountID != accountID {
		return SMS{}, false
	}
	return s.books[i], true
}

// recipient is the value of Call.Recipient.
func (m SMS) recipient() string {
	if m.Phone != "" {
		return m.Phone
	}
	return m.NationalID
}

// open adds a call to the list.
func (s *Simulator) open(operation string) int {
	now := s.Options.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, Call{Operation: operation, At: now})
	return len(s.calls) - 1
}

// Note changes the entry of this call. Answers are noted before they are written, so that a client that has the
// answer also finds it in Calls.
func (x *Exchange) Note(change func(*Call)) {
	x.Sim.mu.Lock()
	defer x.Sim.mu.Unlock()
	change(&x.Sim.calls[x.number])
}

// Violate records a violation of the contract.
func (x *Exchange) Violate(rule string) {
	x.Sim.mu.Lock()
	defer x.Sim.mu.Unlock()
	x.Sim.violations = append(x.Sim.violations, x.operation+": "+rule)
}
