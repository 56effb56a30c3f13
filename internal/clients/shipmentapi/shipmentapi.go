// Package shipmentapi is the common part of the clients of all generations of the shipment service (Shipment spec).
// Its API uses the domain's types; the specification's names are used inside only.
package shipmentapi

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// Client calls the shipment service with one integration's credentials, in one generation. Every error is a
// *clients.Error; for a call that cannot send anything it is never uncertain.
type Client interface {
	// Send hands over one shipment and returns the service's id. The size of each document must be that of its
	// content; a shipment that asks for it is encrypted while streamed. ready is called before the last byte of each
	// attempt is sent.
	Send(ctx context.Context, to Target, s dispatch.Shipment, content Content, ready clients.Ready) (string, error)
	// Statuses reads the statuses of 1 to StatusesMax shipments of an account. Shipments that the answer lacks are
	// missing; unknown values are returned verbatim.
	Statuses(ctx context.Context, accountID string, ids []string) (map[string]StatusReport, error)
	// History reads the log of a shipment.
	History(ctx context.Context, id string) ([]Event, error)
	// SigningHistory reads the signing log of a shipment.
	SigningHistory(ctx context.Context, id string) ([]SigningEvent, error)
	// Documents reads the service's metadata of a shipment's documents.
	Documents(ctx context.Context, id string) ([]DocumentReport, error)
	// ByExternalReference finds the shipments of an account with an external reference.
	ByExternalReference(ctx context.Context, accountID, reference string) ([]Match, error)
	// MarkRead reports that a shipment was read outside the service. It is idempotent.
	MarkRead(ctx context.Context, id string, r Reading) error
	// Types reads the shipment types that receiving systems know.
	Types(ctx context.Context) ([]string, error)
	// Receivers reads the receiving systems that match a filter.
	Receivers(ctx context.Context, filter ReceiverFilter) ([]Receiver, error)
	// ReceiversOf reads the receiving systems of one organisation.
	ReceiversOf(ctx context.Context, organization dispatch.OrganizationNumber) ([]Receiver, error)

	// Start reserves an id for Send. Only V1 has such ids.
	Start(ctx context.Context) (string, error)
	// Status reads the status of the shipment with a reserved id. Only V1 has it.
	Status(ctx context.Context, id string) (StatusReport, error)
	// DeleteDocuments deletes documents of a shipment. V1 lacks it. It is idempotent.
	DeleteDocuments(ctx context.Context, id string, which dispatch.Deletion) error
}

// made are the constructors of the generations' clients.
var made = map[dispatch.IntegrationKind]func(Options) Client{}

// Register adds the client of a generation. Its package calls this when it is imported, as drivers of database/sql do,
// so that a generation is one import.
func Register(kind dispatch.IntegrationKind, client func(Options) Client) bool {
	made[kind] = client
	return true
}

// New returns the client of a generation; false if there is none.
func New(kind dispatch.IntegrationKind, o Options) (Client, bool) {
	client, ok := made[kind]
	if !ok {
		return nil, false
	}
	return client(o), true
}

// Lacking is the error of an operation that a generation lacks; no call was made.
func Lacking() error {
	return &clients.Error{Outcome: dispatch.OutcomeRejected, Key: "reason.integration_unreadable"}
}

// Wire chooses the encoding where the specification and the deployed service differ (upstream facts, section 2). Both
// encodings are read in either case.
type Wire string

// The two encodings; the zero value is the specification's.
const (
	WireSpec     Wire = "spec"
	WireDeployed Wire = "deployed"
)

// Options configure a client of any generation.
type Options struct {
	BaseURL string // {base_url} of the specification, without a path
	HTTP    *http.Client

	User     string // V1
	Password dispatch.Secret
	Wire     Wire

	Tokens              *clients.Tokens // not V1
	IntegrationID       string          // header IntegrasjonId
	IntegrationPassword dispatch.Secret

	Timeout       time.Duration    // of a read; default 10 seconds
	SubmitTimeout time.Duration    // of a submission; default 16 minutes (Shipment spec, Multipart submission)
	Encryption    Encryption       // of documents, where a shipment asks for it
	Now           func() time.Time // nil: time.Now
	Environment   dispatch.Environment
}

// WithDefaults fills in the defaults.
func (o Options) WithDefaults() Options {
	if o.HTTP == nil {
		o.HTTP = clients.NewHTTPClient()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Timeout = cmp.Or(o.Timeout, 10*time.Second)
	o.SubmitTimeout = cmp.Or(o.SubmitTimeout, 16*time.Minute)
	return o
}

// Target is the destination of a shipment.
type Target struct {
	AccountID string // kontoId; V1 identifies the sender by its user
	Reserved  string // an id from V1's Start; empty: the service assigns one
}

// Match is a shipment with an external reference. V1 returns the id only.
type Match struct {
	ID           string
	SourceSystem string
	At           time.Time
}

// StatusesMax is the most shipments in one call of Statuses (docs/delivery.md, Status reads).
const StatusesMax = 1000

// StatusReport is the status of a shipment. ChangedAt is zero if the service does not tell.
type StatusReport struct {
	Status    dispatch.Status
	ChangedAt time.Time
}

// DocumentReport is the service's metadata of one document.
type DocumentReport struct {
	FileName    string
	MimeType    string
	Size        int64
	SHA256      string // as the service writes it
	Type        string
	DownloadURL string // for the recipient's browser (upstream facts 1.5)
	SigningURL  string
	Signable    bool
	Sensitive   bool
	Extra       []dispatch.Entry
}

// Event is a line of a shipment's history. The text may hold names and national ids: mask it before it is shown, and
// never log it (upstream facts 2.6).
type Event struct {
	At   time.Time
	Said string // the timestamp, if it cannot be parsed
	Text string
}

// SigningEvent is a line of a shipment's signing history. The rules of Event's text apply.
type SigningEvent struct {
	At     time.Time
	Said   string
	Status dispatch.SigningStatus
	Text   string
}

// Reading reports that a recipient read a shipment outside the service.
type Reading struct {
	NationalID dispatch.NationalID
	System     string // where it was read
	At         time.Time
}

// Receiver is an organisation's system that receives shipments.
type Receiver struct {
	OrganizationNumber dispatch.OrganizationNumber
	Type               string // of the shipments that it receives
	System             string
	SystemID           string
	Level              int
}

// ReceiverFilter filters receivers; zero values match all.
type ReceiverFilter struct {
	OrganizationNumber dispatch.OrganizationNumber
	Type               string
	Level              int
}

// Content opens a document's bytes. It is called when the document's part is written, and again if the call is
// repeated; reads must observe the context. Its errors must not name anybody.
type Content func(ctx context.Context, d dispatch.Document) (io.ReadCloser, error)

// Valid tells whether the reader and the time are given.
func (r Reading) Valid() bool {
	_, problem := dispatch.ParseNationalID("", r.NationalID.Reveal())
	return problem == nil && !r.At.IsZero()
}
