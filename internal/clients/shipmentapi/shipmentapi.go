// Package shipmentapi is the client of the shipment service (Shipment spec). It speaks the domain outside and the
// specification's words inside: the wire types of a generation never leave its wire files.
package shipmentapi

import (
	"time"

	"utsending/internal/dispatch"
)

// StatusesMax is the most shipments that one call of Statuses asks for (ARCHITECTURE.md, Delivery).
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
	Text string
}

// SigningEvent is a line of a shipment's signing history. The text is as that of an Event.
type SigningEvent struct {
	At     time.Time
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
