package dispatch

import "time"

// Source is something read from the shipment service besides the status.
type Source string

// The sources.
const (
	SourceHistory   Source = "history"   // historikk
	SourceSigning   Source = "signing"   // signeringhistorikk
	SourceDocuments Source = "documents" // dokumentMetadata
)

// ServiceEvent is one line of a history at the service. Text is free text with eleven-digit runs masked; it is never
// interpreted as a status.
type ServiceEvent struct {
	At     time.Time
	Said   string `json:",omitempty"` // the service's timestamp, if we cannot parse it
	Text   string
	Status SigningStatus // of the signing history only
}

// ServiceDocument is the service's metadata of one file.
type ServiceDocument struct {
	FileName    string
	MimeType    string
	Size        int64
	SHA256      string
	Type        string
	DownloadURL string // for people to open in a browser; never fetched by us
	SigningURL  string
	Signable    bool
	Sensitive   bool
	Extra       []Entry
}

// Reading tells when a source was last read, and its latest failure.
type Reading struct {
	At     time.Time // last successful read; zero: never
	Failed Reason    // of the last read; zero: it succeeded
}

// ShipmentItem is a shipment with its state and history.
type ShipmentItem struct {
	Item
	Shipment
	SigningStatus   SigningStatus
	SigningAt       time.Time
	Events          []ServiceEvent // newest first
	SigningEvents   []ServiceEvent // newest first
	Files           []ServiceDocument
	Read            map[Source]Reading
	Fault           Fault  // the service's complaint when it rejected it
	Answer          Answer // the service's error answer, to the submission or a status read
	SentReference   string // external reference that was sent latest in place of the user's own
	Template        TemplateUse
	ServiceStatusAt time.Time       // when the status changed, by the service's clock; zero: not told
	TemplateName    string          // of that version
	Over            IntegrationKind // by which service and generation it was accepted; empty: it was not
	Deleted         Deletion        // of its files at the service
	Purged          bool            // its content was deleted when the retention ended
}

// MayCopy tells whether a new draft may be made of the shipment. While it may or may not have been sent, a copy could
// be a second shipment.
func (i ShipmentItem) MayCopy() bool {
	if i.Purged {
		return false
	}
	switch i.State {
	case StateAccepted, StateRejected, StateFailed, StateCancelled:
		return true
	}
	return false
}
