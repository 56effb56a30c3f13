// Package shipmentapi is what the clients of both generations of the shipment service have in common (Shipment spec). They
// speak the domain outside and the specification's words inside.
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

// Client calls the shipment service with one integration's credentials, in either generation. Every error is a
// *clients.Error; that of a call that cannot send anything is never uncertain.
type Client interface {
	// Send hands one shipment over and returns the service's id of it. The size of each document is that of what content
	// gives; a shipment that asks for it is encrypted on its way out. ready is asked before the last byte of each try goes out.
	Send(ctx context.Context, to Target, s dispatch.Shipment, content Content, ready clients.Ready) (string, error)
	// Statuses reads what has become of 1 to StatusesMax shipments of an account. Shipments that the answer does not tell
	// of are missing; values that nobody lists are returned as they are.
	Statuses(ctx context.Context, accountID string, ids []string) (map[string]StatusReport, error)
	// History reads the log of a shipment.
	History(ctx context.Context, id string) ([]Event, error)
	// SigningHistory reads the signing log of a shipment.
	SigningHistory(ctx context.Context, id string) ([]SigningEvent, error)
	// Documents reads what the service knows of a shipment's documents.
	Documents(ctx context.Context, id string) ([]DocumentReport, error)
	// ByExternalReference finds the shipments of an account that carry a reference.
	ByExternalReference(ctx context.Context, accountID, reference string) ([]Match, error)
	// MarkRead tells that a shipment was read outside the service. Saying it again does no harm.
	MarkRead(ctx context.Context, id string, r Reading) error
	// Types reads the shipment types that receiving systems know.
	Types(ctx context.Context) ([]string, error)
	// Receivers reads the receiving systems, all or those that a filter leaves.
	Receivers(ctx context.Context, filter ReceiverFilter) ([]Receiver, error)
	// ReceiversOf reads the receiving systems of one organisation.
	ReceiversOf(ctx context.Context, organization dispatch.OrganizationNumber) ([]Receiver, error)

	// Start reserves an id for Send. Only V1 has such ids.
	Start(ctx context.Context) (string, error)
	// Status reads what has become of the shipment with a reserved id. Only V1 has it.
	Status(ctx context.Context, id string) (StatusReport, error)
	// DeleteDocuments deletes documents of a shipment. Only V2 has it. Deleting them again does no harm.
	DeleteDocuments(ctx context.Context, id string, which dispatch.Deletion) error
}

// Lacking is the error of an operation that a generation does not have; nothing was called.
func Lacking() error {
	return &clients.Error{Outcome: dispatch.OutcomeRejected, Key: "reason.integration_unreadable"}
}

// Wire says how to write what the specification and the deployed service disagree about (upstream facts, section 2). All
// that is known of either is read whatever it says.
type Wire string

// The two ways to write; the zero value is that of the specification.
const (
	WireSpec     Wire = "spec"
	WireDeployed Wire = "deployed"
)

// Options are what a client of either generation is made of.
type Options struct {
	BaseURL string // {base_url} of the specification, without a path
	HTTP    *http.Client

	User     string // V1
	Password dispatch.Secret
	Wire     Wire

	Tokens              *clients.Tokens // V2
	IntegrationID       string          // header IntegrasjonId
	IntegrationPassword dispatch.Secret

	Timeout       time.Duration    // of a read; default 10 seconds
	SubmitTimeout time.Duration    // of a submission; default 16 minutes (Shipment spec, Multipart submission)
	Encryption    Encryption       // of documents, where a shipment asks for it
	Now           func() time.Time // nil: time.Now
}

// WithDefaults fills in what may be left out.
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

// Target is where a shipment is handed over.
type Target struct {
	AccountID string // kontoId; V1 knows the sender by its user
	Reserved  string // an id from V1's Start; empty: the service chooses one
}

// Match is a shipment that carries an external reference. V1 tells the id only.
type Match struct {
	ID           string
	SourceSystem string
	At           time.Time
}

// StatusesMax is the most shipments that one call of Statuses asks for (docs/delivery.md, Status reads).
const StatusesMax = 1000

// StatusReport is what has become of a shipment. ChangedAt is zero when the service does not tell.
type StatusReport struct {
	Status    dispatch.Status
	ChangedAt time.Time
}

// DocumentReport is what the service knows of one document of a shipment.
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
	Said string // how the service wrote a time that we cannot read
	Text string
}

// SigningEvent is a line of a shipment's signing history. The text is as that of an Event.
type SigningEvent struct {
	At     time.Time
	Said   string
	Status dispatch.SigningStatus
	Text   string
}

// Reading tells that a recipient has read a shipment outside the service.
type Reading struct {
	NationalID dispatch.NationalID
	System     string // where it was read
	At         time.Time
}

// Receiver is a system that takes shipments for an organisation.
type Receiver struct {
	OrganizationNumber dispatch.OrganizationNumber
	Type               string // of the shipments that it takes
	System             string
	SystemID           string
	Level              int
}

// ReceiverFilter narrows a list of receivers; what is zero does not.
type ReceiverFilter struct {
	OrganizationNumber dispatch.OrganizationNumber
	Type               string
	Level              int
}

// Content gives the bytes of one document. It is opened when its part is written, and again if the whole is; reads must
// heed the context. Its errors name nobody.
type Content func(ctx context.Context, d dispatch.Document) (io.ReadCloser, error)

// Valid tells whether a reading says who and when.
func (r Reading) Valid() bool {
	_, problem := dispatch.ParseNationalID("", r.NationalID.Reveal())
	return problem == nil && !r.At.IsZero()
}
