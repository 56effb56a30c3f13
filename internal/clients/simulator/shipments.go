package simulator

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Shipment is one accepted shipment.
type Shipment struct {
	ID                 string
	Generation         string     // GenerationV1, GenerationV2 or GenerationV3
	AccountID          string     // kontoId; empty for V1
	Credential         Credential // with which it was submitted
	PreGenerated       bool       // its id was in the path of the submission
	User               string     // of HTTP Basic; of V1 only
	Title              string
	NationalID         string // at most one of NationalID and OrganizationNumber is set
	OrganizationNumber string
	SourceSystem       string
	ExternalReference  string
	CorrelationID      string // not in V1
	DigitalOnly        bool
	Documents          []Document
	Metadata           json.RawMessage // as sent
	AcceptedAt         time.Time
	AnswerLost         bool   // as in SMS
	Rejected           string // the rule for which its status becomes AVVIST, or empty
	FilesDeleted       bool   // by slettFiler, or DELETE dokumenter
	DeletedHow         string // slettetype

	ReadBy     string    // national id in settLest or lest, or empty; the last one counts
	ReadSystem string    // as in the call
	ReadAt     time.Time // as in the call
}

// Document is one file of a shipment, as received.
type Document struct {
	FileName string
	MimeType string
	Size     int64
	SHA256   string // hexadecimal

	ClearSize   int64  // of the decrypted file; zero if it was not encrypted
	ClearSHA256 string // empty when it was not encrypted
}

// content is the size of the decrypted file.
func (d Document) content() int64 {
	if d.ClearSHA256 != "" {
		return d.ClearSize
	}
	return d.Size
}

// Booked is a shipment with the data that determine its route, or an id that is only reserved.
type Booked struct {
	Shipment
	Owner      string // for V1 the user, else the account
	reservedAt time.Time
	Fields     Metadata
	Words      word
	Readings   []Reading
}

// The values of [Shipment.Generation].
const (
	GenerationV1 = "V1"
	GenerationV2 = "V2"
	GenerationV3 = "V3"
)

// shipmentBooks is the register of shipments; Simulator.mu guards it.
type shipmentBooks struct {
	list         []Booked
	byID         map[string]int // the first one of an id
	reserved     []string
	reservations map[string]Booked
	claimed      map[string]bool // ids with a submission in progress
	repeats      map[string]repeat
}

func newShipmentBooks() shipmentBooks {
	return shipmentBooks{
		byID:         map[string]int{},
		reservations: map[string]Booked{},
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

// Reserved returns every id that startNyForsendelse returned, used or not, in order.
func (s *Simulator) Reserved() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.shipments.reserved)
}

// Reserve creates an id for a later submission.
func (x *Exchange) Reserve() string {
	id, now := uuid.NewString(), x.Sim.Options.Now()
	x.Sim.mu.Lock()
	defer x.Sim.mu.Unlock()
	x.Sim.shipments.reserved = append(x.Sim.shipments.reserved, id)
	x.Sim.shipments.reservations[id] = Booked{
		Shipment: Shipment{ID: id, PreGenerated: true}, Owner: x.AccountID, reservedAt: now,
	}
	return id
}

// entry converts a submission for the register.
func (x *Exchange) entry(u upload, now time.Time) Booked {
	b := Booked{
		Shipment: Shipment{
			ID: uuid.NewString(), Generation: x.Generation, Credential: x.Credential, User: x.Credential.User,
			Title: u.fields.Title, CorrelationID: u.fields.CorrelationID,
			NationalID: u.fields.To.NationalID, OrganizationNumber: u.fields.To.OrganizationNumber,
			SourceSystem: u.fields.SourceSystem, ExternalReference: u.fields.ExternalReference,
			DigitalOnly: u.fields.DigitalOnly, Documents: u.documents, Metadata: u.metadata,
			AcceptedAt: now, Rejected: u.rejected,
		},
		Owner: x.AccountID, reservedAt: now, Fields: u.fields,
	}
	if x.Generation != GenerationV1 {
		b.AccountID = x.AccountID
	}
	return b
}

