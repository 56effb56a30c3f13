package simulator

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Shipment is one accepted shipment.
type Shipment struct {
	ID                 string
	Generation         string     // GenerationV1 or GenerationV2
	AccountID          string     // kontoId; empty for V1
	Credential         Credential // with which it was delivered
	PreGenerated       bool       // its id was in the path of the submission
	User               string     // of HTTP Basic; empty for V2
	Title              string
	NationalID         string // at most one of NationalID and OrganizationNumber is set
	OrganizationNumber string
	SourceSystem       string
	ExternalReference  string
	CorrelationID      string // V2 only
	DigitalOnly        bool
	Documents          []Document
	Metadata           json.RawMessage // as it was sent
	AcceptedAt         time.Time
	AnswerLost         bool   // as in SMS
	Rejected           string // the rule for which its status becomes AVVIST, or empty
	FilesDeleted       bool   // by slettFiler, or DELETE dokumenter
	DeletedHow         string // slettetype of V2

	ReadBy     string    // national id given to settLest or lest, or empty; the last one counts
	ReadSystem string    // as the call names it
	ReadAt     time.Time // as the call says
}

// Document is one file of a shipment, as it arrived.
type Document struct {
	FileName string
	MimeType string
	Size     int64
	SHA256   string // hexadecimal

	ClearSize   int64  // of what was encrypted; zero when it was not
	ClearSHA256 string // empty when it was not encrypted
}

// content is the size of the file itself, encrypted or not.
func (d Document) content() int64 {
	if d.ClearSHA256 != "" {
		return d.ClearSize
	}
	return d.Size
}

// booked is a shipment with what its later fate depends on, or an id that is only reserved.
type booked struct {
	Shipment
	owner      string // whose shipment it is: for V1 the user, for V2 the account
	reservedAt time.Time
	letter     letter
	words      word
	readings   []reading
}

// The values of [Shipment.Generation].
const (
	GenerationV1 = "V1"
	GenerationV2 = "V2"
)

// shipmentBooks is what the simulator knows of shipments; Simulator.mu guards it.
type shipmentBooks struct {
	list         []booked
	byID         map[string]int // the first one of an id
	reserved     []string
	reservations map[string]booked
	claimed      map[string]bool // ids whose submission is being answered
	repeats      map[string]repeat
}

func newShipmentBooks() shipmentBooks {
	return shipmentBooks{
		byID:         map[string]int{},
		reservations: map[string]booked{},
		claimed:      map[string]bool{},
		repeats:      map[string]repeat{},
	}
}

// Shipments returns every accepted shipment in the order of acceptance.
func (s *Simulator) Shipments() []Shipment {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Shipment, 0, len(s.shipments.list))
	for _, b := range s.shipments.list {
		b.Documents, b.Metadata = slices.Clone(b.Documents), slices.Clone(b.Metadata)
		all = append(all, b.Shipment)
	}
	return all
}

// Reserved returns every id that startNyForsendelse gave out, used or not, in order.
func (s *Simulator) Reserved() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.shipments.reserved)
}

// reserve makes an id for a later submission.
func (x *exchange) reserve() string {
	id, now := uuid.NewString(), x.s.options.Now()
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	x.s.shipments.reserved = append(x.s.shipments.reserved, id)
	x.s.shipments.reservations[id] = booked{
		Shipment: Shipment{ID: id, PreGenerated: true}, owner: x.accountID, reservedAt: now,
	}
	return id
}

// entry is what a submission becomes in the books.
func (x *exchange) entry(u upload, now time.Time) booked {
	b := booked{
		Shipment: Shipment{
			ID: uuid.NewString(), Generation: x.generation, Credential: x.credential, User: x.credential.User,
			Title: u.letter.title, CorrelationID: u.letter.correlationID,
			NationalID: u.letter.to.nationalID, OrganizationNumber: u.letter.to.organizationNumber,
			SourceSystem: u.letter.sourceSystem, ExternalReference: u.letter.externalReference,
			DigitalOnly: u.letter.digitalOnly, Documents: u.documents, Metadata: u.metadata,
			AcceptedAt: now, Rejected: u.rejected,
		},
		owner: x.accountID, reservedAt: now, letter: u.letter,
	}
	if x.generation == GenerationV2 {
		b.AccountID = x.accountID
	}
	return b
}

// book accepts a submission; id is empty when the service chooses it.
func (x *exchange) book(u upload, id string, lost bool) string {
	now := x.s.options.Now()
	b := x.entry(u, now)
	b.words, b.AnswerLost = x.s.wordsIn(b.Title), lost
	if id != "" {
		b.ID, b.PreGenerated = id, true
	}
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	books := &x.s.shipments
	if r, ok := books.reservations[b.ID]; ok {
		b.reservedAt = r.reservedAt
	}
	if _, again := books.byID[b.ID]; !again {
		books.byID[b.ID] = len(books.list)
	}
	x.shipped = append(x.shipped, len(books.list))
	books.list = append(books.list, b)
	books.count(u.fingerprint(x.accountID), now)
	return b.ID
}

// findShipment returns an owner's shipment, or the reservation of its id; somebody else's is not found.
func (s *Simulator) findShipment(owner, id string) (booked, bool) {
	id = strings.ToLower(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.shipments.reservations[id]
	if s.options.ReservedUnknown {
		ok = false
	}
	if i, accepted := s.shipments.byID[id]; accepted {
		b, ok = s.shipments.list[i], true
	}
	return b, ok && b.owner == owner
}

// findByID returns an accepted shipment of a generation, whoever owns it.
func (s *Simulator) findByID(generation, id string) (booked, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.shipments.byID[strings.ToLower(id)]
	if !ok || s.shipments.list[i].Generation != generation {
		return booked{}, false
	}
	return s.shipments.list[i], true
}

// ownerOf tells whose id it is, or nothing when it was never given out or used.
func (s *Simulator) ownerOf(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, accepted := s.shipments.byID[id]; accepted {
		return s.shipments.list[i].owner
	}
	return s.shipments.reservations[id].owner
}

// changeShipment changes an accepted shipment.
func (s *Simulator) changeShipment(id string, change func(*booked)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, ok := s.shipments.byID[strings.ToLower(id)]; ok {
		change(&s.shipments.list[i])
	}
}

// referred lists the ids of an owner's shipments with an external reference.
func (s *Simulator) referred(owner, reference string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, b := range s.shipments.list {
		if b.owner == owner && b.ExternalReference == reference && !slices.Contains(ids, b.ID) {
			ids = append(ids, b.ID)
		}
	}
	return ids
}