// Book accepts a submission; an empty id lets the service assign one.
func (x *Exchange) Book(u upload, id string, lost bool) string {
	now := x.Sim.Options.Now()
	b := x.entry(u, now)
	b.Words, b.AnswerLost = x.Sim.wordsIn(b.Title), lost
	if id != "" {
		b.ID, b.PreGenerated = id, true
	}
	x.Sim.mu.Lock()
	defer x.Sim.mu.Unlock()
	books := &x.Sim.shipments
	if r, ok := books.reservations[b.ID]; ok {
		b.reservedAt = r.reservedAt
	}
	if _, again := books.byID[b.ID]; !again {
		books.byID[b.ID] = len(books.list)
	}
	x.shipped = append(x.shipped, len(books.list))
	books.list = append(books.list, b)
	books.count(u.fingerprint(x.AccountID), now)
	return b.ID
}

// FindShipment returns an owner's shipment, or the reservation of its id; other owners' are not found.
func (s *Simulator) FindShipment(owner, id string) (Booked, bool) {
	id = strings.ToLower(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.shipments.reservations[id]
	if s.Options.ReservedUnknown {
		ok = false
	}
	if i, accepted := s.shipments.byID[id]; accepted {
		b, ok = s.shipments.list[i], true
	}
	return b, ok && b.Owner == owner
}

// FindByID returns an accepted shipment of one of the generations, of any owner.
func (s *Simulator) FindByID(id string, generations ...string) (Booked, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.shipments.byID[strings.ToLower(id)]
	if !ok || !slices.Contains(generations, s.shipments.list[i].Generation) {
		return Booked{}, false
	}
	return s.shipments.list[i], true
}

// OwnerOf returns the owner of an id, or empty if it was never reserved or used.
func (s *Simulator) OwnerOf(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, accepted := s.shipments.byID[id]; accepted {
		return s.shipments.list[i].Owner
	}
	return s.shipments.reservations[id].Owner
}

// ChangeShipment changes an accepted shipment.
func (s *Simulator) ChangeShipment(id string, change func(*Booked)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, ok := s.shipments.byID[strings.ToLower(id)]; ok {
		change(&s.shipments.list[i])
	}
}

// Referred lists the ids of an owner's shipments with an external reference.
func (s *Simulator) Referred(owner, reference string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, b := range s.shipments.list {
		if b.Owner == owner && b.ExternalReference == reference && !slices.Contains(ids, b.ID) {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

// maxStatuses is how many shipments one call may ask for.
//
// Assumption: the limit of V2 (upstream-facts, section 1.2), and that an empty list is refused as there.
const maxStatuses = 1000

// MissingStatus is the fault that leaves a shipment out of a list.
const MissingStatus = Fault(http.StatusNotFound)

// CheckIDs refuses a list that is too short or too long, or holds an invalid id.
func (x *Exchange) CheckIDs(ids []string) bool {
	if len(ids) < 1 || len(ids) > maxStatuses {
		return x.Invalid("the list has not 1 to 1000 items")
	}
	for _, id := range ids {
		if !IsUUID(id) {
			return x.Invalid("an id is not a uuid")
		}
	}
	return true
}

// FindShipments returns the shipments that exist.
//
// Assumption: an unknown id among others is no error and is left out of the answer.
func (x *Exchange) FindShipments(ids []string) []Booked {
	var found []Booked
	for _, id := range ids {
		if b, ok := x.Sim.FindShipment(x.AccountID, id); ok {
			found = append(found, b)
		}
	}
	if len(found) > 0 {
		x.SetRecipient(found[0].Title)
	}
	return found
}

// Moments are the statuses of a shipment so far.
func (s *Simulator) Moments(b Booked) []Moment {
	return b.moments(s.Options.Now(), s.Options.Pace, s.Oslo)
}
